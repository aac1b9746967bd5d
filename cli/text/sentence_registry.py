"""The registry of sentences about events: kind of event → the function that writes it."""

from __future__ import annotations

from collections.abc import Callable

#: a function takes the scene and the event's fields, and gives the sentence
SENTENCES: dict[str, Callable[..., str]] = {}


def event_sentence(sentence: Callable[..., str]) -> Callable[..., str]:
    """Register a function under its own name, which is the kind of event."""
    SENTENCES[sentence.__name__] = sentence
    return sentence
