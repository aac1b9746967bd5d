"""What is said at the table by one key, so that everybody reads it in their own language.

On its way it is a sentence of the speaker's language, for whoever has another client; one that
is known in any of ours is read in the one that is spoken here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cli.i18n import LANGUAGES, N_, _, translated
from cli.text.scene import shown

REACTIONS = (N_("well played"), N_("ouch"), N_("thinking"), N_("thanks"))
#: said to whoever is waited for
NUDGE = N_("it is your turn")
#: seconds before it may be said again, and before it calls the same person again
PATIENCE = 20.0


@cache
def _known() -> Mapping[str, str]:
    """In any of our languages → in English."""
    return {
        translated(language, said): said
        for language in LANGUAGES
        for said in (*REACTIONS, NUDGE)
    }


def heard(text: str) -> str:
    """What somebody has said, in the language that is spoken here where that is known."""
    said = _known().get(text)
    return shown(text) if said is None else _(said)


def is_nudge(text: str) -> bool:
    """Whether it is said to whoever is waited for, in whichever language."""
    return _known().get(text) == NUDGE
