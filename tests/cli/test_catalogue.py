"""The catalogues hold every sentence, whole, with its blanks, in every language.

What fails here is mended with `make catalogues`; what then lacks a translation is named.
"""

from __future__ import annotations

import ast
import gettext
import io
import re
import shutil
import subprocess
from pathlib import Path
from string import Formatter
from textwrap import dedent

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from cli import i18n
from tests.cli import catalogues

TRANSLATED = i18n.LANGUAGES[1:]


def blanks(text: str) -> set[str]:
    """The places to be filled, of either way to fill them."""
    named = {field for _text, field, _spec, _conversion in Formatter().parse(text) if field}
    return named | set(re.findall(r"%(?:\(\w+\))?[rs]", text))


def source_forms(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations(
    catalogue: Catalog,
) -> dict[tuple[str | None, tuple[str, ...]], tuple[str, ...]]:
    """Context and message → every form, of what is translated."""
    return {
        (message.context, source_forms(message)): catalogues.forms(message)
        for message in catalogue
        if message.id and any(catalogues.forms(message))
    }


def messages(language: str) -> list[Message]:
    return [message for message in catalogues.read(language) if message.id]


def test_template_holds_every_sentence_and_no_other() -> None:
    with catalogues.TEMPLATE.open(encoding="utf-8") as template:
        written = {(message.context, message.id) for message in read_po(template)}
    assert written == {(message.context, message.id) for message in catalogues.sentences()}


def test_a_key_in_a_formatted_string_is_no_sentence_and_a_sentence_there_is() -> None:
    """Whatever a Python makes of an f-string: from 3.12 on its tokens are read one by one."""
    module = """
    said = f"{_(ENDINGS[reason])} {_(ENDINGS['unfinished'])} {_('Shown')}"
    title = _("One " "and two"), counted("a card", "{n} cards", n=n), pgettext("of", "King")
    told = Voices("You go.", "{name} goes.", "owner", NN_("{n} card of yours goes."))
    """
    assert set(catalogues.marked(dedent(module))) == {
        ("Shown", None),
        ("One and two", None),
        (("a card", "{n} cards"), None),
        ("King", "of"),
        ("You go.", None),
        ("{name} goes.", None),
        (("{n} card of yours goes.",) * 2, None),
    }


@pytest.mark.parametrize(
    "marked",
    [
        '_(f"{count} cards")',
        '_("one" if alone else "more")',
        '_("You " + verb)',
        'counted("a card", many, n=count)',
        'Ruling("thief", f"{count} cards")',
        'pgettext("of", name)',
    ],
)
def test_a_mark_around_what_cannot_be_gathered_is_refused(marked: str) -> None:
    with pytest.raises(ValueError, match="line 1: "):
        list(catalogues.marked(marked))


def test_sentences_are_gathered_without_reading_tokens() -> None:
    """Tokens differ between Pythons; so nothing here may go by Babel's own extraction."""
    tree = ast.parse(Path(catalogues.__file__).read_text(encoding="utf-8"))
    imported = {one.module for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    assert not imported & {"babel.messages.extract", "tokenize"}


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_a_guess(language: str) -> None:
    assert [message.id for message in messages(language) if message.fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    with catalogues.path_of(language).with_suffix(".mo").open("rb") as compiled:
        loaded = translations(read_mo(compiled))
    assert loaded == translations(read_mo(io.BytesIO(catalogues.compiled(language))))


@pytest.mark.parametrize("language", TRANSLATED)
def test_blanks_are_those_of_the_source(language: str) -> None:
    """One form may leave out the number that it stands for; all forms together may not."""
    for message in messages(language):
        wanted = set().union(*map(blanks, source_forms(message)))
        filled = [blanks(form) for form in catalogues.forms(message) if form]
        if filled:
            assert set().union(*filled) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sentence_ends_as_its_source_does(language: str) -> None:
    """A full stop, a question mark and white space at either end mean something."""
    for message in messages(language):
        one = source_forms(message)[0]
        for form in filter(None, catalogues.forms(message)):
            assert form.endswith(".") == one.endswith("."), message.id
            assert form.endswith("?") == one.endswith("?"), message.id
            assert form[:1].isspace() == one[:1].isspace(), message.id
            assert form[-1:].isspace() == one[-1:].isspace(), message.id
            assert "\n" in one or "\n" not in form, message.id


#: language → which form goes with 0, 1, 2, 4, 5, 11, 12, 21, 22, 25 and 101
NUMBERS = (0, 1, 2, 4, 5, 11, 12, 21, 22, 25, 101)
FORMS = {
    "ru": (2, 0, 1, 1, 2, 2, 2, 0, 1, 2, 0),
    "uk": (2, 0, 1, 1, 2, 2, 2, 0, 1, 2, 0),
    "fr": (0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1),
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_number_finds_its_form(language: str) -> None:
    catalogue = catalogues.read(language)
    assert catalogue.num_plurals == len(set(FORMS[language]))
    for message in messages(language):
        if not isinstance(message.id, str):
            assert len(catalogues.forms(message)) == catalogue.num_plurals, message.id
    loaded = gettext.GNUTranslations(io.BytesIO(catalogues.compiled(language)))
    one, many = "{gold} gold", "{gold} gold"
    written = catalogues.forms(next(m for m in messages(language) if m.id == (one, many)))
    found = [loaded.ngettext(one, many, number) for number in NUMBERS]
    assert found == [written[form] for form in FORMS[language]]


def test_a_new_language_begins_with_an_empty_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make catalogues` writes it with its plural rule, and says what is to be translated."""
    monkeypatch.setattr(catalogues, "LANGUAGES", ("en", "pl"))
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogues, "TEMPLATE", tmp_path / "template.pot")
    monkeypatch.setattr("sys.argv", ["catalogues"])
    assert catalogues.main() == 1
    assert "Architect" in capsys.readouterr().out
    written = catalogues.path_of("pl").read_text(encoding="utf-8")
    assert "Plural-Forms: nplurals=3; plural=n == 1 ? 0 : n % 10 >= 2" in written
    path = catalogues.path_of("pl")
    path.write_text(written.replace("n == 1 ? 0", "n==1 ? 0"), encoding="utf-8")
    catalogues.main()
    assert "plural=n==1 ? 0" in path.read_text(encoding="utf-8"), "its file has the rule"
    assert gettext.translation("citadels", tmp_path, ["pl"]).gettext("Architect") == "Architect"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_what_has_changed_since_a_revision_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other words, new sentences and those that have gone; nothing of what stayed."""

    def write(*rows: tuple[str, str]) -> None:
        catalogue = Catalog(locale="fr")
        for sentence, told in rows:
            catalogue.add(sentence, told)
        path = catalogues.path_of("fr")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(catalogues.source(catalogue, "fr"), encoding="utf-8")

    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    write(("stays", "reste"), ("changes", "avant"), ("goes", "part"))
    me = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (["init", "-q"], ["add", "-A"], [*me, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    write(("stays", "reste"), ("changes", "après"), ("comes", "vient"))
    assert sorted(catalogues.changes("fr", "HEAD")) == [
        ("changes", "avant", "après"),
        ("comes", "", "vient"),
        ("goes", "part", ""),
    ]
