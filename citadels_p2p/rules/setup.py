"""Before the first round: what chance chooses, who has the crown, the deck, the first hands.

What the table leaves to chance nobody chooses: the cards in question are shuffled by all and
turned over, like any other lots. All characters of the box go into one pile; the first to be
turned over of each rank takes part, which gives every one of a rank the same chance, whatever
comes at other ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.cards import CHARACTERS, EDITIONS
from citadels_p2p.rules import board, choosing
from citadels_p2p.rules.choosing import LAST_RANK, NINTH, RANDOM, rank_of
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.hooks import Step
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import Frame, Place, State


def stand_in(rules: Rules) -> Rules:
    """Rules to set the table by as long as these are not drawn: same edition and seats."""
    return rules if rules.drawn else Rules.make(rules.edition, rules.seats, rules.city)


def box_size(rules: Rules) -> int:
    """How many district cards the deck can have at most."""
    box = EDITIONS[rules.edition]
    return sum(row.copies for row in (*box.deck, *box.chest))


def character_lots(rules: Rules) -> tuple[str, ...]:
    """The characters that are shuffled and all turned over; none where all are chosen."""
    if RANDOM not in rules.characters:
        return ()
    box, seats = EDITIONS[rules.edition], rules.seats
    named = [id for id in rules.characters if id in CHARACTERS]
    taken = {rank_of(box, id) for id in named}
    if choosing.size_of(box, seats, rules.characters) < LAST_RANK:
        taken.add(LAST_RANK)
    barred = {
        character
        for character, card in box.apart
        if card in rules.uniques and not _usual_uniques(rules)
    }
    return tuple(
        id
        for id in box.cast
        if rank_of(box, id) not in taken
        and CHARACTERS[id].fewest_seats <= seats
        and id not in barred
    )


def with_characters(rules: Rules, turned: Sequence[str]) -> Rules:
    """The rules once the lots have been turned over, in this order."""
    box = EDITIONS[rules.edition]
    first: dict[int, str] = {}
    for id in turned:
        first.setdefault(rank_of(box, id), id)
    named = [id for id in rules.characters if id not in (RANDOM, NINTH)]
    uniques = None if _usual_uniques(rules) else rules.uniques
    return rules.remake(characters=(*named, *first.values()), uniques=uniques)


def unique_lots(rules: Rules) -> tuple[tuple[str, ...], int]:
    """The unique districts that are shuffled, and how many are turned over."""
    if RANDOM not in rules.uniques:
        return (), 0
    box = EDITIONS[rules.edition]
    banned = {card for character, card in box.apart if character in rules.characters}
    out = {*rules.uniques, *box.staples, *banned}
    lots = tuple(row.card for row in choosing.unique_rows(box) if row.card not in out)
    return lots, box.drawn_uniques - (len(rules.uniques) - 1)


def with_uniques(rules: Rules, turned: Sequence[str]) -> Rules:
    """The rules once these have been turned over."""
    box = EDITIONS[rules.edition]
    banned = {card for character, card in box.apart if character in rules.characters}
    staples = [card for card in box.staples if card not in banned]
    named = [card for card in rules.uniques if card != RANDOM]
    return rules.remake(characters=rules.characters, uniques=(*staples, *named, *turned))


def _usual_uniques(rules: Rules) -> bool:
    """Did nobody wish for other unique districts than the box's usual ones?"""
    box = EDITIONS[rules.edition]
    return rules.uniques == choosing.choose_uniques(box, rules.characters, None)


def new(rules: Rules) -> State:
    """A match about to begin: the lots, the deck and the first hands are asked for.

    As long as lots are out, the table is set by the edition's usual rules; what comes of them
    are the rules of the match.
    """
    state = State(rules, tables_of(stand_in(rules)))
    state.places = [Place(state.tables.gold) for _ in range(rules.seats)]
    state.bank = -state.tables.gold * rules.seats
    if not rules.drawn:
        state.fresh_slot = box_size(rules)
    _ask(state)
    return state


def _ask(state: State) -> None:
    """For the characters, then for the unique districts, then for all the rest."""
    characters = character_lots(state.rules)
    if characters:
        board.draw_lots(state, -1, characters, "characters_drawn", count=len(characters))
        return
    uniques, count = unique_lots(state.rules)
    if uniques:
        board.draw_lots(state, -1, uniques, "uniques_drawn", count=count)
        return
    rules = state.rules
    state.tables = tables = tables_of(rules)
    size = len(tables.labels)
    state.deck = list(range(size - 1, -1, -1))
    state.fresh_slot = max(state.fresh_slot, size)
    for seat in reversed(range(rules.seats)):
        first = seat * tables.hand
        slots = tuple(range(first, first + tables.hand))
        state.stack.append(Frame("deal", "gained", seat, slots, ("start",)))
    pack = tuple(range(size))
    if rules.draft == "deal":
        state.stack.append(Frame("shuffle", "uncrowned", -1, pack, tables.labels))
        return
    state.stack.append(Frame("shuffle", "settled", -1, pack, tables.labels))
    board.draw_lots(state, -1, [str(seat) for seat in range(rules.seats)], "crowned")


def _drawn(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    cast = frame.then == "characters_drawn"
    rules = state.rules = (with_characters if cast else with_uniques)(state.rules, faces)
    board.put_lots_away(state)
    state.emit(frame.then, rules.characters if cast else rules.uniques)
    _ask(state)


def _crowned(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    state.crown = int(faces[0])
    board.put_lots_away(state)
    state.emit("match_begins", state.crown)


STEPS: Final[dict[str, Step]] = {
    "characters_drawn": _drawn,
    "uniques_drawn": _drawn,
    "crowned": _crowned,
    # where chance deals the characters, nobody has the crown before a power gives it
    "uncrowned": lambda state, frame, faces: state.emit("match_begins", None),
}
