"""Where memory ends, that is what is said: no peer's word is bad, no file of ours is damaged.

The theorem: whichever allocation of a reading fails, it gives the right value or no verdict.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.storage.store import Store
from tests.protocol.storage.test_store import Disk

READINGS = ("message", "statements", "identity", "journal", "secrets")


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_without_memory_blames_nobody(tmp_path: Path, reading: str) -> None:
    pytest.importorskip("_testcapi", reason="this Python cannot let an allocation fail")
    from tests.protocol import starving

    assert set(starving.READINGS) == set(READINGS)
    said: list[str] = []
    ended = 1
    while ended:
        first = sum(line.isdigit() for line in said)
        words = [sys.executable, "-m", "tests.protocol.starving", reading, str(tmp_path)]
        child = subprocess.run(
            [*words, str(first)], capture_output=True, text=True, timeout=120, check=False
        )
        said += child.stdout.splitlines()
        ended = child.returncode  # not 0 where the interpreter itself did not survive it
        assert sum(line.isdigit() for line in said) > first or not ended, child.stderr
    assert [line for line in said if line.startswith(starving.FALSE)] == []
    assert starving.SHORT in said


def test_a_write_without_memory_is_told_to_whoever_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer's thread ended, and the match waited for ever."""
    disk = Disk(tmp_path)
    store = disk.begin()

    def starved(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Store, "_commit", starved)
    disk.add(store)
    disk.add(store)
    store.close()
    assert [failure and failure.hint for failure in disk.failures] == [
        None,
        "no_memory",
        "no_memory",
    ]


STRANGER = """
import resource, sys
from protocol.memory import ROOM, is_out_of_memory

strange = OSError("a library's own words")
assert not is_out_of_memory(strange)
pages = int(open("/proc/self/statm").read().split()[0])
much = pages * resource.getpagesize() + ROOM // 2
resource.setrlimit(resource.RLIMIT_AS, (much, much))
assert is_out_of_memory(strange)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits addresses so")
def test_an_error_in_strange_words_is_looked_at_once_more() -> None:
    """OpenSSL without memory was told as a TLS library that is too old, and as a bug."""
    subprocess.run([sys.executable, "-c", STRANGER], check=True, timeout=60)
