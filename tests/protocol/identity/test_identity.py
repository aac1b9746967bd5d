"""An operator is its key, kept privately; a name is only a name."""

from __future__ import annotations

import errno
import os
import pickle
import stat
import threading
from pathlib import Path

import pytest

from protocol.errors import BadSignature, LocalError, Malformed, Unavailable
from protocol.identity import keys
from protocol.identity.keys import (
    KEY_FILE,
    Identity,
    fingerprint,
    fingerprint_bytes,
    is_expected,
    load_or_create,
    parse_fingerprint,
    verify,
)
from tests.protocol.company import identity

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files as POSIX has them")
not_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="root may read and write everything"
)


def test_a_signature_holds_for_its_key_domain_and_message_only() -> None:
    anna, ben = identity(1), identity(2)
    signature = anna.sign(b"entry", b"body")
    verify(anna.public, b"entry", b"body", signature)
    for public, domain, message in (
        (ben.public, b"entry", b"body"),
        (anna.public, b"order", b"body"),
        (anna.public, b"entry", b"bodies"),
        (anna.public, b"ent", b"ry\0body"),
    ):
        with pytest.raises(BadSignature) as caught:
            verify(public, domain, message, signature)
        assert caught.value.culprit is None  # it never said so


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), bytes(65)])
def test_bytes_that_are_no_signature_are_a_bad_one(signature: bytes) -> None:
    with pytest.raises(BadSignature):
        verify(identity(1).public, b"entry", b"body", signature)


@pytest.mark.parametrize("public", [b"", bytes(31), bytes(33), b"\xff" * 32])
def test_bytes_that_are_no_key_sign_nothing(public: bytes) -> None:
    with pytest.raises(BadSignature):
        verify(public, b"entry", b"body", bytes(64))


@pytest.mark.parametrize("domain", [b"", b"a\0b"])
def test_a_domain_cannot_be_mistaken_for_its_message(domain: bytes) -> None:
    with pytest.raises(LocalError):
        identity(1).sign(domain, b"")


def test_the_secret_is_in_no_text_and_no_pickle() -> None:
    anna = identity(1)
    assert repr(anna) == f"Identity({anna.fingerprint})"
    with pytest.raises(LocalError):
        pickle.dumps(anna)


def test_a_fingerprint_is_eighty_bits_read_in_groups() -> None:
    anna = identity(1)
    assert [len(group) for group in anna.fingerprint.split("-")] == [4, 4, 4, 4]
    assert parse_fingerprint(anna.fingerprint) == fingerprint_bytes(anna.public)
    assert parse_fingerprint(f" {anna.fingerprint.lower().replace('-', ' ')} ") == (
        fingerprint_bytes(anna.public)
    )
    assert fingerprint(identity(2).public) != anna.fingerprint


@pytest.mark.parametrize(
    "text", ["", "ABCD", "ABCD-EFGH-IJKL-MNO", "0" * 16, "é" * 16, "A" * 24]
)
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_fingerprint(text)


def test_an_expected_key_may_be_pinned_whole_or_by_fingerprint() -> None:
    anna, ben = identity(1).public, identity(2).public
    assert is_expected(anna, anna)
    assert is_expected(anna, fingerprint_bytes(anna))
    assert not is_expected(anna, ben)
    assert not is_expected(anna, fingerprint_bytes(ben))
    assert not is_expected(anna, fingerprint_bytes(anna)[:9])
    assert not is_expected(anna, b"")


def test_the_first_start_makes_a_key_and_the_next_finds_it(tmp_path: Path) -> None:
    home = tmp_path / "some" / "home"
    first = load_or_create(home)
    assert load_or_create(home).public == first.public
    assert [path.name for path in home.iterdir()] == [KEY_FILE]  # nothing half-written


@posix
def test_the_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    load_or_create(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / KEY_FILE).stat().st_mode) == 0o600
    (home / KEY_FILE).chmod(0o644)
    load_or_create(home)
    assert stat.S_IMODE((home / KEY_FILE).stat().st_mode) == 0o600


def test_programs_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    made: list[Identity] = []
    starts = [
        threading.Thread(target=lambda: made.append(load_or_create(tmp_path / "h")))
        for _ in range(8)
    ]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len({one.public for one in made}) == 1
    assert len(made) == 8


@pytest.mark.parametrize(
    "content",
    [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"],
)
def test_a_damaged_key_is_not_replaced_in_silence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(content)
    with pytest.raises(Unavailable) as caught:
        load_or_create(tmp_path)
    assert caught.value.hint == "identity_damaged"
    assert (tmp_path / KEY_FILE).read_bytes() == content


def test_a_key_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(Unavailable) as caught:
        load_or_create(tmp_path)
    assert caught.value.hint == "identity_unreadable"


def test_a_home_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(Unavailable) as caught:
        load_or_create(tmp_path / "home")
    assert caught.value.hint in ("identity_unwritable", "identity_unreadable")


@not_root
def test_a_home_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(Unavailable) as caught:
            load_or_create(tmp_path / "home")
    finally:
        tmp_path.chmod(0o700)
    assert caught.value.hint == "identity_unwritable"


@posix
@pytest.mark.parametrize(
    ("number", "is_kept"),
    [(errno.EINVAL, True), (errno.ENOTSUP, True), (errno.EIO, False), (errno.ENOSPC, False)],
)
def test_a_folder_of_a_server_may_know_no_fsync_but_a_failing_disk_is_told(
    number: int, is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SMB and NFS refuse it for folders, and the key in it is kept all the same."""
    real = os.fsync

    def on_a_server(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        real(descriptor)

    monkeypatch.setattr(keys.os, "fsync", on_a_server)
    if is_kept:
        assert load_or_create(tmp_path).public == load_or_create(tmp_path).public
    else:
        with pytest.raises(Unavailable):
            load_or_create(tmp_path)
