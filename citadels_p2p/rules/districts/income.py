"""Districts that change what comes in: gathering and income."""

from __future__ import annotations

from citadels_p2p.rules.hooks import DistrictEffect

#: a library keeps whatever was drawn, also what the observatory adds
DISTRICTS: dict[str, DistrictEffect] = {
    "observatory": DistrictEffect(draws=1),
    "library": DistrictEffect(keeps_all=True),
    "school_of_magic": DistrictEffect(any_income=True),
}
