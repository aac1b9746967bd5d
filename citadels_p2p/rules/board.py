"""The verbs: the only functions that move gold, cards and the crown, and that tell of it.

Effects speak through these. A card counts in a hand only once its holder has seen it, so
whatever is gained from a hidden place is first asked for (`draw`, `cross`) and arrives with the
step that follows the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules.hooks import District, Step
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State


def gain_gold(state: State, seat: int, gold: int, reason: str) -> None:
    """The bank gives `gold` for a card's sake."""
    state.bank -= gold
    state.places[seat].gold += gold
    state.emit("gold_gained", seat, gold, reason)


def pay_bank(state: State, seat: int, gold: int) -> None:
    """Gold goes back to the bank; the deed it pays for tells of it."""
    state.places[seat].gold -= gold
    state.bank += gold


def pay_seat(state: State, seat: int, to: int, gold: int, reason: str) -> None:
    """Gold goes from one seat to another for a card's sake."""
    state.places[seat].gold -= gold
    state.places[to].gold += gold
    state.emit("gold_paid", seat, gold, reason, (to,))


def give_cards(state: State, seat: int, to: int, slots: Sequence[int], reason: str) -> None:
    """Hand cards go to another seat, which then looks at them."""
    state.stack.append(hand_over(state, seat, to, slots, reason))


def hand_over(state: State, seat: int, to: int, slots: Sequence[int], reason: str) -> Frame:
    """Hand cards go to another seat; gives the frame by which it looks at them, to be asked."""
    home = state.places[seat]
    for slot in slots:
        home.hand.remove(slot)
    state.places[to].drawn += slots
    state.emit("cards_given", seat, to, len(slots), (reason,))
    return Frame("deal", "crossed", to, tuple(slots), (reason,))


def bars_hand(state: State, seat: int) -> Reason | None:
    """Why nobody's power reaches this hand: it is empty, or its seat's program is gone."""
    place = state.places[seat]
    if not place.present:
        return Reason("not_present", (seat,))
    return None if place.hand else Reason("no_cards", (seat,))


def give_random(state: State, seat: int, to: int, reason: str) -> None:
    """A card of a hand goes to another seat, chosen by lots."""
    labels = (str(seat), str(to), reason)
    hand = [str(slot) for slot in state.places[seat].hand]
    draw_lots(state, seat, hand, "lot_given", labels)


def draw(state: State, seat: int, count: int, reason: str) -> None:
    """Ask for up to `count` cards from the deck for a hand.

    `reason` is the card that grants them. They are named now and dealt in a step of their own:
    what draws for several hands asks once that step is done, or it names the same cards twice.
    """
    count = min(count, len(state.deck))
    if count:
        state.stack.append(Frame("deal", "gained", seat, top(state, count), (reason,)))


def top(state: State, count: int) -> tuple[int, ...]:
    """The slots of the next `count` cards of the deck, the first to be drawn first."""
    deck = state.deck
    return tuple([deck[-place] for place in range(1, count + 1)])


def leave_deck(state: State, slots: Sequence[int]) -> None:
    """Take the cards asked for by `top` off the deck."""
    for _ in range(len(slots)):
        state.deck.pop()


def hide(state: State, slots: list[int]) -> None:
    """Whatever lies there lies face down from now on."""
    faces = state.faces
    for slot in slots:
        if slot in faces:
            del faces[slot]


def put_under(state: State, slots: tuple[int, ...]) -> None:
    """Cards go face down under the deck, one after the other."""
    faces, deck = state.faces, state.deck
    for slot in slots:
        if slot in faces:
            del faces[slot]
        deck.insert(0, slot)


def discard(state: State, seat: int, slots: tuple[int, ...], reason: str) -> None:
    """Hand cards go under the deck."""
    hand = state.places[seat].hand
    for slot in slots:
        hand.remove(slot)
    put_under(state, slots)
    state.emit("cards_discarded", seat, len(slots), reason)


def take_drawn(state: State, frame: Frame, slot: int, reason: str) -> list[int]:
    """Of the frame's cards that its seat looked at, one comes to hand; gives the others."""
    home = state.places[frame.seat]
    home.drawn = []
    home.hand.append(slot)
    state.emit("cards_gained", frame.seat, 1, reason)
    return [other for other in frame.slots if other != slot]


def cross(state: State, seat: int, other: int, reason: str) -> None:
    """Two whole hands change places; each holder then looks at what it got."""
    mine, theirs = state.places[seat], state.places[other]
    given, taken = mine.hand, theirs.hand
    mine.hand, theirs.hand = [], []
    mine.drawn, theirs.drawn = taken, given
    state.emit("hands_swapped", seat, other, len(given), (len(taken),))
    if given:
        state.stack.append(Frame("deal", "crossed", other, tuple(given), (reason,)))
    if taken:
        state.stack.append(Frame("deal", "crossed", seat, tuple(taken), (reason,)))


def return_cards(state: State, slots: Sequence[int]) -> None:
    """Cards go back into the deck, which is shuffled; with none it stays as it is."""
    if slots:
        state.deck[:0] = slots
        state.stack.append(Frame("shuffle", "deck_shuffled", -1, tuple(state.deck)))


def standing(state: State, slot: int) -> District:
    """The district that stands there, in whichever city."""
    return state.tables.districts[state.faces[slot]]


def place(state: State, seat: int, slot: int, card: District) -> None:
    """A district stands in a city from now on, and everybody sees it."""
    home, quarter = state.places[seat], card.quarter
    state.faces[slot] = card.id
    home.city.append(slot)
    home.districts.append(card)
    home.quarters[quarter] += 1
    if quarter == state.tables.unique:
        home.uniques.append(card)


def remove(state: State, seat: int, slot: int) -> District:
    """A district stands there no longer; the caller says where the card goes."""
    home = state.places[seat]
    if state.shortened_by == slot:
        state.shortened_by = None
    index = home.city.index(slot)
    del home.city[index]
    card = home.districts.pop(index)
    home.quarters[card.quarter] -= 1
    if card.quarter == state.tables.unique:
        home.uniques.remove(card)
    return card


def move_district(state: State, seat: int, slot: int, to: int) -> None:
    """A district changes cities, with everything that lies on it."""
    shortened_by = state.shortened_by
    place(state, to, slot, remove(state, seat, slot))
    state.shortened_by = shortened_by


def worth(state: State, slot: int, card: District) -> int:
    """What a standing district counts for, gold that lies on it included."""
    return card.cost + state.gilded.get(slot, 0)


def cost_of(state: State, slot: int, card: District) -> int:
    """What a standing district costs: gold on it raises that where the table reads it so."""
    return worth(state, slot, card) if state.rules.gilding == "cost" else card.cost


def laid(state: State, slot: int) -> tuple[tuple[str, int], ...]:
    """For a sentence: how much gold lies on a district, where any does."""
    gold = state.gilded.get(slot, 0)
    return (("laid", gold),) if gold else ()


def strip(state: State, slot: int) -> None:
    """Of a district that has left its city, gold on it goes to the bank, cards under it go
    under the deck.
    """
    state.bank += state.gilded.pop(slot, 0)
    put_under(state, state.tucked.pop(slot, ()))


def discard_district(state: State, slot: int) -> None:
    """A district that has left its city goes under the deck, stripped of everything."""
    strip(state, slot)
    put_under(state, (slot,))


def size(state: State, seat: int) -> int:
    """As how many districts this city counts towards its completion."""
    home = state.places[seat]
    count = len(home.city)
    for card in home.uniques:
        count += card.effect.size - 1
    return count


def needed(state: State) -> int:
    """How many districts complete a city now."""
    return state.rules.city if state.shortened_by is None else state.rules.city - 1


def is_complete(state: State, seat: int) -> bool:
    """Has this city the needed number of districts?"""
    return size(state, seat) >= needed(state)


def note_completion(state: State, seat: int, lost: District | None = None) -> None:
    """Tell of a city whose newest district has just made it complete, and of the last round.

    `lost` is the district that it gave for the new one, if it gave one.
    """
    now = size(state, seat)
    before = now - state.places[seat].districts[-1].effect.size
    if lost is not None:
        before += lost.effect.size
    if before < needed(state) <= now:
        complete(state, seat)


def complete(state: State, seat: int) -> None:
    """This city has become complete; the first one ends the match."""
    if state.tables.cities_break:
        forget_broken(state, (seat,))
    state.emit("city_completed", seat, state.first is None)
    if state.first is None:
        state.first = seat
    else:
        state.later.append((seat,))
    _end_begins(state)


def complete_together(state: State) -> None:
    """Another number of districts is enough: whoever has so many is as early as the first."""
    if state.tables.cities_break:
        forget_broken(state)
    first = () if state.first is None else (state.first, *state.also_first)
    seats = [seat for seat in range(state.rules.seats) if is_complete(state, seat)]
    joining = [seat for seat in seats if seat not in first]
    for seat in joining:
        state.emit("city_completed", seat, True)
    if joining:
        state.first, *state.also_first = (*first, *joining)
        left = (tuple(s for s in moment if s not in joining) for moment in state.later)
        state.later = [moment for moment in left if moment]
        _end_begins(state)


def _end_begins(state: State) -> None:
    if not state.ends:
        state.ends = True
        state.emit("last_round")


def forget_broken(state: State, besides: Sequence[int] = ()) -> None:
    """Who completed a city that stands complete no longer has completed none.

    The next who did comes first then. `besides`: seats that count as broken all the same.
    """
    if state.first is None:
        return
    completions = [(state.first, *state.also_first), *state.later]
    left = [
        kept
        for seats in completions
        if (kept := tuple(s for s in seats if s not in besides and is_complete(state, s)))
    ]
    state.first, state.also_first, state.later = None, [], left[1:]
    if left:
        state.first, *state.also_first = left[0]


def draw_lots(
    state: State,
    seat: int,
    labels: Sequence[str],
    then: str,
    words: tuple[str, ...] = (),
    count: int = 1,
) -> None:
    """Ask for chance: these lots are shuffled and `count` opened; step `then` learns which.

    The step finds `words` in its frame, and must call `put_lots_away`. Beside shuffling there
    is no other chance in the rules.
    """
    first = state.fresh_slot
    state.fresh_slot += len(labels)
    state.lots = dict(zip(range(first, state.fresh_slot), labels, strict=True))
    slots = tuple(state.lots)
    state.stack.append(Frame("open", then, seat, slots[:count], words))
    state.stack.append(Frame("shuffle", "settled", -1, slots, tuple(labels)))


def put_lots_away(state: State) -> None:
    """The lots have spoken."""
    hide(state, list(state.lots.keys()))
    state.lots = {}


def take_crown(state: State, seat: int) -> None:
    """The crown comes to `seat`, unless it is there already."""
    before = state.crown
    if before != seat:
        state.crown = seat
        state.emit("crown_taken", seat, before)
        if before is None:
            return
        for owner, home in enumerate(state.places):
            for card in home.uniques:
                if (hook := card.effect.on_crown) is not None:
                    hook(state, owner)


def is_safe(state: State, seat: int) -> bool:
    """Is this city out of the reach of powers, being complete?"""
    return not state.tables.cities_break and is_complete(state, seat)


def name(state: State, seat: int, character: str, purpose: str) -> None:
    """A seat names a character aloud, to the end of the round."""
    state.named[purpose] = (character, seat)
    state.emit("named", seat, character, purpose)


def _gained(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    leave_deck(state, frame.slots)
    state.places[frame.seat].hand += frame.slots
    state.emit("cards_gained", frame.seat, len(frame.slots), frame.labels[0])


def _crossed(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    home = state.places[frame.seat]
    home.drawn = [slot for slot in home.drawn if slot not in frame.slots]
    home.hand += frame.slots
    state.emit("cards_gained", frame.seat, len(frame.slots), frame.labels[0])


def _lot_given(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    put_lots_away(state)
    seat, to, reason = frame.labels
    give_cards(state, int(seat), int(to), (int(faces[0]),), reason)


STEPS: Final[dict[str, Step]] = {
    "gained": _gained,
    "crossed": _crossed,
    "lot_given": _lot_given,
    "deck_shuffled": lambda state, frame, faces: state.emit("deck_shuffled"),
}
