"""What unique districts let their owner do, by the verbs of their moves.

See `rules/moves.py` for the form.
"""

VERBS: dict[str, tuple[str, ...]] = {
    "lab": ("slot",),  # discard a card for gold
    "smithy": (),  # pay for cards
    "recover": ("slot",),  # take a destroyed district to hand
}
