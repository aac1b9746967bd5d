"""Settings for all tests: properties are judged by their examples, never by the clock, and
every line of a machine client is held against its schema.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, max_examples=60)
settings.load_profile("table")

MEMORY, ROOM = Path("/dev/shm"), 2 << 30
"""Where files cost no disk, and how many bytes must be free there for those of all tests: half
of the time of whoever opens a match goes with waiting until a disk has it.
"""
if sys.platform == "win32":
    os.environ.pop("PYTEST_DEBUG_TEMPROOT", None)  # what called Wine has set it for itself
elif os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

LAST_CALLER = (
    r"ignore:Exception ignored in. <socket\.socket fd=\d+, family=\d+, type=1,"
    ":pytest.PytestUnraisableExceptionWarning"
)
"""Who connects in the moment in which a listener ends is accepted by the system and heard by
nobody: a task that is cancelled loses what `sock_accept` has just found, and so does Windows'
loop at its end. Python leaves that socket to be collected. Transports are complained of still.
"""


LONG = frozenset(
    {
        "compiled",
        "lan",
        "simulation",
        "windows",
        "world",
        "cli/test_hot_seat.py",
        "cli/test_share.py",
        "match/test_absence.py",
        "match/test_closed.py",
        "match/test_departure.py",
        "match/test_forked_hands.py",
        "match/test_giving_back.py",
        "match/test_restart.py",
        "match/test_sick_disks.py",
        "screens/test_again_at_a_table.py",
        "screens/test_terminal.py",
        "screens/test_two_laptops.py",
    }
)
"""What takes minutes, by folder or file: `make long` runs it, and `make test` leaves it out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    root = Path(__file__).parent
    for item in items:
        place = item.path.relative_to(root)
        if LONG.intersection((place.parts[0], place.as_posix())):
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """What is asynchronous is played as its module says by the mark `played`, or on a loop."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    mark = pyfuncitem.get_closest_marker("played")
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}
    (asyncio.run if mark is None else mark.kwargs["by"])(test(**given))
    return True


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no search for garbage looks at it
    again, which took a second each time.
    """
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    # In the background a shell has Ctrl-C ignored, and so would every program that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("filterwarnings", LAST_CALLER)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """A command that is run in another language leaves it to no other test."""
    yield
    i18n = sys.modules.get("cli.i18n")
    if i18n is not None and i18n.current() != "en":
        i18n.use("en")


@pytest.fixture(scope="session", autouse=True)
def lines_fit_their_schema() -> Iterator[None]:
    """The library may be missing in Wine: `tests/cli/test_json_schema.py` says so there."""
    if sys.platform == "win32" and find_spec("jsonschema_rs") is None:
        yield
        return
    from tests.schema_of_lines import watch

    end = watch()
    yield
    end()
