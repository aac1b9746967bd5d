"""What a liar remembers: every value that it has come across, by the name of its field.

Kinds of statements are found in `protocol.journal.statements` by the domain that they are
signed under, so one that is added there is seen, and forged, like all others.
"""

from __future__ import annotations

import msgspec

from protocol.errors import RemoteError
from protocol.journal import statements
from protocol.journal.statements import (
    MAX_ORDERED,
    Authored,
    CanonicalStruct,
    Signed,
    authored_hash,
    entry_hash,
)
from protocol.wire.codec import decode
from tests.simulation.fortune import Fortune

KINDS: dict[str, tuple[type[CanonicalStruct], bytes]] = {
    name.lower(): (kind, domain)
    for name, kind in vars(statements).items()
    if isinstance(kind, type)
    and isinstance(domain := vars(statements).get(f"DOMAIN_{name.upper()}"), bytes)
    and name != "Terms"
}
"""The statements of a match by their names in small letters, with their domains."""

REMEMBERED = 300
"""Values of one name: a liar that draws from all of a long match never hits what matters."""

_ARITY = {name: len(kind.__struct_fields__) for name, (kind, _) in KINDS.items()}


def read(signed: Signed) -> tuple[str, CanonicalStruct] | None:
    """What was signed here, and the name of its kind; None for what is no statement."""
    head = signed.content[:1]
    if not head or head[0] & 0xF0 != 0x90:
        return None
    for name, (kind, _) in KINDS.items():
        if _ARITY[name] == head[0] & 0x0F:
            try:
                return name, decode(signed.content, kind, limit=MAX_ORDERED)
            except RemoteError:
                continue
    return None


class Sightings:
    """All that a liar, or several that conspire, have seen so far."""

    def __init__(self, fortune: Fortune) -> None:
        self._fortune = fortune
        self._values: dict[str, list[object]] = {}
        self._sized: dict[int, list[bytes]] = {}
        self._signed: dict[str, list[Signed]] = {}
        self._carried: dict[tuple[type, str], dict[str, None]] = {}
        self._known: dict[bytes, str] = {}  # the kind of each, by what was signed

    def see(self, message: msgspec.Struct) -> None:
        """Remember what is in a message, to the innermost statement."""
        for name in message.__struct_fields__:
            self._look(type(message), name, getattr(message, name))

    def _look(self, kind: type, name: str, value: object) -> None:
        if isinstance(value, Signed):
            found = self.see_signed(value)
            if found is not None:
                self._carried.setdefault((kind, name), {})[found] = None
        elif isinstance(value, tuple):
            for item in value:
                self._look(kind, name, item)
        elif value is not None:
            self._note(name, value)

    def see_signed(self, signed: Signed) -> str | None:
        """Remember a statement; the name of its kind."""
        known = self._known.get(signed.content)
        if known is not None:
            return known
        found = read(signed)
        if found is None:
            return None
        name, statement = found
        self._known[signed.content] = name
        _keep(self._signed.setdefault(name, []), signed)
        self.see(statement)
        if name == "ordered":
            self._note("hash", entry_hash(signed.content))
            self.see_signed(Signed(statement.authored, statement.signature))  # type: ignore[attr-defined]
        elif isinstance(statement, Authored):
            self._note("authored_hash", authored_hash(signed.content))
        return name

    def _note(self, name: str, value: object) -> None:
        _keep(self._values.setdefault(name, []), value)
        if isinstance(value, bytes) and len(value) in (16, 32, 33, 64):
            _keep(self._sized.setdefault(len(value), []), value)

    def value(self, name: str) -> object | None:
        """Something that stood in a field of this name."""
        return self._fortune.recent(self._values.get(name, ()))

    def bytes_of(self, size: int) -> bytes | None:
        """Something of this length that stood anywhere."""
        return self._fortune.recent(self._sized.get(size, ()))

    def signed(self, name: str) -> Signed | None:
        """A statement of this kind, whoever signed it."""
        return self._fortune.recent(self._signed.get(name, ()))

    def kinds(self) -> list[str]:
        """Of what kinds statements were seen."""
        return list(self._signed)

    def carried(self, kind: type, name: str) -> list[str]:
        """What kinds of statements a field of this message has held."""
        return list(self._carried.get((kind, name), ()))


def _keep(values: list, value: object) -> None:  # type: ignore[type-arg]  # of one kind each
    values.append(value)
    if len(values) > REMEMBERED:
        del values[: REMEMBERED // 3]


def brief(about: object) -> str:
    """What was said, for whoever reads of a failure."""
    if isinstance(about, tuple):
        return " -> ".join(map(brief, about))
    if isinstance(about, msgspec.Struct):
        return _shown(about)
    return str(about)


def _shown(value: object) -> str:
    if isinstance(value, Signed):
        found = read(value)
        return "signed?" if found is None else f"signed {_shown(found[1])}"
    if isinstance(value, msgspec.Struct):
        inner = ", ".join(
            f"{name}={_shown(getattr(value, name))}"
            for name in value.__struct_fields__
            if name not in ("table", "signature")
        )
        return f"{type(value).__name__}({inner})"
    if isinstance(value, tuple):
        return (
            f"[{', '.join(map(_shown, value[-3:]))}]"
            if len(value) < 4
            else (f"[{len(value)} …, {_shown(value[-1])}]")
        )
    if isinstance(value, bytes):
        return f"{value[:6].hex()}({len(value)})" if len(value) > 6 else value.hex()
    return repr(value)
