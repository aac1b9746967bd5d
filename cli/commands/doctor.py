"""Shell: `citadels doctor`: is everything here that a table needs, and what to do if not."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from itertools import groupby

from citadels_p2p.match import USUAL_PORT
from cli import settings
from cli.client.json_values import plain
from cli.commands import surroundings
from cli.i18n import _
from cli.line.exits import Exit
from cli.text import findings as text
from protocol.memory import addresses
from protocol.tools.disk_check import check_disk
from protocol.tools.findings import Finding
from protocol.tools.network_check import check_libraries, check_network

NETWORK = ("network", "multicast", "ports")


def doctor(options: argparse.Namespace) -> int:
    """Look at network, files, terminal and clock; try what a table will do."""
    settled = settings.load(options)
    if not options.json:
        print(_("Looking at this laptop…"), file=sys.stderr)
    told = asyncio.run(_look(settled))
    if options.json:
        print(json.dumps(_as_json(told), ensure_ascii=False))
    else:
        for line in _lines(told):
            print(line)
    return exit_for(told)


def exit_for(told: list[Finding]) -> Exit:
    """NOBODY where only the network is bad, BUG where anything else is."""
    bad = {finding.check for finding in told if finding.verdict == "bad"}
    if not bad:
        return Exit.FINE
    return Exit.NOBODY if bad <= set(NETWORK) else Exit.BUG


async def _look(settled: settings.Settings) -> list[Finding]:
    only = None if settled.interface is None else (settled.interface,)
    network = await check_network(only, USUAL_PORT)
    firewall = await asyncio.to_thread(
        surroundings.check_firewall,
        surroundings.system(),
        surroundings.read_text,
        surroundings.run_quietly,
    )
    return [
        *network,
        *firewall,
        *await check_libraries(),
        *await asyncio.to_thread(check_disk, settled.home),
        *surroundings.check_memory(addresses()),
        *surroundings.check_terminal(os.environ),
        *surroundings.check_clock(settled.home, time.time()),
    ]


def _lines(told: list[Finding]) -> list[str]:
    lines: list[str] = []
    words = {"ok": _("ok"), "warn": _("careful"), "bad": _("bad")}
    width = max(map(len, words.values()))
    for check, group in groupby(told, key=lambda finding: finding.check):
        lines.append(text.check_name(check))
        for finding in group:
            lines.append(f"  {words[finding.verdict]:<{width}}  {text.found(finding)}")
            todo = text.advice(finding) if finding.verdict != "ok" else ""
            if todo:
                lines.append(f"  {'':<{width}}  {todo}")
    return [*lines, "", text.summary(told)]


def _as_json(told: list[Finding]) -> dict[str, object]:
    verdicts = {finding.verdict for finding in told}
    worst = next(verdict for verdict in ("bad", "warn", "ok") if verdict in verdicts)
    return {
        "verdict": worst,
        "findings": [
            {
                **plain(finding),
                "text": text.found(finding),
                "advice": text.advice(finding) if finding.verdict != "ok" else "",
            }
            for finding in told
        ],
    }
