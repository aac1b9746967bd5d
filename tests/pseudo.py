"""A language that nobody speaks: what has passed the catalogue shows it, and is 40 % longer."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager

from cli import i18n

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STRANGE = "áƀćđéƒğĥíĵķĺɱńóƥʠŕśţúṽŵẋýźÁƁĆĐÉƑĞĤÍĴĶĹṀŃÓƤǪŔŚŢÚṼŴẊÝŹ"
_MARKED = str.maketrans(_PLAIN, _STRANGE)
_BLANK = re.compile(r"(\{[^{}]*\}|%\(\w+\)[rs]|%[rs%])")


class Pseudo(gettext.NullTranslations):
    """Every letter of a message gets a mark; the places to be filled stay as they are."""

    def gettext(self, message: str) -> str:
        if not message:
            return message
        end = len(message.rstrip(" .:?!…"))
        body, tail = message[:end], message[end:]
        told = [
            part if _BLANK.fullmatch(part) else part.translate(_MARKED)
            for part in _BLANK.split(body)
        ]
        longer = "".join(f" {'ō' * 6}" for _word in range(len(message) * 2 // 5 // 7))
        rest = "ō" * (len(message) * 2 // 5 % 7 if message.strip() != message[:1] else 0)
        return "".join(told) + longer + rest + tail

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


@contextmanager
def spoken() -> Iterator[None]:
    """Speak it for a while."""
    i18n.speak(Pseudo())
    try:
        yield
    finally:
        i18n.use("en")


def untranslated(text: str, *names: str) -> list[str]:
    """The words that never passed the catalogue, but for these names."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return re.findall(r"[A-Za-z]+", text)
