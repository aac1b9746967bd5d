"""Large letters, to be read from across a room: two dots to a cell, four rows high.

A letter has columns of eight dots, the eighth for what hangs below the line. They are drawn so
that v, m, n, i and l are not taken for each other.
"""

from __future__ import annotations

import re
from typing import Final

from cli.drawing.grid import Grid

#: a letter, then two hexadecimal digits for each of its columns, the uppermost dot first
_TABLE: Final = """
0 3e5149453e  1 00427f4000  2 7249494946  3 2141494d33  4 1814127f10  5 2745454539
6 3c4a494931  7 4121110907  8 3649494936  9 464949291e  A 7e1111117e  B 7f49494936
C 3e41414122  D 7f4141413e  E 7f49494941  F 7f09090901  G 3e41415173  H 7f0808087f
I 417f41  J 2040413f01  K 7f08142241  L 7f40404040  M 7f020c027f  N 7f0408107f
O 3e4141413e  P 7f09090906  Q 3e4151215e  R 7f09192946  S 2649494932  T 01017f0101
U 3f4040403f  V 1f2040201f  W 3f4038403f  X 6314081463  Y 0708700807  Z 6151494543
a 2054545478  b 7f48444438  c 3844444428  d 384444487f  e 3854545418  f 087e0902
g 18a4a4a47c  h 7f08040478  i 447d40  j 80807d  k 7f102844  l 417f40  m 7c04780478
n 7c08040478  o 3844444438  p fc24242418  q 18242424fc  r 7c08040408  s 4854545424
t 043f444020  u 3c4040207c  v 1c2040201c  w 3c4030403c  x 4428102844  y 1ca0a0a07c
z 4464544c44  - 08080808  − 08080808  . 6060  : 3636  ' 0503  , a060  ! 5f  ? 0201510906
+ 08083e0808  / 2010080402  Б 7f49494931  Г 7f01010101  Д c07e417fc0  Ж 77087f0877
З 2241494936  И 7f1008047f  Й 7c2112097c  Л 403e01017f  П 7f0101017f  У 274848483f
Ф 1c227f221c  Ц 7f40407fc0  Ч 070808087f  Ш 7f407f407f  Щ 7f407f40ff  Ъ 017f484830
Ы 7f4830007f  Ь 7f48484830  Э 224149493e  Ю 7f083e413e  Я 462919097f  Ї 457c45
Є 3e49494122  Ґ 7e02020203  É 7c54565544  é 3854565518  б 3c4a4a4930  в 7c54545428
г 7c04040404  д c078447cc0  ж 6c107c106c  з 2844545428  и 7c2010087c  й 7c2112087c
к 7c10284400  л 403804047c  м 7c0810087c  н 7c1010107c  п 7c0404047c  т 04047c0404
ф 1824ff2418  ц 7c40407cc0  ч 0c1010107c  ш 7c407c407c  щ 7c407c40fc  ъ 047c505020
ы 7c5020007c  ь 7c505020  э 2844545438  ю 7c10384438  я 485434147c  і 447d40  ї 457c41
є 3854544428  ґ 780808080c
"""
#: letters that look like others
_ALIKE: Final = dict(zip("АВЕКМНОРСТХІЁёаеорсух", "ABEKMHOPCTXIEeaeopcyx", strict=True))
#: what stands for two dots, one above the other: none, the upper, the lower, both
_DOTS, _LETTERS = " ▀▄█", ' "_#'
#: rows of a letter
HIGH: Final = 4
#: and those of a line of them, with a blank above
FIELD: Final = HIGH + 1


def _columns(text: str) -> dict[str, tuple[int, ...]]:
    words = text.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return {letter: tuple(bytes.fromhex(dots)) for letter, dots in pairs}


_COLUMNS: Final = {**_columns(_TABLE), " ": (0, 0, 0)}


def known(text: str) -> bool:
    """Whether all of it can be written so."""
    return all(_ALIKE.get(letter, letter) in _COLUMNS for letter in text)


def size(text: str) -> int:
    """The cells that a text takes."""
    return sum(len(_dots(letter)) + 1 for letter in text) - 1


def lines(text: str, room: int) -> tuple[str, ...]:
    """Words, also with hyphens between, in as many lines as they take in so many cells; ()
    where they cannot be written so.
    """
    if not known(text):
        return ()
    found = [""]
    for part in re.findall(r"[^- ]+[- ]?", text):
        if size(found[-1] + part.rstrip()) > room and found[-1]:
            found.append("")
        found[-1] += part
    found = [part.rstrip() for part in found]
    return tuple(found) if all(size(part) <= room for part in found) else ()


def write(
    grid: Grid, x: int, y: int, text: str, ink: str, field: str | None = None,
    *, ascii_only: bool = False,
) -> int:  # fmt: skip
    """Write from a cell on, four rows high; the column behind it."""
    signs = _LETTERS if ascii_only else _DOTS
    for letter in text:
        for column in _dots(letter):
            for row in range(HIGH):
                if both := column >> 2 * row & 3:
                    grid.put(x, y + row, signs[both], ink, field)
            x += 1
        x += 1
    return x - 1


def _dots(letter: str) -> tuple[int, ...]:
    return _COLUMNS.get(_ALIKE.get(letter, letter), _COLUMNS["?"])
