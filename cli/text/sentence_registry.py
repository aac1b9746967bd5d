"""Where the sentences about events are registered: kind → the function named as the kind."""

from __future__ import annotations

from collections.abc import Callable

#: a function takes the scene and the event's fields, and gives the sentence
SENTENCES: dict[str, Callable[..., str]] = {}


def event_sentence(sentence: Callable[..., str]) -> Callable[..., str]:
    """Register the sentence of the event kind after which the function is named."""
    SENTENCES[sentence.__name__] = sentence
    return sentence
