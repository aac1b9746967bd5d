"""Programs that lie about cards: a proof, a share or an answer of theirs does not hold.

The rest of the laptop is honest, and says what such a program gives it; where it hosts, the
program takes its own lie for the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.bodies import Body
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.application import Application, Contribution, Genesis
from protocol.cards.escrow import SEAL_BYTES, seal_to
from tests.simulation.laptop import Laptop

_ONCE = (bodies.KeyOpen, bodies.Entrusted, bodies.KeyShown)

Change = Callable[[SealedDealer, Body], Body | None]


class LyingProgram:
    """Sits in a laptop before it is started; `lied` once something false was said.

    It is honest up to the entry of number `since`, but for what is said only once.
    """

    def __init__(self, change: Change, laptop: Laptop[Application], since: int) -> None:
        self.laptop = laptop
        self.lied = False
        self.since = since
        self._change = change
        self._honest: dict[bytes, bytes] = {}  # what should have been said instead of a lie
        self._make_honest = laptop.make
        laptop.make = self._make

    def _make(self, genesis: Genesis, me: int) -> Application:
        app = self._make_honest(genesis, me)
        assert isinstance(app, SealedDealer)
        owed, fold = app.owed, app.fold

        def say(*, early: bool = False) -> tuple[Contribution, ...]:
            return tuple(self._say(app, contribution) for contribution in owed(early=early))

        def take(seq: int, author: int, body: bytes) -> str | None:
            code = fold(seq, author, body)
            if code is None or body not in self._honest or not self._hosts:
                return code
            return fold(seq, author, self._honest[body])

        app.owed, app.fold = say, take  # type: ignore[method-assign]
        return app

    @property
    def _hosts(self) -> bool:
        return self.laptop.machine.is_host

    def _say(self, app: SealedDealer, honest: Contribution) -> Contribution:
        entry = bodies.read(honest.body)
        is_early = app.match.folded < self.since and not isinstance(entry, _ONCE)
        false = None if is_early else self._change(app, entry)
        if false is None:
            return honest
        body = bodies.write(false)
        self._honest[body] = honest.body
        self.lied = True
        return Contribution(key=honest.key, body=body, keep=honest.keep)


def _flip(raw: bytes, at: int) -> bytes:
    at %= len(raw)
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


RESPONSE = 64
"""Where a share's proof has its last number: changed, it is still a number of the group."""


def _shuffle(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Shuffled):
        return replace(body, proof=_flip(body.proof, -32))
    return None


def _share(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Shared | bodies.Opened) and body.shares:
        return replace(body, shares=_flip(body.shares, RESPONSE))
    return None


def _part(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Recovered):
        return replace(body, parts=_flip(body.parts, RESPONSE))
    return None


def _transfer(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Passed):
        return replace(body, transfer=_flip(body.transfer, -32))
    return None


def _veil(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Veiled):
        return replace(body, veils=_flip(body.veils, -32))
    return None


def _escrow(app: SealedDealer, body: Body) -> Body | None:
    """Another value than was committed to, in the last holder's seal."""
    keys, group, match = app.match.keys, app.match.group, app.match
    holders = sorted({*range(match.operators)} - {app.me, *keys.departed})
    if not isinstance(body, bodies.Entrusted) or len(body.escrow) < SEAL_BYTES or not holders:
        return None
    last, value = holders[-1], group.random_scalar()
    wrong = seal_to(group, keys.context(), app.me, last, value, keys.publics[last])
    return replace(body, escrow=body.escrow[:-SEAL_BYTES] + wrong)


def _seal(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.Entrusted):
        return replace(body, escrow=_flip(body.escrow, -32))  # the proof of the last seal
    return None


def _complaint(app: SealedDealer, body: Body) -> Body | None:
    """Of a dealer that has cheated nobody."""
    keys, me = app.match.keys, app.me
    innocent = next((dealer for dealer in keys.escrows if dealer != me), None)
    if innocent is None or not isinstance(body, bodies.Shuffled):
        return None
    held = keys.escrows[innocent]
    secret = app.contributor.pair().secret
    proof = held.complain(me, secret)
    return bodies.Complained(innocent, proof)


def _key(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.KeyOpen):
        return replace(body, opening=_flip(body.opening, -1))
    return None


def _given(_: SealedDealer, body: Body) -> Body | None:
    if isinstance(body, bodies.KeyShown):
        return replace(body, secret=_flip(body.secret, 0))
    return None


def _denial(_: SealedDealer, body: Body) -> Body | None:
    """Not I, says who is called."""
    if isinstance(body, bodies.Answered) and body.seat >= 0:
        return bodies.Answered(body.step, -1, -1, b"", b"")
    return None


def _act(_: SealedDealer, body: Body) -> Body | None:
    """Builds what it does not hold."""
    if isinstance(body, bodies.Acted):
        return replace(body, picks=("build:9999",), shares=b"", told=())
    return None


def _usurper(app: SealedDealer, body: Body) -> Body | None:
    """Plays on for somebody who is here."""
    if isinstance(body, bodies.Acted):
        other = (body.seat + 1) % len(app.match.keepers)
        return bodies.TimedOut(app.match.step, other)
    return None


PROGRAMS: dict[str, Callable[[Laptop[Application], int], LyingProgram]] = {
    name: partial(LyingProgram, change)
    for name, change in {
        "false shuffle": _shuffle,
        "false share": _share,
        "false part": _part,
        "false transfer": _transfer,
        "false veil": _veil,
        "false escrow": _escrow,
        "false seal": _seal,
        "false complaint": _complaint,
        "false key": _key,
        "false key at the end": _given,
        "denial": _denial,
        "illegal act": _act,
        "usurper": _usurper,
    }.items()
}
