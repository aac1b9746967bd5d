"""What one who thinks likes of each character: weights in hundredths.

The first is by the number of districts in the city that would pay the character; the others are
in the order of `drafters.situation`. Fitted to 22,960 choices of hard bots at classic tables of
four; what is not here is liked evenly. `python -m benchmarks.drafts` fits any character.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
assassin 0 -26 18 -5 46 -2 -10 9 60 25 57 -6 -20 -57 -1
thief 0 9 13 -4 49 -24 -10 -32 -12 -11 -63 45 -9 0 12
magician 0 -56 -4 5 -82 17 -14 13 51 -6 30 -5 77 52 -2
king 88 38 -3 10 13 2 -7 -23 30 -21 -12 -6 -4 -70 6
bishop 117 -36 -1 19 9 -2 2 53 -14 -35 -9 -9 -9 -42 10
merchant 52 32 -29 18 7 4 -6 -29 22 13 41 -2 -7 67 -5
architect 0 59 6 -46 -39 -1 34 -17 -60 33 0 -10 -20 77 -15
warlord 107 -21 0 4 -3 6 12 26 -76 2 -43 -8 -8 -27 -4
"""

WEIGHTS: Final = {
    id: [int(one) / 100 for one in weights]
    for id, *weights in (row.split() for row in _ROWS.strip().splitlines())
}
