"""The machine client, line by line: JSON-UI.md as tests."""

from __future__ import annotations

import json
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
    Awaited,
    Bye,
    Chat,
    EventNews,
    Notice,
    OverNews,
    Refused,
    ScoreLine,
    SeatScore,
    StateNews,
    Told,
)
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from citadels_p2p.rules.events import KINDS
from cli.client.effects import Print
from cli.client.json_lines import LINE_LIMIT, JsonLines
from protocol.identity.names import MAX_CHAT
from tests.cli.scripted import ACT, DISCARD, NAMES, event, lobby, view


def client() -> JsonLines:
    return JsonLines("citadels-p2p 0.1.0", 1)


def said(acts: tuple[Act, ...]) -> dict[str, object]:
    """The one line printed."""
    (act,) = acts
    assert isinstance(act, Print)
    assert "\n" not in act.text
    value = json.loads(act.text)
    assert isinstance(value, dict)
    assert next(iter(value)) == "type"
    return value


def test_first_line_is_hello() -> None:
    assert said(client().greet()) == {
        "type": "hello",
        "version": 1,
        "program": "citadels-p2p 0.1.0",
        "protocol": 1,
    }


def test_table_names_every_seat_and_you() -> None:
    line = said(client().hear(lobby(words=("412", "088"))))
    assert line["type"] == "table"
    assert line["name"] == "Friday"
    assert line["edition"] == "classic"
    assert line["address"] == "10.0.0.7:4521"
    assert line["options"] == {"edition": "classic", "seats": 3, "city": 8}
    assert line["words"] == ["412", "088"]
    assert line["you"] == 1
    assert line["seats"][2] == {  # type: ignore[index]
        "seat": 2,
        "name": "",
        "kind": "open",
        "operator": None,
        "present": True,
        "ready": False,
        "level": "easy",
        "suspected": "",
    }


def test_a_suspicion_is_a_notice_and_a_state_of_the_seat() -> None:
    why = {"name": "Bo\x1b[31mb", "why": "withholds", "about": "Cleo"}
    assert said(client().hear(Notice("suspected", dict(why)))) == {
        "type": "notice",
        "code": "suspected",
        "name": "Bo[31mb",
        "why": "withholds",
        "about": "Cleo",
    }
    seats = lobby().seats
    table = replace(lobby(), seats=(replace(seats[0], suspected="withholds"), *seats[1:]))
    line = said(client().hear(table))
    assert [seat["suspected"] for seat in line["seats"]] == ["withholds", "", ""]  # type: ignore[attr-defined]


def test_state_is_the_whole_view() -> None:
    line = said(client().hear(StateNews(view(seen=((30, "market"),)), NAMES)))
    assert line["type"] == "state"
    assert line["n"] == 7
    assert line["phase"] == "turns"
    assert line["turn"] == {"seat": 0, "rank": 6, "character": "merchant"}
    assert line["faceup"] == ["thief"]
    assert line["seats"][1] == {  # type: ignore[index]
        "seat": 1,
        "name": "Bob",
        "gold": 5,
        "hand": 4,
        "city": [{"card": "keep", "slot": 9, "cost": 3, "type": "unique"}],
        "characters": [None],
        "present": True,
        "points_so_far": 3,
    }
    assert line["you"] == {
        "seat": 0,
        "hand": [
            {"card": "palace", "slot": 20, "name": "Palace", "cost": 5, "type": "noble"},
            {"card": "temple", "slot": 11, "name": "Temple", "cost": 1, "type": "religious"},
            {"card": "tavern", "slot": 12, "name": "Tavern", "cost": 1, "type": "trade"},
        ],
        "characters": ["merchant"],
        "seen": [{"card": "market", "slot": 30, "name": "Market", "cost": 2, "type": "trade"}],
        "signed": {},
    }


def test_state_without_you_is_the_same_for_everybody() -> None:
    mine = said(client().hear(StateNews(view(), NAMES)))
    theirs = said(client().hear(StateNews(view(you=False), NAMES)))
    assert theirs["you"] is None
    del mine["you"], theirs["you"]
    assert mine == theirs


def test_event_carries_its_own_fields() -> None:
    line = said(client().hear(EventNews(event(9, "income", 1, 2, "trade"))))
    expected = {"type": "event", "n": 9, "event": "income", "seat": 1, "gold": 2}
    assert line == {**expected, "quarter": "trade"}


def test_no_event_field_hides_a_key_of_the_line() -> None:
    assert all(not {"type", "n", "event"} & set(fields) for fields in KINDS.values())


def test_ask_of_one_lists_options_with_labels() -> None:
    line = said(client().hear(ACT))
    assert (line["id"], line["kind"], line["deadline"]) == (4, "act", None)
    assert "subset" not in line
    assert line["options"][0] == {  # type: ignore[index]
        "id": "build:11",
        "label": "Build Temple for 1 gold",
        "verb": "build",
        "gift": False,
        "sacrifice": False,
        "harms": False,
        "slot": 11,
        "card": "temple",
        "cost": 1,
    }


def test_ask_of_several_gives_its_bounds() -> None:
    line = said(client().hear(DISCARD))
    assert "options" not in line
    subset = line["subset"]
    assert (subset["min"], subset["max"]) == (0, 2)  # type: ignore[index]
    assert [option["id"] for option in subset["of"]] == ["card:20", "card:11", "card:12"]  # type: ignore[index]


def test_over_gives_scores_by_seat_and_one_winner_or_several() -> None:
    scores = (
        SeatScore(1, 12, (ScoreLine("districts", 12),), 2),
        SeatScore(0, 25, (ScoreLine("districts", 21), ScoreLine("first_city", 4)), 1),
    )
    line = said(client().hear(OverNews(scores, (0,), "ab12", "/m.citadels", NAMES)))
    assert line["winner"] == 0
    assert line["digest"] == "ab12"
    assert line["journal"] == "/m.citadels"
    assert [score["seat"] for score in line["scores"]] == [0, 1]  # type: ignore[attr-defined]
    assert line["scores"][0]["lines"][1] == {"reason": "first_city", "points": 4}  # type: ignore[index]
    tied = said(client().hear(OverNews(scores, (0, 1), "ab12", "", NAMES)))
    assert tied["winner"] == [0, 1]


def test_chat_notice_refusal_and_bye() -> None:
    machine = client()
    assert said(machine.hear(Chat(1, "Bob\x1b[31m", "hi\n\u202eyou"))) == {
        "type": "chat",
        "seat": 1,
        "name": "Bob[31m",
        "text": "hi you",
    }
    assert said(machine.hear(Notice("away", {"name": "Bob", "type": "x"}))) == {
        "type": "notice",
        "code": "away",
        "name": "Bob",
    }
    refused = said(machine.hear(Refused("seat_open")))
    assert (refused["type"], refused["reason"], refused["ask"]) == ("error", "seat_open", None)
    assert said(machine.hear(Bye(6, "left"))) == {"type": "bye", "code": 6, "reason": "left"}


def test_answers_reach_the_session_once() -> None:
    machine = client()
    machine.hear(ACT)
    assert machine.read('{"answer": 4, "option": "end"}') == (Answer(4, ("end",)),)
    assert said(machine.read('{"answer": 4, "option": "end"}'))["reason"] == "closed_ask"


def test_refused_answer_leaves_the_ask_open() -> None:
    machine = client()
    machine.hear(ACT)
    machine.read('{"answer": 4, "option": "end"}')
    machine.hear(Refused("too_dear", {"cost": 3, "gold": 2}, 4))
    assert machine.read('{"answer": 4, "option": "income"}') == (Answer(4, ("income",)),)


@pytest.mark.parametrize(
    "closing",
    [
        Notice("time_up"),
        Notice("resting", {"level": "easy"}),
        StateNews(view(), NAMES, Awaited(1, "act")),
    ],
)
def test_a_question_that_another_answers_is_open_no_more(closing: Told) -> None:
    machine = client()
    machine.hear(ACT)
    machine.hear(closing)
    assert said(machine.read("{}"))["ask"] is None


def test_a_refusal_that_is_heard_late_opens_no_question_for_long() -> None:
    """Of something else that was wanted before the answer, which is accepted."""
    machine = client()
    machine.hear(ACT)
    machine.read('{"answer": 4, "option": "end"}')
    machine.hear(Refused("already_so", {}, 4))
    machine.hear(StateNews(view(), NAMES, Awaited(1, "act")))
    assert said(machine.read("{}"))["ask"] is None


def test_answer_of_several() -> None:
    machine = client()
    machine.hear(DISCARD)
    assert (
        said(machine.read('{"answer": 5, "option": "card:11"}'))["reason"] == "unknown_option"
    )
    three = '{"answer": 5, "subset": ["card:11", "card:12", "card:20"]}'
    assert said(machine.read(three))["reason"] == "wrong_count"
    twice = '{"answer": 5, "subset": ["card:11", "card:11"]}'
    assert said(machine.read(twice))["reason"] == "unknown_option"
    both = '{"answer": 5, "subset": ["card:11", "card:20"]}'
    assert machine.read(both) == (Answer(5, ("card:11", "card:20")),)


def test_other_acts() -> None:
    machine = client()
    assert machine.read('{"say": "  hello\\u0007 "}') == (Say("hello"),)
    assert machine.read(json.dumps({"say": "a" * MAX_CHAT})) == (Say("a" * MAX_CHAT),)
    (long,) = machine.read(json.dumps({"say": "a" * 2 * MAX_CHAT}))
    assert isinstance(long, Say)
    assert len(long.text) == MAX_CHAT, "no more than the table hears"
    assert machine.read('{"do": "ready"}') == (Ready(),)
    assert machine.read('{"do": "unready"}') == (Ready(agrees=False),)
    assert machine.read('{"do": "start"}') == (Start(),)
    assert machine.read('{"do": "kick", "seat": 3}') == (Kick(3),)
    assert machine.read('{"do": "hand_over", "level": "easy"}') == (HandOver("easy"),)
    assert machine.read('{"do": "hand_over", "level": ""}') == (HandOver(""),)
    assert machine.read('{"do": "depart"}') == (Depart(),)
    assert machine.read('{"do": "reopen"}') == (Reopen(),)
    assert machine.read('{"do": "take_over"}') == (TakeOver(),)
    assert machine.read('{"do": "leave"}') == (Leave(),)
    assert machine.read('{"do": "pause"}') == (Leave(),)
    assert machine.end() == (Leave(),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("garbage", "not_json"),
        ("[" * 100_000, "too_long"),
        ("[" * 50_000, "not_json"),
        ("9" * 50_000, "not_json"),
        ("[1,2]", "not_an_object"),
        ("{}", "unknown_line"),
        ('{"answer": 4, "say": "x"}', "unknown_line"),
        ('{"answer": -5, "option": "x"}', "closed_ask"),
        ('{"answer": true, "option": "end"}', "closed_ask"),
        ('{"answer": "4", "option": "end"}', "closed_ask"),
        ('{"answer": 4, "option": "no such option"}', "unknown_option"),
        ('{"answer": 4, "option": ["end"]}', "unknown_option"),
        ('{"answer": 4, "subset": ["end"]}', "unknown_option"),
        ('{"answer": 4}', "unknown_option"),
        ('{"say": 5}', "nothing_said"),
        ('{"say": "\\u0000"}', "nothing_said"),
        ('{"do": "dance"}', "unknown_act"),
        ('{"do": ["start"]}', "unknown_act"),
        ('{"do": "kick"}', "unknown_seat"),
        ('{"do": "kick", "seat": true}', "unknown_seat"),
        ("x" * (LINE_LIMIT + 1), "too_long"),
    ],
)
def test_a_line_that_makes_no_sense_changes_nothing(line: str, reason: str) -> None:
    machine = client()
    machine.hear(ACT)
    refused = said(machine.read(line))
    assert (refused["type"], refused["reason"], refused["ask"]) == ("error", reason, 4)
    assert machine.read('{"answer": 4, "option": "end"}') == (Answer(4, ("end",)),)


@given(st.text(max_size=80))
def test_any_text_gives_acts_or_an_error(line: str) -> None:
    machine = client()
    machine.hear(ACT)
    for act in machine.read(line):
        assert isinstance(act, (Print, Say))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["answer", "option", "subset", "say", "do", "seat"]), json_values
    )
)
def test_any_object_gives_acts_or_an_error(value: dict[str, object]) -> None:
    machine = client()
    machine.hear(DISCARD)
    for act in machine.read(json.dumps(value)):
        assert isinstance(act, (Print, Say, Answer, Kick))


def test_the_host_may_change_the_table() -> None:
    client = JsonLines("p", 1)
    client.hear(lobby())
    assert client.read('{"do": "bot", "seat": 2, "level": "easy"}') == (SetBot(2, "easy"),)
    assert client.read('{"do": "bot", "seat": 2}') == (SetBot(2, "normal"),)
    assert client.read('{"do": "open", "seat": 2}') == (OpenSeat(2),)
    options = {"edition": "classic", "seats": 5, "city": 6}
    line = json.dumps({"do": "options", "options": options})
    assert client.read(line) == (Propose(Rules.make("classic", 5, 6)),)
    plain = json.dumps({"do": "options", "options": {"edition": "classic", "seats": 5}})
    assert client.read(plain) == (Propose(Rules.make("classic", 5)),), "as the edition has it"
    waits = {"away": 60, "escrow": "strict", "laptops": 2, "needed": None}
    line = json.dumps({"do": "options", "options": options, "patience": waits})
    slower = Liveness(away=60, escrow="strict")
    assert client.read(line) == (Propose(Rules.make("classic", 5, 6), slower),)
    for wrong in ({"away": 0}, {"away": "soon"}, {"escrow": 7}, []):
        line = json.dumps({"do": "options", "options": options, "patience": wrong})
        (refused,) = client.read(line)
        assert isinstance(refused, Print)
        assert json.loads(refused.text)["type"] == "error"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"do": "bot"}', "unknown_seat"),
        ('{"do": "open", "seat": true}', "unknown_seat"),
        ('{"do": "options"}', "unknown_option"),
        ('{"do": "options", "options": {"edition": "classic"}}', "unknown_option"),
        (
            '{"do": "options", "options": {"edition": "classic", "seats": 9, "city": 7}}',
            "seats_out_of_range",
        ),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(line: str, reason: str) -> None:
    client = JsonLines("p", 1)
    (printed,) = client.read(line)
    assert isinstance(printed, Print)
    shown = json.loads(printed.text)
    assert (shown["type"], shown["reason"]) == ("error", reason)
    assert shown["message"].endswith(".")


def test_a_game_may_be_proposed_without_the_size_of_its_city() -> None:
    line = json.dumps({"do": "options", "options": {"edition": "classic", "seats": 5}})
    assert client().read(line) == (Propose(Rules.make("classic", 5), None),)
