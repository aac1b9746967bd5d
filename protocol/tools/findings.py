"""What a look at this machine finds: values, in codes for the person's side to put in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["ok", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    `check` is what it belongs to ("network", "disk", …), `code` what was found, `fields` what
    belongs into the sentence. *warn*: it may keep somebody from playing; *bad*: it does.
    """

    check: str
    verdict: Verdict
    code: str
    fields: Mapping[str, str | int] = field(default_factory=dict)
