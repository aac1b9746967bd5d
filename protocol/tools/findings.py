"""What checks of this machine find: codes, which the user interface puts into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["ok", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of one check.

    `check` is its group ("network", "disk", …), `code` what was found, `fields` the parameters
    of its sentence. *warn*: it may keep somebody from playing; *bad*: it does.
    """

    check: str
    verdict: Verdict
    code: str
    fields: Mapping[str, str | int] = field(default_factory=dict)
