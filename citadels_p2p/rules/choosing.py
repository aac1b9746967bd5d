"""Which characters and which unique districts of a box take part, as the players wish.

A wish may leave something to chance: `RANDOM` among the characters stands for those of every
rank that nobody named, among the unique districts for as many as the box still asks for.
`setup.py` says which lots are drawn when the match begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from citadels_p2p.cards import CHARACTERS, DISTRICTS, Edition, Printing

#: stands for what lots decide
RANDOM: Final = "random"
#: beside it: a character of rank nine too, where none is needed
NINTH: Final = "ninth"
LAST_RANK: Final = 9


def refused(
    code: str, given: object, possible: Iterable[object], mark: str = ", "
) -> ValueError:
    """The error with this code, and a note of what was given and what is possible."""
    fault = ValueError(code)
    fault.add_note(f"{given!r} is not possible: {mark.join(map(str, possible))}")
    return fault


def rank_of(box: Edition, character: str) -> int:
    """When this box calls the character."""
    row = CHARACTERS[character]
    if box.wording == "older" and row.older_rank is not None:
        return row.older_rank
    return row.rank


def choose_roster(box: Edition, seats: int, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """One character a rank, the ninth too where it is needed: as the edition has it but for
    those that are wanted.

    With `RANDOM` only the wanted ones, behind that word (and `NINTH`). ValueError with a code
    for what cannot be.
    """
    chosen: dict[int, str] = {}
    wanted = wanted or ()
    for id in wanted:
        if id in (RANDOM, NINTH):
            continue
        if id not in box.cast:
            raise refused(f"unknown_character:{id}", id, box.cast)
        rank = rank_of(box, id)
        if rank in chosen:
            raise ValueError("two_of_a_rank")
        if CHARACTERS[id].fewest_seats > seats:
            raise ValueError(f"too_few_seats:{id}")
        chosen[rank] = id
    if seats == 2 and (NINTH in wanted or LAST_RANK in chosen):
        raise ValueError("no_ninth_character")
    if RANDOM in wanted:
        return _left_to_chance(box, seats, wanted, chosen)
    by_rank = {rank_of(box, id): id for id in box.characters} | chosen
    if LAST_RANK not in by_rank and (NINTH in wanted or seats in box.ninth_needed):
        by_rank[LAST_RANK] = first_ninth(box, seats)
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def first_ninth(box: Edition, seats: int) -> str:
    """The first character of rank nine in the box that plays with so many seats."""
    for id in box.cast:
        if rank_of(box, id) == LAST_RANK and CHARACTERS[id].fewest_seats <= seats:
            return id
    raise ValueError("no_ninth_character")


def _left_to_chance(
    box: Edition, seats: int, wanted: Sequence[str], chosen: dict[int, str]
) -> tuple[str, ...]:
    if set(box.cast) == set(box.characters):
        raise ValueError("nothing_to_draw")
    more = NINTH in wanted and LAST_RANK not in chosen and seats not in box.ninth_needed
    words = (RANDOM, NINTH) if more else (RANDOM,)
    return (*words, *(chosen[rank] for rank in sorted(chosen)))


def size_of(box: Edition, seats: int, roster: Sequence[str]) -> int:
    """How many characters take part, drawn or not."""
    if RANDOM not in roster:
        return len(roster)
    named = any(id in CHARACTERS and rank_of(box, id) == LAST_RANK for id in roster)
    return LAST_RANK - 1 + (named or NINTH in roster or seats in box.ninth_needed)


def unique_rows(box: Edition) -> list[Printing]:
    """The unique districts of the box, the usual ones first."""
    return [row for row in (*box.deck, *box.chest) if DISTRICTS[row.card].quarter == "unique"]


def choose_uniques(
    box: Edition, roster: Sequence[str], wanted: Sequence[str] | None
) -> tuple[str, ...]:
    """The unique districts that are wanted, in the edition's order; else its usual ones.

    With `RANDOM` only those that are wanted beside what the box always plays with, behind that
    word. ValueError with a code for what cannot be.
    """
    banned = {card for character, card in box.apart if character in roster}
    if wanted is None:
        usual = {row.card for row in box.deck}
        return tuple(
            row.card for row in unique_rows(box) if row.card in usual and row.card not in banned
        )
    rows = unique_rows(box)
    named = [card for card in wanted if card != RANDOM]
    known = {row.card for row in rows}
    for place, card in enumerate(named):
        if card not in known:
            raise refused(f"unknown_unique:{card}", card, sorted(known))
        if card in named[:place]:
            raise ValueError(f"twice:{card}")
    for card in named:
        if card in banned:
            raise ValueError(f"not_together:{card}")
    if RANDOM in wanted:
        if not box.drawn_uniques:
            raise ValueError("nothing_to_draw")
        named = [card for card in named if card not in box.staples]
        if len(named) > box.drawn_uniques:
            raise ValueError(f"uniques_out_of_range:{box.id}")
        if len(named) < box.drawn_uniques:
            return (RANDOM, *(row.card for row in rows if row.card in named))
        named += [card for card in box.staples if card not in banned]
    chosen = [row for row in rows if row.card in named]
    low, high = box.unique_cards
    if not low <= sum(row.copies for row in chosen) <= high:
        raise ValueError(f"uniques_out_of_range:{box.id}")
    return tuple(row.card for row in chosen)
