"""What one who thinks likes of each character: weights in hundredths.

The first is by the number of districts in the city that would pay the character; the others are
in the order of `drafters.situation`. Made by `python -m benchmarks.drafts`, not by hand.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
assassin 0 -35 19 -13 26 4 0 17 54 -3 14 -12 -15 -59 3
witch 0 10 -5 -13 -8 5 5 7 1 13 -5 1 1 14 -6
magistrate 0 53 12 -3 11 24 -16 -13 13 -13 -14 15 22 48 -7
thief 0 36 15 8 17 7 -16 -3 7 2 -31 18 1 -2 5
spy 0 -3 -2 -4 15 -11 -16 17 25 -21 19 4 37 -18 10
blackmailer 0 47 17 -8 18 15 -13 -8 16 -15 -37 10 6 14 6
magician 0 -105 -11 26 -26 -38 6 -13 30 -11 38 -2 62 28 -10
wizard 0 9 2 1 -1 -11 20 -21 8 11 -10 -1 -5 7 -2
seer 0 -71 3 51 -5 11 0 13 56 5 29 -6 -20 -61 -5
king 76 47 3 -8 8 -9 -15 6 29 2 -3 -1 0 -36 5
emperor 72 38 -3 -23 5 -3 0 -5 14 3 -8 0 -4 -23 1
patrician 64 27 6 -16 0 -1 -1 -8 -15 5 8 -2 -5 -34 14
bishop 110 -29 9 -18 -7 6 3 26 -9 -12 -27 -5 -4 -44 1
abbot 76 26 -10 0 -5 3 2 -18 -11 -3 1 0 2 0 -4
cardinal 97 -24 -17 2 -4 -6 -5 40 1 8 10 -1 -8 -19 0
merchant 40 32 -23 14 3 -19 -3 -7 8 6 27 -4 -7 54 -9
alchemist 0 -32 18 28 5 24 -11 -7 -38 2 -6 1 -1 67 -6
trader 74 -28 -9 2 13 -9 -22 36 6 6 18 -4 -4 24 0
architect 0 20 -7 -39 -26 -7 35 -43 -49 18 5 -7 -14 64 -13
navigator 0 2 -32 -16 -19 -21 16 -34 -40 35 -3 -2 -10 6 -12
scholar 0 3 -7 30 -15 -21 19 -19 1 13 7 -4 -13 27 -4
warlord 93 21 2 -14 -8 11 13 12 -46 -24 -31 -8 -5 -15 -2
diplomat 93 -48 3 10 -3 1 -7 18 12 0 50 -5 -8 -17 2
marshal 39 19 -1 6 -12 30 24 -29 -73 -9 -31 8 4 59 -1
queen 0 3 3 -7 8 1 1 3 7 -20 -13 4 -4 -22 7
artist 0 -36 13 9 2 -12 -13 31 25 12 15 -6 -16 -89 18
tax_collector 0 18 3 -4 7 26 -5 1 -32 -9 -24 10 10 30 12
"""

WEIGHTS: Final = {
    id: [int(one) / 100 for one in weights]
    for id, *weights in (row.split() for row in _ROWS.strip().splitlines())
}
