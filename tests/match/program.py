"""A `citadels` process over JSON lines, as tests start, hear, kill and start it again."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import IO

PATIENCE = 240.0
GLANCE = 0.5


class Program:
    """One `citadels` process over JSON lines; it answers everything unless it `hesitates`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        self.arguments = arguments
        self.hesitates = False
        self.start()

    def start(self) -> None:
        self.heard: dict[str, queue.SimpleQueue[dict[str, object]]] = defaultdict(
            queue.SimpleQueue
        )
        self.hand: list[str] = []
        self.last: dict[str, object] = {}
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `kill`
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *self.arguments, "--ui", "json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env={**os.environ, "CITADELS_HOME": str(self.home)},
            text=True,
        )
        assert self.process.stdout is not None
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.last = value = json.loads(line)
            if value["type"] == "ask" and not self.hesitates:
                self.answer(value)
            if value["type"] == "state" and value["you"]:
                self.hand = [card["card"] for card in value["you"]["hand"]]
            self.heard[value["type"]].put(value)

    def say(self, value: dict[str, object]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(value) + "\n")
            self.process.stdin.flush()

    def hear(self, kind: str) -> dict[str, object]:
        """The next line of this kind. Fails with what was heard instead, once none can come."""
        deadline = time.monotonic() + PATIENCE
        while True:
            had_ended = not self.reader.is_alive()
            try:
                return self.heard[kind].get(timeout=0 if had_ended else GLANCE)
            except queue.Empty:
                if had_ended or time.monotonic() > deadline:
                    raise AssertionError(self._without(kind)) from None

    def _without(self, kind: str) -> str:
        """What there is to say where no line of this kind has come."""
        told = {one: waiting.qsize() for one, waiting in self.heard.items()}
        notices = [self.heard["notice"].get() for _ in range(self.heard["notice"].qsize())]
        code = self.process.poll()
        return (
            f"{self.arguments[:2]} says no {kind!r}: exit {code}; last said {self.last};"
            f" not taken yet {told}; notices {notices}; complaints {self.complaints()!r}"
        )

    def answer(self, ask: dict[str, object]) -> None:
        options = ask.get("options")
        if isinstance(options, list):
            last = ask["kind"] == "act" and options[-1]["id"] == "end"
            self.say({"answer": ask["id"], "option": options[-1 if last else 0]["id"]})
        else:
            subset = ask["subset"]
            assert isinstance(subset, dict)
            chosen = [one["id"] for one in subset["of"][: subset["min"]]]
            self.say({"answer": ask["id"], "subset": chosen})

    def end(self) -> int:
        """The exit code, once it ends by itself."""
        code = self.process.wait(PATIENCE)
        self.reader.join()
        return code

    def complaints(self) -> str:
        """What it has said on standard error."""
        self._complaints.seek(0)
        return self._complaints.read().decode()

    def kill(self) -> None:
        """As a power cut would, as far as a process can."""
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self._complaints):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def begin(host: Program, guests: list[Program]) -> None:
    """Once all are seated, all agree, and the host begins."""
    while any(seat["kind"] == "open" for seat in seats(host)):
        pass
    for guest in guests:
        while any(seat["kind"] == "open" for seat in seats(guest)):
            pass
        guest.say({"do": "ready"})
    while not all(seat["ready"] for seat in seats(host)):
        pass
    host.say({"do": "start"})


def seats(program: Program) -> list[dict[str, object]]:
    """The seats, when the table next changes."""
    found = program.hear("table")["seats"]
    assert isinstance(found, list)
    return found
