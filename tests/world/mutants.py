"""Faults planted on purpose in session, presence, lobby and storage: the world must notice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

OURS: dict[str, Callable[[], AbstractContextManager[object]]] = {}
