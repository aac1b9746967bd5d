"""Shell: `citadels share`: whoever is in the room gets the program from this laptop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli import i18n, settings
from cli.commands.person import complain_about
from cli.i18n import _, counted, decimal
from cli.line.exits import Exit, complain, reason_for
from cli.settings import Settings
from cli.share import bootstrap, lines, qr
from cli.share.offer import File, Offer, code, in_groups
from cli.share.page import SYSTEMS, pages
from cli.share.server import HTTPS, Server, Taken, listening_on, serving
from cli.share.stock import share_folder, stock, write_sets
from cli.text import Scene, ending
from protocol.errors import ProtocolError, Unavailable
from protocol.wire.addresses import adapters, announced, is_link_local, join_address

#: what is announced where there is no network: others do not get here by it. Who names it in
#: `--interface` has it all the same.
_ITSELF = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Shared:
    """What is being shared: where, under which code, and what."""

    bases: tuple[str, ...]
    code: str
    offer: Offer


def share(options: argparse.Namespace) -> int:
    """Hand out the program until Ctrl-C; with --fetch, first get what is not here yet."""
    settled = settings.load(options)
    if options.fetch:
        failed = fetch(settled, lambda line: print(line, file=sys.stderr, flush=True))
        if failed is not None:
            return failed
    show = _show_json if options.json else _show
    try:
        return asyncio.run(_share(settled, options.port, show, options.json))
    except ProtocolError as problem:
        return complain_about(problem)
    except OSError as problem:
        return complain(_unreadable(problem))


async def _share(
    settled: Settings, port: int, show: Callable[[Shared, Settings], None], as_json: bool
) -> int:
    asking: dict[str, str] = {}  #: an address → what was told of it last

    def taken(by: str, what: str) -> None:
        if as_json:
            print(json.dumps({"type": "taken", "by": by, "what": what}), flush=True)
            return
        told = _step(what)
        if told and asking.get(by) != told:
            asking[by] = told
            print(told.format(address=by), flush=True)

    async with sharing(settled, taken, port) as shared:
        show(shared, settled)
        await asyncio.get_running_loop().create_future()  # until Ctrl-C
    return Exit.FINE


def _step(what: str) -> str:
    """What somebody has done who asked for this, with a place for the address; "" for nothing.

    Only who typed the right code asks for a file of the offer.
    """
    if what == HTTPS:
        return _("{address} asks by https:// here. The address begins with http://.")
    if what == "/go":
        return _("{address} asks for the list; next its own laptop compares the code.")
    if what.endswith(".whl") or "/citadels-" in what:
        return _("{address} takes the program.")
    return ""


@contextlib.asynccontextmanager
async def sharing(settled: Settings, taken: Taken, port: int = 0) -> AsyncIterator[Shared]:
    """Share for as long as this lasts. Raises `ProtocolError`, or OSError for the files."""
    offer = await asyncio.to_thread(stock, settled.home)
    if not offer.files:
        raise Unavailable("nothing_to_share")
    # A program in one file has no sources, and no sets that would need them.
    nothing = f"def main(*_):\n    raise SystemExit({bootstrap.NOTHING})\n"
    source = bootstrap.source() if offer.sets else nothing
    go = offer.go(source, secrets.token_hex(16))
    near = adapters(None if settled.interface is None else (settled.interface,))
    found = announced(near)
    # Each laptop has another zone for a link-local address, and browsers know no zones.
    unasked = _ITSELF if settled.interface is None else ()
    reachable = [a for a in found if not is_link_local(a) and a not in unasked]
    if not reachable:
        raise Unavailable("only_link_local" if any(map(is_link_local, found)) else "no_address")
    sockets = listening_on(near, port)
    number = sockets[0].getsockname()[1]
    bases = {address: f"http://{join_address(address, number)}/" for address in reachable}
    files = {f"/{name}": file for name, file in offer.files.items()}
    files["/go"] = File.of("go", go)
    listing = {address: {**files, **pages(offer, base)} for address, base in bases.items()}
    async with serving(Server(listing, near, taken), sockets):
        yield Shared(tuple(bases.values()), code(go), offer)


async def give(settled: Settings, hear: Callable[[Sequence[str]], None]) -> None:
    """Share beside something else until cancelled; `hear` is told what to show."""
    try:
        async with sharing(settled, lambda _by, _what: None) as shared:
            hear(text(shared, settled))
            await asyncio.get_running_loop().create_future()
    except ProtocolError as problem:
        hear((ending(reason_for(problem), {}, Scene()),))
    except OSError as problem:
        hear((_unreadable(problem),))


def _unreadable(problem: OSError) -> str:
    return _("What is shared cannot be read: {why}").format(why=problem)


def _show(shared: Shared, settled: Settings) -> None:
    """What has to be read comes last: on a small screen the rest has scrolled away."""
    last = _("It lasts as long as this program. Ctrl-C ends it.")
    above = (*stocked(shared.offer), "", *_scanned(shared, settled), "")
    print(*above, *reached(shared), *typed(shared), last, sep="\n", flush=True)


def text(shared: Shared, settled: Settings) -> tuple[str, ...]:
    """What stands on the sharer's screen."""
    below = (*_scanned(shared, settled), "", *stocked(shared.offer))
    return (*reached(shared), *typed(shared), "", *below)


def reached(shared: Shared) -> tuple[str, ...]:
    return (
        _("Whoever is on this network gets citadels here. Open in a browser:"),
        *(f"  {base}" for base in shared.bases),
    )


def _scanned(shared: Shared, settled: Settings) -> tuple[str, ...]:
    on_light = settled.theme == "light"
    return qr.rows(shared.bases[0], ascii_only=i18n.is_ascii(), on_light=on_light)


def typed(shared: Shared) -> tuple[str, ...]:
    """All that a guest has to trust: every row that a page shows, with the code in its place.

    The rows for one address differ from those for another in the first alone. Who has a system
    for which nothing is here has nothing to type.
    """
    said = [_("Then type these rows in a terminal, from this screen and not from the page:")]
    if len(shared.bases) > 1:
        said.append(_("Of the rows with an address, type the one that opens in your browser."))
    every = [lines.rows(base, shared.code) for base in shared.bases]
    for system, name in SYSTEMS.items():
        if not shared.offer.here(system).files:
            continue
        rows = dict.fromkeys(
            row for place in zip(*(of[system] for of in every), strict=True) for row in place
        )
        said += [f"{name}:", *(f"  {row}" for row in rows)]
    return (*said, _("The code, to be read aloud: {code}").format(code=in_groups(shared.code)))


def stocked(offer: Offer) -> tuple[str, ...]:
    """What is here for whom."""
    size = f"{offer.size / 1e6:.0f}"
    said = [_("Here is, in {size} MB:").format(size=size)]
    for place, pythons in offer.systems.items():
        said.append(f"  {place}: Python {', '.join(pythons)}")
    for place, single in offer.singles.items():
        said += [f"  {place}: {single.name}", f"    SHA-256 {single.digest}"]
    if len(offer.systems) + len(offer.singles) < 2:
        said.append(_("While there is internet, get the rest: citadels share --fetch"))
    return tuple(said)


def _show_json(shared: Shared, _settled: Settings) -> None:
    told = {
        "type": "sharing",
        "addresses": shared.bases,
        "code": shared.code,
        "rows": {base: lines.rows(base, shared.code) for base in shared.bases},
        "pythons": shared.offer.systems,
        "singles": {place: file.name for place, file in shared.offer.singles.items()},
        "files": {name: file.size for name, file in shared.offer.files.items()},
    }
    print(json.dumps(told, ensure_ascii=False), flush=True)


def fetch(settled: Settings, say: Callable[[str], object]) -> int | None:
    """Get the wheels for other laptops; the exit code where that is not possible."""
    from cli.share import fetching, packing

    def tell(what: str, done: int, of: int) -> None:
        say("  " + _("{what}: {done} of {of}.").format(what=what, done=done, of=of))

    folder = share_folder(settled.home)
    wheels = folder / "wheels"
    say(_("Asking what other laptops need…"))
    try:
        wheels.mkdir(parents=True, exist_ok=True)
        with fetching.pip() as pip:
            wish, lacking = fetching.wish(pip, packing.requirements(), tell)
            for why in dict.fromkeys(lacking.values()):
                target = ", ".join(name for name, reason in lacking.items() if reason == why)
                say(_("Not available for {target}: {why}").format(target=target, why=why))
            if not wish:
                return complain(_("Nothing could be fetched."))
            every = {one.name: one for wanted in wish.values() for one in wanted}
            missing = [one for one in every.values() if not one.is_in(wheels)]
            say(_lacking(missing, fetching.size(missing), wheels))
            for done, (target, wanted) in enumerate(wish.items() if missing else (), 1):
                lacks = [one for one in wanted if not one.is_in(wheels)]
                why = fetching.fetch(pip, target, lacks, wheels) if lacks else ""
                if why:
                    return complain(why)
                tell(target, done, len(wish))
    except (OSError, subprocess.SubprocessError) as problem:
        return complain(_("That cannot be fetched: {why}").format(why=problem))
    sets = {target: {one.name: one.digest for one in wanted} for target, wanted in wish.items()}
    write_sets(folder, sets)
    for stale in set(wheels.glob("*.whl")) - {wheels / name for name in every}:
        if not stale.name.startswith("citadels_p2p-"):
            stale.unlink()
    return None


def _lacking(missing: Sequence[object], size: int, folder: Path) -> str:
    if not missing:
        return _("Everything is here already, in {folder}.").format(folder=folder)
    return counted(
        "{count} file is not here yet: {size} MB. Fetching into {folder}…",
        "{count} files are not here yet: {size} MB. Fetching into {folder}…",
        count=len(missing),
        size=decimal(size / 1e6),
        folder=folder,
    )
