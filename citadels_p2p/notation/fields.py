"""The fields of a position, by the form in which they are said."""

from __future__ import annotations

#: the first word of every position
TITLE = "citadels-position/1"
#: characters; a whole pack with all its faces has some 2000
LONGEST = 16_000

LISTS = ("characters", "uniques")
NUMBERS = ("city", "seats", "characters_each")
COUNTS = ("round", "called", "cursor", "fresh_slot", "n")
MAYBE = ("crown", "first", "shortened_by")
SLOTS = ("deck", "pile", "aside", "raised")
SEATS = ("builders", "guarded", "also_first")
LABELLED = ("lots", "faceup", "unveiled")
#: stands for the labels of the whole pack
PACK = "*"


HELD = ("hand", "drawn", "city", "picks")
DONE = ("built", "paid", "spent", "step")
FLAGS = ("gathered", "closing", "resumed")

OPTIONS = frozenset(
    ("edition", "seats", "draft", "complete", "ending", "gilding", "steps", "ties", "unveiling")
) | {*LISTS, *NUMBERS}
