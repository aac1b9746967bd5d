"""How the characters go round, by the number of seats and of characters.

Tables, no code to play them.

A stage is a word and a number. `up`: so many open, face up; `down`: so many unseen, face
down; `take`: the seat so many places left of the crown keeps one; `put`: that seat puts one
face down; `join`: the unseen card comes back into the pile; `rest`: what is left goes face
down, by that seat; `mix`: the pile is shuffled again. Where chance deals: `favour`: the holder
of the crown, if there is one, keeps one; `spread`: everybody is dealt up to so many; `bury`:
what is left goes face down, seen by nobody.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Stage: TypeAlias = tuple[str, int]

#: (seats, characters) → how many lie face up
FACE_UP: Final[dict[tuple[int, int], int]] = {
    (4, 8): 2,
    (5, 8): 1,
    (6, 8): 0,
    (7, 8): 0,
    (4, 9): 3,
    (5, 9): 2,
    (6, 9): 1,
    (7, 9): 0,
    (8, 9): 0,
}

#: the tables of two and three seats, where each keeps two characters
_TWO: Final[tuple[Stage, ...]] = (
    ("down", 1),
    ("take", 0),
    ("take", 1),
    ("put", 1),
    ("take", 0),
    ("put", 0),
    ("take", 1),
    ("rest", 1),
)
_THREE: Final[tuple[Stage, ...]] = (
    ("down", 1),
    ("take", 0),
    ("take", 1),
    ("take", 2),
    ("take", 0),
    ("take", 1),
    ("take", 2),
    ("rest", 2),
)
#: with nine characters one of the five in the middle goes out unseen
_THREE_OF_NINE: Final[tuple[Stage, ...]] = (
    ("down", 1),
    ("take", 0),
    ("take", 1),
    ("take", 2),
    ("mix", 0),
    ("down", 1),
    ("take", 0),
    ("take", 1),
    ("take", 2),
    ("rest", 2),
)
SMALL: Final[dict[tuple[int, int], tuple[Stage, ...]]] = {
    (2, 8): _TWO,
    (3, 8): _THREE,
    (3, 9): _THREE_OF_NINE,
}


def dealt(each: int) -> tuple[Stage, ...]:
    """The stages where chance deals so many characters to each seat."""
    return (("favour", 0), ("mix", 0), ("spread", each), ("bury", 0))


def schedule(seats: int, characters: int, *, hidden_first: bool) -> tuple[Stage, ...]:
    """The stages of one selection.

    `hidden_first`: the unseen card is laid before those face up. With one character fewer than
    seats can do, the last seat's rule applies.
    """
    if (seats, characters) in SMALL:
        return SMALL[seats, characters]
    stages: list[Stage] = []
    if up := FACE_UP[seats, characters]:
        stages.append(("up", up))
    stages.insert(0 if hidden_first else len(stages), ("down", 1))
    stages += [("take", place) for place in range(seats - 1)]
    if characters == seats + 1:
        stages.append(("join", seats - 1))
    stages += [("take", seats - 1), ("rest", seats - 1)]
    return tuple(stages)
