"""Moving to another machine: identity and unfinished matches in one encrypted file.

The key is made of a password by scrypt (RFC 7914); ChaCha20-Poly1305 (RFC 8439) encrypts and
authenticates everything. One identity must not play in two places, and nothing is deleted from
the old machine: its person has to stop playing there.

Hint codes say "luggage": clients know them by that name.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from protocol import chance
from protocol.disk_errors import unwritable
from protocol.errors import Failure, Malformed, RemoteError, Unavailable
from protocol.identity.keys import KEY_FILE, identity_from, load_or_create, write_private
from protocol.identity.owner_only import restrict
from protocol.identity.password import Password
from protocol.storage.keeping import away_place
from protocol.storage.match_files import SECRETS, SUFFIX, read_cover, unfinished
from protocol.storage.store import Store
from protocol.storage.untrusted_file import open_plain
from protocol.wire.codec import CanonicalStruct, decode, encode

HEADER = b"citadels luggage/1\n"
SALT_BYTES, NONCE_BYTES = 16, 12
_START = len(HEADER) + SALT_BYTES + NONCE_BYTES
MAX_BACKUP = 256 << 20
"""Bytes. A match has a few megabytes at most, and nobody has dozens of them open."""

MAX_FILES = 256
"""Two of each match."""

_ROOM_BESIDE = 1 << 16
"""Bytes in a backup that are no match's: names, lengths, the key."""

_AS_IT_IS = frozenset(
    {"journal_malformed", "journal_version", "match_over", "secrets_damaged", "secrets_lost"}
)
"""What a match may have that keeps nobody from packing the others."""

_MATCH = re.compile(rf"[0-9a-f]{{32}}({re.escape(SUFFIX)}|{re.escape(SECRETS)})")


class _Contents(CanonicalStruct, frozen=True):
    """What is encrypted: the key file, and the files of matches by name."""

    identity: bytes
    matches: Annotated[tuple[tuple[str, bytes], ...], msgspec.Meta(max_length=MAX_FILES)]


def pack(home: Path, password: Password) -> tuple[bytes, int]:
    """The bytes of a backup, and how many matches are in it: of too many for one file the
    newest. What is damaged goes as it is. May block for a second.

    Raises `Unavailable`: "journal_busy" while one of the matches is being played,
    "journal_unreadable".
    """
    load_or_create(home)  # so that there is a key file, and it is whole
    matches: list[tuple[str, bytes]] = []
    room = MAX_BACKUP - _ROOM_BESIDE
    for path in unfinished(home):
        if not _is_at_rest(path):
            continue
        try:
            files = [(one.name, one.read_bytes()) for one in (path, path.with_suffix(SECRETS))]
        except OSError as problem:
            raise unwritable(problem, path, "journal_unreadable") from None
        room -= sum(len(content) for _, content in files)
        if room < 0 or len(matches) + len(files) > MAX_FILES:
            break
        matches += files
    inside = encode(_Contents((home / KEY_FILE).read_bytes(), tuple(matches)))
    salt, nonce = chance.source.randbytes(SALT_BYTES), chance.source.randbytes(NONCE_BYTES)
    sealed = ChaCha20Poly1305(password.stretched(salt)).encrypt(nonce, inside, HEADER)
    return HEADER + salt + nonce + sealed, len(matches) // 2


def unpack(home: Path, backup: bytes, password: Password) -> int:
    """Restore identity and matches; files that are here already stay. Returns how many matches.

    Raises `Unavailable`: "luggage_damaged", "luggage_password", or "identity_other" if another
    identity is here already; nothing was written then.
    """
    contents = _decrypted(backup, password)
    identity = identity_from(contents.identity)
    if (home / KEY_FILE).exists() and load_or_create(home).public != identity.public:
        raise Unavailable("identity_other", str(home))
    try:
        if not (home / KEY_FILE).exists():
            write_private(home / KEY_FILE, contents.identity)
        taken = 0
        for name, content in sorted(contents.matches, reverse=True):
            # Secrets are first in this order: a match without them would count as over.
            path = home / "matches" / name
            if not path.exists() and not _has_no_use(path):
                write_private(path, content)
                taken += name.endswith(SUFFIX)
    except OSError as problem:
        raise unwritable(problem, home, "identity_unwritable") from None
    return taken


def _is_at_rest(path: Path) -> bool:
    """Once SQLite's log is merged into the file; False for a match that is over. Raises
    `Unavailable` while it is played.
    """
    try:
        Store(path).close()
    except Unavailable as problem:
        if problem.hint not in _AS_IT_IS:
            raise
        return problem.hint != "match_over"
    return True


def _has_no_use(path: Path) -> bool:
    """Whether this file of a backup belongs to a match that is over here by now, or was put
    away: its secrets would have it offered again.
    """
    match = path.with_suffix(SUFFIX)
    if away_place(match).exists():
        return True
    with contextlib.suppress(Failure):
        return match.exists() and read_cover(match).is_over
    return False


def save(path: Path, backup: bytes) -> None:
    """Write a backup to a new file, whole or not at all.

    Raises `Unavailable`: "luggage_exists", "luggage_unwritable", "disk_full", "disk_read_only".
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Unavailable("luggage_exists", str(path)) from None
    except OSError as problem:
        raise unwritable(problem, path, "luggage_unwritable") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            restrict(path)
            file.write(backup)
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        with contextlib.suppress(OSError):
            path.unlink()
        raise unwritable(problem, path, "luggage_unwritable") from None


def read(path: Path) -> bytes:
    """A backup's bytes, of which no password is needed to tell that they are none.

    Raises `Unavailable`: "luggage_unreadable" or "luggage_damaged".
    """
    try:
        with open_plain(path) as file:
            if os.fstat(file.fileno()).st_size > MAX_BACKUP:
                raise Unavailable("luggage_damaged", str(path))
            content = file.read()
    except OSError as problem:
        raise Unavailable("luggage_unreadable", f"{path}: {problem.strerror}") from None
    if not _is_backup(content):
        raise Unavailable("luggage_damaged", str(path))
    return content


def refuse_old_file(path: Path) -> None:
    """Raise `Unavailable("luggage_exists")` where `save` would write over something."""
    if os.path.lexists(path):
        raise Unavailable("luggage_exists", str(path))


def _is_backup(content: bytes) -> bool:
    return content.startswith(HEADER) and len(content) >= _START + 16


def _decrypted(backup: bytes, password: Password) -> _Contents:
    if not _is_backup(backup):
        raise Unavailable("luggage_damaged")
    salt = backup[len(HEADER) : len(HEADER) + SALT_BYTES]
    nonce = backup[len(HEADER) + SALT_BYTES : _START]
    try:
        cipher = ChaCha20Poly1305(password.stretched(salt))
        contents = decode(
            cipher.decrypt(nonce, backup[_START:], HEADER), _Contents, limit=MAX_BACKUP
        )
    except InvalidTag:
        raise Unavailable("luggage_password") from None
    except RemoteError:
        raise Unavailable("luggage_damaged") from None
    if not all(_MATCH.fullmatch(name) for name, _ in contents.matches):
        raise Malformed("a file that is no match")
    return contents
