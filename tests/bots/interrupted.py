"""A game whose process hears Ctrl-C while it begins."""

from __future__ import annotations

import signal
from multiprocessing import parent_process

if parent_process() is not None:
    signal.raise_signal(signal.SIGINT)


def play(game: int) -> int:
    return game
