"""Before the first round: what chance chooses, who has the crown, the deck, the first hands."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board, random_draws
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.hooks import Step
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import Frame, Place, State


def new(rules: Rules) -> State:
    """A match about to begin: the lots, the deck and the first hands are asked for.

    As long as lots are out, the table is set by the edition's usual rules; what comes of them
    are the rules of the match.
    """
    state = State(rules, tables_of(random_draws.stand_in(rules)))
    state.places = [Place(state.tables.gold) for _ in range(rules.seats)]
    state.bank = -state.tables.gold * rules.seats
    if not rules.drawn:
        state.fresh_slot = random_draws.box_size(rules)
    _ask(state)
    return state


def _ask(state: State) -> None:
    """For the characters, then for the unique districts, then for all the rest."""
    characters = random_draws.character_lots(state.rules)
    if characters:
        board.draw_lots(state, -1, characters, "characters_drawn", count=len(characters))
        return
    uniques, count = random_draws.unique_lots(state.rules)
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


def _characters_drawn(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    state.rules = random_draws.with_characters(state.rules, faces)
    board.put_lots_away(state)
    state.emit("characters_drawn", state.rules.characters)
    _ask(state)


def _uniques_drawn(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    state.rules = random_draws.with_uniques(state.rules, faces)
    board.put_lots_away(state)
    state.emit("uniques_drawn", state.rules.uniques)
    _ask(state)


def _crowned(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    state.crown = int(faces[0])
    board.put_lots_away(state)
    state.emit("match_begins", state.crown)


def _uncrowned(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    """Where chance deals the characters, nobody has the crown before a power gives it."""
    state.emit("match_begins", None)


STEPS: Final[dict[str, Step]] = {
    "characters_drawn": _characters_drawn,
    "uniques_drawn": _uniques_drawn,
    "crowned": _crowned,
    "uncrowned": _uncrowned,
}
