"""What happened, told: one whole sentence in the present tense for every kind of event.

Each kind has its own function, named as the kind, that takes the event's fields. A sentence
about a seat has the voices "you" and a name, and where it is done to somebody, "to you"; a
number always goes through a plural.
"""

from __future__ import annotations

from citadels_p2p.rules.events import Event
from cli.text import cards, deeds, rounds, voices
from cli.text.scene import Scene
from cli.text.sentence_registry import SENTENCES

__all__ = ["SENTENCES", "deeds", "goes_without_saying", "narrate", "rounds", "voices"]


def narrate(event: Event, scene: Scene) -> str:
    """The event as a sentence in the voice of `scene`; an unknown kind as its own words."""
    sentence = SENTENCES.get(event.kind)
    if sentence is None:
        return f"{cards.spell(event.kind)}."
    return sentence(scene, **event.fields())


def goes_without_saying(event: Event, before: Event | None, you: int | None) -> bool:
    """Whether a listener who has heard everything up to `before` needs no sentence for it."""
    fields = event.fields()
    match event.kind:
        case "turn_begins":  # the call has just said who plays what
            return before is not None and before.kind == "rank_called"
        case "turn_ends":  # the next call says so
            return fields["seat"] != you
        case "cards_gained":  # both hands of a swap were told in one sentence
            if fields["reason"] == "start":  # everybody gains the same
                return fields["seat"] != (you or 0)
            swap = before is not None and before.kind in ("hands_swapped", "cards_gained")
            return swap and fields["reason"] == "magician"
    return False
