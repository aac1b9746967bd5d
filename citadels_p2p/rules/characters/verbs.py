"""What characters can do, by the verbs of their moves; see `rules/moves.py` for the form."""

VERBS: dict[str, tuple[str, ...]] = {
    # several ranks
    "income": (),  # for the districts of the character's quarter
    "bonus_gold": (),
    "bonus_cards": (),
    # rank 1
    "murder": ("character",),
    "bewitch": ("character",),
    "place_warrants": (),  # asks on whom, then which is signed
    "warrants": ("characters",),
    "confiscate": ("slot",),  # the warrant, shown
    # rank 2
    "rob": ("character",),
    "spy": ("quarter", "seat"),
    "count": ("number",),  # so many cards of that quarter
    "agree": (),  # to the count
    "contest": (),  # the count: the hand is opened
    "place_threats": (),
    "threats": ("characters",),
    "bribe": (),
    "refuse_bribe": (),
    "threaten": ("slot",),  # the threat, shown
    # a secret: `sign` is the seat's own, `seal` all that others see of it
    "sign": ("slot", "character"),
    "seal": ("slot",),
    # rank 3
    "swap": ("seat",),  # exchange whole hands
    "redraw": (),  # asks which cards go under the deck; as many are drawn
    "discard": ("slots",),  # of the hand, these go
    "peek": ("seat",),  # look at a hand, to take a card of it
    "pocket": ("slot",),  # this one, into the hand
    "raise": ("slot",),  # this one, built at once
    "foresee": (),  # a card from everybody
    "give": ("slot",),
    # rank 4
    "crown": ("seat",),
    "tribute_gold": (),
    "tribute_card": (),
    "tribute": ("slot",),  # this card
    # rank 5
    "share": ("number",),  # so much gold, and cards for the other districts
    "alms": ("seat",),
    "borrow": ("seat",),  # what a district costs more than one has
    "pay_cards": ("slots",),
    # rank 6 and 9
    "homage": (),
    "gild": ("slot",),
    "collect": (),
    # rank 7
    "voyage_gold": (),
    "voyage_cards": (),
    "study": (),
    # rank 8
    "destroy": ("seat", "slot"),
    "exchange": ("give", "seat", "slot"),
    "seize": ("seat", "slot"),
}
