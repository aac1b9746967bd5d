"""A laptop that owes the table an answer, in words: what it does, never what it is.

Only what somebody has signed makes a cheat; a suspicion ends with the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citadels_p2p.rules.events import Value
from cli.i18n import _
from cli.text.scene import Scene, called


class Suspicion(NamedTuple):
    """What a seat is marked with, and what is said: to whoever's `own` laptop it is, about
    another, about the viewer, about nobody. Where one of these is "", it is as about another.
    """

    mark: str
    own: str
    other: str
    you: str = ""
    nobody: str = ""


#: by why a laptop is suspected
SUSPICIONS = {
    "withholds": Suspicion(
        "keeps words back",
        "",
        "{name}'s laptop does not pass on what {about} says; "
        "if that goes on, another laptop hosts.",
        "{name}'s laptop does not pass on what you say; if that goes on, another laptop hosts.",
        "{name}'s laptop does not pass on what others say; "
        "if that goes on, another laptop hosts.",
    ),
    "complained": Suspicion(
        "has stopped",
        "",
        "{name}'s laptop has stopped: it complains of {about}, "
        "and shows nothing that proves it.",
        "{name}'s laptop has stopped: it complains of you, and shows nothing that proves it.",
        "{name}'s laptop has stopped: it complains, and shows nothing that proves it.",
    ),
    "differs": Suspicion(
        "another game",
        "Your laptop comes to another game than the others. Nothing is lost: leave the "
        "table, then go on with `citadels resume`.",
        "{name}'s laptop comes to another game than the others; it can go on by resuming.",
    ),
    "forgets": Suspicion(
        "takes words back",
        "Your laptop has taken back what it had confirmed. Perhaps two programs play "
        "with your key, or an old copy of your disk was put back.",
        "{name}'s laptop has taken back what it had confirmed. Perhaps two programs play "
        "with its key, or an old copy of its disk was put back.",
    ),
}


def suspected(fields: Mapping[str, Value], scene: Scene) -> str:
    """Why a laptop is suspected."""
    name, about = called(str(fields.get("name", ""))), str(fields.get("about", ""))
    told = SUSPICIONS.get(str(fields.get("why", "")))
    if told is None:
        return _("{name}'s laptop does not answer as it should.").format(name=name)
    about = called(about) if about else ""
    sentence = told.nobody if not about else told.you if is_you(about, scene) else ""
    if is_you(name, scene):
        sentence = told.own or sentence
    return _(sentence or told.other).format(name=name, about=about)


def replaced(fields: Mapping[str, Value], scene: Scene) -> str:
    """Another laptop hosts because the one before kept back what others said."""
    name, before = called(str(fields.get("name", ""))), called(str(fields["instead_of"]))
    if is_you(name, scene):
        line = _("Your laptop hosts now, because {before}'s did not pass on what others said.")
    elif is_you(before, scene):
        line = _("{name}'s laptop hosts now, because yours did not pass on what others said.")
    else:
        line = _(
            "{name}'s laptop hosts now, because {before}'s did not pass on what others said."
        )
    return line.format(name=name, before=before)


def mark(why: str) -> str:
    """A suspicion in a word or two, beside a name; '' where there is none."""
    if not why:
        return ""
    return _(SUSPICIONS[why].mark) if why in SUSPICIONS else _("does not answer")


def is_you(name: str, scene: Scene) -> bool:
    """Whether a notice that names somebody is about the reader."""
    return scene.you is not None and scene.name(scene.you) == name
