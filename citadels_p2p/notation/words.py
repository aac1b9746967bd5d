"""The words that positions and records are made of, each way: numbers, ids, cards, lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,4}")
_WORD = re.compile(r"[a-z0-9_]{1,32}")
#: a card that everybody sees, one that is hidden from others, or a slot alone
_CARD = re.compile(
    r"(?:(?P<shown>[a-z0-9_]{1,32})@|\((?P<hidden>[a-z0-9_]{1,32})\)@)?(?P<slot>[0-9]{1,5})"
)
_RUN = re.compile(r"([0-9]{1,5})\.\.([0-9]{1,5})")

#: as many cards as a list may hold; no box has as many
LONGEST = 200
#: stands for nothing where a word is needed
NONE = "-"


class Unreadable(ValueError):
    """The text is not in the form of NOTATION.md, or tells of what cannot be."""


def number(word: str) -> int:
    """A whole number of at most five digits."""
    if not _NUMBER.fullmatch(word):
        raise Unreadable(f"no number: {shortened(word)}")
    return int(word)


def count(word: str) -> int:
    """A number that is not negative: gold, a seat, a slot."""
    value = number(word)
    if value < 0:
        raise Unreadable(f"less than nothing: {word}")
    return value


def plain(word: str) -> str:
    """An id, or `-` for none."""
    if word == NONE:
        return ""
    if not _WORD.fullmatch(word):
        raise Unreadable(f"no word: {shortened(word)}")
    return word


def parts(text: str, mark: str = ",") -> list[str]:
    """What stands between the marks; nothing in an empty text."""
    return text.split(mark) if text else []


def label(word: str) -> str:
    """An id, a number, or several with commas, that a question takes along; `-` for none."""
    if word != NONE and not all(_WORD.fullmatch(one) for one in word.split(",")):
        raise Unreadable(f"no label: {shortened(word)}")
    return "" if word == NONE else word


def shortened(text: str) -> str:
    """Something wrong, so short that it fits into a sentence."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


class Faces:
    """What a text tells of cards, gathered while it is read: each slot once."""

    def __init__(self) -> None:
        self.shown: dict[int, str] = {}  #: for everybody to see
        self.hidden: dict[int, str] = {}  #: known to whoever wrote the text

    def read(self, text: str) -> list[int]:
        """A list of cards, such as `keep@17,(temple)@4,12..9,40`; gives their slots."""
        slots: list[int] = []
        for word in parts(text):
            run = _RUN.fullmatch(word)
            if run is not None:
                first, last = int(run[1]), int(run[2])
                if abs(last - first) >= LONGEST:
                    raise Unreadable(f"too many cards: {word}")
                step = 1 if last >= first else -1
                slots += range(first, last + step, step)
            else:
                slots.append(self._card(word))
            if len(slots) > LONGEST:
                raise Unreadable("too many cards")
        return slots

    def _card(self, word: str) -> int:
        found = _CARD.fullmatch(word)
        if found is None:
            raise Unreadable(f"no card: {shortened(word)}")
        slot = int(found["slot"])
        if found["shown"] is not None:
            self._tell(self.shown, slot, found["shown"])
        elif found["hidden"] is not None:
            self._tell(self.hidden, slot, found["hidden"])
        return slot

    def _tell(self, faces: dict[int, str], slot: int, card: str) -> None:
        told = self.shown.get(slot) or self.hidden.get(slot)
        if told is not None and (told != card or slot not in faces):
            raise Unreadable(f"two things of the card in slot {slot}: {told}, {card}")
        faces[slot] = card


def cards(slots: Sequence[int], shown: Mapping[int, str], hidden: Mapping[int, str]) -> str:
    """A list of cards as `Faces.read` reads it; three unknown ones in a row are a run."""
    words: list[str] = []
    at = 0
    while at < len(slots):
        slot = slots[at]
        run = _run(slots, at, shown, hidden)
        if run > 2:
            words.append(f"{slot}..{slots[at + run - 1]}")
        elif slot in shown:
            words.append(f"{shown[slot]}@{slot}")
        elif slot in hidden:
            words.append(f"({hidden[slot]})@{slot}")
        else:
            words.append(str(slot))
        at += run if run > 2 else 1
    return ",".join(words)


def _run(
    slots: Sequence[int], at: int, shown: Mapping[int, str], hidden: Mapping[int, str]
) -> int:
    """How many unknown cards follow one another from here, up or down."""
    if slots[at] in shown or slots[at] in hidden:
        return 1
    step = slots[at + 1] - slots[at] if at + 1 < len(slots) else 0
    length = 1
    while (
        abs(step) == 1
        and at + length < len(slots)
        and slots[at + length] == slots[at] + length * step
        and slots[at + length] not in shown
        and slots[at + length] not in hidden
    ):
        length += 1
    return length


def listed(values: Iterable[object], mark: str = ",") -> str:
    """Numbers or words in a row."""
    return mark.join(NONE if value == "" else str(value) for value in values)
