"""Libraries that not every machine has."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import pytest


def optional(name: str, *, everywhere: bool = True) -> Any:
    """The library; without it a test is skipped, but fails where CI has all there is.

    `everywhere`: it has a wheel for this Python.
    """
    if everywhere and os.environ.get("CI") == "true":
        return import_module(name)
    return pytest.importorskip(name)
