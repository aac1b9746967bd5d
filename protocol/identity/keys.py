"""Shell: an operator's identity, an Ed25519 key (RFC 8032) on its own disk.

Everything an operator says at a table is signed with this key. Each purpose has a domain of its
own, so that nothing signed for one purpose passes for another.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import errno
import hashlib
import hmac
import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import (
    crypto_sign,
    crypto_sign_BYTES,
    crypto_sign_open,
    crypto_sign_PUBLICKEYBYTES,
)
from nacl.exceptions import BadSignatureError

from protocol import chance
from protocol.disk_errors import unwritable
from protocol.errors import BadSignature, LocalError, Malformed, Unavailable
from protocol.identity.owner_only import make_folder, restrict

KEY_FILE = "identity.pem"

FINGERPRINT_BYTES = 10
"""80 bits: nobody finds another key with a given fingerprint, and sixteen letters can be read
over the telephone.
"""


class Identity:
    """An operator's signing key. `public` is 32 bytes; the secret half stays inside."""

    __slots__ = ("_secret", "public")

    def __init__(self, secret: Ed25519PrivateKey) -> None:
        self.public: bytes = secret.public_key().public_bytes_raw()
        self._secret = secret.private_bytes_raw() + self.public  # as libsodium keeps it

    @classmethod
    def fresh(cls) -> Identity:
        """A new identity that lives in memory only."""
        return cls(_fresh())

    @property
    def fingerprint(self) -> str:
        """What two people compare: four groups of four letters and digits."""
        return fingerprint(self.public)

    def sign(self, domain: bytes, message: bytes) -> bytes:
        """A signature of 64 bytes over `domain`, a zero byte and `message`."""
        # libsodium takes less time than OpenSSL; both make the same signature.
        return crypto_sign(_bound(domain, message), self._secret)[:crypto_sign_BYTES]

    def __repr__(self) -> str:
        return f"Identity({self.fingerprint})"

    def __reduce__(self) -> str:
        raise LocalError("an identity is not copied or pickled")


def verify(public: bytes, domain: bytes, message: bytes, signature: bytes) -> None:
    """Return if `public` signed this; raise `BadSignature` otherwise.

    The error names no culprit: anybody can put another one's key beside a bad signature.
    """
    # libsodium takes half the time of OpenSSL and refuses weak keys, but checks no lengths.
    if len(public) == crypto_sign_PUBLICKEYBYTES and len(signature) == crypto_sign_BYTES:
        with contextlib.suppress(BadSignatureError):
            crypto_sign_open(signature + _bound(domain, message), public)
            return
    raise BadSignature("a signature does not hold")


def fingerprint(public: bytes) -> str:
    """`fingerprint_bytes` of a key as text: base32 in groups of four.

    >>> fingerprint(bytes(32))
    'SSJM-OXNI-TUZM-CRYJ'
    """
    return written(fingerprint_bytes(public))


def written(short: bytes) -> str:
    """Ten bytes of a fingerprint as text; no other spelling goes to the network."""
    letters = base64.b32encode(short).decode("ascii")
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def fingerprint_bytes(public: bytes) -> bytes:
    """The first 80 bits of a domain-separated SHA-256 over the public key."""
    return hashlib.sha256(b"citadels identity\0" + public).digest()[:FINGERPRINT_BYTES]


def parse_fingerprint(text: str) -> bytes:
    """`fingerprint_bytes` from what a person typed. Dashes, spaces and case do not matter.

    Raises `Malformed`.
    """
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

    Two programs that start together agree on one key. Raises `Unavailable`:
    "identity_unreadable", "identity_damaged", "identity_unwritable", "disk_full" or
    "disk_read_only".
    """
    path = directory / KEY_FILE
    if not _exists(path):
        pem = _fresh().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        try:
            write_private(path, pem)
        except OSError as problem:
            raise unwritable(problem, path, "identity_unwritable") from problem
    return _read(path)


def _fresh() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(chance.source.randbytes(32))


def load(directory: Path) -> Identity | None:
    """The identity kept in `directory`, if one was made there. Raises as `load_or_create`."""
    path = directory / KEY_FILE
    return _read(path) if _exists(path) else None


def _read(path: Path) -> Identity:
    try:
        restrict(path)
        pem = path.read_bytes()
    except OSError as problem:
        raise Unavailable("identity_unreadable", f"{path}: {problem.strerror}") from problem
    return identity_from(pem, str(path))


def identity_from(pem: bytes, where: str = "") -> Identity:
    """The identity in a key file's bytes. Raises `Unavailable("identity_damaged")`."""
    try:
        secret = serialization.load_pem_private_key(pem, password=None)
    except MemoryError:
        raise  # the file may be whole
    except Exception:
        # What the parser says may quote the key: name only the file.
        raise Unavailable("identity_damaged", where) from None
    if not isinstance(secret, Ed25519PrivateKey):
        raise Unavailable("identity_damaged", where)
    return Identity(secret)


def write_private(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Write a file that nobody else can read, whole or not at all. Raises OSError.

    A file that is there already stays, unless `replace`. Its folder is made if need be.
    """
    make_folder(path.parent)
    beside = path.with_name(f"{path.name}.{chance.source.randbytes(8).hex()}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            restrict(beside)
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


def _bound(domain: bytes, message: bytes) -> bytes:
    if b"\0" in domain or not domain:
        raise LocalError("a domain is a non-empty text without zero bytes")
    return domain + b"\0" + message


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as problem:
        raise Unavailable("identity_unreadable", f"{path}: {problem.strerror}") from problem


def _place(beside: Path, path: Path) -> None:
    """Give the file its name, unless another one has it: the first one wins."""
    with contextlib.suppress(FileExistsError):
        try:
            path.hardlink_to(beside)
        except (NotImplementedError, PermissionError, OSError) as problem:
            if isinstance(problem, FileExistsError):
                raise
            # A file system without links: two first starts at the same moment may differ.
            if not path.exists():
                beside.replace(path)


def _sync_directory(directory: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as problem:
        # A folder on SMB or NFS may know no fsync. The file in it has reached the disk; its
        # name is then the server's to keep, and nothing that we could do makes that surer.
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    finally:
        os.close(descriptor)
