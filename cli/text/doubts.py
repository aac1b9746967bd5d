"""A laptop that owes the table an answer, in words: what it does, never what it is.

Only what somebody has signed makes a cheat; a suspicion ends with the answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules.events import Value
from cli.i18n import N_, _
from cli.text.scene import Scene, called

#: why → about another, about the viewer, about nobody
SUSPICIONS: dict[str, tuple[str, str, str]] = {
    "withholds": (
        N_(
            "{name}'s laptop does not pass on what {about} says; "
            "if that goes on, another laptop hosts."
        ),
        N_(
            "{name}'s laptop does not pass on what you say; "
            "if that goes on, another laptop hosts."
        ),
        N_(
            "{name}'s laptop does not pass on what others say; "
            "if that goes on, another laptop hosts."
        ),
    ),
    "complained": (
        N_(
            "{name}'s laptop has stopped: it complains of {about}, "
            "and shows nothing that proves it."
        ),
        N_(
            "{name}'s laptop has stopped: it complains of you, "
            "and shows nothing that proves it."
        ),
        N_("{name}'s laptop has stopped: it complains, and shows nothing that proves it."),
    ),
    "differs": (
        N_("{name}'s laptop comes to another game than the others; it can go on by resuming."),
    )
    * 3,
    "forgets": (
        N_(
            "{name}'s laptop has taken back what it had confirmed. Perhaps two programs play "
            "with its key, or an old copy of its disk was put back."
        ),
    )
    * 3,
}

#: why → where it is the viewer's own laptop
OWN: dict[str, str] = {
    "differs": N_(
        "Your laptop comes to another game than the others. Nothing is lost: leave the "
        "table, then go on with `citadels resume`."
    ),
    "forgets": N_(
        "Your laptop has taken back what it had confirmed. Perhaps two programs play "
        "with your key, or an old copy of your disk was put back."
    ),
}

#: why → what a seat is marked with
MARKS: dict[str, str] = {
    "withholds": N_("keeps words back"),
    "complained": N_("has stopped"),
    "differs": N_("another game"),
    "forgets": N_("takes words back"),
}
_MARK = N_("does not answer")


def suspected(fields: Mapping[str, Value], scene: Scene) -> str:
    """Why a laptop is suspected."""
    name, about = called(str(fields.get("name", ""))), str(fields.get("about", ""))
    why = str(fields.get("why", ""))
    if why in OWN and is_you(name, scene):
        return _(OWN[why])
    told = SUSPICIONS.get(why)
    if told is None:
        return _("{name}'s laptop does not answer as it should.").format(name=name)
    other, you, nobody = told
    about = called(about) if about else ""
    sentence = nobody if not about else you if is_you(about, scene) else other
    return _(sentence).format(name=name, about=about)


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
    return _(MARKS.get(why, _MARK)) if why else ""


def is_you(name: str, scene: Scene) -> bool:
    """Whether a notice that names somebody is about the reader."""
    return scene.you is not None and scene.name(scene.you) == name
