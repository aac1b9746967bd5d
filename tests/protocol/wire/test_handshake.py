"""Two machines on a fake wire: both know each other at the end, or neither believes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import (
    BadSignature,
    Excessive,
    Impostor,
    LocalError,
    Malformed,
    RemoteError,
    VersionMismatch,
)
from protocol.identity.keys import Identity, fingerprint_bytes
from protocol.wire.codec import decode, encode
from protocol.wire.handshake import Handshake, Hello, Proof, Role, State
from tests.protocol.company import identity

ANNA, BEN, MALLORY = identity(1), identity(2), identity(3)
CERTIFICATE = b"a" * 32
OTHER_CERTIFICATE = b"m" * 32


def listening(
    who: Identity = ANNA, certificate: bytes = CERTIFICATE, **more: object
) -> Handshake:
    return _made(who, "Anna", Role.LISTENED, certificate, b"n" * 32, more)


def dialling(
    who: Identity = BEN, certificate: bytes = CERTIFICATE, **more: object
) -> Handshake:
    return _made(who, "Ben", Role.DIALLED, certificate, b"o" * 32, more)


def _made(
    who: Identity,
    name: str,
    role: Role,
    certificate: bytes,
    nonce: bytes,
    more: dict[str, object],
) -> Handshake:
    options: dict[str, object] = {"certificate": certificate, "nonce": nonce, **more}
    return Handshake(who, name, role, **options)  # type: ignore[arg-type]


def played(dialler: Handshake, listener: Handshake) -> None:
    """Carry every payload to the other side until both are silent."""
    to_listener, to_dialler = [dialler.start()], [listener.start()]
    while to_listener or to_dialler:
        if to_listener:
            answer = listener.receive(to_listener.pop(0))
            to_dialler += [answer] if answer is not None else []
        if to_dialler:
            answer = dialler.receive(to_dialler.pop(0))
            to_listener += [answer] if answer is not None else []


def test_both_sides_learn_key_name_version_and_purpose() -> None:
    dialler, listener = dialling(purpose="join"), listening()
    played(dialler, listener)
    assert dialler.state is listener.state is State.PROVEN
    assert dialler.peer is not None
    assert (dialler.peer.identity, dialler.peer.name) == (ANNA.public, "Anna")
    assert listener.peer is not None
    assert (listener.peer.identity, listener.peer.name) == (BEN.public, "Ben")
    assert dialler.peer.version == listener.peer.version == 1
    assert dialler.peer.purpose == listener.peer.purpose == "join"


def test_a_connection_has_one_binding_and_no_other_has_it() -> None:
    seen = []
    for dialler, listener in (
        (dialling(), listening()),
        (dialling(nonce=b"p" * 32), listening()),
        (dialling(), listening(nonce=b"p" * 32)),
        (dialling(certificate=b"c" * 32), listening(certificate=b"c" * 32)),
        (dialling(MALLORY), listening()),
    ):
        played(dialler, listener)
        assert dialler.peer is not None
        assert listener.peer is not None
        assert dialler.peer.binding == listener.peer.binding
        seen.append(dialler.peer.binding)
    assert len(set(seen)) == len(seen)


def test_a_name_is_shown_without_what_could_move_the_cursor() -> None:
    dialler = _made(BEN, "B\x1b[2J\u202een", Role.DIALLED, CERTIFICATE, b"o" * 32, {})
    listener = listening()
    played(dialler, listener)
    assert listener.peer is not None
    assert listener.peer.name == "B[2Jen"


def test_a_machine_in_the_middle_is_refused_by_both_sides() -> None:
    """It shows its own certificate to Ben, and passes every payload on as it is."""
    ben = dialling(certificate=OTHER_CERTIFICATE)
    anna = listening(certificate=CERTIFICATE)
    bens_proof = ben.receive(anna.start())
    annas_proof = anna.receive(ben.start())
    assert bens_proof is not None
    assert annas_proof is not None
    with pytest.raises(BadSignature):
        anna.receive(bens_proof)
    with pytest.raises(BadSignature):
        ben.receive(annas_proof)
    assert anna.peer is ben.peer is None


def test_a_proof_is_not_sent_back_to_its_author() -> None:
    """Mallory repeats whatever Ben says: same key, same nonce, same signature."""
    ben = dialling()
    proof = ben.receive(ben.start())
    assert proof is not None
    with pytest.raises(BadSignature):
        ben.receive(proof)


def test_a_recorded_handshake_opens_nothing_later() -> None:
    first_ben, first_anna = dialling(), listening()
    hello, proof = first_ben.start(), first_ben.receive(first_anna.start())
    assert proof is not None
    later = listening(nonce=b"x" * 32)
    later.receive(hello)
    with pytest.raises(BadSignature):
        later.receive(proof)


def test_a_key_without_its_secret_is_nobody() -> None:
    """Mallory says hello with Ben's key and signs with her own."""
    anna = listening()
    mallory = dialling(MALLORY)
    hello = decode(mallory.start(), Hello, limit=4096)
    anna.receive(
        encode(
            Hello(
                oldest=1,
                newest=1,
                identity=BEN.public,
                nonce=hello.nonce,
                purpose="",
                extra=b"",
            )
        )
    )
    proof = mallory.receive(anna.start())
    assert proof is not None
    with pytest.raises(BadSignature) as caught:
        anna.receive(proof)
    assert caught.value.culprit is None  # Ben's name was misused: nothing is proven of him


@pytest.mark.parametrize("pin", [ANNA.public, fingerprint_bytes(ANNA.public)])
def test_an_expected_key_is_met(pin: bytes) -> None:
    dialler = dialling(expect=pin)
    played(dialler, listening())
    assert dialler.state is State.PROVEN


@pytest.mark.parametrize("pin", [ANNA.public, fingerprint_bytes(ANNA.public)])
def test_a_changed_key_is_an_impostor_before_we_sign_anything(pin: bytes) -> None:
    dialler = dialling(expect=pin)
    with pytest.raises(Impostor) as caught:
        dialler.receive(listening(MALLORY).start())
    assert caught.value.culprit == MALLORY.public
    assert dialler.state is State.FAILED


@pytest.mark.parametrize(
    ("ours", "theirs", "agreed"),
    [((1, 1), (1, 1), 1), ((1, 3), (2, 5), 3), ((2, 2), (1, 9), 2), ((4, 4), (1, 4), 4)],
)
def test_the_newest_version_that_both_speak(
    ours: tuple[int, int], theirs: tuple[int, int], agreed: int
) -> None:
    dialler, listener = dialling(versions=ours), listening(versions=theirs)
    played(dialler, listener)
    assert dialler.peer is not None
    assert listener.peer is not None
    assert dialler.peer.version == listener.peer.version == agreed


@pytest.mark.parametrize("theirs", [(2, 3), (0, 0), (9, 1)])
def test_no_common_version_is_said_with_both_ranges(theirs: tuple[int, int]) -> None:
    dialler = dialling(versions=(1, 1))
    with pytest.raises(VersionMismatch) as caught:
        dialler.receive(listening(versions=theirs).start())
    assert f"{theirs[0]} to {theirs[1]}" in caught.value.detail


def test_every_field_of_a_hello_is_signed() -> None:
    chance = random.Random(4)
    anna = listening()
    hello = anna.start()
    annas_proof = anna.receive(dialling().start())
    assert annas_proof is not None
    refused = 0
    for at in range(len(hello)):
        changed = bytearray(hello)
        changed[at] ^= 1 << chance.randrange(8)
        try:
            ben = dialling()
            ben.receive(bytes(changed))
            ben.receive(annas_proof)
        except RemoteError:
            refused += 1
    assert refused == len(hello)


def test_every_byte_of_a_proof_counts() -> None:
    ben = dialling()
    hello, proof = ben.start(), ben.receive(listening().start())
    assert proof is not None
    for at in range(len(proof)):
        changed = bytearray(proof)
        changed[at] ^= 1
        anna = listening()
        anna.receive(hello)
        with pytest.raises(RemoteError):
            anna.receive(bytes(changed))


@given(st.binary(max_size=600), st.sampled_from(State))
def test_any_bytes_in_any_state_give_a_remote_error(data: bytes, state: State) -> None:
    anna = listening()
    if state is not State.NOBODY:
        ben = dialling()
        proof = ben.receive(anna.start())
        anna.receive(ben.start())
        if state is State.PROVEN:
            anna.receive(proof or b"")
        elif state is State.FAILED:
            with pytest.raises(Malformed):
                anna.receive(b"")
    assert anna.state is state
    with pytest.raises(RemoteError):
        anna.receive(data)
    assert anna.state is State.FAILED
    assert anna.peer is None


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        (encode(Proof(signature=bytes(64), name="", extra=b"")), Malformed),
        (encode((1, 1, 1, bytes(31), bytes(32), "", b"")), Malformed),
        (encode((1, 1, 1, bytes(32), bytes(33), "", b"")), Malformed),
        (encode((1, 1, -1, bytes(32), bytes(32), "", b"")), Malformed),
        (encode((1, 1, 1, bytes(32), bytes(32), "x" * 33, b"")), Malformed),
        (encode((1, 1, 1, bytes(32), bytes(32), "", bytes(1_025))), Malformed),
        (bytes(4_097), Excessive),
    ],
    ids=["a proof first", "key", "nonce", "version", "purpose", "extra", "size"],
)
def test_a_hello_out_of_form(payload: bytes, fault: type[RemoteError]) -> None:
    with pytest.raises(fault):
        listening().receive(payload)


def test_fingerprints_and_nonces_of_another_length_are_our_own_bug() -> None:
    with pytest.raises(LocalError):
        listening(certificate=b"short")
