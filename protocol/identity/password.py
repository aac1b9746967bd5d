"""A table's password: what people have agreed on aloud. How it is proven is in `spake`."""

from __future__ import annotations

import unicodedata

from protocol.errors import LocalError

MAX_PASSWORD = 128
"""Characters. Longer ones are typing accidents."""


class Password:
    """What people agreed on aloud. It is never shown, and cannot be pickled."""

    __slots__ = ("_secret",)

    def __init__(self, text: str) -> None:
        """Texts that look the same are the same (NFKC); spaces at the ends do not count.

        Raises `ValueError` for nothing or for more than `MAX_PASSWORD` characters.
        """
        meant = unicodedata.normalize("NFKC", text).strip()
        if not 0 < len(meant) <= MAX_PASSWORD:
            raise ValueError("password_length")
        self._secret = meant.encode("utf-8", errors="surrogatepass")

    def stretched(self, salt: bytes) -> bytes:
        """A key of 32 bytes by scrypt: each guess takes a fifth of a second and 64 MiB."""
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        return Scrypt(salt=salt, length=32, n=2**16, r=8, p=1).derive(self._secret)

    def __repr__(self) -> str:
        return "Password(…)"

    def __reduce__(self) -> str:
        raise LocalError("a password is not copied or pickled")
