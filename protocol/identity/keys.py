"""Shell: who an operator is. An Ed25519 key on its own disk, and the keys it met before.

Everything an operator says at a table is signed with this key, each signature under a domain of
its own, so that nothing signed for one purpose can be shown for another. A name is only a name:
`Acquaintances` remembers which key came with it.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import json
import os
import secrets
import unicodedata
from pathlib import Path
from typing import Literal

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_sign_BYTES, crypto_sign_open, crypto_sign_PUBLICKEYBYTES
from nacl.exceptions import BadSignatureError

from protocol.disk_errors import unwritable
from protocol.errors import BadSignature, LocalError, Malformed, Unavailable

KEY_FILE = "identity.pem"
ACQUAINTANCES_FILE = "acquaintances.json"

FINGERPRINT_BYTES = 10
"""80 bits: out of reach for somebody who searches a key with a given fingerprint, and sixteen
letters can still be read over the telephone.
"""

MAX_ACQUAINTANCES = 1_000
"""Who only sat down somewhere: beyond these the one met longest ago is forgotten."""

MAX_PINNED = 10_000
"""Who is known better; no stranger can add one."""

Acquaintance = Literal["new", "known", "changed"]


class Identity:
    """An operator's signing key; `public` is its 32 bytes, the secret half stays inside."""

    __slots__ = ("_secret", "public")

    def __init__(self, secret: Ed25519PrivateKey) -> None:
        self._secret = secret
        self.public: bytes = secret.public_key().public_bytes_raw()

    @classmethod
    def fresh(cls) -> Identity:
        """A new identity that lives in memory only."""
        return cls(Ed25519PrivateKey.generate())

    @property
    def fingerprint(self) -> str:
        """The text that two people compare: four groups of four letters and digits."""
        return fingerprint(self.public)

    def sign(self, domain: bytes, message: bytes) -> bytes:
        """64 bytes over `domain`, a zero byte and `message`."""
        return self._secret.sign(_bound(domain, message))

    def __repr__(self) -> str:
        return f"Identity({self.fingerprint})"

    def __reduce__(self) -> str:
        raise LocalError("an identity is not copied or pickled")


def verify(public: bytes, domain: bytes, message: bytes, signature: bytes) -> None:
    """Return if `public` signed this; raise `BadSignature` otherwise.

    It names nobody: what does not verify is no word of whom it names.
    """
    # libsodium looks at no lengths; it takes half the time of OpenSSL, and refuses weak keys.
    if len(public) == crypto_sign_PUBLICKEYBYTES and len(signature) == crypto_sign_BYTES:
        with contextlib.suppress(BadSignatureError):
            crypto_sign_open(signature + _bound(domain, message), public)
            return
    raise BadSignature("a signature does not hold")


def fingerprint(public: bytes) -> str:
    """`fingerprint_bytes` for people: base32 in groups of four.

    >>> fingerprint(bytes(32))
    'SSJM-OXNI-TUZM-CRYJ'
    """
    return written(fingerprint_bytes(public))


def written(short: bytes) -> str:
    """`fingerprint_bytes` as people read them; the one way in which programs write them."""
    letters = base64.b32encode(short).decode("ascii")
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def fingerprint_bytes(public: bytes) -> bytes:
    """The first 80 bits of a domain-separated SHA-256 over the public key."""
    return hashlib.sha256(b"citadels identity\0" + public).digest()[:FINGERPRINT_BYTES]


def parse_fingerprint(text: str) -> bytes:
    """`fingerprint_bytes` from what a person typed; dashes, spaces and case do not matter."""
    letters = "".join(text.split()).replace("-", "").upper()
    try:
        parsed = base64.b32decode(letters)
    except (binascii.Error, ValueError):
        parsed = b""
    if len(parsed) != FINGERPRINT_BYTES:
        raise Malformed("not a fingerprint")
    return parsed


def is_expected(public: bytes, expect: bytes) -> bool:
    """Whether `public` is the key, or has the fingerprint, that `expect` pins."""
    pinned = public if len(expect) == len(public) else fingerprint_bytes(public)
    return hmac.compare_digest(pinned, expect)


def load_or_create(directory: Path) -> Identity:
    """The identity kept in `directory`, made at the first start.

    Two programs that start together agree on one key. Raises `Unavailable` with the hint
    "identity_unreadable", "identity_unwritable" or "identity_damaged", or why the disk keeps
    nothing ("disk_full", "disk_read_only").
    """
    path = directory / KEY_FILE
    if not _exists(path):
        pem = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        try:
            _make_private(directory)
            _write_private(path, pem, replace=False)
        except OSError as problem:
            raise unwritable(problem, path, "identity_unwritable") from problem
    try:
        _tighten(path)
        pem = path.read_bytes()
    except OSError as problem:
        raise Unavailable("identity_unreadable", f"{path}: {problem.strerror}") from problem
    return identity_from(pem, str(path))


def identity_from(pem: bytes, where: str = "") -> Identity:
    """The identity in a key file's bytes. Raises `Unavailable("identity_damaged")`."""
    try:
        secret = serialization.load_pem_private_key(pem, password=None)
    except Exception:
        # Whatever the parser says may quote the key: say only which file.
        raise Unavailable("identity_damaged", where) from None
    if not isinstance(secret, Ed25519PrivateKey):
        raise Unavailable("identity_damaged", where)
    return Identity(secret)


def write_private(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Make a file that nobody else can read, whole or not at all; one that is there stays,
    unless `replace` is said.

    Raises OSError.
    """
    _make_private(path.parent)
    _write_private(path, content, replace=replace)


class Acquaintances:
    """Which key came with which name before. One small file, rewritten as a whole.

    Anybody may sit down at a table of ours, under any name, with as many keys as it likes. So
    who only did that is kept for a while, and who is *pinned* for good: strangers push out each
    other, never them.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / ACQUAINTANCES_FILE
        self._keys, self._pinned = _read_acquaintances(self._path)

    def greet(self, name: str, public: bytes) -> Acquaintance:
        """What is known of `name` with this key; "new" is kept, "changed" waits for `trust`."""
        name = _plain(name)
        held = self._keys.get(name)
        if held is not None:
            return "known" if held == public else "changed"
        recognised = public in self._keys.values()
        self._keep(name, public, pinned=False)
        return "known" if recognised else "new"

    def pin(self, name: str, public: bytes) -> None:
        """This key is known better from now on: words were compared, or a match was played.

        Where another key is pinned to the name, that one stays until it is forgotten.
        """
        name = _plain(name)
        held = self._keys.get(name)
        if name not in self._pinned or held is None:
            self._keep(name, public, pinned=True)

    def forget(self, name: str) -> bool:
        """Whoever comes with this name next is new; whether anybody had it."""
        name = _plain(name)
        if self._keys.pop(name, None) is None:
            return False
        self._pinned.discard(name)
        self._write()
        return True

    def trust(self, name: str, public: bytes) -> None:
        """From now on `name` comes with this key: for a person who asked and was answered."""
        self._keep(_plain(name), public, pinned=True)

    def _keep(self, name: str, public: bytes, *, pinned: bool) -> None:
        self._keys.pop(name, None)
        self._keys[name] = public
        if pinned:
            self._pinned.add(name)
        passing = [name for name in self._keys if name not in self._pinned]
        better = [name for name in self._keys if name in self._pinned]
        # In each the ones met longest ago come first.
        for gone in (*passing[:-MAX_ACQUAINTANCES], *better[:-MAX_PINNED]):
            del self._keys[gone]
            self._pinned.discard(gone)
        self._write()

    def _write(self) -> None:
        kept = {name: [key.hex(), name in self._pinned] for name, key in self._keys.items()}
        text = json.dumps(kept, ensure_ascii=False)
        try:
            _make_private(self._path.parent)
            _write_private(self._path, text.encode(), replace=True)
        except OSError as problem:
            raise unwritable(problem, self._path, "acquaintances_unwritable") from problem


def _read_acquaintances(path: Path) -> tuple[dict[str, bytes], set[str]]:
    """Keys by name, and the names that are pinned."""
    try:
        keys: dict[str, bytes] = {}
        pinned: set[str] = set()
        for name, kept in json.loads(path.read_bytes()).items():
            # Lists of before told nobody apart: whom they knew is not given away to strangers.
            key, is_pinned = (kept, True) if isinstance(kept, str) else kept
            keys[name] = bytes.fromhex(key)
            if is_pinned:
                pinned.add(name)
        return keys, pinned
    except FileNotFoundError:
        return {}, set()
    except OSError as problem:
        raise Unavailable(
            "acquaintances_unreadable", f"{path}: {problem.strerror}"
        ) from problem
    except (ValueError, TypeError, AttributeError, RecursionError):
        # Forgetting every key in silence would be a gift to an impostor.
        raise Unavailable("acquaintances_damaged", str(path)) from None


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _bound(domain: bytes, message: bytes) -> bytes:
    if b"\0" in domain or not domain:
        raise LocalError("a domain is a non-empty text without zero bytes")
    return domain + b"\0" + message


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as problem:
        raise Unavailable("identity_unreadable", f"{path}: {problem.strerror}") from problem


def _make_private(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)


def _tighten(path: Path) -> None:
    """Take back what others may do with the file, where the system knows such rights."""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _write_private(path: Path, content: bytes, *, replace: bool) -> None:
    """Write all or nothing, readable by nobody else; without `replace` the first one wins."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            beside.replace(path)
        else:
            _place(beside, path)
        _sync_directory(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def _place(beside: Path, path: Path) -> None:
    with contextlib.suppress(FileExistsError):
        try:
            path.hardlink_to(beside)
        except (NotImplementedError, PermissionError, OSError) as problem:
            if isinstance(problem, FileExistsError):
                raise
            # File systems without links: the window of two first starts at once is accepted.
            if not path.exists():
                beside.replace(path)


def _sync_directory(directory: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
