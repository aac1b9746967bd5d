"""Which cases of a test are a part of every run, and which of `make long` alone."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def and_long(few: Iterable[object], more: Iterable[object]) -> list[object]:
    """Cases for `parametrize`: these always, and more of their kind in the long run."""
    rows = (one if isinstance(one, tuple) else (one,) for one in more)
    return [*few, *(pytest.param(*row, marks=pytest.mark.long) for row in rows)]
