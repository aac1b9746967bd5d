"""Nothing is left without a sentence, and nothing foreign reaches the terminal uncleaned."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, QUARTERS
from citadels_p2p.match.news import Ask, BotName, Notice, Option
from citadels_p2p.rules.events import KINDS, Event, Value
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.reasons import REASONS
from citadels_p2p.rules.view import You
from cli.i18n import LANGUAGES, _, pgettext, speaking
from cli.line.words import CONTEXT
from cli.text import (
    Scene,
    cards,
    clean,
    ending,
    label,
    listing,
    narrate,
    notice,
    refusal,
)
from cli.text.asking import in_order
from cli.text.endings import ENDINGS
from cli.text.events import VOICES, WRITTEN
from cli.text.labels import LABELS
from cli.text.lobby import together, yours
from cli.text.reasons import NOTICES, REFUSALS, WORKS
from cli.text.scores import SCORES
from cli.text.table import Box, my_role
from protocol.errors import RemoteError
from protocol.identity.names import MAX_CHAT, is_hidden, legible
from protocol.session import lobby
from tests.cli.scripted import view
from tests.screens.tale import tale

SCENE = Scene.of(("Ann", "Bob", "Cleo"), 0, {2: "thief"})

#: a value for every field name of the event vocabulary
FIELDS: dict[str, tuple[Value, ...]] = {
    "first": (0, 1, None, True, False),
    "crown": (0, 1, None),
    "characters": ((), ("thief",), ("thief", "bishop")),
    "districts": (("keep",), ("keep", "smithy")),
    "character": ("thief",),
    "card": ("library",),
    "reason": ("architect", "laboratory"),
    "quarter": QUARTERS,
    "purpose": ("murder", "theft", "other"),
    "seat": (0, 1),
    "other": (0, 2),
    "owner": (0, 1, 2),
    "victim": (0, 2),
    "before": (0, 1, 2, None),
    "to": (0, 2, None),
    "winners": ((0,), (1,), (0, 2)),
    "round": (1,),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_kind_is_told(kind: str) -> None:
    names = KINDS[kind]
    for turn in range(5):
        fields = [FIELDS.get(name, (0, 1, 2, 5)) for name in names]
        values = tuple(options[turn % len(options)] for options in fields)
        sentence = narrate(Event(1, kind, values), SCENE)
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence[-1] in ".!"
        assert "{" not in sentence
        assert "None" not in sentence


def test_a_call_that_nobody_answers() -> None:
    call = Event(1, "rank_called", (2, None, None))
    assert narrate(call, SCENE) == "Rank 2, Thief: nobody answers."
    assert narrate(call, Scene()) == "Rank 2 is called: nobody answers."


def test_no_sentence_is_told_for_an_event_that_does_not_exist() -> None:
    assert {row.partition(" ")[0] for row in VOICES} | set(WRITTEN) == set(KINDS)


def test_an_unknown_kind_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "bell_rung", ())
    assert narrate(Event(1, "bell_rung", ()), SCENE) == "Bell rung."


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_is_told_with_all_its_fields(code: str) -> None:
    assert code in REFUSALS
    fields: dict[str, Value] = {name: FIELDS.get(name, (1,))[0] for name in REASONS[code]}
    sentence = refusal(code, fields, SCENE)
    assert sentence.endswith(".")
    assert "?" not in sentence


@pytest.mark.parametrize("verb", VERBS)
def test_every_move_has_a_label_with_and_without_details(verb: str) -> None:
    assert verb in {*LABELS, "income", "share"}
    bare = label(Option(verb, verb), SCENE)
    full = label(
        Option(
            verb,
            verb,
            {
                "card": "tavern",
                "character": "thief",
                "seat": 1,
                "cost": 2,
                "gold": 2,
                "slot": 4,
            },
        ),
        SCENE,
    )
    assert bare[0].isupper()
    assert full[0].isupper()
    assert "{" not in bare + full


def test_whose_hand_is_empty_is_said_as_it_is() -> None:
    assert refusal("no_cards", {"seat": 1}, SCENE) == "Bob has no cards."
    assert refusal("nobody_has_cards", {}, SCENE) == "Nobody else has a card."
    assert refusal("too_few_cards", {}, SCENE) == "You hold too few cards for that."
    assert refusal("hand_empty", {}, SCENE) == "Your hand is empty."


@pytest.mark.parametrize(
    ("edition", "first"), [("dark-city", "tax_collector"), ("2016", "seer")]
)
def test_a_character_stands_where_its_box_calls_it(edition: str, first: str) -> None:
    """In The Dark City the Tax Collector is called second, in 2016 ninth."""
    roles = ("king", "tax_collector", "seer")
    options = tuple(Option(f"murder:{id}", "murder", {"character": id}) for id in roles)
    listed = in_order(Ask(1, "act", options), Box.of(edition))
    assert listed.options[0].fields["character"] == first


def test_every_card_has_a_name_and_every_unique_an_effect() -> None:
    assert set(cards.DISTRICTS) >= set(DISTRICTS)
    assert set(cards.QUARTERS) >= set(QUARTERS)
    assert set(cards.EDITIONS) >= set(EDITIONS)
    for card, row in DISTRICTS.items():
        assert (card in cards.EFFECTS) == (row.quarter == "unique")


def test_every_character_has_a_name_a_power_and_a_deed() -> None:
    for role in CHARACTERS:
        assert role in cards.CHARACTERS
        assert cards.POWERS[role]
        assert cards.ABILITIES[role].endswith(".")


def test_notices_and_endings_are_whole_sentences() -> None:
    fields: dict[str, Value] = {"name": "Bob", "names": ("Bob", "Cleo"), "what": "shuffle"}
    fields |= {"other": "Cleo"}
    fields |= {"done": 1, "moment": 2, "of": 4, "seq": 9, "count": 2, "seconds": 7}
    for code in NOTICES:
        assert notice(Notice(code, fields), SCENE)[-1] == "."
        assert "?" not in notice(Notice(code, fields), SCENE)
    for code in ENDINGS:
        assert ending(code, fields, SCENE)[-1] == "."
    assert set(SCORES) == {"districts", "quarters", "first_city", "other_city"}
    assert all(WORKS)


def test_a_suspicion_says_what_a_laptop_does_and_never_calls_it_a_cheat() -> None:
    said = {
        (why, about): notice(
            Notice("suspected", {"name": "Bob", "why": why, "about": about}), SCENE
        )
        for why in ("withholds", "complained", "differs", "forgets", "a new reason")
        for about in ("Cleo", SCENE.names[0], "")
    }
    me = SCENE.names[0]
    assert said["withholds", "Cleo"].startswith("Bob's laptop does not pass on what Cleo says;")
    assert said["withholds", me].startswith("Bob's laptop does not pass on what you say;")
    assert said["withholds", ""].startswith("Bob's laptop does not pass on what others say;")
    assert said["complained", "Cleo"] == (
        "Bob's laptop has stopped: it complains of Cleo, and shows nothing that proves it."
    )
    assert "complains of you," in said["complained", me]
    assert "it complains, and" in said["complained", ""]
    assert said["differs", ""] == (
        "Bob's laptop comes to another game than the others; it can go on by resuming."
    )
    assert said["forgets", ""].startswith("Bob's laptop has taken back what it had confirmed.")
    mine = {
        why: notice(Notice("suspected", {"name": me, "why": why, "about": ""}), SCENE)
        for why in ("differs", "forgets")
    }
    assert mine["differs"].startswith("Your laptop comes to another game than the others.")
    assert mine["forgets"].startswith("Your laptop has taken back what it had confirmed.")
    for sentence in (*said.values(), *mine.values()):
        assert sentence.endswith(".")
        assert "cheat" not in sentence.casefold()
        assert "broke" not in sentence.casefold()


def test_whoever_hosts_instead_is_told_with_the_reason() -> None:
    me = SCENE.names[0]

    def told(name: str, before: str) -> str:
        return notice(Notice("hosting", {"name": name, "instead_of": before}), SCENE)

    why = "did not pass on what others said."
    assert told("Cleo", "Bob") == f"Cleo's laptop hosts now, because Bob's {why}"
    assert told(me, "Bob") == f"Your laptop hosts now, because Bob's {why}"
    assert told("Cleo", me) == f"Cleo's laptop hosts now, because yours {why}"
    assert notice(Notice("hosting", {"name": "Cleo"}), SCENE) == (
        "Cleo is the host from here on."
    )
    assert notice(Notice("hosting", {"name": me}), SCENE) == "You are the host from here on."


def test_who_gives_way_or_differs_is_told_what_to_do() -> None:
    assert ending("elsewhere", {}, SCENE).endswith("Nothing is lost.")
    assert "`citadels resume`" in ending("differs", {}, SCENE)
    assert "never said" in ending("false_words", {}, SCENE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_may_not_look_on_is_told_what_the_host_chooses_and_types(language: str) -> None:
    with speaking(language):
        told = ending("no_spectators", {}, SCENE)
        assert _("Let others look on") in told
        assert pgettext(CONTEXT, "welcome") in told
        assert "`citadels host --spectators`" in told


def test_that_the_last_spectator_has_gone_is_no_number() -> None:
    told = [notice(Notice("watching", {"count": count}), SCENE) for count in (0, 1, 2)]
    assert told == [
        "Nobody watches any more.",
        "1 spectator watches now.",
        "2 spectators watch now.",
    ]


def test_one_character_or_several_are_ones_own() -> None:
    one, two = (
        replace(view(), turn=None, you=You(0, (), roles, ()))
        for roles in (("merchant",), ("merchant", "bishop"))
    )
    assert my_role(one, Box.of("classic")) == "Your character: Merchant."
    assert my_role(two, Box.of("classic")) == "Your characters: Merchant and Bishop."


def test_every_failure_raised_below_has_a_sentence() -> None:
    root = Path(__file__).parents[2]
    hints: set[str] = set()
    for wing in ("protocol", "citadels_p2p"):
        for module in (root / wing).rglob("*.py"):
            source = module.read_text(encoding="utf-8")
            hints.update(re.findall(r'(?:Unavailable\(|hint = )\s*"([a-z_]+)"', source))
    codes = {error.code for error in _family(RemoteError)}
    assert "not_found" in hints
    assert "equivocation" in codes
    assert (hints | codes) - set(ENDINGS) - set(REFUSALS) == set()


def _family(error: type[RemoteError]) -> set[type[RemoteError]]:
    return {error}.union(*(_family(child) for child in error.__subclasses__()))


def test_every_refusal_of_the_lobby_has_a_sentence() -> None:
    listed = re.search(r'Refusals are codes: ((?:"[a-z_]+",?\s*)+)', lobby.__doc__ or "")
    assert listed is not None
    assert set(re.findall("[a-z_]+", listed[1])) - set(REFUSALS) - set(ENDINGS) == set()


def test_a_code_from_the_future_is_shown_as_its_own_words() -> None:
    assert refusal("moon_is_full", {}, SCENE) == "Moon is full."
    assert refusal("too_dear", {}, SCENE) == "It costs ? gold; you have ?."
    assert notice(Notice("tea\x1b_time"), SCENE) == "Tea time."


def test_listing() -> None:
    assert [listing(x) for x in ((), ("a",), ("a", "b"), ("a", "b", "c"))] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_equal_and_empty_names_are_told_apart() -> None:
    scene = Scene.of(("Ann", "ann", "\x1b\u200b"), None)
    assert scene.names == ("Ann (seat 1)", "ann (seat 2)", "Seat 3")
    scene = Scene.of(("Ann", "\uff21nn\u3164", "\u3164\u115f"), None)
    assert scene.names == ("Ann (seat 1)", "\uff21nn (seat 2)", "Seat 3")
    assert scene.name(9) == "Seat 10"


def test_clean_takes_what_a_terminal_would_obey() -> None:
    assert clean("a\x1b[31m\x07b\u202ec\u200bd\r\ne\ud800") == "a[31mbcd e"
    assert clean("x" * 30, 24) == "x" * 23 + "…"
    assert clean("a" + "\u0301" * 50) == "a\u0301\u0301\u0301"
    assert clean("Анна  Ёлкина") == "Анна Ёлкина"
    assert clean("An\u3164na\u1160\ufe0f\u2800\U000e0100") == "Anna"
    assert clean("\U0001f44d\U0001f3fd \u2764\ufe0f") == "\U0001f44d\U0001f3fd \u2764"


@given(st.text())
@example("\u0301a")
@example(" \U00011c2f ")
def test_what_a_table_lets_through_is_shown_as_it_came(text: str) -> None:
    heard = legible(text, MAX_CHAT)
    assert clean(heard, MAX_CHAT) == heard


@given(st.text())
@example("\t\u0301")
def test_clean_leaves_no_control_character(text: str) -> None:
    shown = clean(text, 40)
    assert len(shown) <= 40
    assert shown == clean(shown, 40)
    assert not any(map(is_hidden, shown))
    shown.encode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_is_called_in_our_language_and_no_person_looks_like_one(language: str) -> None:
    """Who is a bot is a matter of the seat: a person who calls itself so is quoted, in the
    words of any language and in letters that look like them.
    """
    with speaking(language):
        bot = Scene.of((BotName(2),), None).names[0]
        persons = [
            bot,
            "Bot 2",
            "BOT2",
            "\uff22ot-2",
            "Воt 2",
            "Бот 2",
            "easy bot",
            "b\u200bot_2",
        ]
        seen = Scene.of([str(name) for name in persons], None).names
    assert bot == ("Бот 2" if language in ("ru", "uk") else "Bot 2")
    for name, shown in zip(persons, seen, strict=True):
        assert shown[0] in "“«", name
        assert clean(str(name)) in shown
    assert Scene.of(("Botho", "Abbot", "Anna"), None).names == ("Botho", "Abbot", "Anna")


@pytest.mark.parametrize("seat", [None, 1])
def test_a_replay_says_of_nobody_that_they_share_a_laptop(seat: int | None) -> None:
    """What is saved does not say who plays on whose laptop."""
    opening = tale(5, 3).opening(seat)
    assert together(opening) == ()
    assert yours(opening) == (() if seat is None else (seat,))
