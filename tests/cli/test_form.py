"""The form of a game: its fields are the flags, and it ends as a command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citadels_p2p.cards import EDITIONS, PRESETS
from citadels_p2p.match.news import Patience
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from cli.line.form import NOT_ASKED, Form
from cli.line.parser import build
from tests.cli.scripted import lobby


def host() -> Form:
    return Form.of_command("host")


def names(form: Form) -> list[str]:
    return [field.name for field in form.fields]


def test_every_flag_of_the_command_is_asked() -> None:
    parser = next(a for a in build()._actions if a.dest == "command").choices["host"]  # type: ignore[index,union-attr]
    common = {"lang", "ui", "theme", "color", "ascii", "debug"}
    flags = {action.dest for action in parser._actions} - NOT_ASKED - common
    asked = set(names(host())) | set(names(host().with_value("edition", "2016")))
    assert asked == flags


def test_an_untouched_form_is_the_bare_command() -> None:
    assert host().line() == ("host",)
    assert host().game() == Rules.make()
    assert host().refusal() == ("", "")


def test_who_shares_the_laptop_is_nobody_until_somebody_does() -> None:
    assert host().shown("people") == "nobody"
    assert host().with_value("people", ("Ann", "Ben")).shown("people") == "Ann, Ben"


def test_a_form_and_its_command_line_describe_the_same_game() -> None:
    form = (
        host()
        .with_value("edition", "2016")
        .with_value("seats", 5)
        .with_value("table", "Fri day")
    )
    form = form.toggled("characters", "witch").with_value("city", 6).with_value("bots", 2)
    form = form.with_value("no_seat", True)
    assert form.line()[:2] == ("host", "Fri day")
    parsed = build().parse_args(form.line())
    assert Form.of_command("host").values.keys() <= vars(parsed).keys()
    assert {name: getattr(parsed, name) for name in form.values} == dict(form.values)
    assert form.game().characters[0] == "witch"


def test_stepping_goes_round_through_every_choice() -> None:
    form = host()
    seen = []
    for _ in EDITIONS:
        seen.append(form.values["edition"])
        form = form.stepped("edition", 1)
    assert sorted(map(str, seen)) == sorted(EDITIONS)
    assert form.values["edition"] == seen[0]
    assert form.stepped("edition", -1).values["edition"] == seen[-1]
    assert form.stepped("start_when_full", 1).values["start_when_full"] is True


def test_another_edition_forgets_what_only_the_former_one_has() -> None:
    form = host().with_value("edition", "2016").with_value("preset", "vicious_nobles")
    assert "preset" in names(form)
    form = form.with_value("seats", 8).with_value("edition", "classic")
    assert "preset" not in names(form)
    assert form.values["preset"] is None
    assert form.values["seats"] == 7
    assert form.refusal() == ("", "")


def test_bots_leave_a_seat_for_the_host() -> None:
    form = host().with_value("seats", 3)
    assert form.field("bots").choices == (0, 1, 2)
    assert form.with_value("bots", 2).with_value("seats", 2).values["bots"] == 1
    assert form.with_value("no_seat", True).field("bots").choices == (0, 1, 2, 3)


def test_a_character_takes_the_place_of_the_one_of_its_rank() -> None:
    form = host().with_value("edition", "2016").toggled("characters", "spy")
    assert form.picked("characters")[:3] == ("assassin", "spy", "magician")
    form = form.toggled("characters", "artist")
    assert form.picked("characters")[-1] == "artist"
    assert form.toggled("characters", "artist").picked("characters")[-1] == "warlord"
    assert form.toggled("characters", "spy").picked("characters")[1] == "spy"


def test_ranks_are_those_of_the_older_box_where_it_is_chosen() -> None:
    form = host().with_value("edition", "dark-city")
    for one in EDITIONS["dark-city"].cast:
        if form.rank_of(one) < 9:
            assert len(form.toggled("characters", one).picked("characters")) == 8


def test_changing_a_preset_keeps_the_rest_of_it() -> None:
    form = host().with_value("edition", "2016").with_value("preset", "cunning_agents")
    before = form.game()
    form = form.toggled("characters", "spy")
    assert form.values["preset"] is None
    assert form.game().uniques == before.uniques
    assert set(form.game().characters) ^ set(before.characters) == {"spy", "blackmailer"}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_chosen(preset: str) -> None:
    form = host().with_value("edition", "2016").with_value("preset", preset)
    assert form.refusal() == ("", "")
    assert form.line() == ("host", "--edition", "2016", "--preset", preset)


def test_a_refusal_names_its_field() -> None:
    form = host().with_value("edition", "2016").toggled("uniques", "park")
    field, why = form.refusal()
    assert field == "uniques"
    assert why == "Unique districts in this edition (2016): 14."


def test_a_form_of_a_table_proposes_the_same_game() -> None:
    game = Rules.make("2016", 5, 6, characters=["witch"], draft="deal")
    form = Form.of_table(replace(lobby(), options=game.to_options()))
    assert form.game() == game
    assert "bots" not in names(form)
    assert form.shown("city") == "6 districts"
    assert form.with_value("seats", 4).game() == Rules.make(
        "2016", 4, 6, characters=["witch"], draft="deal"
    )


def test_a_form_of_a_table_asks_how_long_it_waits() -> None:
    waits = Patience(45, 0, "strict", 2, None, give_up=900)
    form = Form.of_table(replace(lobby(), patience=waits))
    agreed = Liveness(away=45, give_up=900, escrow="strict")
    assert form.proposal() == (Rules.make("classic", 3, 8), agreed)
    assert form.shown("escrow") == "nobody: the game waits"
    assert form.shown("step_time") == "no limit"
    other = form.typed("step_time", "60").typed("escrow", "usual").typed("give_up", "0")
    assert other.proposal()[1] == Liveness(away=45, step_time=60)
    assert form.typed("away", "0").refusal() == (
        "away",
        "A laptop counts as away after 1 second or more.",
    )
    practice = Form.of_table(lobby())
    assert not {"away", "escrow"} & set(names(practice))
    assert practice.proposal()[1] is None


def test_typed_values_are_those_of_the_command_line() -> None:
    assert host().typed("seats", "5").values["seats"] == 5
    assert host().typed("draft", "dealt by chance").values["draft"] == "deal"
    assert host().typed("table", " Friday ").values["table"] == "Friday"
    for name, text in (("seats", "12"), ("table", "x" * 40), ("edition", "1999")):
        with pytest.raises(ValueError, match=r"\w"):
            host().typed(name, text)


def test_lots_may_choose_what_nobody_names() -> None:
    form = host().with_value("edition", "2016").toggled("characters", "random")
    assert form.values["characters"] == ("random",)
    assert form.refusal() == ("", "")
    form = form.toggled("characters", "witch").toggled("uniques", "random")
    assert form.values["characters"] == ("witch", "random")
    assert form.refusal() == ("", "")
    assert form.toggled("characters", "witch").values["characters"] == ("random",)
    assert form.toggled("characters", "random").values["characters"] is None


def test_persons_who_share_a_laptop() -> None:
    form = Form.of_command("play")
    assert form.written("people") == ""
    form = form.typed("people", "Ann, Ben")
    assert form.shown("people") == "Ann, Ben"
    assert form.written("people") == "Ann,Ben"
    assert form.line() == ("play", "--people", "Ann,Ben")
    with pytest.raises(ValueError, match="two or more"):
        form.typed("people", "Ann")
