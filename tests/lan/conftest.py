"""The marker `lan`.

Skipped with its reason where no lab can be built, never on a build machine.
"""

from __future__ import annotations

import os

import pytest

from tests.lan.lab import why_not


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mine = [item for item in items if item.get_closest_marker("lan")]
    if not mine or os.environ.get("CI") == "true":
        return
    reason = why_not()
    if reason is not None:
        for item in mine:
            item.add_marker(pytest.mark.skip(reason=reason))
