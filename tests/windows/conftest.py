"""Skipped with its reason where there is no Windows; on a build machine only if it says why."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab
from tests.lan.lab import why_not as why_no_lab
from tests.windows.wine import Windows, build, why_not


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """Two laptops with Linux, 0 and 2; the one with Windows is 1."""
    reason = why_not() or why_no_lab()
    is_asked_for = os.environ.get("CI") == "true" and "CITADELS_NO_WINE" not in os.environ
    if reason is not None and not is_asked_for:
        pytest.skip(reason)
    build()
    with Lab(machines=3) as built:
        yield built


@pytest.fixture(scope="module")
def windows(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    folder: Path = tmp_path_factory.mktemp("windows")
    with Windows(folder, lab.machine(1)) as switched_on:
        yield switched_on
