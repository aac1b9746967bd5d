"""Shell: what a whole table costs: operators in processes of their own, over loopback.

Run as a module it is one of these operators; `measure` starts them all, waits for the last
score, and lets one more process verify the journal.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.memory import peak_mb
from citadels_p2p.bots import make_bot
from citadels_p2p.match.acts import Leave, Ready
from citadels_p2p.match.archive.audit import verify
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.news import Bye, OverNews, TableNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol import Node, Person
from protocol.application import Genesis
from protocol.identity.keys import Identity
from protocol.journal.chain import check_entries
from protocol.storage.match_files import read_journal
from protocol.wire import connection
from protocol.wire.addresses import split_address
from protocol.wire.frames import framed

EDITION, LEVEL = "2016", "normal"
"""What is played: the edition with 2 to 8 seats, by bots that take no time to think."""

SEED = 1
"""Every operator mixes and decides by it, so that every run plays the same match."""

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFigure:
    """A whole match of so many operators, one seat each, on this machine alone.

    `wall_seconds` is from the start signal to the last score, `cpu_seconds` the processor time
    of the operator that used most, from the start of its process to its end, `memory_mb` the
    most that one has held (None where the system does not tell), `sent_kb` what one sent before
    encryption, at most. `verify_seconds` is processor time of one core.
    """

    operators: int
    rounds: int
    entries: int
    decisions: int
    wall_seconds: float
    decision_ms: float
    cpu_seconds: float
    memory_mb: float | None
    sent_kb: float
    journal_kb: float
    verify_seconds: float


class LostTable(Exception):
    """The match was not played to its end."""


def measure(operators: int) -> TableFigure:
    """Play one match; raises `LostTable`, with what an operator said last."""
    with tempfile.TemporaryDirectory() as place:
        homes = [Path(place) / str(index) for index in range(operators)]
        host = _start(homes[0], operators, None)
        started = [host]
        try:
            address = str(_hear(host)["address"])
            started += [_start(home, operators, address) for home in homes[1:]]
            told = [_hear(process) for process in started]
        finally:
            for process in started:
                process.kill()
                process.communicate()
        journal = Path(str(told[0]["journal"]))
        return _figure(told, journal, _run_verify(journal))


def _start(home: Path, operators: int, address: str | None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", __name__, str(home), str(operators)]
    return subprocess.Popen(
        [*command, *([address] if address else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _hear(process: subprocess.Popen[str]) -> dict[str, float | str]:
    """The next thing an operator says."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    if not line:
        raise LostTable(process.stderr.read()[-1000:])
    said: dict[str, float | str] = json.loads(line)
    return said


def _run_verify(journal: Path) -> float:
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(journal)], stdout=subprocess.PIPE, text=True
    )
    out, _ = process.communicate()
    return float(json.loads(out)["cpu"])


def _figure(
    told: Sequence[dict[str, float | str]], journal: Path, verify_seconds: float
) -> TableFigure:
    acts = entries = 0
    for _, entry in check_entries(read_journal(journal)):
        entries += 1
        if entry.seq and entry.election is None:
            acts += isinstance(bodies.read(entry.body), bodies.Acted)
    wall = max(float(said["wall"]) for said in told)
    memory = max(float(said["memory"]) for said in told)
    return TableFigure(
        operators=len(told),
        rounds=int(told[0]["rounds"]),
        entries=entries,
        decisions=acts,
        wall_seconds=wall,
        decision_ms=1000 * wall / acts,
        cpu_seconds=max(float(said["cpu"]) for said in told),
        memory_mb=memory or None,
        sent_kb=max(float(said["sent"]) for said in told) / 1000,
        journal_kb=journal.stat().st_size / 1000,
        verify_seconds=verify_seconds,
    )


# One operator.


def _dealer(genesis: Genesis, me: int) -> SealedDealer:
    mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
    brains = {seat: make_bot(LEVEL) for seat in mine}
    return SealedDealer(genesis, me, brains, random=Random(f"{SEED}/{me}"))


async def _operate(home: Path, operators: int, address: str | None) -> dict[str, float | str]:
    """Sit down, agree, play to the end; what it came to."""
    identity, name = Identity.fresh(), f"Operator {home.name}"
    if address is None:
        node: Node[SealedDealer] = await Node.host(
            Person(home, identity, name),
            _dealer,
            table_name="bench",
            options=pack_options(Rules.make(EDITION, seats=operators)),
            seats=operators,
            bots=(),
            announce=False,
        )
        _say({"address": f"{HOST}:{split_address(node.address)[1]}"})
    else:
        node = await Node.join(
            Person(home, identity, name),
            _dealer,
            addresses=[address],
            announce=False,
        )
    session = Online(node, autostart=address is None)
    began: float | None = None
    over: OverNews | None = None
    wall, rounds = 0.0, 0
    while True:
        news = await session.next()
        if isinstance(news, TableNews) and _may_agree(news):
            await session.do(Ready())
        if began is None and node.genesis is not None:
            began = time.monotonic()
        if isinstance(news, OverNews):
            over, wall = news, time.monotonic() - (began or 0.0)
            rounds = await node.run(lambda dealer: dealer.match.state.round)
            await session.do(Leave())
        if isinstance(news, Bye):
            break
    if over is None:
        raise LostTable("the table closed before the last score")
    return {"wall": wall, "rounds": rounds, "journal": over.journal}


def _may_agree(table: TableNews) -> bool:
    """Whether everybody has come: whoever comes later takes back what was agreed."""
    return (
        not table.hosting
        and table.you is not None
        and not table.seats[table.you].ready
        and all(seat.kind != "open" for seat in table.seats)
    )


def _say(told: Mapping[str, float | str]) -> None:
    """One line for the process that has started this one."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def _main(arguments: Sequence[str]) -> None:
    if len(arguments) == 1:
        if not verify(Path(arguments[0])).sound:
            raise LostTable("the journal is not sound")
        _say({"cpu": time.process_time()})
        return
    sent = 0

    def counted(payload: bytes) -> bytes:
        nonlocal sent
        frame = framed(payload)
        sent += len(frame)
        return frame

    vars(connection)["framed"] = counted
    home, operators, *address = arguments
    told = asyncio.run(_operate(Path(home), int(operators), address[0] if address else None))
    told |= {"cpu": time.process_time(), "memory": peak_mb(), "sent": sent}
    _say(told)


if __name__ == "__main__":
    _main(sys.argv[1:])
