"""Brings template and catalogues up to date with the sentences in the code.

`make catalogues` (`python -m tests.cli.catalogues`) reads every marked sentence into the
template, carries the translations over into each language's catalogue, compiles those, and
says what is untranslated. A sentence that has gone goes from the catalogues too; one that has
changed is new, for a guess at an old translation is worse than none. Needs Babel, which comes
with everything else for development.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from cli.i18n import DOMAIN, LANGUAGES, LOCALE
from cli.line import words
from cli.line.command_table import COMMANDS
from cli.settings.friendly_names import ANIMALS, COLOURS
from cli.text import cards, declined

TEMPLATE = LOCALE / f"{DOMAIN}.pot"
#: names that sentences decline
NAMED = (cards.CHARACTERS, cards.QUARTERS, cards.DISTRICTS)
#: where sentences for people are
SPOKEN = (LOCALE.parent, LOCALE.parents[1] / "benchmarks")
WIDTH = 92
#: the same sentences give the same bytes, whenever they are compiled
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: how a sentence is marked: the function → how many of its first arguments are text
MARKS = {"_": 1, "N_": 1, "NN_": 2, "counted": 2, "pgettext": 2}
#: rows of tables that mark their sentences: what makes them → which arguments these are
ROWS: Mapping[str, tuple[int, ...]] = {
    "Command": (1, 2, 6),
    "_by_both": (3, 4),
    "_by_key": (3, 4),
    "_by_word": (1, 2),
    "Moment": (0,),
    "Ruling": (1,),
    "Setting": (1, 2),
    "Suspicion": (0, 1, 2, 3, 4),
    "Voices": (0, 1, 3),
    "_alike": (0,),
}
#: those whose one text has as many forms as a language needs
COUNTED = ("NN_", "counted")


def sentences() -> Catalog:
    """Every marked sentence of the program and its benchmarks, without a translation."""
    catalogue = Catalog(fuzzy=False)
    for path in sorted(path for folder in SPOKEN for path in folder.rglob("*.py")):
        for message, context in marked(path.read_text(encoding="utf-8")):
            catalogue.add(message, context=context)
    for name in chain(COLOURS, ANIMALS, *map(dict.values, NAMED)):
        catalogue.add(name)
    for context, name in declined.forms(*map(dict.values, NAMED)):
        catalogue.add(name, context=context)
    for name in (*(one.name for one in COMMANDS if one.typed), words.BACK):
        catalogue.add(name, context=words.CONTEXT)
    return catalogue


def marked(source: str) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """The marked sentences of a module, each with its context.

    Python's own parser finds them, not Babel's extraction: that one reads tokens, and the
    tokens of an f-string differ between Python 3.11 and 3.12.

    Raises:
        ValueError: a mark holds text that is not plain, so it would never be translated.
    """
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        mark, texts = call.func.id, call.args[: MARKS.get(call.func.id, 0)]
        row = [call.args[n] for n in ROWS.get(mark, ()) if n < len(call.args)]
        for part in row:
            match part:
                case ast.Constant(value=str(sentence)) if sentence:
                    yield sentence, None
        texts += [part for part in row if not isinstance(part, ast.Constant | ast.Call)]
        match [text.value if isinstance(text, ast.Constant) else None for text in texts]:
            case [str(sentence)]:
                yield (sentence, sentence) if mark in COUNTED else sentence, None
            case [str(context), str(sentence)] if mark == "pgettext":
                yield sentence, context
            case [str(one), str(many)]:
                yield (one, many), None
            case _ if any(map(_holds_text, texts)):
                raise ValueError(f"line {call.lineno}: a mark without a plain sentence")


def _holds_text(part: ast.AST) -> bool:
    """Is text written here, rather than looked up by a key?"""
    if isinstance(part, ast.Subscript):
        return _holds_text(part.value)
    text = isinstance(part, ast.Constant) and isinstance(part.value, str)
    return text or any(map(_holds_text, ast.iter_child_nodes(part)))


def path_of(language: str) -> Path:
    """Where a language's catalogue is."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """A language's catalogue as it is written; empty for a new language, with the plural rule
    that the Unicode CLDR gives it. From then on its file has the rule.
    """
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open(encoding="utf-8") as written:
        return read_po(written, locale=language)


def carried_over(language: str) -> Catalog:
    """Today's sentences with the translations that there are."""
    before, after = read(language), Catalog(locale=language, fuzzy=False)
    # the file's own: CLDR's count of French is another one in another version of Babel
    vars(after)["_num_plurals"] = before.num_plurals
    vars(after)["_plural_expr"] = before.plural_expr
    for message in sentences():
        if not message.id:
            continue
        old = before.get(_key(message.id), message.context)
        same = old is not None and isinstance(old.id, tuple) == isinstance(message.id, tuple)
        after.add(message.id, old.string if same and old else "", context=message.context)
    return after


def missing(catalogue: Catalog) -> list[str]:
    """The sentences that have no translation, or not in all forms."""
    return [
        _key(one.id) for one in catalogue if one.id and not (forms(one) and all(forms(one)))
    ]


def forms(message: Message) -> tuple[str, ...]:
    """The translation: one form, or one for each kind of number."""
    found = message.string
    return (found,) if isinstance(found, str) else tuple(found or ())


def _key(message: str | Sequence[str]) -> str:
    """What a catalogue is asked for: the sentence, or its form for one."""
    return message if isinstance(message, str) else message[0]


def source(catalogue: Catalog, language: str) -> str:
    """A catalogue as its `.po` file has it: sorted, so that two people's changes merge."""
    body = io.BytesIO()
    write_po(body, catalogue, width=WIDTH, sort_output=True, omit_header=True, no_location=True)
    count, rule = catalogue.num_plurals, catalogue.plural_expr
    return (
        f"# {DOMAIN}: {language}. The terms are those of GLOSSARY.md.\n"
        'msgid ""\n'
        'msgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: nplurals={count}; plural={rule};\\n"\n\n{body.getvalue().decode()}'
    )


def compiled(language: str) -> bytes:
    """A language's catalogue as the program loads it: what is untranslated is left out."""
    body = io.BytesIO()
    catalogue = read(language)
    for message in list(catalogue):
        if message.id and not any(forms(message)):
            catalogue.delete(_key(message.id), message.context)
    catalogue.creation_date = catalogue.revision_date = EPOCH
    write_mo(body, catalogue)
    return body.getvalue()


def changes(language: str, revision: str) -> list[tuple[str, str, str]]:
    """The sentences whose translation is another one since a revision of git: with both.

    A sentence that is new has "" for the old translation, one that is gone for the new one.
    """
    path = path_of(language)
    shown = subprocess.run(
        ["git", "show", f"{revision}:./{path.name}"],
        cwd=path.parent,
        capture_output=True,
        check=True,
    )
    then, now = read_po(io.BytesIO(shown.stdout), locale=language), read(language)
    keys = [(_key(one.id), one.context) for one in (*now, *then) if one.id]
    found = []
    for sentence, context in dict.fromkeys(keys):
        old, new = (_shown(one.get(sentence, context)) for one in (then, now))
        if old != new:
            found.append((sentence, old, new))
    return found


def _shown(message: Message | None) -> str:
    """The translation in all its forms."""
    return "" if message is None else " / ".join(forms(message))


def main() -> int:
    """Bring everything up to date; 1 where something is untranslated.

    `--since REVISION` only tells what has changed since then, for whoever reads it again.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.cli.catalogues")
    parser.add_argument("--since", metavar="REVISION", help="tell what has changed since then")
    since: str | None = parser.parse_args().since
    if since is not None:
        for language in LANGUAGES[1:]:
            for sentence, old, new in changes(language, since):
                print(f"{language}: {sentence}\n  - {old}\n  + {new}")
        return 0
    with TEMPLATE.open("wb") as template:
        write_po(template, sentences(), sort_output=True, omit_header=True, no_location=True)
    short = False
    for language in LANGUAGES[1:]:
        catalogue = carried_over(language)
        path = path_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source(catalogue, language), encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(language))
        for message in missing(catalogue):
            short = True
            print(f"{language}: {message!r}")
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
