"""A join code that people can say: some numbers for where the host is, and a small secret.

What is left out of the address is what private networks have in common: 192.168 or 169.254
before two numbers, 10 (or 172, where the next is from 16 to 31) before three. Four are the
whole address. So a code is read alike on every laptop, whatever its own network. Then comes the
port, unless it is the usual one: it is above 255.

The secret pins nobody's key by itself: it is proven in an exchange (`spoken_exchange`), each
attempt of which is one guess. The third word checks the others and the numbers: it finds
whatever was typed wrong in one place before an attempt is spent.

Why so: docs/decisions, 9.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from protocol import chance
from protocol.errors import Malformed
from protocol.identity.password import Password
from protocol.wire.addresses import split_address

WORDS = 256
"""In each list: a word says eight bits."""

_LEAST_PORT = 256
_COUNTS = range(2, 5)

Secret = tuple[int, int]
"""Two words by their places in a list: 16 bits."""


@dataclass(frozen=True, slots=True)
class SpokenCode:
    """Where a host is, and a secret. `parts` are the last of its IPv4 address; `port` is None
    for the usual one.
    """

    parts: tuple[int, ...]
    port: int | None
    secret: Secret

    @property
    def numbers(self) -> tuple[int, ...]:
        """What is said as numbers."""
        return self.parts if self.port is None else (*self.parts, self.port)

    @property
    def words(self) -> tuple[int, int, int]:
        """What is said in words, by their places in a list: the secret, then the check."""
        return (*self.secret, self._check())

    @property
    def password(self) -> Password:
        """What both sides prove to know."""
        return Password("{}-{}".format(*self.secret))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses that may be meant, without the port."""
        said = ".".join(map(str, self.parts))
        match len(self.parts):
            case 2:
                return f"192.168.{said}", f"169.254.{said}"
            case 3:
                wide = (f"172.{said}",) if 16 <= self.parts[0] < 32 else ()
                return f"10.{said}", *wide
            case _:
                return (said,)

    def __repr__(self) -> str:
        return f"SpokenCode({self.numbers}, …)"

    def _check(self) -> int:
        """A sum in which each part has an odd weight of its own: no single one can be another
        without the sum being another.
        """
        high, low = divmod(self.port or 0, 256)
        said = (*self.secret, *self.parts, high, low, len(self.parts))
        return sum((2 * place + 3) * part for place, part in enumerate(said)) % WORDS


def fresh_secret() -> Secret:
    """A secret that nobody could know."""
    return chance.source.randrange(WORDS), chance.source.randrange(WORDS)


def spoken(address: str, secret: Secret, usual_port: int) -> SpokenCode | None:
    """The code of a host at "host:port"; None where it has no address that can be said (IPv6,
    a port below 256).
    """
    host, port = split_address(address)
    try:
        ip = ipaddress.IPv4Address(host)
    except ValueError:
        return None
    if port < _LEAST_PORT:
        return None
    code = SpokenCode(tuple(ip.packed), None if port == usual_port else port, secret)
    for count in _COUNTS:
        shorter = SpokenCode(code.parts[-count:], code.port, secret)
        if host in shorter.hosts:
            return shorter
    return code


def understood(numbers: Sequence[int], words: Sequence[int]) -> SpokenCode:
    """The code of these numbers and words. Raises `Malformed` where they are none, or where the
    check does not hold.
    """
    has_port = bool(numbers) and numbers[-1] >= _LEAST_PORT
    parts = tuple(numbers[:-1] if has_port else numbers)
    port = numbers[-1] if has_port else None
    if len(parts) not in _COUNTS or len(words) != 3 or max(parts) >= 256:
        raise Malformed("a spoken code is two to four numbers, perhaps a port, three words")
    if port is not None and port >= 65_536:
        raise Malformed("not a port")
    code = SpokenCode(parts, port, (words[0], words[1]))
    if code.words != tuple(words):
        raise Malformed("one of the numbers and words is another one")
    return code
