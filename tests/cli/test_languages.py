"""Which language is spoken, and that a change of it reaches everything."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file

from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import StateNews
from cli import i18n
from cli.__main__ import main
from cli.client.effects import Print
from cli.client.plain import Plain
from cli.i18n import _, counted
from cli.i18n.ascii_twins import HANDLER, to_ascii
from cli.line import argparse_words
from cli.text.scene import shown
from tests.cli import catalogues
from tests.cli.scripted import ACT, NAMES, view


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Whatever a test speaks, the next one hears English."""
    yield
    i18n.use("en")
    i18n.only_ascii(False)


# Which one


def test_the_flag_is_found_before_the_line_is_parsed() -> None:
    assert i18n.flagged(["play", "--lang", "ru"]) == "ru"
    assert i18n.flagged(["--lang=uk", "play", "--seats", "3"]) == "uk"
    assert i18n.flagged(["play"]) is None
    assert i18n.flagged(["play", "--lang"]) is None
    assert i18n.flagged(["play", "--lang", "tlh"]) is None
    assert i18n.flagged(["rules", "--", "--lang", "fr"]) is None


def test_the_variable_goes_before_the_settings_and_those_before_the_system() -> None:
    everything = {"CITADELS_LANG": "fr", "LANG": "ru_RU.UTF-8"}
    assert i18n.preferred(everything, settled="uk") == "fr"
    assert i18n.preferred({"LANG": "ru_RU.UTF-8"}, settled="uk") == "uk"
    assert i18n.preferred({"LANG": "ru_RU.UTF-8"}) == "ru"


def test_the_system_says_its_language_as_gettext_has_it() -> None:
    assert i18n.preferred({"LC_ALL": "fr_CA.UTF-8", "LANG": "ru_RU.UTF-8"}) == "fr"
    assert i18n.preferred({"LC_MESSAGES": "uk_UA", "LANG": "ru_RU.UTF-8"}) == "uk"
    assert i18n.preferred({"LANGUAGE": "de:uk:ru", "LANG": "de_DE.UTF-8"}) == "uk"
    assert i18n.preferred({"LANGUAGE": "fr", "LC_ALL": "C.UTF-8"}) == "en"
    assert i18n.preferred({"LANG": "de_DE.UTF-8"}) == "en"
    assert i18n.preferred({}) == "en"


def test_settings_decide_where_no_flag_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    (tmp_path / "settings.toml").write_text('lang = "uk"\n', encoding="utf-8")
    assert main(["rules", "tavern"]) == 0
    assert "Таверна" in capsys.readouterr().out
    assert main(["rules", "tavern", "--lang", "fr"]) == 0
    assert "Taverne" in capsys.readouterr().out


# What changes with it


def test_a_change_reaches_what_is_said_next() -> None:
    i18n.use("fr")
    assert _("Tavern") == "Taverne"
    i18n.use("ru")
    assert _("Tavern") == "Таверна"
    assert [counted("{gold} gold", gold=n) for n in (1, 3, 11)] == [
        "1 золотой",
        "3 золотых",
        "11 золотых",
    ]
    i18n.use("en")
    assert _("Tavern") == "Tavern"
    assert i18n.current() == "en"


def test_an_unknown_language_is_english() -> None:
    i18n.use("tlh")
    assert i18n.current() == "en"
    assert _("Tavern") == "Tavern"


# Letters


def test_ascii_letters_for_every_sentence() -> None:
    i18n.use("uk")
    i18n.only_ascii(True)
    assert _("Thieves' Den") == "Prikhistok grabizhnikiv"
    assert shown("Ганна\u202fЖук") == "Ganna Zhuk"
    i18n.use("fr")
    assert _("Is the count right?") == "Le compte est-il juste ?"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_sentence_has_ascii_letters(language: str) -> None:
    for message in catalogues.read(language) if language != "en" else catalogues.sentences():
        for form in catalogues.forms(message):
            assert to_ascii(form).isascii()
            assert to_ascii(form).count("?") == form.count("?"), form


def test_a_stream_gets_the_nearest_letters_that_it_has() -> None:
    assert "Щит\u202f: œuf…".encode("koi8-r", HANDLER).decode("koi8-r") == "Щит : oeuf..."
    assert "Хід — «дім»".encode("cp1252", HANDLER).decode("cp1252") == "Khid — «dim»"


def test_programs_get_names_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    assert main(["whoami", "--ascii", "--name", "Ёж"]) == 0
    assert "Ezh" in capsys.readouterr().out
    assert main(["whoami", "--ascii", "--name", "Ёж", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Ёж"


# argparse


#: messages to programmers, and of parts of argparse that are not used here
NOT_SAID = {
    "%r is not callable",
    ".__call__() not defined",
    "'required' is an invalid argument for positionals",
    "%(prog)s: error: %(message)s\n",
    "%(prog)s: warning: %(message)s\n",
    "argument '%(argument_name)s' is deprecated",
    "command '%(parser_name)s' is deprecated",
    "option '%(option)s' is deprecated",
    'argument "-" with mode %r',
    "can't open '%(filename)s': %(error)s",
    "cannot have multiple subparser arguments",
    "cannot merge actions - two groups are named %r",
    "conflicting subparser alias: %s",
    "conflicting subparser: %s",
    "dest= is required for options like %r",
    "invalid conflict_resolution value: %r",
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    "mutually exclusive arguments must be optional",
    "show program's version number and exit",
    "subcommands",
    "title",
    "description",
    " (default: %(default)s)",
    "%(heading)s:",  # no word, and nothing before Python 3.13
}


def test_every_word_of_argparse_is_translated() -> None:
    """Whatever the running Python's argparse may say is marked, and said in our language."""
    assert argparse.__file__ is not None
    found = extract_from_file("python", argparse.__file__)
    plain = {message for _line, message, *_rest in found if isinstance(message, str)}
    assert plain - NOT_SAID - {""} <= set(argparse_words.SAID)
    for message in argparse_words.SAID:
        i18n.use("uk")
        assert _(message) != message


def test_a_wrong_command_line_is_answered_in_the_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "--lang", "ru", "--seats", "many"])
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert said.startswith("citadels play: аргумент --seats: ")
    assert "аргумент --seats" in said


# The plain table


def seated() -> Plain:
    """A client in the middle of a match, sitting as Ann."""
    client = Plain()
    client.hear(StateNews(view(n=0), NAMES))
    client.hear(ACT)
    return client


def typed(client: Plain, line: str) -> tuple[str, ...]:
    return tuple(act.text for act in client.read(line) if isinstance(act, Print))


@pytest.mark.parametrize(
    ("language", "local"),
    [("ru", "рука"), ("uk", "РУКА"), ("fr", "main"), ("ru", "ruka"), ("fr", "hand")],
)
def test_a_word_may_be_local_or_english(language: str, local: str) -> None:
    i18n.use(language)
    assert typed(seated(), local) == typed(seated(), "hand")
    assert len(typed(seated(), local)) == 1


def test_case_accents_and_apostrophes_make_no_difference() -> None:
    i18n.use("fr")
    assert typed(seated(), "REGLES") == typed(seated(), "règles")
    i18n.use("ru")
    assert typed(seated(), "еще") == typed(seated(), "ещё")
    i18n.use("uk")
    assert typed(seated(), "карта в'язниця") == typed(seated(), "карта В’язниця")


@pytest.mark.parametrize("line", ["построить храм", "храм", "build temple", "temple", "hram"])
def test_a_choice_may_be_named_in_either_language(line: str) -> None:
    i18n.use("ru")
    wanted = () if line == "hram" else (Answer(ACT.id, ("build:11",)),)
    assert tuple(act for act in seated().read(line) if isinstance(act, Answer)) == wanted


@pytest.mark.parametrize(
    ("language", "line", "meant"),
    [
        ("en", "рфтв", "hand"),  # English words with the Russian layout on
        ("ru", "herf", "рука"),  # and the other way round
        ("uk", "vscnj", "місто"),
        ("fr", "&", "1"),  # the digits of a French keyboard want Shift
    ],
)
def test_the_same_keys_on_another_layout(language: str, line: str, meant: str) -> None:
    i18n.use(language)
    assert seated().read(line) == seated().read(meant)


def test_what_says_something_is_never_read_on_another_layout() -> None:
    client = seated()
    assert typed(client, "say рфтв") == ()
    assert typed(client, "qqq") == typed(seated(), "zzz")


@pytest.mark.parametrize("line", ["language ru", "lang русский", "language Russian"])
def test_the_language_changes_in_the_middle_of_a_match(line: str) -> None:
    client = seated()
    said = typed(client, line)
    assert said[0] == "Теперь язык: Русский."
    assert "Что вы делаете?" in said
    assert typed(client, "мова uk") != ()
    assert typed(client, "язык українська")[0] == "Тепер мова: Українська."


def test_languages_are_listed_where_none_is_named() -> None:
    listed = typed(seated(), "language")
    assert listed == ("Languages: English (en), Русский (ru), Українська (uk), Français (fr).",)
    assert typed(seated(), "language tlh") == listed
    assert i18n.current() == "en"


# Numbers


def test_only_english_has_a_point_before_decimals() -> None:
    said = {}
    for language in i18n.LANGUAGES:
        i18n.use(language)
        said[language] = i18n.decimal(3.14159), i18n.decimal(3.14159, 3)
    assert said.pop("en") == ("3.1", "3.142")
    assert set(said.values()) == {("3,1", "3,142")}
