"""A person is asked while its own decision is on its way; what it answers then is held."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.news import Ask, EventNews, News, StateNews
from citadels_p2p.match.operator.foresight import outlook
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Reason, Rules
from citadels_p2p.rules.needs import Call
from cli.client.client_model import ClientModel
from protocol.application import Contribution
from tests.match.vacant_chairs import VacantChairs

EASY = make_bot("easy")


class Seat:
    """Operator 0 of three, with a person; the others are bots."""

    def __init__(self, seed: int = 5, liveness: Liveness | None = None) -> None:
        chosen = Rules.make("classic", seats=3, city=6)
        brains = [None, EASY, EASY]
        self.chairs = VacantChairs(chosen, brains, seed=seed, liveness=liveness)
        self.told: list[News] = []

    @property
    def dealer(self) -> SealedDealer:
        return self.chairs.dealers[0]

    @property
    def ask(self) -> Ask:
        """The newest question."""
        return next(news for news in reversed(self.told) if isinstance(news, Ask))

    def hear(self, told: tuple[News, ...]) -> bool:
        """Whether a question is among this."""
        self.told += told
        return any(isinstance(news, Ask) for news in told)

    def play_to(self, is_wanted: Callable[[Ask], bool]) -> None:
        """Decide anything until such a question is open, all confirmed."""
        while True:
            self.chairs.until(lambda: self.hear(self.dealer.news()))
            if is_wanted(self.ask):
                return
            self.chairs.order(0, self.decide(self.ask.options[-1].id))

    def decide(self, *picks: str) -> Contribution:
        made = self.dealer.decide(self.ask.id, picks)
        assert isinstance(made, Contribution), made
        self.chairs.kept[0].append(made)
        return made

    def hold(self, *picks: str) -> None:
        assert self.dealer.decide(self.ask.id, picks) is None
        assert self.dealer.open_ask() is None

    def is_called(self) -> bool:
        """Whether the table waits for who has a character."""
        match = self.dealer.match
        return match.stage == "play" and isinstance(rules.need(match.state), Call)

    def state(self) -> StateNews:
        return next(news for news in reversed(self.told) if isinstance(news, StateNews))


def could_build(ask: Ask) -> bool:
    """Whether gold may be taken, and something be built after it."""
    return [one.id for one in ask.options][:1] == ["gold"]


@pytest.fixture
def seat() -> Seat:
    """It is asked whether it takes gold or cards."""
    one = Seat()
    one.play_to(could_build)
    return one


def builds(ask: Ask) -> list[str]:
    return [one.id for one in ask.options if one.verb == "build"]


def test_the_next_question_comes_before_the_answer_is_confirmed(seat: Seat) -> None:
    before = seat.ask.id
    gold = seat.dealer.view(0).seats[0].gold
    seat.decide("gold")
    assert seat.hear(seat.dealer.foretell())
    assert seat.ask.id > before
    assert seat.dealer.open_ask() == seat.ask.id
    assert seat.state().view.seats[0].gold > gold
    assert seat.state().awaits_you
    assert seat.dealer.foretell() == ()


def test_an_answer_that_is_early_is_said_once_when_its_question_is_open(seat: Seat) -> None:
    act = seat.decide("gold")
    seat.hear(seat.dealer.foretell())
    build = builds(seat.ask)[0]
    seat.hold(build)
    assert seat.dealer.owed() == ()
    assert seat.dealer.decide(seat.ask.id, (build,)) == Reason("ask_closed")
    seq = len(seat.chairs.journal) + 1
    assert seat.dealer.fold(seq, 0, act.body) is None
    seat.dealer.confirm(seq - 1)
    assert seat.dealer.owed(early=True) == ()
    seat.dealer.confirm(seq)
    (said,) = seat.dealer.owed()
    entry = bodies.read(said.body)
    assert isinstance(entry, bodies.Acted)
    assert entry.picks == (build,)
    assert seat.dealer.owed() == ()


def test_what_is_confirmed_is_told_once_and_the_table_does_not_go_back(seat: Seat) -> None:
    act = seat.decide("gold")
    assert not any(isinstance(news, EventNews) for news in seat.dealer.foretell())
    shown = seat.dealer.open_ask()
    seat.chairs.order(0, act)
    told = seat.dealer.news()
    assert told
    assert all(isinstance(news, EventNews) for news in told)
    assert seat.dealer.open_ask() == shown
    assert seat.dealer.news() == ()


def test_what_is_refused_takes_the_next_question_with_it(seat: Seat) -> None:
    """And no card is shown that was to be built after it."""
    view = seat.dealer.view(0)
    act = seat.decide("gold")
    seat.hear(seat.dealer.foretell())
    early = seat.ask
    seat.hold(builds(early)[0])
    seat.dealer.refused(act.key, "stale")
    assert seat.dealer.open_ask() is None
    assert seat.dealer.owed() == ()
    assert seat.hear(seat.dealer.news())
    assert seat.state().view == view
    assert seat.ask.id > early.id
    assert seat.dealer.decide(early.id, (builds(early)[0],)) == Reason("ask_closed")
    assert seat.dealer.owed() == ()
    seat.decide("gold")


def test_what_gives_way_takes_the_next_question_with_it(seat: Seat) -> None:
    """A host that is gone had ordered it, and the next one has not."""
    act = seat.decide("gold")
    seq = len(seat.chairs.journal) + 1
    seat.dealer.fold(seq, 0, act.body)
    assert seat.hear(seat.dealer.foretell())
    early = seat.ask
    seat.hold(builds(early)[0])
    seat.dealer.rewind()
    seat.dealer.restore(tuple(seat.chairs.kept[0]))
    for at, (author, body) in enumerate(seat.chairs.journal, 1):
        assert seat.dealer.fold(at, author, body) is None
    seat.dealer.confirm(seq - 1)
    assert seat.dealer.owed() == ()
    assert not seat.hear(seat.dealer.news())
    seat.chairs.order(0, act)
    assert seat.hear(seat.dealer.news())
    assert seat.dealer.owed() == ()
    assert builds(seat.ask) == builds(early)


def test_a_question_that_comes_otherwise_is_asked_anew(seat: Seat) -> None:
    """Another one vanishes between: the answer was given to a table with all at it."""
    act = seat.decide("gold")
    seat.hear(seat.dealer.foretell())
    early = seat.ask
    seat.hold(builds(early)[0])
    seat.chairs.vanish(2)
    seat.chairs.until(lambda: 2 in seat.dealer.match.absence.attendance.away)
    told = seat.dealer.news()
    assert told
    assert all(isinstance(news, EventNews) for news in told), "the table went back"
    seat.chairs.order(0, act)
    assert seat.dealer.owed() == ()
    assert seat.hear(seat.dealer.news())
    assert seat.ask.id > early.id
    assert seat.state().view == seat.dealer.view(0)


def test_a_bot_that_takes_over_takes_the_early_question_too(seat: Seat) -> None:
    act = seat.decide("gold")
    seat.hear(seat.dealer.foretell())
    seat.hold(builds(seat.ask)[0])
    over = seat.dealer.hand_over("easy")
    assert isinstance(over, Contribution)
    seat.chairs.order(0, over)
    assert seat.dealer.persons.asked is None
    seat.chairs.order(0, act)
    assert seat.dealer.foretell() == ()
    assert not seat.hear(seat.dealer.news())


def test_nothing_is_foreseen_where_cards_have_to_be_dealt(seat: Seat) -> None:
    seat.decide("cards")
    assert seat.dealer.foretell() == ()


def test_whoever_is_called_is_asked_before_the_others_have_denied() -> None:
    seat = Seat()
    seat.play_to(lambda ask: ask.kind == "character")
    seat.chairs.order(0, seat.decide(seat.ask.options[0].id))

    while not (seat.is_called() and seat.hear(seat.dealer.foretell())):
        if seat.hear(seat.dealer.news()):
            seat.chairs.order(0, seat.decide(seat.ask.options[0].id))
        else:
            seat.chairs.round()
    assert seat.state().awaits_you
    assert not seat.dealer.match.at_rest
    early = seat.ask
    seat.hold(early.options[0].id)
    step = seat.dealer.match.step
    seat.chairs.until(lambda: seat.dealer.match.step > step + 1)
    said = [bodies.read(body) for author, body in seat.chairs.journal if author == 0]
    acts = [one for one in said if isinstance(one, bodies.Acted)]
    assert (acts[-1].step, acts[-1].picks) == (step + 1, (early.options[0].id,))


def test_nothing_that_others_did_is_shown_before_it_is_confirmed(seat: Seat) -> None:
    """Though it may well be foreseen what is asked after it."""
    dealer, foreseen = seat.dealer, []
    confirm = dealer.confirm

    def look_and_confirm(seq: int) -> None:
        author, body = seat.chairs.journal[-1]
        said = isinstance(bodies.read(body), bodies.Acted | bodies.Answered)
        if author != 0 and said and dealer.turned():
            foreseen.append(outlook(dealer.contributor, dealer.persons.seats) is not None)
            assert dealer.foretell() == ()
        confirm(seq)

    with mock.patch.object(dealer, "confirm", look_and_confirm):
        for _ in range(12):
            seat.chairs.order(0, seat.decide(seat.ask.options[-1].id))
            seat.chairs.until(lambda: seat.hear(seat.dealer.news()))
    assert any(foreseen)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_asked_in_a_round_that_has_not_begun_in_words(seed: int) -> None:
    """What ended the last one is read first, and looked back on."""
    seat, early = Seat(seed), 0
    confirm = seat.dealer.confirm

    def look_and_confirm(seq: int) -> None:
        look()
        confirm(seq)
        look()

    def look() -> None:
        nonlocal early
        early += seat.hear(seat.dealer.foretell())
        assert rounds_begun(seat) == (seat.state().view.round if seat.told else 0)

    with mock.patch.object(seat.dealer, "confirm", look_and_confirm):
        while rounds_begun(seat) < 4:
            seat.hear(seat.dealer.news())
            made = None
            if seat.dealer.open_ask() is not None:
                options = [one.id for one in seat.ask.options]
                pick = "king" if "king" in options else options[0]
                made = seat.dealer.decide(seat.ask.id, (pick,))
            if isinstance(made, Contribution):
                seat.chairs.order(0, made)
            else:
                seat.chairs.round()
    assert early


def rounds_begun(seat: Seat) -> int:
    told = [news.event for news in seat.told if isinstance(news, EventNews)]
    return sum(event.kind == "round_begins" for event in told)


def test_whose_time_is_up_hears_so_before_it_is_asked_again() -> None:
    """Else the word of it closes a question that it is not about, for good."""
    seat = Seat(liveness=Liveness(step_time=30))
    seat.play_to(could_build)
    seat.chairs.pass_time(0.0)
    seat.chairs.pass_time(31.0)
    (chance,) = seat.dealer.owed()
    seq = len(seat.chairs.journal) + 1
    assert seat.dealer.fold(seq, 0, chance.body) is None
    client = ClientModel()
    for news in (*seat.told, *seat.dealer.foretell()):
        client.hear(news, 0.0)
    seat.dealer.confirm(seq)
    for news in seat.dealer.news():
        client.hear(news, 0.0)
    assert client.ask is not None
    assert client.ask.id == seat.dealer.open_ask()


def test_whoever_was_decided_for_hears_so_before_it_is_asked_again() -> None:
    """By the others, while its laptop was away; all of it is told in one go."""
    seat = Seat(liveness=Liveness(away=5))
    seat.play_to(could_build)
    chairs, step = seat.chairs, seat.dealer.match.step
    chairs.vanish(0)
    chairs.until(lambda: chairs.witness.match.step > step)
    chairs.come_back(0)
    (word,) = seat.dealer.owed()
    with mock.patch.object(seat.dealer, "confirm"):
        chairs.order(0, word)
    seat.hear(seat.dealer.foretell())
    seat.dealer.confirm(len(chairs.journal))
    seat.hear(seat.dealer.news())
    client = ClientModel()
    for news in seat.told:
        client.hear(news, 0.0)
    assert client.ask is not None
    assert client.ask.id == seat.dealer.open_ask()


def swaps(ask: Ask) -> list[str]:
    return [one.id for one in ask.options if one.verb == "swap"]


def test_who_goes_or_comes_changes_the_question_that_is_open() -> None:
    """A hand that waits for its person is out of the Magician's reach; the time runs on."""
    seat = Seat(liveness=Liveness(away=5, step_time=600))
    seat.play_to(lambda ask: len(swaps(ask)) == 2)
    chairs, both = seat.chairs, swaps(seat.ask)
    chairs.pass_time(0.0)
    first = seat.ask
    chairs.vanish(2)
    chairs.until(lambda: 2 in seat.dealer.match.absence.attendance.away)
    chairs.until(lambda: seat.hear(seat.dealer.news()))
    assert (seat.ask.id > first.id, swaps(seat.ask)) == (True, both[:1])
    assert seat.ask.deadline is not None
    assert seat.ask.deadline < 600
    assert seat.dealer.open_ask() == seat.ask.id
    second = seat.ask
    chairs.come_back(2)
    chairs.until(lambda: seat.hear(seat.dealer.news()))
    assert (seat.ask.id > second.id, swaps(seat.ask)) == (True, both)
    seat.decide(both[1])
