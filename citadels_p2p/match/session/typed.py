"""What a person typed to say which table they mean: an address, a join code, or a name."""

from __future__ import annotations

import re
import unicodedata

from protocol.errors import Malformed, Unavailable
from protocol.wire.addresses import is_numeric, join_address, split_join_code

_LETTERS_OF_A_CODE = 16
_NOT_IN_CODES = re.compile(r"[^A-Za-z2-7\s-]")
_PORT = re.compile(r"(?P<host>[^\s:/]+|\[[^\s\]]*\]):(?P<port>[^\s:/]*)")


def same_name(one: str, other: str) -> bool:
    """Whether people would call two names the same: capitals, wide letters, ligatures and runs
    of space make no difference.
    """
    return _folded(one) == _folded(other)


def place_typed(typed: str, usual_port: int) -> tuple[str, bytes | None] | None:
    """Where to look, as "host:port", and the fingerprint to expect there, if a code was typed;
    None where a table is named.

    Names with dots and colons are rare, so what looks like a place is one. Raises `Unavailable`
    with what is wrong with it: "web_address", "bad_port", "bad_address", "cut_code" or
    "code_letters".
    """
    if "://" in typed:
        raise Unavailable("web_address", typed)
    where, slash, letters = (part.strip() for part in typed.partition("/"))
    is_code = bool(slash) and _is_place(where)
    if not is_code and (" " in typed or not any(mark in typed for mark in ":./")):
        return None
    if why := _fault_of_place(where) or (_fault_of_letters(letters) if is_code else ""):
        raise Unavailable(why, typed)
    try:
        host, port, expect = split_join_code(typed, usual_port)
    except Malformed:
        return None  # a table may be called that
    return join_address(host, port), expect


def _is_place(where: str) -> bool:
    """Whether a code may follow behind this and a slash."""
    return not where or is_numeric(where) or _PORT.fullmatch(where) is not None


def _fault_of_place(where: str) -> str:
    """What keeps this from being an address or the name of a machine; "" if nothing does."""
    with_port = _PORT.fullmatch(where)
    host = where if with_port is None else with_port["host"]
    if with_port is not None:
        port = with_port["port"]
        if not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65_536):
            return "bad_port"
    bare = host.removeprefix("[").removesuffix("]")
    dots = 1 if with_port is not None else 2  # an address that was cut has fewer than three
    looks_numeric = bare != host or re.fullmatch(
        rf"\d+(\.\d*){{{dots},}}|[0-9a-f]{{0,4}}:[^:]*:\S*", bare, re.ASCII | re.IGNORECASE
    )
    if with_port is None and host.count("[") != host.count("]"):
        return "bad_address"
    return "bad_address" if not where or (looks_numeric and not is_numeric(bare)) else ""


def _fault_of_letters(letters: str) -> str:
    """What keeps this from being a fingerprint; "" if nothing does."""
    if _NOT_IN_CODES.search(letters):
        return "code_letters"
    return "" if len(re.sub(r"[\s-]", "", letters)) == _LETTERS_OF_A_CODE else "cut_code"


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
