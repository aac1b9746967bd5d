"""Settings for all tests: properties are judged by their examples, never by the clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, max_examples=60)
settings.load_profile("table")
