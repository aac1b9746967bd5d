"""The plain table as a stream: what is said, what may be typed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_p2p.match.acts import (
    Act,
    Answer,
    Depart,
    HandOver,
    Kick,
    Leave,
    OpenSeat,
    Propose,
    Ready,
    Reopen,
    Say,
    SetBot,
    Start,
    TakeOver,
)
from citadels_p2p.match.news import (
    Ask,
    Awaited,
    Barred,
    Bye,
    Chat,
    EventNews,
    Holders,
    News,
    Notice,
    Option,
    OverNews,
    Patience,
    Refused,
    ScoreLine,
    SeatScore,
    StateNews,
    Trust,
)
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from cli.client.effects import PROMPT, Print, Prompt
from cli.client.plain import Plain
from cli.line.command_table import COMMANDS
from protocol.identity.names import MAX_CHAT
from tests.cli.scripted import ACT, DISCARD, NAMES, build, event, lobby, view


def text(acts: tuple[Act, ...]) -> list[str]:
    return [act.text for act in acts if isinstance(act, Print)]


def done(acts: tuple[Act, ...]) -> list[Act]:
    return [act for act in acts if not isinstance(act, (Print, Prompt))]


def seated(*news: News) -> Plain:
    """A client in the middle of a match, sitting as Ann."""
    client = Plain()
    client.hear(StateNews(view(n=0), NAMES))
    for item in news:
        client.hear(item)
    return client


# What is heard


def test_a_question_comes_with_how_things_stand() -> None:
    lines = text(seated().hear(ACT))
    assert lines == [
        "",
        "Bob: 5 gold, 4 cards. City: Keep (3 unique).",
        "Cleo (Assassin, away): 0 gold, 0 cards. City: empty.",
        "Your city, 1 of 7: Tavern (1 trade).",
        "Your hand: Tavern (1 trade, already in your city), Temple (1 religious), "
        "Palace (5 noble, 3 gold short).",
        "You play as the Merchant: 1 extra gold; gold for trade districts.",
        "You have 2 gold. You have the crown.",
        "What do you do?",
        "  1. Build Temple for 1 gold",
        "  2. Collect income: 1 gold for trade districts",
        "  3. End your turn",
    ]


def test_the_next_question_repeats_only_what_changed() -> None:
    client = seated(ACT)
    client.read("1")
    assert text(client.hear(ACT))[:2] == ["", "What do you do?"]
    assert "Bob: 5 gold" in "".join(text(client.read("again")))


def test_events_are_told_in_the_second_person_to_whom_they_concern() -> None:
    client = seated()
    assert text(client.hear(EventNews(event(1, "robbed", 1, 0, 2)))) == [
        "Bob steals your 2 gold."
    ]
    assert text(client.hear(EventNews(event(2, "robbed", 0, 1, 1)))) == [
        "You steal 1 gold from Bob."
    ]
    assert text(client.hear(EventNews(event(3, "built", 2, "library", 44, 6)))) == [
        "Cleo builds Library for 6 gold."
    ]


def test_characters_that_lots_have_drawn_are_known_before_and_after_the_table_is_told() -> None:
    """Who resumes hears all that was before, and then how things stand."""
    rules = Rules.make(edition="2016", seats=3, characters=("random",) * 8)
    table = replace(lobby(), edition="2016", options=rules.to_options())
    drawn = (
        "witch",
        "blackmailer",
        "seer",
        "king",
        "bishop",
        "merchant",
        "navigator",
        "diplomat",
    )
    client = Plain()
    client.hear(table)
    client.hear(EventNews(event(1, "characters_drawn", drawn)))
    told = text(client.hear(EventNews(event(2, "rank_called", 2, None, None))))
    assert told == ["Rank 2, Blackmailer: nobody answers."]
    client.hear(StateNews(replace(view(n=2), roster=drawn), NAMES))
    client.hear(replace(table, watching=1))
    assert client.model.box.ranks[2] == "blackmailer"


def test_the_call_tells_whose_turn_it_is_and_is_not_repeated() -> None:
    client = seated()
    call = event(1, "rank_called", 6, 1, "merchant")
    assert text(client.hear(EventNews(call))) == ["Rank 6, Merchant: Bob answers."]
    assert text(client.hear(EventNews(event(2, "turn_begins", 1, 6, "merchant")))) == []


def test_what_happens_while_a_question_is_open_is_told_after_the_answer() -> None:
    client = seated(ACT)
    assert client.hear(EventNews(event(8, "seat_away", 2))) == ()
    acts = client.read("3")
    assert acts[0] == Answer(4, ("end",))
    assert text(acts) == ["Cleo is away."]


def test_a_question_that_comes_early_waits_for_what_it_follows() -> None:
    """Over a slow network the state comes first, then the question, then the events."""
    client = seated()
    assert client.hear(StateNews(replace(view(), n=9), NAMES, Awaited(0, "act"))) == ()
    assert client.hear(ACT) == ()
    (said,) = text(client.read("3"))
    assert said == "Nothing is asked of you now. Type help for what you may ask."
    called = EventNews(event(8, "rank_called", 6, 0, "merchant"))
    assert text(client.hear(called)) == ["Rank 6, Merchant: it is your turn."]
    acts = client.hear(EventNews(event(9, "built", 0, "library", 44, 6)))
    assert text(acts)[0] == "You build Library for 6 gold."
    assert text(acts)[-1] == "  3. End your turn"
    assert acts[-1] == PROMPT
    assert client.read("3")[0] == Answer(4, ("end",))


def test_what_is_seen_early_is_told_after_what_let_one_see_it() -> None:
    """And in whose hand it is."""
    client = seated()
    seen = StateNews(view(n=8, seen=((40, "keep"),)), NAMES, Awaited(0, "act"))
    assert client.hear(seen) == ()
    client.hear(ACT)
    acts = client.hear(EventNews(event(8, "hand_seen", 0, 1, "wizard")))
    assert text(acts)[:2] == [
        "You look into Bob's hand (Wizard).",
        "Bob's hand: Keep (3 unique).",
    ]
    assert [one.text for one in client.model.journal][-2:] == text(acts)[:2]
    assert client.read("log 2")[:2] == acts[:2]


def test_an_early_question_is_forgotten_where_it_comes_otherwise() -> None:
    client = seated()
    client.hear(StateNews(replace(view(), n=9), NAMES, Awaited(0, "act")))
    client.hear(ACT)
    client.hear(StateNews(view(), NAMES))
    assert "What do you do?" not in text(client.hear(EventNews(event(9, "seat_away", 2))))
    client.hear(StateNews(replace(view(), n=9), NAMES, Awaited(0, "act")))
    assert "What do you do?" in text(client.hear(replace(ACT, id=5)))
    assert client.read("3")[0] == Answer(5, ("end",))


def test_running_out_of_time_closes_the_question() -> None:
    client = seated(ACT)
    acts = client.hear(EventNews(event(8, "timed_out", 0)))
    assert text(acts) == ["Your time is up: the usual choice is made for you."]
    assert done(client.read("1")) == []


def test_chance_that_decides_closes_the_question() -> None:
    client = seated(ACT)
    assert text(client.hear(Notice("time_up"))) == [
        "Your time is up: chance has decided for you."
    ]
    assert done(client.read("1")) == []


def test_a_seat_is_left_to_a_bot_and_taken_back() -> None:
    client = seated(ACT)
    assert done(client.read("rest")) == [HandOver("normal")]
    assert done(client.read("rest easy")) == [HandOver("easy")]
    assert done(client.read("rest sage")) == []
    client.hear(Notice("resting", {"level": "easy"}))
    assert done(client.read("1")) == []
    assert done(client.read("return")) == [HandOver("")]


def test_a_seat_is_given_up_when_it_is_said_twice() -> None:
    client = seated(ACT)
    assert done(client.read("quit")) == []
    assert done(client.read("depart")) == []
    assert done(client.read("table")) == []
    assert done(client.read("depart")) == []
    assert done(client.read("depart")) == [Depart()]


def test_what_giving_up_means_is_said_before_it_is_confirmed() -> None:
    """Of two laptops it ends the match, or leaves the other one to its bots."""
    client = seated(ACT)
    two = replace(lobby(), patience=Patience(20, 0, "usual", 2, None))
    for table, meaning in (
        (replace(two, seats=two.seats[:2]), "the match ends here as resigned"),
        (replace(two, seats=(*two.seats[:2], two.seats[0])), "plays on with bots"),
        (replace(two, patience=Patience(20, 0, "usual", 3, 2)), "The others play on"),
    ):
        client.hear(table)
        said = " ".join(text(client.read("depart")))
        assert meaning in said
        assert "Type depart once more" in said
        client.read("table")


def test_refused_answer_is_explained_and_may_be_given_again() -> None:
    client = seated(ACT)
    client.read("1")
    acts = client.hear(Refused("too_dear", {"cost": 1, "gold": 0}, 4))
    assert text(acts) == ["It costs 1 gold; you have 0."]
    assert done(client.read("3")) == [Answer(4, ("end",))]


def test_a_refusal_that_is_heard_late_opens_no_question_for_long() -> None:
    """Of something else that was wanted before the answer, which is accepted."""
    client = seated(ACT)
    client.read("1")
    client.hear(Refused("already_so", {}, 4))
    client.hear(StateNews(view(), NAMES, Awaited(1, "act")))
    assert client.model.ask is None


def test_a_refusal_that_says_so_closes_the_question() -> None:
    client = seated(ACT)
    client.hear(Refused("ask_closed"))
    assert client.model.ask is None


def test_progress_is_one_line_for_one_work() -> None:
    client = Plain()
    first = Notice("progress", {"what": "shuffle", "done": 1, "of": 4})
    assert text(client.hear(first)) == ["Shuffling: 1 of 4."]
    assert client.hear(Notice("progress", {"what": "shuffle", "done": 2, "of": 4})) == ()


def test_chat_cannot_carry_control_characters() -> None:
    client = seated()
    acts = client.hear(Chat(1, "Bo\u202eb", "\x1b[2Jall\x07 yours"))
    assert text(acts) == ["Bob says: [2Jall yours"]


def test_words_that_are_too_long_are_not_cut_in_silence() -> None:
    said = seated().read("say " + "a" * (MAX_CHAT + 1))
    assert text(said) == ["Only the first 400 characters are said."]
    assert text(seated().read("say " + "a" * MAX_CHAT)) == []


def test_nobody_speaks_under_a_name_that_another_seat_has() -> None:
    """A host may show equal names; whose words they are is the seat's."""
    client = Plain()
    client.hear(lobby(third="human"))
    seats = lobby(third="human").seats
    client.hear(replace(lobby(), seats=(*seats[:2], replace(seats[2], name="bo\u200bB"))))
    assert text(client.hear(Chat(2, "Bob", "my safety words are")))[0].startswith(
        "boB (seat 3) says: my"
    )
    assert text(client.hear(Chat(0, "Bob", "hello"))) == ["Ann says: hello"]
    assert text(client.hear(Chat(None, "Ann", "hello"))) == ["Ann (without a seat) says: hello"]
    assert text(client.hear(Chat(None, "Dora", "hello"))) == ["Dora says: hello"]


def test_scores_come_best_first_with_reasons() -> None:
    scores = (
        SeatScore(0, 21, (ScoreLine("districts", 19), ScoreLine("university", 2)), 2),
        SeatScore(1, 25, (ScoreLine("districts", 21), ScoreLine("first_city", 4)), 1),
    )
    acts = seated().hear(OverNews(scores, (1,), "ab", "/my home/m.citadels", NAMES))
    assert text(acts) == [
        "",
        "Final score:",
        "1. Bob: 25 points (districts 21, first complete city 4).",
        "2. You: 21 points (districts 19, University 2).",
        "The match is saved: /my home/m.citadels",
        'Anybody can check it: citadels verify "/my home/m.citadels"',
        "Step through it: citadels replay",
    ]
    assert done(acts) == [Leave()]


@pytest.mark.parametrize(
    ("ties", "decider"),
    [
        ("ranks", "Ties: the higher rank of the last round"),
        ("costs", "Ties: more points in districts, then more gold"),
    ],
)
def test_what_has_decided_between_equals_is_told(ties: str, decider: str) -> None:
    client = seated()
    options: dict[str, object] = {**lobby().options, "ties": ties}
    client.hear(replace(lobby(), options=options))
    scores = tuple(
        SeatScore(seat, total, (ScoreLine("districts", total),), seat + 1)
        for seat, total in enumerate((25, 25, 3))
    )
    told = text(client.hear(OverNews(scores, (0,), "ab", "", NAMES)))
    assert told[-1] == decider
    shared = tuple(replace(score, rank=1) for score in scores[:2])
    assert decider not in text(client.hear(OverNews(shared, (0, 1), "ab", "", NAMES)))


def test_at_a_real_table_people_may_stay_and_talk() -> None:
    client = Plain(linger=True)
    client.hear(StateNews(view(), NAMES))
    assert done(client.hear(OverNews((), (1,), "ab", "", NAMES))) == []
    assert done(client.read("quit")) == [Leave()]


def test_goodbye_says_why() -> None:
    acts = seated().hear(Bye(5, "cheat", {"name": "Bob"}))
    assert text(acts) == [
        "Bob broke the rules of the table. The evidence is in the match file.",
        "Goodbye.",
    ]


def test_who_plays_on_is_told_so_where_the_table_closes() -> None:
    acts = seated().hear(Bye(6, "closed", {"by": "Bob", "saved": True}))
    assert text(acts) == [
        "Bob's laptop says: The table is closed. The match is not over. "
        "It is saved: `citadels resume` goes on with it.",
        "Goodbye.",
    ]


# The lobby


def test_nobody_is_told_to_type_an_address_that_leads_nowhere_else() -> None:
    """And where a network comes, its host is told how others come."""
    alone = replace(
        lobby(), you=0, hosting=True, address="127.0.0.1:24482", code="127.0.0.1:24482/ABCD"
    )
    there = replace(alone, address="10.0.0.7:24482", code="10.0.0.7:24482/ABCD")
    client = Plain()
    told = text(client.hear(alone))
    assert "This table is on no network: nobody at another laptop can sit down." in told
    assert not any("127.0.0.1" in line or "Others on this network" in line for line in told)
    told = text(client.hear(there))
    assert "If that finds nothing: citadels join 10.0.0.7:24482/ABCD" in told
    assert text(client.hear(there)) == []


def test_guest_sees_the_table_and_what_to_do() -> None:
    assert text(Plain().hear(lobby())) == [
        "",
        "Table “Friday”, edition Classic, host Ann.",
        "Complete city: 8 districts",
        "Seat 1: Ann, ready.",
        "Seat 2: Bob, that is you.",
        "Seat 3 is open.",
        "Type ready when you agree to this table. The host begins.",
    ]


def test_guest_sees_by_what_rules_the_table_plays() -> None:
    rules = Rules.make("2016", 3, characters=["random"], uniques=["random"], steps="fixed")
    news = replace(lobby(), edition="2016", options=rules.to_options())
    told = text(Plain().hear(news))
    assert told[2:6] == [
        "Complete city: 8 districts",
        "Characters: drawn by lots",
        "Unique districts: drawn by lots",
        "Steps of a turn: in a fixed order",
    ]


def test_only_changes_are_told() -> None:
    client = Plain()
    client.hear(lobby())
    assert text(client.hear(lobby(third="bot")))[0] == "Seat 3: Cleo, a bot (easy)."
    assert client.hear(lobby(third="bot")) == ()


def test_safety_words_are_to_be_read_aloud() -> None:
    lines = text(Plain().hear(lobby(words=("412", "088"))))
    assert lines[-2:] == [
        "Safety words: 412 088",
        "Read them aloud, never by chat: all must have the same digits, in any language.",
    ]


def test_a_laptop_that_counts_without_a_seat_is_told_by_name_wherever_words_are() -> None:
    held = "Ann holds this table without a seat, and that laptop counts like the others."
    client = Plain()
    assert held in text(client.hear(replace(lobby(), carrier="Ann")))
    assert text(client.hear(replace(lobby(words=("412",)), carrier="Ann")))[-1] == held
    assert text(client.read("words"))[-1] == held


def test_safety_words_can_be_read_all_the_match() -> None:
    told = [
        "Safety words: 412 088",
        "Read them aloud, never by chat: all must have the same digits, in any language.",
    ]
    client = Plain()
    client.hear(lobby(words=("412", "088")))
    assert text(client.read("words")) == told
    client.hear(StateNews(view(), NAMES))
    client.hear(ACT)
    assert text(client.read("words")) == told
    assert text(client.read("help"))[-2:] == told
    assert text(seated(ACT).read("words")) == ["There are no safety words here yet."]
    assert "Safety" not in " ".join(text(seated(ACT).read("help"))[-2:])


def test_a_suspicion_is_told_kept_in_the_log_and_stands_beside_the_name() -> None:
    client = seated()
    why = {"name": "Bob", "why": "withholds", "about": "Cleo"}
    told = (
        "Bob's laptop does not pass on what Cleo says; if that goes on, another laptop hosts."
    )
    assert text(client.hear(Notice("suspected", dict(why)))) == [told]
    assert text(client.read("log")) == [told]
    table = lobby()
    doubted = replace(table.seats[1], suspected="withholds")
    client.hear(replace(table, seats=(table.seats[0], doubted, table.seats[2])))
    assert "Bob (keeps words back): 5 gold" in " ".join(text(client.read("table")))
    client.hear(table)
    assert "keeps words back" not in " ".join(text(client.read("table")))


def test_two_programs_with_one_key_are_told_at_once_and_one_word_takes_over() -> None:
    client = seated(ACT)
    (told,) = text(client.hear(Notice("elsewhere", {"name": "Bob"})))  # a question is open
    assert told.startswith("Bob's laptop says that another program with your key")
    assert told.endswith("Or type takeover to go on here instead.")
    assert done(client.read("takeover")) == [TakeOver()]
    assert text(client.hear(Notice("taking_over"))) == [
        "The match goes on here; the program on the other laptop stops."
    ]


def test_a_host_that_is_gone_is_told_with_the_word_that_helps() -> None:
    client = Plain()
    client.hear(lobby())
    assert text(client.hear(replace(lobby(), host_gone=True))) == [
        "The host's laptop is gone. The same table can be opened on yours. Type reopen."
    ]
    assert text(client.hear(replace(lobby(), host_gone=True, invited_by="Cleo"))) == [
        "Cleo has opened this table again, and you may go there. Type reopen."
    ]
    assert done(client.read("reopen")) == [Reopen()]
    own = replace(lobby(), table="cd" * 16, host="Bob", hosting=True, you=0)
    told = text(client.hear(own))
    assert "Table “Friday”, edition Classic, host Bob." in told
    assert "Others on this network type: citadels join" in told


def test_lobby_acts() -> None:
    client = Plain()
    client.hear(lobby())
    assert done(client.read("ready")) == [Ready()]
    assert done(client.read("unready")) == [Ready(agrees=False)]
    assert done(client.read("start")) == [Start()]
    assert done(client.read("kick 1")) == [Kick(0)]
    assert done(client.read("kick ann")) == [Kick(0)]
    assert done(client.read("kick nobody")) == []
    assert done(client.read("say hello there")) == [Say("hello there")]
    assert done(client.read("hand")) == []
    assert done(client.read("quit")) == [Leave()]


# What is typed


@pytest.mark.parametrize(
    ("typed", "pick"),
    [
        ("1", "build:11"),
        ("build temple", "build:11"),
        ("temple", "build:11"),
        ("b te", "build:11"),
        ("INCOME", "income"),
        ("end", "end"),
        ("end:", "end"),
        ("3", "end"),
    ],
)
def test_one_is_chosen_by_number_or_name(typed: str, pick: str) -> None:
    assert done(seated(ACT).read(typed)) == [Answer(4, (pick,))]


@pytest.mark.parametrize("typed", ["0", "4", "999999999", "dance", "1 2", "²"])
def test_what_is_no_choice_sends_nothing(typed: str) -> None:
    client = seated(ACT)
    assert done(client.read(typed)) == []
    assert done(client.read("1")) == [Answer(4, ("build:11",))]


def test_an_unclear_name_is_asked_back() -> None:
    ask = Ask(6, "act", (build(1, "temple", 1), build(2, "tavern", 1)))
    assert text(seated(ask).read("build t")) == [
        "That may mean 1. Build Temple for 1 gold and 2. Build Tavern for 1 gold. "
        "Say it more exactly."
    ]


def test_equal_cards_are_the_same_choice() -> None:
    ask = Ask(6, "act", (build(1, "tavern", 1), build(2, "tavern", 1)))
    assert done(seated(ask).read("tavern")) == [Answer(6, ("build:1",))]


@pytest.mark.parametrize(
    ("typed", "picks"),
    [
        ("1 3", ("card:11", "card:20")),
        ("3,1", ("card:20", "card:11")),
        ("palace, temple", ("card:20", "card:11")),
        ("palace temple", ("card:20", "card:11")),
        ("tav", ("card:12",)),
        ("none", ()),
    ],
)
def test_several_are_chosen(typed: str, picks: tuple[str, ...]) -> None:
    assert done(seated(DISCARD).read(typed)) == [Answer(5, picks)]


def test_too_many_are_refused_here() -> None:
    assert text(seated(DISCARD).read("all")) == ["Choose no more than 2."]


def test_an_answer_goes_before_a_command_of_the_same_name() -> None:
    gather = Ask(7, "gather", (Option("gold", "gold", {"gold": 2}), Option("cards", "cards")))
    assert done(seated(gather).read("gold")) == [Answer(7, ("gold",))]
    assert text(seated(ACT).read("gold"))[0] == "You: 2 gold, 3 cards."


def test_anything_may_be_asked_at_any_time() -> None:
    client = seated()
    assert text(client.read("city bob")) == ["The city of Bob, 1 of 7: Keep (3 unique)."]
    assert text(client.read("city 3")) == ["The city of Cleo is empty."]
    assert text(client.read("city zoe")) == ["Nobody of that name sits here."]
    assert text(client.read("crown")) == ["You have the crown."]
    assert text(client.read("called"))[0] == "Out of this round, face up: Thief."
    assert text(client.read("score"))[0] == "Bob: 3 points so far."
    assert text(client.read("card keep"))[1] == "The Warlord's power does not touch it."
    assert text(client.read("card lib"))[0] == "Library: a unique district, cost 6."
    assert text(client.read("card thief"))[0] == "Thief, rank 2."
    assert text(client.read("card xyzzy")) == ["There is no card called xyzzy."]
    assert text(client.read("table"))[0].startswith("Round 2. 41 cards in the deck.")
    assert len(text(client.read("rules"))) > 3


def test_whose_seat_a_bot_plays_sees_no_hand_and_is_told_why() -> None:
    client = Plain()
    client.hear(lobby())
    client.hear(StateNews(view(you=False), NAMES))
    assert text(client.read("hand")) == ["A bot plays your seat: you do not see its hand."]
    client.hear(replace(lobby(), you=None, spectator=True))
    assert text(client.read("hand")) == ["You only watch: you have no hand."]


def test_the_log_keeps_what_was_told() -> None:
    client = seated(EventNews(event(1, "last_round")), EventNews(event(2, "turn_ends", 1)))
    assert text(client.read("log")) == ["This is the last round.", "Bob ends the turn."]
    assert text(client.read("log 1")) == ["Bob ends the turn."]


def test_why_explains_what_is_barred() -> None:
    barred = Barred(build(20, "palace", 5), "too_dear", {"cost": 5, "gold": 2})
    client = seated(Ask(4, "act", ACT.options, barred=(barred,)))
    why = "Build Palace for 5 gold: It costs 5 gold; you have 2."
    assert text(client.read("why")) == [f"4. {why}"]
    assert text(client.read("why 4")) == [why]
    assert text(client.read("why palace")) == [why]
    assert text(client.read("why 1")) == ["It is possible: Build Temple for 1 gold."]


def test_why_speaks_of_the_hand_where_nothing_is_listed_as_barred() -> None:
    client = seated(ACT)
    assert text(client.read("why")) == ["Only what is listed is possible now."]
    assert text(client.read("why palace")) == ["Palace (5 noble, 3 gold short)."]
    assert text(client.read("why library")) == ["You do not have Library in your hand."]


def test_leaving_a_running_match_asks_once() -> None:
    client = seated(ACT)
    assert done(client.read("quit")) == []
    assert done(client.read("hand")) == []
    assert done(client.read("quit")) == []
    assert done(client.read("quit")) == [Leave()]


def test_leaving_asks_from_the_safety_words_on() -> None:
    """The first round is told before it is shown, and a match of laptops is kept by then."""
    client = Plain()
    client.hear(replace(lobby(), words=("012", "345", "678", "901")))
    assert "Type quit once more" in text(client.read("quit"))[0]
    assert done(client.read("quit")) == [Leave()]


def test_leaving_practice_says_that_it_is_not_kept() -> None:
    client = Plain()
    client.hear(replace(lobby(), name="", address=""))
    client.hear(StateNews(view(), NAMES))
    assert "practice is not kept" in text(client.read("quit"))[0]
    assert "practice" not in text(seated().read("quit"))[0]


def test_help_lists_every_command_of_the_place() -> None:
    shown = "\n".join(text(seated().read("help")))
    for command in COMMANDS:
        assert (f"  {command.name}" in shown) == (command.typed and command.where != "lobby")


def test_every_command_answers_or_acts_everywhere() -> None:
    for client in (Plain(), seated(), seated(ACT)):
        for command in COMMANDS:
            assert client.read(command.name) or command.name in ("again", "log")


@given(st.text(max_size=40))
def test_any_line_is_survived(line: str) -> None:
    for client in (Plain(), seated(ACT), seated(DISCARD)):
        client.read(line)


def test_end_of_input_leaves() -> None:
    assert seated(ACT).end() == (Leave(),)


# The host's table before the match


def hosting() -> Plain:
    """Ann's own table: Bob is there, the third seat is open."""
    client = Plain()
    client.hear(replace(lobby(), hosting=True, you=0))
    return client


def test_the_host_puts_bots_on_seats_and_sends_them_away() -> None:
    client = hosting()
    assert done(client.read("bot 3 easy")) == [SetBot(2, "easy")]
    assert done(client.read("bot 3")) == [SetBot(2, "normal")]
    assert done(client.read("open 3")) == [OpenSeat(2)]
    assert done(client.read("kick bob")) == [Kick(1)]
    assert text(client.read("bot 3 genius")) == ["Bots play like this: easy, normal and hard."]
    assert text(client.read("bot 9")) == ["Nobody of that name sits here."]


def test_the_host_proposes_another_game_option_by_option() -> None:
    client = hosting()
    assert done(client.read("change city 6")) == [Propose(Rules.make("classic", 3, 6))]
    waits = Patience(20, 0, "usual", 2, 1)
    client.hear(replace(lobby(), hosting=True, patience=waits))
    now = Rules.make("classic", 3, 8)
    slower = Propose(now, Liveness(away=60))
    assert done(client.read("change away 60")) == [slower]
    assert done(client.read("change escrow strict")) == [
        Propose(now, Liveness(escrow="strict"))
    ]
    assert done(client.read("change away 20")) == []
    client.hear(replace(lobby(), hosting=True))
    assert done(client.read("change seats 5")) == [Propose(Rules.make("classic", 5, 8))]
    assert text(client.read("change seats 9")) == ["Choose one of: 2, 3, 4, 5, 6, 7."]
    assert text(client.read("change"))[1] == "2. Seats: 3"
    assert done(client.read("change")) == []
    assert done(client.read("change seats 3")) == []


def test_who_could_open_a_hand_is_said_by_name_and_who_could_play_on_twice_beside_it() -> None:
    client = Plain()
    seats = (*lobby().seats[:2], replace(lobby().seats[0], seat=2, name="Cleo", operator=2))
    words = ("123", "456", "789", "012")
    rests = Trust((Holders(2, (0, 2)), Holders(2, (0, 2, 3))), 1, 1)
    table = replace(lobby(words=words), seats=seats, carrier="Dora", trust=rests)
    client.hear(replace(table, patience=Patience(20, 0, "usual", 4, 3)))
    opens = [
        "Ann and Cleo together could open your hand.",
        "Any 2 of Ann, Cleo and Dora together could open your hand.",
        "If 1 laptop goes away, the game goes on.",
    ]
    assert text(client.read("words"))[-5:] == [
        *opens,
        "Who commands the network with 1 laptop can play on twice, unseen.",
        "That opens no card; it shows what a second evening would.",
    ]
    assert text(client.read("options"))[-3:] == opens
    nobody = [
        "Nobody but you can open your hand.",
        "While a laptop is missing, the game waits.",
    ]
    client.hear(replace(table, trust=Trust((), 0, None)))
    assert text(client.read("words"))[-2:] == nobody


def test_who_looks_on_is_told_how_long_the_table_waits_and_strict_takes_no_seat_away() -> None:
    client = Plain()
    client.hear(replace(lobby(), you=None, patience=Patience(20, 0, "usual", 3, 2)))
    goes_on = "If 1 laptop goes away, the game goes on."
    assert text(client.read("options"))[-1] == goes_on
    strict = Patience(20, 0, "strict", 3, None, give_up=900)
    client.hear(replace(lobby(), patience=strict, trust=Trust((), 0, None)))
    waits = "While a laptop is missing, the game waits."
    assert text(client.read("options"))[-1] == waits


def test_what_the_table_plays_can_be_asked() -> None:
    assert text(hosting().read("options")) == [
        "Edition: Classic",
        "Seats: 3",
        "Complete city: 8 districts",
    ]


def test_a_guest_hears_what_the_host_changes() -> None:
    client = Plain()
    client.hear(lobby())
    options: dict[str, object] = {"edition": "classic", "seats": 3, "city": 6}
    assert text(client.hear(replace(lobby(), options=options))) == [
        "The host proposes another game; it needs your ready once more:",
        "Complete city: 6 districts",
    ]


def test_a_guest_hears_why_it_has_to_agree_once_more() -> None:
    client = Plain()
    client.hear(lobby(ready=True))
    assert text(client.hear(lobby(third="human"))) == [
        "Seat 2: Bob, that is you.",
        "Seat 3: Cleo.",
        "New here: Cleo. Say once more that you are ready.",
        "Type ready when you agree to this table. The host begins.",
    ]


def test_a_guest_hears_how_long_the_table_waits_from_now_on() -> None:
    client = Plain()
    client.hear(replace(lobby(), patience=Patience(20, 0, "usual", 3, 2)))
    other = replace(lobby(), patience=Patience(60, 30, "strict", 3, None, give_up=900))
    told = text(client.hear(other))
    assert told == [
        "The host proposes another game; it needs your ready once more:",
        "Time for a decision: 30 seconds",
        "Away after: 60 seconds",
        "Seat lost after: 900 seconds",
        "Standing in for who is away: nobody: the game waits",
    ]
    assert "Who is silent for 60 seconds counts as away." in text(client.read("options"))


def test_nothing_is_proposed_once_the_match_has_begun() -> None:
    client = hosting()
    client.hear(StateNews(view(), NAMES))
    assert done(client.read("change city 6")) == []


def test_characters_are_chosen_by_their_ranks() -> None:
    """As on the full screen: 4 is the King, whoever else can be chosen."""
    left = (("warlord", 1), ("king", 2))
    options = tuple(
        Option(f"take:{slot}", "take", {"slot": slot, "character": role}) for role, slot in left
    )
    client = seated()
    lines = text(client.hear(Ask(6, "character", options)))
    assert [line[:5] for line in lines if line.startswith("  ")] == ["  4. ", "  8. "]
    assert text(client.read("1"))[0] == "Choose one of these numbers: 4, 8."
    assert done(client.read("4")) == [Answer(6, ("take:2",))]


def test_several_characters_are_chosen_by_their_ranks() -> None:
    roles = ("thief", "king", "warlord")
    marks = tuple(Option(f"role:{role}", "role", {"character": role}) for role in roles)
    client = seated(Ask(6, "threats", marks, low=2, high=2))
    assert done(client.read("8, 2")) == [Answer(6, ("role:warlord", "role:thief"))]


def test_a_slip_in_a_name_is_answered_with_what_was_meant() -> None:
    named = tuple(
        Option(f"murder:{role}", "murder", {"character": role}) for role in ("thief", "king")
    )
    client = seated(Ask(6, "act", named))
    for typed in ("theif", "murder the theif"):
        assert text(client.read(typed)) == [
            "That is none of the choices. Did you mean Murder the Thief?"
        ]
    assert text(client.read("xyzzy"))[0].endswith("once more, or “help”.")
