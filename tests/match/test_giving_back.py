"""A laptop whose secrets are lost on its disk: the others give its share key back."""

from __future__ import annotations

import msgspec
import pytest

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.news import Notice
from citadels_p2p.match.operator.knowledge import PersistedKey, PersistedNonce
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from citadels_p2p.rules.needs import Decide
from protocol.application import FORBIDDEN, Contribution
from protocol.cards.escrow import RELAXED, STRICT, seal_to
from protocol.cards.share_keys import KeyPair
from protocol.errors import Unavailable
from protocol.wire.codec import decode, encode
from tests.match import vacant_chairs
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.tiny_group import TinyGroup

EASY = make_bot("easy")
KEEPS = PersistedKey | PersistedNonce


def table(seats: int, seed: int = 0, **liveness: object) -> VacantChairs:
    chosen = Rules.make("classic", seats=seats, city=6)
    agreed = Liveness(**liveness)  # type: ignore[arg-type]  # the fields by name
    return VacantChairs(chosen, [EASY] * seats, seed=seed, liveness=agreed)


def in_play(chairs: VacantChairs, operator: int, round_number: int = 1) -> None:
    """Up to a moment at which this operator holds cards that it alone can read."""

    def is_there() -> bool:
        match = chairs.dealers[operator].match
        return (
            match.stage == "play"
            and match.at_rest
            and match.state.round >= round_number
            and bool(chairs.dealers[operator].faces(operator))
        )

    chairs.until(is_there)


def lose(chairs: VacantChairs, operator: int) -> SealedDealer:
    """Its laptop starts again at once, without its secrets."""
    chairs.vanish(operator)
    chairs.come_back(operator, robbed=True)
    return chairs.dealers[operator]


def said(chairs: VacantChairs, kind: type[bodies.Body]) -> list[tuple[int, bodies.Body]]:
    """Who said something of this kind, in order."""
    read = ((author, bodies.read(body)) for author, body in chairs.journal)
    return [(author, body) for author, body in read if isinstance(body, kind)]


@pytest.mark.parametrize("seed", range(6))
def test_it_opens_its_hand_again_and_plays_to_the_end(seed: int) -> None:
    """At any moment of the match, at any table that has an escrow."""
    seats = 3 + seed % 3
    chairs = table(seats, seed)
    loser = chairs.random.randrange(seats)
    for _ in range(chairs.random.randint(40, 260)):
        chairs.round()
    chairs.until(lambda: chairs.witness.match.stage == "play")
    hand = dict(chairs.dealers[loser].faces(loser))
    again = lose(chairs, loser)
    assert not again.faces(loser)
    assert again.can_mend()
    chairs.until(lambda: again.contributor.has_key)
    known = again.faces(loser)
    kept = set(hand) & set(again.match.state.places[loser].hand)
    assert {slot: known.get(slot) for slot in kept} == {slot: hand[slot] for slot in kept}
    chairs.play()
    assert {one.match.stage for one in chairs.dealers} == {"done"}
    assert len({one.match.digest() for one in chairs.dealers}) == 1
    assert len(said(chairs, bodies.Forgot)) == 1
    for one in chairs.dealers:
        assert check_hidden(one.match)
        assert one.match.cheat is None


def test_without_its_key_it_says_nothing_else() -> None:
    """Neither that it holds no character, nor that it is here for work it cannot do."""
    chairs = table(3, seed=1)
    in_play(chairs, 2)
    again = lose(chairs, 2)
    chairs.here -= {0, 1}
    (plea,) = again.owed()
    assert isinstance(bodies.read(plea.body), bodies.Forgot)
    assert plea.keep
    assert again.owed() == ()
    assert again.owed(early=True) == ()
    (told,) = again.news()
    assert told == Notice("key_asked", {"count": 2})
    assert again.news() == ()


def test_a_key_that_was_promised_and_is_not_here_is_a_lost_secret() -> None:
    """A copy of the disk from before the promise was put back: nobody holds the key yet, so
    there is nothing to ask for, and it is no fault of the program.
    """
    chairs = table(3, seed=1)
    keys = chairs.witness.match.keys
    chairs.until(lambda: 2 in keys.promised.keys() - keys.shown)
    again = lose(chairs, 2)
    chairs.until(lambda: len(keys.promised) == 3)
    with pytest.raises(Unavailable) as caught:
        again.owed()
    assert caught.value.hint == "secrets_damaged"


def test_one_that_was_away_is_not_back_before_it_has_its_key() -> None:
    """The others play on, and wait for no share that it could not give."""
    chairs = table(4, seed=2)
    in_play(chairs, 3)
    chairs.vanish(3)
    chairs.until(lambda: 3 in chairs.witness.match.absence.gone)
    chairs.come_back(3, robbed=True)
    chairs.until(lambda: not chairs.witness.match.absence.attendance.away)
    words = bodies.Forgot | bodies.GaveBack | bodies.Returned
    read = (bodies.read(raw) for _, raw in chairs.journal)
    order = [type(body) for body in read if isinstance(body, words)]
    assert order[0] is bodies.Forgot
    assert order.index(bodies.Returned) > 2
    chairs.play()


@pytest.mark.parametrize("seed", range(3))
def test_a_character_that_it_was_committed_to_is_shown_without_the_nonce(seed: int) -> None:
    """The sealed card alone says what it picked: nobody takes it for a liar."""
    chairs = table(3, seed=seed)
    dealer = chairs.dealers[1]

    def has_picked() -> bool:
        match = dealer.match
        mine = [s for s, seat in match.hidden_picks().items() if match.keepers[seat] == 1]
        return (
            match.stage == "play"
            and bool(mine)
            and isinstance(rules.need(match.state), Decide)
            and set(mine) <= set(match.picks.committed)
        )

    chairs.until(has_picked)
    again = lose(chairs, 1)
    chairs.until(lambda: again.contributor.has_key)
    mine = {s for s, seat in again.match.hidden_picks().items() if seat == 1}
    assert mine
    assert mine.isdisjoint(again.match.picks.committed)
    at = len(chairs.journal)
    chairs.play()
    shown = [
        body
        for author, raw in chairs.journal[at:]
        if author == 1
        and isinstance(body := bodies.read(raw), bodies.Answered)
        and body.slot in mine
    ]
    assert all(body.nonce == b"" for body in shown[:1])
    assert {one.match.cheat for one in chairs.dealers} == {None}


def test_secrets_that_are_older_than_the_newest_lack_only_nonces() -> None:
    """Its key is there: nobody has to give anything back."""
    chairs = table(3, seed=4)
    in_play(chairs, 1)
    dealer = chairs.dealers[1]
    chairs.until(lambda: any(seat == 1 for seat in dealer.match.hidden_picks().values()))
    chairs.until(lambda: dealer.match.at_rest)
    chairs.vanish(1)
    first = True
    for at, one in enumerate(chairs.kept[1]):
        if one.keep and not first:
            chairs.kept[1][at] = Contribution(key=one.key, body=one.body)
        first = first and not one.keep
    chairs.come_back(1, restarted=True)
    chairs.play()
    assert said(chairs, bodies.Forgot) == [(1, bodies.Forgot(b""))]
    assert not said(chairs, bodies.GaveBack)


def test_it_loses_them_once_more() -> None:
    """What opened the first gifts is lost too: it asks again, under another lock."""
    chairs = table(4, seed=3)
    in_play(chairs, 2)
    lose(chairs, 2)
    chairs.until(lambda: bool(said(chairs, bodies.GaveBack)))
    again = lose(chairs, 2)
    chairs.until(lambda: again.contributor.has_key)
    locks = [body.lock for _, body in said(chairs, bodies.Forgot)]  # type: ignore[attr-defined]
    assert len(set(locks)) == len(locks) == 2
    chairs.play()


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("kind", ["answer", "open"])
def test_a_nonce_that_is_lost_while_it_is_asked_for(kind: str, is_old: bool) -> None:
    """It says that it forgot, and nothing else before that stands: no answer, and no lie."""
    chairs = table(3, seed=1 if kind == "open" else 2)
    dealer = chairs.dealers[1]

    def mine() -> set[int]:
        picks = dealer.match.hidden_picks().items()
        return {slot for slot, seat in picks if seat == 1} & dealer.match.picks.committed.keys()

    def is_asked() -> bool:
        match = dealer.match
        owed = [duty for duty in match.duties if (duty.kind, duty.operator) == (kind, 1)]
        if kind == "open":
            return any(mine() & set(duty.slots) for duty in owed)
        called = getattr(rules.need(match.state), "rank", None)
        known = dealer.faces(1) if owed else {}
        return called in {match.rank_of(known[slot]) for slot in mine() & set(known)}

    chairs.until(is_asked)
    chairs.vanish(1)
    for at, one in enumerate(chairs.kept[1]):
        if one.keep and isinstance(kept := decode(one.keep, KEEPS, limit=4096), PersistedNonce):
            old = encode(msgspec.structs.replace(kept, nonce=bytes(32))) if is_old else b""
            chairs.kept[1][at] = Contribution(key=one.key, body=one.body, keep=old)
    chairs.come_back(1, restarted=True)
    chairs.play()
    assert said(chairs, bodies.Forgot) == [(1, bodies.Forgot(b""))]
    assert {one.match.cheat for one in chairs.dealers} == {None}


# Where it cannot be.


@pytest.mark.parametrize(("seats", "mode"), [(2, "usual"), (3, STRICT)])
def test_without_an_escrow_nobody_can_give_it_back(seats: int, mode: str) -> None:
    chairs = table(seats, seed=1, escrow=mode)
    in_play(chairs, 1)
    again = lose(chairs, 1)
    assert not again.can_mend()
    assert again.owed() == ()


def test_before_the_keys_are_held_nobody_can_give_it_back() -> None:
    chairs = table(3, seed=1)
    chairs.until(lambda: chairs.witness.match.stage == "key")
    assert not lose(chairs, 1).can_mend()


def test_too_few_holders_are_not_enough_and_the_others_play_on() -> None:
    """One of those who are needed is not here: its key waits, nobody waits for it."""
    chairs = table(5, seed=5, escrow=RELAXED)
    in_play(chairs, 4)
    chairs.vanish(0)
    chairs.vanish(1)
    again = lose(chairs, 4)
    chairs.until(lambda: len(said(chairs, bodies.GaveBack)) == 2)
    for _ in range(20):
        chairs.round()
    assert not again.contributor.has_key
    chairs.come_back(0)
    chairs.until(lambda: again.contributor.has_key)


# Cheats.


def verdicts(chairs: VacantChairs, author: int, body: bodies.Body) -> set[str | None]:
    """What everybody says of this body by this author, as if a host had ordered it."""
    seq, raw = len(chairs.journal) + 1, bodies.write(body)
    before = {one.digest() for one in chairs.dealers}
    told = {one.fold(seq, author, raw) for one in chairs.dealers}
    assert {one.digest() for one in chairs.dealers} == before
    return told


def test_nobody_can_ask_for_another_ones_key() -> None:
    """A plea is its author's: whoever says another's again is given parts of its own key, which
    it cannot even open. And nobody gives back what was not asked for.
    """
    chairs = table(3, seed=6)
    in_play(chairs, 1)
    again = lose(chairs, 1)
    chairs.until(lambda: bool(said(chairs, bodies.Forgot)))
    ((_, plea),) = said(chairs, bodies.Forgot)
    chairs.order(2, Contribution(key=b"mine", body=bodies.write(plea)))
    chairs.until(lambda: len(said(chairs, bodies.GaveBack)) == 4)
    thief = chairs.dealers[2].match.giving_back.pleas[2]
    assert thief.held.dealer == 2
    assert set(thief.given) == {0, 1}
    plea = chairs.witness.match.giving_back.pleas[1]
    context, group = chairs.witness.match.keys.context(), TinyGroup()
    seal = seal_to(group, context, 1, 0, group.random_scalar(), plea.lock)
    for author in (0, 2):
        (told,) = verdicts(chairs, author, bodies.GaveBack(0, 1, seal))
        assert told is not None
        assert told.startswith(FORBIDDEN)
    (told,) = verdicts(chairs, 1, bodies.GaveBack(1, 1, seal))
    assert told is not None
    assert told.startswith(FORBIDDEN)
    chairs.until(lambda: again.contributor.has_key)


def test_a_false_part_is_no_part_and_the_others_suffice() -> None:
    """It does not fit the commitments: it counts for nothing."""
    chairs = table(5, seed=7, escrow=RELAXED)
    in_play(chairs, 3)
    again = lose(chairs, 3)
    chairs.until(lambda: bool(said(chairs, bodies.Forgot)))
    group = TinyGroup()
    plea = chairs.witness.match.giving_back.pleas[3]
    context, value = chairs.witness.match.keys.context(), group.random_scalar()
    lie = seal_to(group, context, 3, 0, value, plea.lock)
    chairs.order(0, Contribution(key=b"lie", body=bodies.write(bodies.GaveBack(3, 1, lie))))
    chairs.until(lambda: again.contributor.has_key)
    assert KeyPair.from_secret(group, again.contributor.pair().secret).public == (
        again.match.keys.shown.get(3)
    )
    chairs.play()


def test_a_lie_of_one_that_forgot_comes_out_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was silent about its character, and says then that its disk is lost."""
    chairs = table(3, seed=2)
    liar = chairs.dealers[1]
    honest, denied = liar.owed, []

    def owed(*, early: bool = False) -> tuple[Contribution, ...]:
        letters = []
        for one in honest(early=early):
            body = bodies.read(one.body)
            if isinstance(body, bodies.Answered) and body.seat >= 0 and not denied:
                denied.append(body)
                denial = bodies.Answered(body.step, -1, -1, b"", b"")
                letters.append(Contribution(key=one.key, body=bodies.write(denial)))
            else:
                letters.append(one)
        return tuple(letters)

    monkeypatch.setattr(liar, "owed", owed)
    monkeypatch.setattr(vacant_chairs, "closed", lambda _: None)  # the lie is open in the end
    chairs.until(lambda: bool(denied))
    chairs.order(1, Contribution(key=b"lost", body=bodies.write(bodies.Forgot(b""))))
    chairs.until(lambda: chairs.witness.match.cheat is not None)
    for one in chairs.dealers:
        assert one.match.cheat is not None
        assert one.match.cheat.culprit == chairs.genesis.operators[1].identity
