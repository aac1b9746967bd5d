"""Closed stays closed: what two histories of one match tell of the cards that both keep closed.

Each attack is made by honest programs that are shown two histories (`histories.py`), against
the rules as they are and against each rule left out: then it reads cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies, departure, owing
from citadels_p2p.match.fold.custody import Custody, Masks
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from protocol.application import FORBIDDEN, Contribution
from protocol.cards.escrow import threshold
from tests.match.histories import Orders, branch, leaks, orders
from tests.match.vacant_chairs import VacantChairs

__all__ = ["orders"]

EASY = make_bot("easy")
Patch = pytest.MonkeyPatch


def table(seats: int, seed: int, **liveness: object) -> VacantChairs:
    agreed = Liveness(**liveness)  # type: ignore[arg-type]  # the fields by name
    chosen = Rules.make("classic", seats=seats, city=6)
    return VacantChairs(chosen, [EASY] * seats, seed=seed, liveness=agreed)


def sides(chairs: VacantChairs) -> tuple[set[int], set[int], set[int]]:
    """The adversary's members, and the honest ones of each of two histories."""
    seats = len(chairs.dealers)
    needed = threshold(seats)
    assert needed is not None
    everybody = list(range(seats))
    chairs.random.shuffle(everybody)
    honest = everybody[needed - 1 :]
    cut = max(1, len(honest) - (seats - needed))
    return set(everybody[: needed - 1]), set(honest[:cut]), set(honest[cut:])


def part(chairs: VacantChairs) -> None:
    """Go on for a while, and stop with some of what is owed on its way."""
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "play")
    for _ in range(chairs.random.randint(1, 110)):
        chairs.round()
    letters = [(o, one) for o in sorted(chairs.here) for one in chairs._owed(o)]
    keep = chairs.random.randint(0, len(letters))
    for author, letter in letters[:keep]:
        chairs.order(author, letter)
    for author, letter in letters[keep:]:
        chairs.kept[author] = [one for one in chairs.kept[author] if one.key != letter.key]


def go_on(chairs: VacantChairs, rounds: int = 2) -> None:
    match = chairs.witness.match
    last = match.state.round + rounds
    for _ in range(4000):
        if (match.state.round >= last and match.at_rest) or match.is_over:
            return
        chairs.round()
    raise AssertionError("it stands still")


def parted(seats: int, seed: int, orders: Orders, *, rounds: int = 2) -> list[tuple[int, ...]]:
    """What the members read who play on with each half of the honest ones."""
    chairs = table(seats, seed)
    part(chairs)
    members, ones, others = sides(chairs)
    histories = [branch(chairs, members | half, seed) for half in (ones, others)]
    for history in histories:
        go_on(history, rounds)
    return [found[:2] for found in leaks(histories, orders, members)]


def no_masks(monkeypatch: Patch) -> None:
    """A and D left out: whoever is asked gives."""
    monkeypatch.setattr(Custody, "unmasked", lambda *_: [])


def no_characters(monkeypatch: Patch) -> None:
    """B left out: only districts are masked anew."""
    asked = Custody.unmasked

    def unmasked(self: Custody, slot: int, absent: int, operators: Iterable[int]) -> list[int]:
        return asked(self, slot, absent, operators) if slot < 68 else []

    monkeypatch.setattr(Custody, "unmasked", unmasked)


def masked_ever(monkeypatch: Patch) -> None:
    """A weaker rule: it is enough that a card was masked ever, before somebody went too."""
    monkeypatch.setattr(Masks, "leave", lambda *_: None)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_two_histories_open_nothing_that_both_keep_closed(seats: int, orders: Orders) -> None:
    """A copied folder: the host plays on with some, then with others. c is one below t."""
    for seed in range(4 if seats == 3 else 2):
        assert parted(seats, seed, orders) == []


@pytest.mark.parametrize(
    "rule",
    [no_masks, no_characters, masked_ever],
    ids=lambda rule: rule.__name__,
)
def test_each_rule_of_the_masks_is_needed(
    rule: Callable[[Patch], None], orders: Orders, monkeypatch: Patch
) -> None:
    rule(monkeypatch)

    def finds(seed: int) -> bool:
        try:
            return bool(parted(3, seed, orders, rounds=3))
        except AssertionError:
            return True  # a character lay open to all before its call: the table looks itself

    assert any(map(finds, range(12)))


def finished(seed: int, orders: Orders) -> list[tuple[int, ...]]:
    """One history is played to its end, and the other goes on."""
    chairs = table(3, seed)
    part(chairs)
    members, ones, others = sides(chairs)
    over, live = branch(chairs, members | ones, seed), branch(chairs, members | others, seed)
    over.play()
    go_on(live, 1)
    assert over.witness.match.stage == "done"
    return [found[:2] for found in leaks([over, live], orders, members)]


def test_a_history_that_has_ended_opens_no_other(orders: Orders, monkeypatch: Patch) -> None:
    """Keys open seals: so none is given before all that they protect have ended it too."""
    assert finished(1, orders) == []
    monkeypatch.setattr(owing, "unended", lambda _: frozenset())
    assert len(finished(1, orders)) > 10


def test_keys_are_given_once_all_have_said_that_it_is_over() -> None:
    chairs = table(4, 3)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2)
    chairs.vanish(3)
    chairs.play()
    assert (match.stage, match.ended, match.keys.given) == ("done", {0, 1, 2}, {})
    assert not check_hidden(match)
    assert check_hidden(chairs.gather())
    assert set(match.keys.given) == {0, 1, 2, 3}


def said_goodbye(seats: int, seed: int, orders: Orders) -> list[tuple[int, ...]]:
    """Somebody says that it leaves for good. One history has that, and is played to its end; in
    the other it comes too late, since others have gone, and its author plays on.
    """
    chairs = table(seats, seed)
    part(chairs)
    members, ones, others = sides(chairs)
    (leaver,) = others
    goodbye = chairs.dealers[leaver].depart()
    assert isinstance(goodbye, Contribution)
    over, live = branch(chairs, members | ones, seed), branch(chairs, members | others, seed)
    over.order(leaver, goodbye)
    over.play()
    live.until(lambda: bool(live.witness.match.absence.gone))
    live.order(leaver, goodbye)
    assert live.refusals
    go_on(live, 1)
    assert over.witness.match.stage == "done"
    return [found[:2] for found in leaks([over, live], orders, members)]


@pytest.mark.parametrize("seats", [3, 4])
def test_a_goodbye_that_stands_elsewhere_gives_no_key_away(seats: int, orders: Orders) -> None:
    """Nor does it lower the threshold there: a key that few have opens what it holds."""
    assert said_goodbye(seats, 1, orders) == []


def stripped(seed: int, orders: Orders) -> list[tuple[int, ...]]:
    """In one history somebody is voted out, and its layer taken off the whole deck."""
    chairs = table(3, seed, give_up=60)
    part(chairs)
    members, ones, others = sides(chairs)
    out, live = branch(chairs, members | ones, seed), branch(chairs, members | others, seed)
    for _ in range(900):
        if out.witness.match.absence.departed:
            break
        out.round()
        out.pass_time(5.0)
    go_on(live, 1)
    assert out.witness.match.absence.departed == tuple(others)
    return [found[:2] for found in leaks([out, live], orders, members)]


@pytest.mark.parametrize("seed", [2, 15, 110])
def test_a_layer_that_is_taken_off_here_opens_nothing_there(seed: int, orders: Orders) -> None:
    """Also where a link of a shuffle becomes a re-mask meanwhile (15), and where a character
    is taken for who is gone that it passed on in the other history (110).
    """
    assert stripped(seed, orders) == []


def test_without_masks_a_layer_that_is_taken_off_opens_cards(
    orders: Orders, monkeypatch: Patch
) -> None:
    no_masks(monkeypatch)
    assert sum(len(stripped(seed, orders)) for seed in range(3)) > 10


def test_votes_lower_no_threshold(monkeypatch: Patch) -> None:
    """With command of the network two would vote out all others, until two are enough."""

    def out() -> list[int | None]:
        chairs = table(6, 4, give_up=60)
        match = chairs.witness.match
        chairs.until(lambda: match.state.round == 1)
        needed = [match.keys.needed]
        for operator in (5, 4):
            chairs.vote_out(operator)
            needed.append(match.keys.needed)
        return needed

    assert out() == [4, 4, None]
    monkeypatch.setattr(
        departure,
        "_by_own_word",
        lambda match: {*match.absence.departed, *match.absence.leaving},
    )
    assert out() == [4, 4, 3]


def test_one_that_resigns_after_a_vote_gives_no_key() -> None:
    """It opens what the one that was voted out had sealed to it: who may play on elsewhere."""
    chairs = table(3, 5, give_up=60)
    match = chairs.dealers[0].match
    chairs.until(lambda: match.state.round == 1)
    chairs.vote_out(2)
    made = chairs.dealers[1].depart()
    assert isinstance(made, Contribution)
    chairs.order(1, made)
    chairs.play()
    assert (match.stage, match.resigned, match.keys.given) == ("done", 1, {})
    assert check_hidden(chairs.gather())


def test_a_holder_refuses_whoever_leaves_the_masks_out(monkeypatch: Patch) -> None:
    """Programs that owe no pass are given nothing, and theirs is refused."""
    monkeypatch.setattr(Custody, "passes", lambda *_: ())
    chairs = table(3, 1)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1 and match.at_rest)
    chairs.vanish(2)
    chairs.until(lambda: any(one.kind == "recover" for one in match.duties))
    for _ in range(60):
        chairs.round()
    owed = [one for one in match.duties if one.kind == "recover"]
    assert owed
    said = [bodies.read(body) for _, body in chairs.journal]
    assert not [one for one in said if isinstance(one, bodies.Recovered)]
    liar = chairs.dealers[owed[0].operator].contributor
    monkeypatch.setattr(liar, "may_stand_in", lambda _: True)
    letter = liar.make(owed[0], b"forced")
    seq = len(chairs.journal) + 1
    codes = {chairs.dealers[o].fold(seq, liar.me, letter.body) for o in chairs.here}
    assert all(code is not None and code.startswith(FORBIDDEN) for code in codes)


def test_a_mask_made_before_a_going_is_stale_or_counts_from_its_place() -> None:
    """Its place in the journal counts: whoever was there when it was made may be gone."""
    masks = Masks(3)
    masks.leave(1)
    masks.add(0, [5, 6])
    assert masks.lacking(5, 1, (0, 2)) == [2]
    masks.leave(1)
    assert masks.lacking(5, 1, (0, 2)) == [0, 2]
    masks.add(2, [5])
    masks.add(0, [5])
    assert masks.lacking(5, 1, (0, 2)) == []
    masks.add(0, [5, 6])  # with one that operator 2 has not masked
    assert masks.lacking(5, 1, (0, 2)) == [2]
    masks.forget([5])
    assert masks.lacking(5, 1, (0, 2)) == [0, 2]
