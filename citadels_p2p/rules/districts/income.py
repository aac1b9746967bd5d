"""Districts that change what comes in: gathering and income."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules.hooks import Ask, DistrictEffect, Step

#: a library keeps whatever was drawn, also what the observatory adds; the older one two cards
DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "gold_mine": DistrictEffect(gold=1),
    "library": DistrictEffect(keeps_all=True),
    "observatory": DistrictEffect(draws=1),
    "school_of_magic": DistrictEffect(any_income=True),
}
OLDER: Final[dict[str, DistrictEffect]] = {"library": DistrictEffect(keeps=2)}
ASKS: Final[dict[str, Ask]] = {}
STEPS: Final[dict[str, Step]] = {}
