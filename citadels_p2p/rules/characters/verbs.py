"""What characters can do, by the verbs of their moves; see `rules/moves.py` for the form."""

VERBS: dict[str, tuple[str, ...]] = {
    "income": (),  # gold for the districts of the character's quarter
    "bonus_gold": (),
    "bonus_cards": (),
    "murder": ("character",),
    "rob": ("character",),
    "swap": ("seat",),  # exchange whole hands
    "redraw": (),  # asks which cards go under the deck; as many are drawn
    "discard": ("slots",),  # of the hand, these go
    "destroy": ("seat", "slot"),
}
