"""A part of the suite, run by Windows' Python; `make windows` runs all of it."""

from __future__ import annotations

import pytest

from tests.windows.wine import Windows

#: what needs neither a busy network nor many threads, which Wine is slow with
PARTS = (
    ("rules",),
    ("bots", "replay", "fuzz"),
    (
        *("protocol/identity", "protocol/tools"),
        *("cli/test_client_loop.py", "cli/test_window_closing.py"),
    ),
)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part[0])
def test_the_suite_passes_on_windows(part: tuple[str, ...], windows: Windows) -> None:
    told = ("-p", "no:cacheprovider", "-rfEs", *(f"tests/{path}" for path in part))
    ran = windows.run("-m", "pytest", *told, seconds=900)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    print(ran.stdout)
