"""Rules drawn at random: any edition, number of seats, roster, unique districts and options.

What simulations of everything are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, READINGS, Edition
from citadels_p2p.rules.choosing import LAST_RANK, RANDOM, rank_of
from citadels_p2p.rules.ruleset import DRAFTS, Rules


def draw_rules(
    random: Random, editions: Sequence[str] = tuple(EDITIONS), seats: int | None = None
) -> Rules:
    """Some rules of one of these editions, legal by making; `seats` None: any number.

    An edition that does not take so many is passed over; ValueError where none does.
    """
    boxes = fitting(editions, seats)
    if not boxes:
        raise ValueError("seats_out_of_range")
    box = EDITIONS[random.choice(boxes)]
    people = random.randint(*box.seats) if seats is None else seats
    characters: Sequence[str] = draw_roster(random, box, people)
    uniques = draw_uniques(random, box, characters) if random.random() < 0.8 else None
    draft = random.choice(DRAFTS) if random.random() < 0.4 else "pass"
    each = random.randint(1, len(characters) // people) if draft == "deal" else None
    if box.drawn_uniques and each is None and random.random() < 0.1:
        characters, uniques = [RANDOM], [RANDOM]
    return Rules.make(
        box.id,
        people,
        random.choice(box.city_sizes) if random.random() < 0.3 else None,
        characters=characters,
        uniques=uniques,
        draft=draft,
        characters_each=each,
        **{
            name: random.choice(values)
            for name, values in READINGS.items()
            if random.random() < 0.3
        },
    )


def fitting(editions: Sequence[str], seats: int | None) -> list[str]:
    """Those of the editions that take so many seats; None: any number."""
    boxes = [EDITIONS[id] for id in editions]
    return [box.id for box in boxes if seats is None or box.seats[0] <= seats <= box.seats[1]]


def draw_roster(random: Random, box: Edition, seats: int) -> list[str]:
    """One character of the box a rank, of those that can play with so many seats."""
    ninth = seats in box.ninth_needed or (seats > 2 and random.random() < 0.5)
    by_rank: dict[int, list[str]] = {}
    for id in box.cast:
        rank = rank_of(box, id)
        if CHARACTERS[id].fewest_seats <= seats and (rank < LAST_RANK or ninth):
            by_rank.setdefault(rank, []).append(id)
    return [random.choice(by_rank[rank]) for rank in sorted(by_rank)]


def draw_uniques(random: Random, box: Edition, roster: Sequence[str]) -> list[str]:
    """As many unique districts of the box as go into a deck that is played with this roster."""
    banned = {card for character, card in box.apart if character in roster}
    rows = [
        row
        for row in (*box.deck, *box.chest)
        if DISTRICTS[row.card].quarter == "unique" and row.card not in banned
    ]
    random.shuffle(rows)
    _, high = box.unique_cards
    chosen, count = [], 0
    for row in rows:
        if count + row.copies <= high:
            chosen.append(row.card)
            count += row.copies
    return chosen
