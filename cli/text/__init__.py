"""Every sentence a person reads. Below this wing there are only codes and values.

Rules: whole sentences in the present tense; names in their plain form; every number through a
plural; nothing from another machine is shown before `clean`.
"""

from cli.text.events import narrate
from cli.text.labels import label
from cli.text.questions import question
from cli.text.reasons import ending, error, notice, refusal
from cli.text.scene import Scene, clean, listing

__all__ = [
    "Scene",
    "clean",
    "ending",
    "error",
    "label",
    "listing",
    "narrate",
    "notice",
    "question",
    "refusal",
]
