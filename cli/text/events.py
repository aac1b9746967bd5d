"""Writes events: one whole sentence in the present tense for every kind.

A kind has a row in a table (`event_voices`) or a function named as the kind
(`event_sentences`). A number always goes through a plural.
"""

from __future__ import annotations

from citadels_p2p.rules.events import Event
from cli.text import cards, event_sentences, event_voices
from cli.text.scene import Scene
from cli.text.sentence_registry import SENTENCES

__all__ = ["SENTENCES", "event_sentences", "event_voices", "goes_without_saying", "narrate"]


def narrate(event: Event, scene: Scene) -> str:
    """The event as a sentence in the voice of `scene`; an unknown kind as its own words."""
    sentence = SENTENCES.get(event.kind)
    if sentence is None:
        return f"{cards.spell(event.kind)}."
    return sentence(scene, **event.fields())


def goes_without_saying(
    event: Event, before: Event | None, you: int | None, *, live: bool = False
) -> bool:
    """Whether the event needs no sentence, because `before` or the next event implies it.

    `live`: the table's own notices say who is away and who is back.
    """
    fields = event.fields()
    match event.kind:
        case "turn_begins":  # the call has just said who plays what
            return before is not None and before.kind == "rank_called"
        case "seat_away" | "seat_back":
            return live
        case "crown_taken":  # so has the heir's sentence
            return before is not None and before.kind == "heir"
        case "turn_ends":  # the next call says so
            return fields["seat"] != you
        case "cards_gained":  # both hands of a swap were told in one sentence
            if fields["reason"] == "start":  # everybody gains the same
                return fields["seat"] != (you or 0)
            swap = before is not None and before.kind in ("hands_swapped", "cards_gained")
            return swap and fields["reason"] == "magician"
    return False
