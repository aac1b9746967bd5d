"""Settings for all tests: properties are judged by their examples, never by the clock."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, max_examples=60)
settings.load_profile("table")

LAST_CALLER = (
    r"ignore:Exception ignored in. <socket\.socket fd=\d+, family=\d+, type=1,"
    ":pytest.PytestUnraisableExceptionWarning"
)
"""Who connects in the moment in which Windows' event loop ends is accepted by the system and
heard by nobody: Python leaves that socket to be collected. Transports are complained of still.
"""


def pytest_configure(config: pytest.Config) -> None:
    if sys.platform == "win32":
        config.addinivalue_line("filterwarnings", LAST_CALLER)
