"""Evenings by task, each in a process of its own.

A process of its own, because a killed laptop leaves coroutines behind: whenever they were
collected, their `finally` blocks would run in somebody else's evening.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import logging
import multiprocessing
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from unittest import mock

from nacl.bindings import crypto_sign_BYTES

from citadels_p2p.match.archive import audit
from protocol.identity import keys
from protocol.identity.keys import Identity
from protocol.journal.statements import Signed
from tests.simulation.mutants import MUTANTS
from tests.simulation.once import once
from tests.world import doors, liars, lobby_lies, scenes
from tests.world.branches import Branch, Branches
from tests.world.evening import Evening
from tests.world.left_out import LEFT_OUT
from tests.world.moments import MOMENTS
from tests.world.mutants import OURS
from tests.world.oracles import judged_links
from tests.world.scenes import KINDS

Scene = Callable[[Evening], None]

LYING: dict[str, Scene] = {**liars.SCENES, "lobby_lies": lobby_lies.lobby_lies}

ALL: dict[str, Scene] = {
    **scenes.SCENES,
    **LYING,
    **{name: moment.scene for name, moment in MOMENTS.items()},
}

_PLAYED: list[Evening] = []
"""Kept to the end of the process: what is collected would run its `finally` blocks."""

EARNEST = 50
"""Every so many seeds each laptop makes every check itself."""

TAIL = 40
WIDTH = 160
"""Lines of the transcript, and letters of each, that are shown with a failure."""


@dataclass(frozen=True, slots=True, kw_only=False)
class Task:
    """One evening. `seats` 0: as the seed has it."""

    scene: str
    seed: int
    seats: int = 0
    fault: str | None = None
    event: int = 0
    pair: int | None = None
    brief: bool = False  #: planned faults: to where all is well again, and not to the end
    span: range | None = None  #: every fault at each of these events
    pairs: range = range(0)  #: and these pairs whose first fault is in the span
    mutant: str = ""
    real_group: bool = False
    trace: bool = False
    digests: bool = True  #: of all that happened, in the report

    @property
    def command(self) -> str:
        """What repeats it."""
        words = [f"python -m tests.world --scene {self.scene} --seed {self.seed}"]
        if self.seats:
            words.append(f"--seats {self.seats}")
        if self.fault:
            words.append(f"--fault {self.fault} --event {self.event}")
        if self.pair is not None:
            words.append(f"--pair {self.pair}")
        if self.brief:
            words.append("--brief")
        if self.span is not None:
            words.append(f"--every {self.span.start}-{self.span.stop - 1}")
        if self.mutant:
            words.append(f"--mutant {self.mutant}")
        return " ".join([*words, *(["--real"] if self.real_group else [])])

    @property
    def name(self) -> str:
        """What all chance of it is drawn from; a fault changes nothing before it happens."""
        return f"{'calm' if self.is_planned else self.scene}/{self.seed}"

    @property
    def is_planned(self) -> bool:
        """Whether nothing happens in it but faults at their events."""
        return self.fault is not None or self.pair is not None or self.span is not None

    @property
    def planned(self) -> scenes.Planned:
        """The faults that happen at their events, and those alone."""
        if self.pair is not None:
            return scenes.pair_of_faults(self.pair)
        return () if self.fault is None else ((self.fault, self.event),)


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it. `problem` is "" where all went well."""

    task: Task
    problem: str
    seconds: float  #: of virtual time
    processor: float
    events: int
    links: int
    elections: int
    tail: tuple[str, ...] = ()
    digests: dict[str, str] = field(default_factory=dict)
    branches: tuple[Report, ...] = ()  #: what came of it with each of the faults of a span


def play_here(task: Task) -> Report:
    """Play it in this process, which should end soon after."""
    chance = Random(task.name)
    lying = task.scene in LYING
    drawn = max(scenes.LEAST.get(task.scene, 2), chance.choice((2, 3, 3, 3, 4, 4, 5, 6, 7, 8)))
    if lying:
        drawn = chance.choice((3, 3, 3, 4, 4, 5, 6))
    elif task.scene == "one_of_two":
        drawn = 2
    kinds: Sequence[str] = ("json",) if task.is_planned else chance.sample(KINDS, len(KINDS))
    if (moment := MOMENTS.get(task.scene)) is not None:
        drawn, kinds = moment.seats, moment.plays_with or kinds
    seats = task.seats or (3 if task.is_planned else drawn)
    guests = 0
    if task.scene == "once_more":  # a program that reads JSON ends with its match
        kinds, guests = ("plain", "screen"), 1
    if lying:
        # A laptop for a second program; and one that reads JSON ends with its match.
        kinds, guests = ("plain" if task.scene == "ghost_once_more" else "json",), 1
    scene = ALL[task.scene]
    if task.span is not None:
        branches = Branches(task.span, pairs=task.pairs, fault=task.fault, tail=TAIL)
        report = _report(task, branches.scene, seats, guests, kinds)
        return replace(report, branches=tuple(_reported(task, one) for one in branches.found))
    if task.planned:
        scene = scenes.faults_at(*task.planned, brief=task.brief)
    return _report(task, scene, seats, guests, kinds)


def _reported(task: Task, branch: Branch) -> Report:
    """A branch, as if it had been played by itself."""
    (fault, event), *_ = branch.planned
    alone = replace(task, span=None, pairs=range(0), brief=branch.brief)
    if branch.pair is None:
        alone = replace(alone, fault=fault, event=event)
    else:
        alone = replace(alone, fault=None, pair=branch.pair)
    return Report(
        alone,
        branch.problem,
        0.0,
        branch.processor,
        0,
        0,
        0,
        tuple(line[:WIDTH] for line in branch.tail),
        branch.digests,
    )


def _report(task: Task, scene: Scene, seats: int, guests: int, kinds: Sequence[str]) -> Report:
    began, problem = time.process_time(), ""
    planted = (
        {**MUTANTS, **OURS, **LEFT_OUT}[task.mutant]()
        if task.mutant
        else contextlib.nullcontext()
    )
    checks = contextlib.nullcontext() if task.seed % EARNEST == 0 else _once()
    with doors.shut(real_group=task.real_group), checks, planted:
        table = Evening(task.name, seats, guests=guests, plays_with=kinds, echo=task.trace)
        _PLAYED.append(table)
        lies = task.scene in LYING
        judged = contextlib.nullcontext() if lies else judged_links(table.world)
        try:
            with judged:
                scene(table)
            if table.world.problems and not lies:
                raise AssertionError(table.world.problems[0])
        except AssertionError as wrong:
            problem = f"{type(wrong).__name__}: {wrong}"
        except Exception:
            problem = traceback.format_exc()
        world = table.world
        report = Report(
            task,
            problem,
            world.now,
            time.process_time() - began,
            world.events,
            table.net.connections,
            len(table.liveness.elections),
            tuple(line[:WIDTH] for line in world.trace(TAIL)) if problem else (),
            world.digests() if task.digests else {},
        )
        world.close()
    return report


@contextlib.contextmanager
def _once() -> Iterator[None]:
    """What one laptop has found good is not looked at again by the next: proofs, bytes, whole
    journals, and signatures, which are known to be good where they were made: a keyed hash
    stands for each, and no other bytes are a signature.
    """
    good: set[tuple[bytes, bytes]] = set()
    look, fold = keys.crypto_sign_open, audit._Hearing.fold
    folded: dict[tuple[Signed, ...], audit._Hearing] = {}

    def signed(self: Identity, domain: bytes, message: bytes) -> bytes:
        bound = keys._bound(domain, message)
        signature = hashlib.blake2b(bound, key=self.public).digest()
        good.add((signature + bound, self.public))
        return signature

    def opened(message: bytes, public: bytes) -> bytes:
        if (message, public) not in good:
            look(message, public)
            good.add((message, public))
        return message[crypto_sign_BYTES:]

    def judged(self: audit._Hearing, *given: Any) -> None:
        known = folded.get(self.journal.records)
        if known is None or any(given):
            fold(self, *given)
            folded[self.journal.records] = self
        else:
            self.match, self.chain, self.entry = known.match, known.chain, known.entry
            self.done, self.seals = known.done, known.seals

    with (
        once(),
        mock.patch.object(audit._Hearing, "fold", judged),
        mock.patch.object(Identity, "sign", signed),
        mock.patch.object(keys, "crypto_sign_open", opened),
    ):
        yield


def play(tasks: Iterable[Task], jobs: int = 1) -> Iterator[Report]:
    """Play them all, so many beside one another."""
    with _processes().Pool(jobs, _prepare, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(play_here, tasks)


def act(
    scene: Scene,
    seed: int = 0,
    *,
    seats: int = 3,
    guests: int = 0,
    plays_with: Sequence[str] = ("json",),
) -> Report:
    """Play this scene, a function of a module, in a process of its own. Raises AssertionError
    with what is wrong and how it came to that.
    """
    task = Task(scene.__name__, seed, seats)
    with _processes().Pool(1, _prepare) as pool:
        report = pool.apply(_report, (task, scene, seats, guests, plays_with))
    assert not report.problem, "\n".join((*report.tail, report.problem))
    return report


def _processes() -> multiprocessing.context.BaseContext:
    """Processes that begin with nothing but what is imported here."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _prepare() -> None:
    gc.disable()
    logging.getLogger().setLevel(logging.CRITICAL)
