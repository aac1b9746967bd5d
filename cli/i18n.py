"""Languages: the one place that knows gettext.

English is the source language. A sentence is written `_("…")` where it is used; a word in a
table is marked `N_("…")` and looked up with `_` when it is shown, so that the language may
change while the program runs. Catalogues lie in `locale/LANGUAGE/LC_MESSAGES/citadels.mo`.
"""

from __future__ import annotations

import gettext as _gettext
import os
from collections.abc import Mapping
from pathlib import Path

DOMAIN = "citadels"
LOCALE = Path(__file__).parent / "locale"

#: languages that are complete; the first is the source
LANGUAGES = ("en",)

_catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def use(language: str) -> None:
    """Speak `language` from now on; what it lacks is said in English."""
    global _catalogue
    _catalogue = _gettext.translation(DOMAIN, LOCALE, languages=[language], fallback=True)


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The first language that the environment wishes for and that we have."""
    for variable in ("CITADELS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        wish = environment.get(variable, "").partition(".")[0].partition("_")[0].lower()
        if wish in LANGUAGES:
            return wish
    return LANGUAGES[0]


def _(message: str) -> str:
    return _catalogue.gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """The form of a sentence that goes with the number `n`."""
    return _catalogue.ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """A short word that needs a context to be translated."""
    return _catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 - gettext's customary name for "marked, not yet translated"
    """Mark a message in a table for translation; look it up with `_` when it is shown."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - beside N_
    """Mark a message that depends on a number; look it up with `ngettext` when it is shown."""
    return one, many
