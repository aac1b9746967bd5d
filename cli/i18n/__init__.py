"""Languages: the one place that knows gettext.

English is the source language. A sentence is written `_("…")` where it is used; a word in a
table is marked `N_("…")` and looked up with `_` when it is shown, so that the language may
change while the program runs. Catalogues lie in `locale/LANGUAGE/LC_MESSAGES/citadels.po`,
compiled beside it.
"""

from __future__ import annotations

import contextlib
import gettext as _gettext
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cli.i18n.ascii_twins import to_ascii
from cli.i18n.cases import sentence

DOMAIN = "citadels"
LOCALE = Path(__file__).parents[1] / "locale"

#: languages that are complete, each by its own name; the first is the source
NAMES = {"en": "English", "ru": "Русский", "uk": "Українська", "fr": "Français"}
LANGUAGES = tuple(NAMES)

_language = LANGUAGES[0]
_only_ascii = False
_further: dict[str, dict[str | tuple[str, str], str]] = {}
_catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def use(language: str) -> None:
    """Speak `language` from now on; what it lacks is said in English."""
    global _language
    _language = language if language in LANGUAGES else LANGUAGES[0]
    speak(_catalogue_of(language))


def translated(language: str, message: str) -> str:
    """A message in one of our languages, whichever is spoken."""
    return _catalogue_of(language).gettext(message)


def add(language: str, texts: Mapping[str | tuple[str, str], str]) -> None:
    """Let a house box speak this language too: English text → translation, and (case, name) →
    that form of a name.
    """
    _further.setdefault(language, {}).update(texts)


class _Further(_gettext.NullTranslations):
    """What the catalogue of a language lacks and a house box has brought, now or later."""

    def __init__(self, texts: Mapping[str | tuple[str, str], str]) -> None:
        super().__init__()
        self._texts = texts

    def gettext(self, message: str) -> str:
        return self._texts.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        return self._texts.get((context, message), message)


def _catalogue_of(language: str) -> _gettext.NullTranslations:
    found = _gettext.translation(DOMAIN, LOCALE, languages=[language], fallback=True)
    found.add_fallback(_Further(_further.setdefault(language, {})))
    return found


def speak(catalogue: _gettext.NullTranslations) -> None:
    """Take every sentence from this catalogue from now on."""
    global _catalogue
    _catalogue = catalogue


def only_ascii(only: bool) -> None:
    """Whether everything is said in ASCII letters from now on."""
    global _only_ascii
    _only_ascii = only


def is_ascii() -> bool:
    """Whether everything is said in ASCII letters."""
    return _only_ascii


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak `language` for a moment."""
    before = _language
    use(language)
    try:
        yield
    finally:
        use(before)


def current() -> str:
    """The language that is spoken now."""
    return _language


def flagged(arguments: Sequence[str]) -> str | None:
    """The language that a command line names with `--lang`: the parser's own sentences must be
    in it before the line is parsed. None where it names none of ours."""
    named = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        flag, _equals, value = argument.partition("=")
        if flag == "--lang":
            named = value or "".join(arguments[place + 1 : place + 2])
    return named if named in LANGUAGES else None


def preferred(environment: Mapping[str, str] = os.environ, settled: str | None = None) -> str:
    """The first language that is wished for and that we have: `CITADELS_LANG`, then what is
    `settled` in the settings, then the system's language."""
    for wish in (environment.get("CITADELS_LANG", ""), settled or "", *_of_system(environment)):
        code = wish.replace("-", "_").partition(".")[0].partition("_")[0].lower()
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def _of_system(environment: Mapping[str, str]) -> Sequence[str]:
    """The system's wishes, best first. As gettext has it, `LANGUAGE` is a list of wishes and
    counts only where there is a locale other than "C"."""
    locale = ""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = locale or environment.get(variable, "")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ()
    wishes = [wish for wish in environment.get("LANGUAGE", "").split(":") if wish]
    if locale or wishes:
        return (*wishes, locale)
    return (_of_windows(),)


def _of_windows() -> str:
    """The language of the user's Windows, which tells it by a call."""
    if sys.platform != "win32":
        return ""
    import ctypes
    import locale

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return locale.windows_locale.get(number, "")


def _said(text: str) -> str:
    return sentence(to_ascii(text) if _only_ascii else text)


def _(message: str) -> str:
    # Of nothing a catalogue says its own header.
    return _said(_catalogue.gettext(message)) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """The form of a sentence that goes with the number `n`."""
    return _said(_catalogue.ngettext(one, many, n))


def counted(one: str, many: str = "", /, **blanks: Any) -> str:
    """A sentence with its blanks filled, in the form that goes with the number in the first.

    `many` may be left out where English has the same words for both: others have not.
    """
    return ngettext(one, many or one, next(iter(blanks.values()))).format(**blanks)


def pgettext(context: str, message: str) -> str:
    """A short word that needs a context to be translated."""
    return _said(_catalogue.pgettext(context, message))


def decimal(number: float, digits: int = 1) -> str:
    """A number with so many decimals; only English has a point before them."""
    text = f"{number:.{digits}f}"
    return text if _language == LANGUAGES[0] else text.replace(".", ",")


def percent(number: float | str) -> str:
    """A share of a hundred."""
    return _("{percent}%").format(percent=number)


def N_(message: str) -> str:  # noqa: N802 - gettext's name for it
    """Mark a message in a table for translation; look it up with `_` when it is shown."""
    return message


class Plural(NamedTuple):
    """A sentence of a table for one and for many. `by`: the blank whose number decides; where
    none is named, the first that holds a number.
    """

    one: str
    many: str
    by: str = ""

    def number(self, blanks: Mapping[str, object]) -> int | None:
        """The number that decides; None where these blanks hold none."""
        names = (self.by,) if self.by else re.findall(r"{(\w+)", self.one + self.many)
        numbers = (blanks.get(name) for name in names)
        return next((one for one in numbers if isinstance(one, int)), None)


#: a sentence in a table
Message: TypeAlias = str | Plural


def NN_(one: str, many: str = "", by: str = "") -> Plural:  # noqa: N802 - beside N_
    """Mark a message that depends on a number; `phrase` looks it up when it is shown.

    `many` may be left out where English has the same words for both.
    """
    return Plural(one, many or one, by)


def worded(message: Message, blanks: Mapping[str, object]) -> str:
    """A sentence out of a table, in the language that is spoken, as its number needs it."""
    if isinstance(message, str):
        return _(message)
    return ngettext(message.one, message.many, message.number(blanks) or 0)


def phrase(message: Message, blanks: Mapping[str, object]) -> str:
    """The same with its blanks filled."""
    return worded(message, blanks).format_map(blanks)
