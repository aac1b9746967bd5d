"""Names stand in the case that a sentence needs; each language holds every form of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from citadels_p2p.match.news import BotName, Notice, Option
from citadels_p2p.rules.events import KINDS, Event, Value
from cli import i18n
from cli.i18n.cases import CASES, sentence
from cli.text import Scene, cards, declined, label, listing, narrate, notice
from cli.text.declined import (
    CHARACTER_CASES,
    DISTRICT_CASES,
    PEOPLE_CASES,
    QUARTER_CASES,
    Person,
)
from tests.cli import catalogues

#: what a sentence puts before the name of a district; nothing before one that says it itself
BEFORE = {
    "fr": ("le ", "la ", "l’", "les "),
    "ru": ("квартал ", ""),
    "uk": ("квартал ", ""),
}
TRANSLATED = i18n.LANGUAGES[1:]

#: what may stand in a blank → the cases that it has
DECLINED = {
    **dict.fromkeys(("name", "names", "seat", "other", "owner", "victim", "to"), PEOPLE_CASES),
    **dict.fromkeys(("about", "before"), PEOPLE_CASES),
    **dict.fromkeys(("character", "characters"), CHARACTER_CASES),
    **dict.fromkeys(("reason",), ("nominative",)),
    **dict.fromkeys(("quarter",), QUARTER_CASES),
    **dict.fromkeys(("card", "other_card", "own"), DISTRICT_CASES),
}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")


def told(kind: str, scene: Scene, **fields: Value) -> str:
    values = (fields.get(name, 0) for name in KINDS[kind])
    return narrate(Event(1, kind, tuple(values)), scene)


# The table


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_form_is_there(language: str) -> None:
    catalogue = catalogues.read(language)
    for case, name in declined.forms(*map(dict.values, catalogues.NAMED)):
        found = catalogue.get(name, case)
        assert found is not None, (case, name)
        assert all(catalogues.forms(found)), (case, name)


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_a_form_declines_its_own_character(language: str) -> None:
    """It keeps the stem of the name, and is no other form's copy where the cases differ."""
    i18n.use(language)
    for name in map(cards.character, cards.CHARACTERS):
        forms = {case: i18n.pgettext(case, name.source) for case in CHARACTER_CASES}  # type: ignore[attr-defined]
        stem = name.lower()[:3]
        assert {form.lower()[:3] for form in forms.values()} == {stem}, name
        assert forms["accusative"] != forms["nominative"], name
        assert forms["dative"] != forms["nominative"] or language == "uk", name
        small = {form[0].islower() for form in forms.values()}
        assert small == {language == "ru"}, name


def test_french_forms_bring_article_and_preposition() -> None:
    i18n.use("fr")
    for name in map(cards.character, cards.CHARACTERS):
        article = i18n.pgettext("accusative", name.source).removesuffix(name)  # type: ignore[attr-defined]
        of, to = {
            "l’": ("de l’", "à l’"),
            "la ": ("de la ", "à la "),
            "le ": ("du ", "au "),
        }[article]
        assert i18n.pgettext("genitive", name.source) == of + name  # type: ignore[attr-defined]
        assert i18n.pgettext("dative", name.source) == to + name  # type: ignore[attr-defined]


def test_before_a_district_stands_its_article_or_its_word_once() -> None:
    for language in i18n.LANGUAGES:
        i18n.use(language)
        for card in cards.DISTRICTS:
            name = cards.district(card)
            said = sentence("{card:accusative}").format(card=name)
            assert said.endswith(name)
            before = said.removesuffix(name)
            assert before in BEFORE.get(language, ("",)), (language, card)
            assert said.lower().count("квартал") == (language in ("ru", "uk")), card
            elides = name[0] in "AEÉHIOU"
            assert ("’" in said.removesuffix(name)) == (
                elides and language == "fr" and not said.startswith("les ")
            )


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_sentence_asks_only_for_what_there_is(language: str) -> None:
    """English asks for nothing: a name in it never changes."""
    found = catalogues.sentences() if language == "en" else catalogues.read(language)
    for message in found:
        texts = [message.id] if language == "en" else catalogues.forms(message)
        for text in texts:
            for blank, case in re.findall(r"\{(\w+):([a-z]+)\}", str(text)):
                assert language != "en", text
                assert case in DECLINED[blank], text


# How a sentence is filled


def test_a_word_without_cases_fills_a_blank_as_it_is() -> None:
    asked = sentence("{who:dative} · {count:02d} · {none:genitive}")
    assert asked.format(who="Ann", count=3, none=None) == "Ann · 03 · None"
    assert asked.format_map({"who": "Ann", "count": 3, "none": ""}) == "Ann · 03 · "


def test_a_sentence_that_asks_for_no_case_is_a_plain_string() -> None:
    assert type(sentence("{name}: {minutes:02d}")) is str
    assert all(type(sentence(f"{{name:{case}}}")) is not str for case in CASES)


def test_each_of_several_names_is_declined() -> None:
    scene = Scene.of(("Anna", BotName(2), "Boris"), None)
    i18n.use("ru")
    scene = Scene.of(("Anna", BotName(2), "Boris"), None)
    names = listing([scene.name(0), scene.name(1), scene.name(2)])
    assert sentence("{names}").format(names=names) == "Anna, Бот 2 и Boris"
    wanted = "игрока Anna, Бота 2 и игрока Boris"
    assert sentence("{names:genitive}").format(names=names) == wanted


@pytest.mark.parametrize(
    ("name", "genitive"),
    [
        ("Anna", "d’Anna"),
        ("Yves", "d’Yves"),
        ("Élodie", "d’Élodie"),
        ("Hélène", "d’Hélène"),
        ("Hugo", "de Hugo"),
        ("Yann", "de Yann"),
        ("Boris", "de Boris"),
        ("Оля", "de Оля"),
    ],
)
def test_french_elides_before_a_vowel(name: str, genitive: str) -> None:
    i18n.use("fr")
    assert Person(name).in_case("genitive") == genitive


# What is heard


@pytest.mark.parametrize(
    ("language", "stolen"),
    [
        ("en", "You steal 2 gold from Boris."),
        ("ru", "Вы крадёте 2 золотых у игрока Boris."),
        ("uk", "Ви крадете 2 золоті у гравця Boris."),
        ("fr", "Vous volez 2 pièces d’or à Boris."),
    ],
)
def test_gold_is_stolen_from_somebody(language: str, stolen: str) -> None:
    i18n.use(language)
    assert told("robbed", Scene.of(("Ann", "Boris"), 0), seat=0, victim=1, gold=2) == stolen


@pytest.mark.parametrize(
    ("language", "given", "found"),
    [
        ("en", "Chloé gives you 1 card (Seer).", "You find no trade card in Bot 3's hand."),
        (
            "ru",
            "Chloé отдаёт вам 1 карту (провидица).",
            "Вы не находите на руке Бота 3 карт торгового вида.",
        ),
        (
            "uk",
            "Chloé віддає вам 1 карту (Провидиця).",
            "Ви не знаходите в руці Бота 3 карт торговельного типу.",
        ),
        (
            "fr",
            "Chloé vous donne 1 carte (Voyante).",
            "Vous ne trouvez aucune carte de type commerçant dans la main de Bot 3.",
        ),
    ],
)
def test_what_is_done_to_you_and_what_is_not_there(
    language: str, given: str, found: str
) -> None:
    i18n.use(language)
    scene = Scene.of(("Ann", "Chloé", BotName(3)), 0)
    assert told("cards_given", scene, seat=1, to=0, count=1, reason="seer") == given
    assert told("spied", scene, seat=0, other=2, quarter="trade", count=0) == found


def test_french_elides_before_the_owner_of_a_laptop() -> None:
    i18n.use("fr")
    scene = Scene.of(("Boris", "Anna", "Emma"), 0)
    told = notice(Notice("suspected", {"name": "Anna", "why": "slow"}), scene)
    assert told.startswith("L’ordinateur d’Anna ")
    told = notice(Notice("suspected", {"name": "Boris", "why": "slow"}), scene)
    assert told.startswith("L’ordinateur de Boris ")
    moved = Notice("hosting", {"name": "Emma", "instead_of": "Anna"})
    assert "d’Emma est désormais l’hôte, car celui d’Anna " in notice(moved, scene)
    assert "l’ordinateur d’Anna." in notice(Notice("cleared", {"name": "Anna"}), scene)


@pytest.mark.parametrize(
    ("language", "murder"),
    [
        ("en", "Boris murders the Witch."),
        ("ru", "Boris убивает ведьму."),
        ("uk", "Boris вбиває Відьму."),
        ("fr", "Boris assassine la Sorcière."),
    ],
)
def test_a_character_is_murdered(language: str, murder: str) -> None:
    i18n.use(language)
    scene = Scene.of(("Ann", "Boris"), 0)
    assert told("named", scene, seat=1, character="witch", purpose="murder") == murder


def test_a_murdered_emperor_is_no_heir() -> None:
    scene = Scene.of(("Ann", "Boris"), 0)
    emperor = told("heir", scene, seat=1, character="emperor")
    assert emperor == "Boris shows the murdered Emperor and gives the crown away."
    king = told("heir", scene, seat=1, character="king")
    assert king == "Boris shows the murdered King and inherits the crown."


def test_the_armory_on_ones_own_city() -> None:
    scene = Scene.of(("Ann", "Boris"), 0)
    own, other = (
        label(Option("armory", "armory", {"card": "temple", "seat": seat}), scene)
        for seat in (0, 1)
    )
    assert own == "Armory: destroy your own Temple"
    assert other == "Armory: destroy Temple in Boris's city"


def test_what_costs_nothing_says_so() -> None:
    scene = Scene.of(("Ann", "Boris"), 0)
    fields = {"seat": 1, "owner": 0, "card": "tavern", "slot": 1}
    assert told("destroyed", scene, **fields, paid=0) == (
        "Boris destroys your Tavern at no cost."
    )
    assert told("destroyed", scene, **fields, paid=1) == (
        "Boris destroys your Tavern for 1 gold."
    )
