"""An operator moves to another machine: its identity and its unfinished matches in one file.

The file is encrypted under a password: key by scrypt (RFC 7914), ChaCha20-Poly1305 (RFC 8439)
over everything. One identity must not play in two places: the machine that is left forgets
nothing by itself, so its person has to.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from protocol.disk_errors import unwritable
from protocol.errors import Malformed, RemoteError, Unavailable
from protocol.identity.keys import KEY_FILE, identity_from, load_or_create, write_private
from protocol.identity.password import Password
from protocol.storage.store import SECRETS, SUFFIX, Store, unfinished
from protocol.wire.codec import decode, encode

HEADER = b"citadels luggage/1\n"
SALT_BYTES, NONCE_BYTES = 16, 12
MAX_LUGGAGE = 256 << 20
"""Bytes. A match has a few megabytes at most; nobody has dozens of them open."""

_MATCH = re.compile(rf"[0-9a-f]{{32}}({re.escape(SUFFIX)}|{re.escape(SECRETS)})")


class _Case(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is inside: the key file's bytes, and files of matches by name."""

    identity: bytes
    matches: Annotated[tuple[tuple[str, bytes], ...], msgspec.Meta(max_length=256)]


def pack(home: Path, password: Password) -> tuple[bytes, int]:
    """The encrypted file, and how many matches are in it. May block for a second.

    Raises `Unavailable`: "journal_busy" while one of the matches is being played.
    """
    load_or_create(home)  # there is one, and it is whole
    matches: list[tuple[str, bytes]] = []
    paths = unfinished(home)
    for path in paths:
        Store(path).close()  # nobody plays it, and all of it lies in two plain files
        matches += [(one.name, one.read_bytes()) for one in (path, path.with_suffix(SECRETS))]
    inside = encode(_Case((home / KEY_FILE).read_bytes(), tuple(matches)))
    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    sealed = ChaCha20Poly1305(password.stretched(salt)).encrypt(nonce, inside, HEADER)
    return HEADER + salt + nonce + sealed, len(paths)


def unpack(home: Path, luggage: bytes, password: Password) -> int:
    """Take identity and matches in, and say how many matches; what is here already stays.

    Raises `Unavailable`: "luggage_damaged", "luggage_password", or "identity_other" where
    somebody else lives here; then nothing was written.
    """
    case = _opened(luggage, password)
    identity = identity_from(case.identity)
    if (home / KEY_FILE).exists() and load_or_create(home).public != identity.public:
        raise Unavailable("identity_other", str(home))
    try:
        if not (home / KEY_FILE).exists():
            write_private(home / KEY_FILE, case.identity)
        taken = 0
        for name, content in sorted(case.matches, reverse=True):
            # Secrets come first: a match without them would count as over.
            path = home / "matches" / name
            if not path.exists():
                write_private(path, content)
                taken += name.endswith(SUFFIX)
    except OSError as problem:
        raise unwritable(problem, home, "identity_unwritable") from None
    return taken


def save(path: Path, luggage: bytes) -> None:
    """Write the file where nothing lies yet, whole or not at all.

    Raises `Unavailable`: "luggage_exists", "luggage_unwritable", or why the disk keeps nothing.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Unavailable("luggage_exists", str(path)) from None
    except OSError as problem:
        raise unwritable(problem, path, "luggage_unwritable") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(luggage)
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        with contextlib.suppress(OSError):
            path.unlink()
        raise unwritable(problem, path, "luggage_unwritable") from None


def read(path: Path) -> bytes:
    """The file's bytes. Raises `Unavailable("luggage_unreadable")` or "luggage_damaged"."""
    try:
        if path.stat().st_size > MAX_LUGGAGE:
            raise Unavailable("luggage_damaged", str(path))
        return path.read_bytes()
    except OSError as problem:
        raise Unavailable("luggage_unreadable", f"{path}: {problem.strerror}") from None


def _opened(luggage: bytes, password: Password) -> _Case:
    start = len(HEADER) + SALT_BYTES + NONCE_BYTES
    if not luggage.startswith(HEADER) or len(luggage) < start + 16:
        raise Unavailable("luggage_damaged")
    salt = luggage[len(HEADER) : len(HEADER) + SALT_BYTES]
    nonce = luggage[len(HEADER) + SALT_BYTES : start]
    try:
        cipher = ChaCha20Poly1305(password.stretched(salt))
        case = decode(cipher.decrypt(nonce, luggage[start:], HEADER), _Case, limit=MAX_LUGGAGE)
    except InvalidTag:
        raise Unavailable("luggage_password") from None
    except RemoteError:
        raise Unavailable("luggage_damaged") from None
    if not all(_MATCH.fullmatch(name) for name, _ in case.matches):
        raise Malformed("a file that is no match")
    return case
