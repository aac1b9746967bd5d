"""What tells who wins: weights in thousandths.

Each row is of one distance from the end, by the districts that the largest city lacks, from one
on; in the order of `prospects.numbers`. Made by `python -m benchmarks.prospects`, not by hand.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
164 441 131 -79 -45 -143 -6 18 175 114 45 54 114 212 452 319 150 808 217 306
60 472 150 -15 -37 -110 31 27 174 39 45 128 -27 266 296 153 70 606 318 229
20 442 163 -10 7 -94 36 24 197 -25 -18 99 106 139 300 147 99 606 231 229
12 370 157 -46 -22 -117 3 19 146 26 -40 141 80 39 202 119 78 606 231 229
12 301 150 -32 -4 -93 5 1 112 49 23 99 56 11 188 110 34 606 231 229
28 313 144 -13 5 -175 -26 -84 103 38 -18 86 116 50 173 122 92 606 231 229
37 320 139 -73 6 -140 133 -104 90 17 -68 118 52 -93 -46 103 37 606 231 229
"""

WEIGHTS: Final = [
    [int(one) / 1000 for one in row.split()] for row in _ROWS.strip().splitlines()
]
