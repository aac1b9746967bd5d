"""Shell: from what a person typed to the one table that is meant.

What is announced is a hint; a table is meant by its key, or by a name that one row alone has.

Why so: docs/decisions, 8.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from citadels_p2p.match.session.listing import (
    Nearby,
    NotMeant,
    TableListing,
    recall,
    remember_tables,
)
from protocol import Browser, Found
from protocol.discovery.announcement import Announcement
from protocol.discovery.browser import MAX_TOLD, in_turn
from protocol.errors import Malformed, Unavailable, VersionMismatch
from protocol.identity.keys import parse_fingerprint
from protocol.session.spoken_exchange import pinned_by
from protocol.wire.addresses import is_numeric, join_address, split_join_code
from protocol.wire.spoken_code import SpokenCode

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
    is_place = not where or is_numeric(where) or _PORT.fullmatch(where) is not None
    is_code = bool(slash) and is_place
    if not is_code and (" " in typed or not any(mark in typed for mark in ":./")):
        return None
    if why := _fault_of_place(where) or (_fault_of_letters(letters) if is_code else ""):
        raise Unavailable(why, typed)
    try:
        host, port, expect = split_join_code(typed, usual_port)
    except Malformed:
        return None  # a table may be called that
    return join_address(host, port), expect


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


USUAL_PORT = 24_482
"""Where a host listens unless told otherwise, so that `citadels join HOST` is enough."""

LOOK_SECONDS = 1.5
"""Before a table is taken for the only one of its name: asked once and again, every laptop has
said by then what it keeps."""

BREATH_SECONDS = 0.2
"""Between two rounds of knocks: whoever announces something new all the time makes no storm."""

Place = tuple[tuple[str, ...], bytes | None]
"""Addresses, and the key or fingerprint to expect there."""

_FINGERPRINT = re.compile(r"[A-Za-z2-7]{4}(?:-[A-Za-z2-7]{4}){3}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


async def table_meant(
    target: str | SpokenCode | None,
    home: Path,
    wait: float,
    interface: str | None,
    suits: Callable[[TableListing], bool],
    ours: Collection[str] = (),
) -> Place:
    """Where to look, and the key to expect there: the one of the row or of the join code, or
    the one that has proven to know what was said.

    `suits`: which rows are meant where nothing was typed. `ours`: tables, by their ids in hex,
    to which we come back; one that has no host now is where anybody else of it is, under
    whatever key. Raises `NotMeant` ("not_found", "several", "none_suits"), `Unavailable`
    ("no_host" where the one that is meant is announced and does not answer),
    `VersionMismatch` and what `place_typed` and a browser raise.
    """
    if isinstance(target, SpokenCode):
        address, key = await pinned_by(target, USUAL_PORT)
        return (address,), key
    if target is not None and (there := place_typed(target, USUAL_PORT)) is not None:
        return (there[0],), there[1]
    browser = Browser(None if interface is None else (interface,))
    await browser.start()
    try:
        return await _wanted(browser, target, home, wait, suits, ours)
    finally:
        await browser.close()


async def _wanted(
    browser: Browser,
    target: str | None,
    home: Path,
    wait: float,
    suits: Callable[[TableListing], bool],
    ours: Collection[str],
) -> Place:
    """Where the one table is that is meant.

    Raises `Unavailable` ("no_host"), `NotMeant`, and `VersionMismatch` where the one that is
    meant speaks another version.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    deadline = began + wait
    pinned = await asyncio.to_thread(_pinned, home, target)
    nearby = Nearby()

    def may_be_meant(said: Announcement) -> bool:
        if pinned is not None:
            return pinned[1] in (said.fingerprint, said.host)
        return target is None or same_name(said.name, target)

    try:
        while True:
            rows = await nearby.look(browser.found, BREATH_SECONDS, may_be_meant)
            meant = _meant(rows, target, pinned, suits)
            # Others of its name may not have been heard yet; a key is nobody else's.
            is_early = loop.time() < min(deadline, began + LOOK_SECONDS) or (
                loop.time() < deadline and nearby.is_asking(may_be_meant)
            )
            if pinned is None and is_early:
                meant = []
            if len(meant) > 1:
                await asyncio.to_thread(remember_tables, home, rows)
                raise NotMeant("several", target or "", meant)
            if meant:
                return (meant[0].address,), parse_fingerprint(meant[0].fingerprint)
            waiting = _waiting_for_us(browser.found, target, pinned, ours)
            if waiting and not is_early:
                return waiting, None
            if loop.time() >= deadline:
                if target is None and rows:
                    raise NotMeant("none_suits", "", rows)
                why_not = nearby.why_not(may_be_meant)
                if isinstance(why_not, VersionMismatch) or (target is not None and why_not):
                    raise why_not
                if rows:
                    await asyncio.to_thread(remember_tables, home, rows)
                raise NotMeant("not_found", target or "", rows)
            await asyncio.sleep(min(BREATH_SECONDS, max(0.0, deadline - loop.time())))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(1.0, max(0.05, deadline - loop.time()))):
                    await browser.changed()
    finally:
        await nearby.close()


def _waiting_for_us(
    found: Sequence[Found],
    target: str | None,
    pinned: tuple[str, str] | None,
    ours: Collection[str],
) -> tuple[str, ...]:
    """Where somebody of an unfinished match of ours is, if it is meant."""

    def is_meant(said: Announcement) -> bool:
        if said.table.hex() not in ours:
            return False
        if pinned is None:
            return target is None or same_name(said.name, target)
        table, key = pinned
        return said.table.hex() == table or (not table and key in (said.fingerprint, said.host))

    return in_turn((one.addresses for one in found if is_meant(one.announcement)), MAX_TOLD)


def _pinned(home: Path, target: str | None) -> tuple[str, str] | None:
    """The table id ("" for any) and the fingerprint that a target means, if it means a key:
    a fingerprint, or the number of a row that its person was shown.
    """
    if target is None:
        return None
    if _FINGERPRINT.fullmatch(target):
        return "", target.upper()
    return recall(home, int(target)) if _NUMBER.fullmatch(target) else None


def _meant(
    rows: Sequence[TableListing],
    target: str | None,
    pinned: tuple[str, str] | None,
    suits: Callable[[TableListing], bool],
) -> list[TableListing]:
    """The rows that may be meant: of this key, number or name, or that suit."""
    if pinned is not None:
        table, key = pinned
        return [one for one in rows if one.fingerprint == key and table in ("", one.table)]
    if target is None:
        return [one for one in rows if suits(one)]
    numbered = [one for one in rows if str(one.number) == target]
    return numbered or [one for one in rows if same_name(one.name, target)]
