"""Shell: games in several processes: the same results in the same order as in one."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias, TypeVar

from citadels_p2p import house

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Processes:
    """So many processes of our own. `idle`: they give way to all others. `pause` is called now
    and then while one is waited for; what it raises ends them.
    """

    jobs: int
    idle: bool = False
    pause: Callable[[], None] | None = None


#: how many processes play, or whoever else lets games be played: on a cluster, for example
Workers: TypeAlias = int | Processes | Executor

#: seconds between two pauses
PAUSE_SECONDS = 0.1

#: games given to an executor before the first of them is asked for
AHEAD = 256


def spread(play: Callable[[int], R], games: Sequence[int], jobs: Workers = 1) -> Iterator[R]:
    """What `play` gives for every game, in order, with so many processes at work.

    It must be a function that a new process can import, or a partial of one. An exception of a
    game is raised in its place; ChildProcessError where a process was ended from outside. Who
    stops asking ends the processes; an executor's games that have not begun are taken back.
    Our processes have the house boxes that this one has; an executor's load them themselves.
    """
    if jobs == 1:
        yield from map(play, games)
    elif isinstance(jobs, Executor):
        yield from _given(play, games, jobs)
    else:
        where = jobs if isinstance(jobs, Processes) else Processes(jobs)
        yield from _in_processes(play, games, where)


def _given(play: Callable[[int], R], games: Sequence[int], executor: Executor) -> Iterator[R]:
    """As `spread`, by an executor."""
    waiting: deque[Future[R]] = deque()
    try:
        for game in games:
            waiting.append(executor.submit(play, game))
            if len(waiting) == AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _in_processes(
    play: Callable[[int], R], games: Sequence[int], where: Processes
) -> Iterator[R]:
    """As `spread`, by processes of our own."""
    jobs = where.jobs
    # New processes, not copies of this one, whose threads they would not get.
    context = get_context("spawn")
    workers, lines = [], []
    try:
        for first in range(jobs):
            line, far_end = context.Pipe(duplex=False)
            task = pickle.dumps((play, games[first::jobs]))
            given = (house.loaded(), task, far_end, where.idle)
            workers.append(context.Process(target=_work, args=given, daemon=True))
            with _deaf():
                workers[-1].start()
            far_end.close()
            lines.append(line)
        for place in range(len(games)):
            line = lines[place % jobs]
            while where.pause is not None and not line.poll(PAUSE_SECONDS):
                where.pause()
            try:
                result = line.recv()
            except EOFError:
                raise ChildProcessError("worker_ended") from None
            if isinstance(result, Exception):
                raise result
            yield result
    finally:
        for worker in workers:
            if os.name != "nt" and worker.pid is not None:
                with suppress(ProcessLookupError):  # it has not begun to play
                    os.killpg(worker.pid, signal.SIGTERM)
            worker.terminate()
            worker.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """Whoever is begun meanwhile hears no Ctrl-C before it has said that it wants none, and
    writes no traceback between the lines; we hear it a moment later.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its first start, with the first process, ends our mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(boxes: Sequence[Path], task: bytes, line: Connection, idle: bool) -> None:
    """Play one game after the other, as fast as the results are taken. `task`: the function and
    the games, pickled, since only with the house `boxes` do their rules mean anything here.
    """
    for box in boxes:
        house.load(box)
    play: Callable[[int], object]
    games: Sequence[int]
    play, games = pickle.loads(task)
    if idle:
        _give_way()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that began this
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.setpgrp()  # so that a program that a game has started ends with us
    for game in games:
        try:
            line.send(play(game))
        except Exception as fault:
            line.send(fault)


def _give_way() -> None:
    """Run only when no other process wants to."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _IDLE_PRIORITY_CLASS)
    else:
        os.nice(19)


#: winbase.h
_IDLE_PRIORITY_CLASS = 0x40
