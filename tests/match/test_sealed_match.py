"""Whole matches over sealed cards.

Every operator folds the same history and sees only its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.cards import PRESETS
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.owing import LARGE_PILE, long_work
from citadels_p2p.match.news import LookNews, StateNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from protocol.cards.holder import CardHolder
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup
from tests.slice import and_long


def table(seats: int, operators: int, seed: int = 1, city: int | None = 6) -> RoundTable:
    chosen = Rules.make(edition="classic", seats=seats, city=city)
    brains = [make_bot("easy" if seat % 2 else "normal") for seat in range(seats)]
    return RoundTable(chosen, brains, operators=operators, group=TinyGroup(), seed=seed)


@pytest.mark.parametrize(("seats", "operators"), [(2, 2), (3, 3), (4, 2), (5, 5), (7, 3)])
def test_a_match_is_played_to_the_last_score(seats: int, operators: int) -> None:
    round_table = table(seats, operators)
    round_table.play()
    first = round_table.dealers[0].match
    assert rules.score(first.state).winners
    for dealer in round_table.dealers:
        assert dealer.match.digest() == first.digest()
        assert dealer.match.events == first.events
        assert check_hidden(dealer.match)


def test_a_host_alone_with_bots_plays_too() -> None:
    round_table = table(3, 1)
    round_table.play()
    assert check_hidden(round_table.dealers[0].match)


def test_safety_words_are_the_same_everywhere_and_new_each_time() -> None:
    words = set()
    for _ in range(2):
        round_table = table(2, 2)
        for _ in range(4):
            round_table.step()
        said = {dealer.match.words for dealer in round_table.dealers}
        assert len(said) == 1
        assert said != {()}
        words |= said
    assert len(words) == 2


def test_nobody_reads_a_card_in_another_hand() -> None:
    """Given all that an operator holds, it opens its own seats' cards and no others."""
    round_table = table(3, 3)
    looked = 0
    while round_table.step():
        for me, dealer in enumerate(round_table.dealers):
            match = dealer.match
            if match.stage != "play" or not match.at_rest:
                continue
            for slot, zone in rules.zones(match.state).items():
                seen = dealer.contributor.known.peek(slot)
                if match.cards.state(slot).is_open and zone.kind == "hand":
                    # Taken back from a ruin before everybody's eyes, not mixed with others yet.
                    assert any(e.kind == "recovered" and slot in e.values for e in match.events)
                    continue
                if zone.kind in ("hand", "drawn", "pick") and zone.seat is not None:
                    assert (seen is not None) == (match.keepers[zone.seat] == me)
                    looked += 1
                elif zone.kind == "deck" and slot not in match.state.faces:
                    assert seen is None or match.cards.state(slot).is_open
    assert looked > 500


def test_a_card_played_cannot_be_traced_to_its_draw() -> None:
    """When a hand has grown, every card in it lies under a ciphertext it never had before."""
    chosen = Rules.make(seats=3)
    round_table = RoundTable(chosen, [make_bot("easy")] * 3, group=TinyGroup())
    before: dict[int, dict[int, int]] = {}
    grown = 0
    while round_table.step():
        match = round_table.dealers[0].match
        if match.stage != "play" or not match.at_rest:
            continue
        hands: dict[int, dict[int, int]] = {}
        for slot, zone in rules.zones(match.state).items():
            if zone.kind == "hand" and zone.seat is not None:
                hands.setdefault(zone.seat, {})[slot] = match.cards.state(slot).version
        for seat, hand in hands.items():
            had = before.get(seat, {})
            if had and set(hand) > set(had):
                assert all(hand[slot] > version for slot, version in had.items())
                grown += 1
        before = hands
    assert grown > 5


def test_a_restart_takes_keys_and_nonces_back() -> None:
    """An operator that folds its journal again, with what it kept, goes on as if nothing had
    been.
    """
    round_table = table(3, 3)
    kept: list[list[object]] = [[] for _ in range(3)]
    chosen = Rules.make(edition="classic", seats=3, city=6)
    restarts = [8, 20, 40]
    for turn in range(4000):
        said = False
        for author, dealer in enumerate(round_table.dealers):
            owed = dealer.owed()
            kept[author].extend(owed)
            for contribution in owed:
                assert not any(round_table.order(author, contribution.body))
                said = True
        if restarts and turn >= restarts[0] and round_table.dealers[1].match.at_rest:
            restarts.pop(0)
            again = RoundTable(
                chosen,
                [make_bot("easy")] * 3,
                group=TinyGroup(),
            ).dealers[1]
            again.restore(tuple(kept[1]))  # type: ignore[arg-type]
            for seq, (author, body) in enumerate(round_table.journal, start=1):
                assert again.fold(seq, author, body) is None
                again.confirm(seq)
            assert again.digest() == round_table.dealers[1].digest()
            for seat in (0, 1, 2):
                assert again.faces(seat) == round_table.dealers[1].faces(seat)
            round_table.dealers[1] = again
        if not said:
            break
    assert not restarts
    assert all(dealer.match.stage == "done" for dealer in round_table.dealers)


def test_a_bot_sees_the_card_that_is_offered_openly() -> None:
    """Somebody's district was destroyed, and the Graveyard may buy it: no hand holds it."""
    game = Rules.make("classic", seats=3, city=6)
    round_table = RoundTable(game, [make_bot("normal")] * 3, group=TinyGroup(), seed=30)
    bought = False
    while round_table.step():
        frame = round_table.dealers[0].match.state.stack[-1]
        bought |= any(slot in round_table.dealers[0].match.state.faces for slot in frame.slots)
    assert bought
    assert {dealer.match.stage for dealer in round_table.dealers} == {"done"}


def test_whoever_comes_back_is_told_again_what_it_was_let_look_at() -> None:
    """A hand that the Spy or the Wizard looked into was gone after `resume`."""
    chosen = PRESETS["devious_dignitaries"]
    game = Rules.make("2016", 3, 6, characters=chosen.roster(3), uniques=chosen.uniques)
    round_table = RoundTable(game, [make_bot("easy")] * 3, group=TinyGroup())
    one, kept = round_table.dealers[1], list[Contribution]()
    owed, looks = one.owed, list[object]()
    one.owed = lambda: (new := owed(), kept.extend(new))[0]  # type: ignore[method-assign]
    while round_table.step():
        if one.match.stage == "play" and one.match.at_rest:
            you = rules.view(one.match.state, 1, one.faces(1)).you
            if you is not None and you.seen and you.seen not in looks[-1:]:
                looks.append(you.seen)
    assert len(looks) > 3
    again = SealedDealer(round_table.genesis, 1, {}, TinyGroup())
    again.restore(tuple(kept))
    for seq, (author, body) in enumerate(round_table.journal, start=1):
        assert again.fold(seq, author, body) is None
        again.confirm(seq)
    told = again.news()
    shown = [one.view.you for one in told if isinstance(one, LookNews | StateNews)]
    seen = [you.seen for you in shown if you is not None and you.seen]
    assert all(look in seen for look in looks)
    (state,) = (one for one in told if isinstance(one, StateNews))  # how everything lies now
    assert state.view.n == len(one.match.events)
    assert not any(isinstance(one, LookNews | StateNews) for one in again.news())


@pytest.mark.parametrize(("operators", "each"), [(2, 2), (3, 3)])
def test_long_work_is_that_on_keys_and_on_large_piles(operators: int, each: int) -> None:
    """From one entry to the next: every laptop promises a key, shows it, and with more than two
    of them gives an escrow. From the cards on only a large pile takes long.
    """
    round_table = table(operators, operators)
    match = round_table.dealers[0].match
    order = round_table.order
    keys, piles = [long_work(match)], set()

    def watched(author: int, body: bytes) -> list[str | None]:
        verdicts = order(author, body)
        work = long_work(match)
        if match.stage in ("commit", "key", "escrow"):
            keys.append(work)
            return verdicts
        need = rules.need(match.state) if match.stage == "play" else None
        large = isinstance(need, rules.Shuffle) and len(need.slots) >= LARGE_PILE
        assert work == (("shuffle", len(match.shuffled), operators) if large else None)
        piles.add(work)
        return verdicts

    round_table.order = watched  # type: ignore[method-assign]
    round_table.play()
    assert keys == [("keys", done, each * operators) for done in range(len(keys))]
    assert len(keys) == each * operators
    assert piles == {None, *(("shuffle", done, operators) for done in range(operators))}


@pytest.mark.parametrize("preset", ["illustrious_emissaries", "devious_dignitaries"])
def test_a_seat_sees_its_own_hand_whoever_looks_into_it(preset: str) -> None:
    """Spies, wizards, seers, secret warrants and a theater: sealed, and all ends well."""
    chosen = PRESETS[preset]
    game = Rules.make(
        "2016", seats=3, city=6, characters=chosen.roster(3), uniques=chosen.uniques
    )
    round_table = RoundTable(game, [make_bot("easy")] * 3, group=TinyGroup())
    while round_table.step():
        for me, dealer in enumerate(round_table.dealers):
            if dealer.match.stage == "play" and dealer.match.at_rest:
                hand = dealer.match.state.places[me].hand
                assert set(hand) <= set(dealer.faces(me))
    for dealer in round_table.dealers:
        assert dealer.match.stage == "done"
        assert check_hidden(dealer.match)


def test_what_did_not_turn_the_match_gave_nobody_anything_to_say() -> None:
    chosen = Rules.make("classic", 4)
    round_table = RoundTable(chosen, [make_bot("easy")] * 4, group=TinyGroup())
    quiet = 0

    def names() -> list[set[bytes]]:
        return [{key for key, _ in dealer._obligations()} for dealer in round_table.dealers]

    order, owed = round_table.order, names()

    def watched(author: int, body: bytes) -> list[str | None]:
        nonlocal owed, quiet
        told = [len(dealer.match.events) for dealer in round_table.dealers]
        verdicts = order(author, body)
        before, owed = owed, names()
        if not round_table.dealers[0].turned():
            quiet += 1
            assert all(after <= earlier for after, earlier in zip(owed, before, strict=True))
            assert told == [len(dealer.match.events) for dealer in round_table.dealers]
        assert len({dealer.turned() for dealer in round_table.dealers}) == 1
        return verdicts

    round_table.order = watched  # type: ignore[method-assign]
    round_table.play()
    assert quiet > len(round_table.journal) / 4


@pytest.mark.parametrize(
    ("edition", "seats"), and_long([("classic", 4), ("2016", 3)], [("classic", 7)])
)
def test_nobody_knows_which_character_its_neighbour_takes(
    edition: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An adversary that remembers all it has read, and where its own shuffles have put it.

    Where a card is handed on or shuffled alone, it stays where it was. Also of seven, where the
    last one chooses between what was passed and what lay face down.
    """
    known: list[dict[tuple[int, int], bytes]] = [{} for _ in range(seats)]
    make_shuffle = CardHolder.make_shuffle

    def remembering(
        holder: CardHolder,
        slots: Sequence[int],
        purpose: bytes,
        order: None = None,
        *,
        alone: bool = False,
    ) -> tuple[bytes, tuple[int, ...]]:
        step, chosen = make_shuffle(holder, slots, purpose, order, alone=alone)
        cards, mine = holder._cards, known[holder._operator]
        places = [(slot, cards.state(slot).version) for slot in slots]
        for (slot, version), source in zip(places, chosen, strict=True):
            face = mine.get(places[source]) or holder.peek(slots[source])
            if face is not None:
                mine[slot, version + 1] = face
        return step, chosen

    monkeypatch.setattr(CardHolder, "make_shuffle", remembering)
    chosen = Rules.make(edition, seats)
    round_table = RoundTable(chosen, [make_bot("easy")] * seats, group=TinyGroup())
    order, taken = round_table.order, 0

    def watched(author: int, body: bytes) -> list[str | None]:
        nonlocal taken
        match = round_table.dealers[0].match
        said = bodies.read(body)
        if isinstance(said, bodies.Acted) and "take:" in "".join(said.picks):
            slot = int(said.picks[0].removeprefix("take:"))
            place = slot, match.cards.state(slot).version
            if len(match.state.pile) > 1:
                taken += 1
                assert not [me for me in range(seats) if me != author and place in known[me]]
        stay = said.slots if isinstance(said, bodies.Passed | bodies.Shuffled) else ()
        if isinstance(said, bodies.Shuffled) and len(stay) > 1:
            stay = ()
        verdicts = order(author, body)
        for slot in stay:
            version = match.cards.state(slot).version
            for mine in known:
                if (slot, version - 1) in mine:
                    mine[slot, version] = mine[slot, version - 1]
        if match.stage == "play":
            for me, dealer in enumerate(round_table.dealers):
                for slot in match.state.pile:
                    face = dealer.contributor.known.peek(slot)
                    if face is not None:
                        known[me][slot, match.cards.state(slot).version] = face.encode()
        return verdicts

    round_table.order = watched  # type: ignore[method-assign]
    round_table.play()
    assert taken > 20
