"""The languages themselves, in words."""

from __future__ import annotations

from cli import i18n
from cli.i18n import N_, _

#: what each language is called in the others
NAMES: dict[str, str] = {
    "en": N_("English"),
    "ru": N_("Russian"),
    "uk": N_("Ukrainian"),
    "fr": N_("French"),
}


def called() -> tuple[tuple[str, ...], ...]:
    """For each of our languages everything by which it may be called."""
    return tuple(
        (i18n.NAMES[code], code, NAMES[code], _(NAMES[code])) for code in i18n.LANGUAGES
    )


def listed() -> str:
    """Which languages there are, each by its own name."""
    own = ", ".join(f"{name} ({code})" for code, name in i18n.NAMES.items())
    return _("Languages: {languages}.").format(languages=own)


def chosen() -> str:
    """Which language is spoken now."""
    return _("The language is {language} now.").format(language=i18n.NAMES[i18n.current()])
