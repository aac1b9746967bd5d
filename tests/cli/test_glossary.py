"""The words of the game are the same wherever they stand: names, and what may be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import i18n
from cli.line import words
from cli.line.command_table import COMMANDS
from cli.line.picking import fold
from cli.text import cards
from tests.cli import catalogues

GLOSSARY = (Path(__file__).parents[2] / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
TRANSLATED = i18n.LANGUAGES[1:]
NAMES = (*cards.CHARACTERS.values(), *cards.DISTRICTS.values())


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    section = GLOSSARY.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every message and its translation, in all forms; contexts are for words to type."""
    for message in catalogues.read(language):
        if message.id and not message.context:
            one = message.id if isinstance(message.id, str) else message.id[0]
            yield one, " ".join(catalogues.forms(message))


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Characters", cards.CHARACTERS),
        ("Districts", cards.DISTRICTS),
        ("Types of districts", cards.QUARTERS),
    ],
)
def test_the_glossary_is_what_is_said(heading: str, names: dict[str, str]) -> None:
    said = []
    for name in names.values():
        row = [name]
        for language in TRANSLATED:
            i18n.use(language)
            row.append(i18n._(name))
        said.append(row)
    assert sorted(row[: len(said[0])] for row in rows(heading)) == sorted(said)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_cards_have_one_name(language: str) -> None:
    i18n.use(language)
    assert len({fold(i18n._(name)) for name in NAMES}) == len(set(NAMES))


#: a card's name inside a sentence; or as the heading of one
_INSIDE = r"(?<=[a-z,;] ){name}\b(?!'s own| takes)|^{name}:"


def stems(name: str) -> list[str]:
    """What stays of each word of a name in every case."""
    return [word[: max(3, len(word) - 2)] for word in fold(name).split() if len(word) > 2]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_card_has_its_name_in_every_sentence(language: str) -> None:
    i18n.use(language)
    known = [
        (re.compile(_INSIDE.format(name=re.escape(name))), stems(i18n._(name)))
        for name in NAMES
    ]
    for message, told in sentences(language):
        heard = fold(told)
        for inside, name in known:
            if message not in NAMES and inside.search(message):
                assert [stem for stem in name if stem not in heard] == [], (message, told)


def quoted(text: str) -> list[str]:
    return [word.strip() for word in re.findall(r"«([^»]*)»", text)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_word_to_type_is_one_that_is_understood(language: str) -> None:
    """A small word in quotation marks is what the person is told to type."""
    i18n.use(language)
    known = {fold(i18n._(word)) for word in ("none", "all", "back", "yes")} | set(
        words.by_word()
    )
    for message, told in sentences(language):
        for word in quoted(told):
            if word.islower() and "{" not in word:
                assert fold(word) in known, (message, told)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_command_has_words_of_its_own(language: str) -> None:
    i18n.use(language)
    for command in COMMANDS:
        if command.typed:
            local = words.local(command.name)
            assert all(fold(word).isalpha() for word in local), local
    taken = [fold(word) for one in COMMANDS if one.typed for word in words.local(one.name)]
    assert len(set(taken)) == len(taken)
    english = {word: one.name for one in COMMANDS for word in (one.name, *one.aliases)}
    for word, name in words.by_word().items():
        assert english.get(word, name) == name, word


def test_french_typography() -> None:
    for message, told in sentences("fr"):
        if "sudo" in message or "\n" in message:
            continue
        assert not re.search(r"(?<![\u202f!?])[;!?](?!\w)", told), told
        assert not re.search(r"(?<!\u00a0):(?!\w|\{|/)", told), told
        assert "« " not in told, told
        assert " »" not in told, told
        assert not re.search(r"\w'\w", told), told


def test_cyrillic_typography() -> None:
    for language in ("ru", "uk"):
        for _message, told in sentences(language):
            assert not re.search(r"[“”„]", told), told
            assert not re.search(r"[а-яґєії]'[а-яґєії]", told), told
            assert not re.search(r"[a-zA-Z][а-яґєії]|[а-яґєії][a-zA-Z]", told), told


#: a term of the game, and how its words begin in Russian, Ukrainian and French
_TERMS = {
    r"(?<!forged )\bpoints?\b(?=[ .,;:])": (
        "очк|очок",
        "бал",
        "point|décompte",
    ),
    r"\bpowers?\b": ("свойств", "властив", "capacité"),
    r"\branks\b": ("ранг", "ранг", "rang"),
    r"\bdeck\b": ("колод", "колод", "pioche"),
    r"\bunique\b": ("бонусн", "особлив", "merveille"),
    r"\bwarrants?\b": ("ордер", "розпорядж", "mandat"),
    r"\bthreats?\b": ("угроз", "погроз", "menace"),
    r"\bbribes?\b": ("взятк", "хабар", "pots?-de-vin"),
    r"\bspectators?\b": ("зрител", "глядач", "spectat"),
    r"\bsafety words\b": ("контрольн", "контрольн", "nombres de contrôle"),
    r"\bdiscard": ("сбр[ао]с", "скид|скин", "défauss"),
    r"\b(?:lots|by lot)\b": ("жреби", "жереб", "sort"),
    r"\bcrown\b(?!.*\. The crown)": ("корон", "корон", "couronne"),
    r"\bcity\b": ("город", "міст", "cité"),
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_term_has_its_word_in_every_sentence(language: str) -> None:
    """One word for one thing: who has read "power" once knows what is meant again."""
    for term, stems_of in _TERMS.items():
        stem = stems_of[TRANSLATED.index(language)]
        for message, told in sentences(language):
            if re.search(term, re.sub(r"\{\w+\}", "", message), re.IGNORECASE):
                assert re.search(stem, told, re.IGNORECASE), (message, told)


#: what only a friend says, of the words that a sentence here would have
_FAMILIAR = {
    "ru": r"\b(ты|тебя|тебе|тво[ийёяю]\w*|введи|выбери|жди|набери|нажми|открой)\b",
    "uk": r"\b(ти|тебе|тобі|тв(?:ій|о[яєїю]|ого|оєму)|введи|обери|чекай|набери|натисни)\b",
    "fr": r"\b(tu|toi|ton|tes)\b|^(Tape|Choisis|Appuie|Ouvre)\b",
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_everybody_is_addressed_politely(language: str) -> None:
    for message, told in sentences(language):
        told = told.replace("s’est tu", "").casefold() if language == "fr" else told
        found = re.search(_FAMILIAR[language], told, re.IGNORECASE)
        assert found is None, (message, told)


#: a person, and what they did or are said in a form for men alone
_PERSON = r"(?<!игрока )(?<!гравця )\{(?:name|seat|other|owner|host)(?::nominative)?\} "
_OF_MEN = {
    "ru": _PERSON + r"(?:не )?(?!\w*(?:за|от)\b)\w+(?:л|лся|ен|ён|тов)\b",
    "uk": _PERSON + r"(?:не )?\w+(?:в|вся|ний|вий|ен)\b",
    "fr": rf"{_PERSON}(?:est|n’est pas|sera) (?:\w+é|absent|prêt|revenu)\b"
    r"|^(?:pas )?prêt$|, prêt\b|vous a \w+(?:é|u|clu)\b|^(?:Parti|Nouveau)\b.*\{names\}",
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_nobody_is_taken_for_a_man(language: str) -> None:
    """A name says nothing of that: the present tense, and words that fit everybody, do."""
    for message, told in sentences(language):
        assert re.search(_OF_MEN[language], told) is None, (message, told)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_to_be_typed_is_said_in_the_own_language(language: str) -> None:
    """Where English says "Type quit", a translation has its own word for it, in quotes."""
    i18n.use(language)
    typed = {one.name: words.local(one.name) for one in COMMANDS if one.typed}
    for message, told in sentences(language):
        for word in re.findall(r"\b[Tt]ype (\w+)\b", message):
            if word in typed:
                assert set(quoted(told)) & set(typed[word]), (message, told)
