"""What tells who wins: weights in thousandths.

Each row is of one distance from the end, by the districts that the largest city lacks, from one
on; in the order of `prospects.numbers`. Made by `python -m benchmarks.prospects`, not by hand.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
135 398 140 -90 -73 -192 -21 190 88 58 97 43 149 386 293 163 877 268 330
75 429 137 0 -29 -115 53 172 43 30 103 27 250 332 192 122 823 397 310
58 433 129 11 32 -68 58 176 8 -20 99 102 137 320 171 129 823 323 310
49 365 125 -56 -8 -116 12 153 23 -5 107 76 57 244 172 121 823 323 310
50 340 119 -61 -10 -119 -19 139 35 23 82 92 -5 216 112 6 823 323 310
59 334 120 -38 -27 -195 -83 129 13 3 87 105 29 212 142 127 823 323 310
67 363 125 -96 -31 -132 37 131 5 -7 98 65 19 120 214 95 823 323 310
"""

WEIGHTS: Final = [
    [int(one) / 1000 for one in row.split()] for row in _ROWS.strip().splitlines()
]
