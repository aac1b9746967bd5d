"""Every order of goings, comings and masks in two histories of one match.

Of eight operators five are corrupt, one fewer than the threshold: a part of a single honest
one gives them the share of anybody who is gone. The three honest ones are shown two histories
that part at some moment, each of them one of the two. No card dealt to one of them in its
history may be readable with what the others have given for the same ciphertext in the other.

What is asked here is who has masked a card, as `Masks` has it; the rule is that of `Custody`:
everybody who is here has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import pytest

from citadels_p2p.match.fold.custody import Masks

HONEST = frozenset(range(3))
CARD = 7

Rule = Callable[["History", frozenset[int], int], bool]
"""Whether those who are in a history may give a part of the share of one that is gone."""


@dataclass(frozen=True)
class History:
    """Who is gone, the masks that are the name of the card, and what `Masks` says of it."""

    gone: frozenset[int]
    name: tuple[tuple[int, str], ...]
    masks: Masks

    @property
    def here(self) -> frozenset[int]:
        return HONEST - self.gone

    def key(self) -> object:
        """Histories with the same key go on alike."""
        lacking = tuple(tuple(self.masks.lacking(CARD, one, HONEST)) for one in HONEST)
        return self.gone, self.name, lacking

    def step(self, what: str, operator: int, moment: str) -> History | None:
        """What comes of this; None where it cannot be."""
        if what == "return":
            is_gone = operator in self.gone
            return History(self.gone - {operator}, self.name, self.masks) if is_gone else None
        if operator in self.gone or (what == "go" and len(self.gone) == 2):
            return None
        masks = deepcopy(self.masks)
        if what == "go":
            masks.leave(operator)
            return History(self.gone | {operator}, self.name, masks)
        masks.add(operator, [CARD])
        return History(self.gone, (*self.name, (operator, moment)), masks)


def onward(start: History, acting: frozenset[int], moments: str, most: int) -> list[History]:
    """All that may come of it; whoever is not in this history does nothing but go."""
    found, front = {start.key(): start}, [start]
    for number in range(most):
        later: list[History] = []
        for history in front:
            for operator in HONEST:
                for what in ("go", "return", "mask"):
                    if what != "go" and operator not in acting:
                        continue
                    after = history.step(what, operator, f"{moments}{number}")
                    if after is not None and after.key() not in found:
                        found[after.key()] = after
                        later.append(after)
        front = later
    return list(found.values())


def given(history: History, acting: frozenset[int], rule: Rule) -> frozenset[int]:
    """Whose share of the card is known in a history: its own, or put together."""
    helped = bool(history.here & acting)
    return frozenset(
        one
        for one in HONEST
        if (one in acting and one in history.here)
        or (one in history.gone and helped and rule(history, acting, one))
    )


def everybody_here(history: History, acting: frozenset[int], absent: int) -> bool:
    """The rule of `Custody`."""
    return not history.masks.lacking(CARD, absent, history.here)


def broken(rule: Rule, before: int, after: int) -> Iterator[tuple[History, History, int]]:
    """Two histories, and whose card of the first is read with what is given in the second."""
    none = History(frozenset(), (), Masks(3))
    for start in onward(none, HONEST, "k", before):
        for bits in range(1, 8):
            acting = frozenset(one for one in HONEST if bits >> one & 1)
            others = HONEST - acting
            by_name: dict[object, list[History]] = defaultdict(list)
            for history in onward(start, others, "b", after):
                by_name[history.name].append(history)
            for history in onward(start, acting, "a", after):
                shares = given(history, acting, rule)
                for reader in acting & history.here:
                    if not shares >= HONEST - {reader}:
                        continue  # it is not dealt
                    for other in by_name[history.name]:
                        if reader in given(other, others, rule):
                            yield history, other, reader


@pytest.mark.parametrize(("before", "after"), [(4, 1), (3, 2)])
def test_no_order_opens_a_card_where_all_who_are_here_have_masked_it(
    before: int, after: int
) -> None:
    assert not [*broken(everybody_here, before, after)]


@pytest.mark.parametrize(
    ("rule", "before"),
    [
        (lambda *_: True, 3),
        (
            lambda h, acting, one: (
                {*h.masks.lacking(CARD, one, h.here & acting)} < h.here & acting
            ),
            5,
        ),
    ],
    ids=["no mask at all", "those who give the parts"],
)
def test_what_is_weaker_is_broken_by_some_order(rule: Rule, before: int) -> None:
    """Five goings and masks, where each that gives a part has masked the card itself."""
    assert next(broken(rule, before, 1), None)
