"""A language that is 40 % longer than English, with marks at both ends of every sentence."""

from __future__ import annotations

import gettext
import math


class Pseudo(gettext.NullTranslations):
    """Whoever sees a sentence without marks has found one that is not translated."""

    def gettext(self, message: str) -> str:
        return f"«{message}{'ä' * math.ceil(len(message) * 0.4)}»" if message else message

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        return message  # letters and words in one cell; they have no room to grow
