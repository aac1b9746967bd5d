"""What an operator owes the table beside its work with the cards: words about who is here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.operator.contributor import Contributor, say
from citadels_p2p.match.operator.presence import Presence
from protocol.application import Contribution


def words_owed(
    contributor: Contributor, presence: Presence, *, blames: bool
) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
    """Each by its name, with the way to make it; those about others only if it `blames`."""
    match, me = contributor.match, contributor.me
    attendance, words = match.absence.attendance, match.absence.attendance.words
    if attendance.awaits_word(me) and me not in match.held_off:
        key = f"returned/{words[me]}".encode()
        yield key, partial(say, key, bodies.Returned())
    if me in attendance.away:
        return  # first the others must know
    for dealer, held in match.keys.escrows.items():
        if me in held.seals and not contributor.has_checked(dealer):
            key = f"complaint/{len(match.keys.departed)}/{dealer}".encode()
            yield key, partial(contributor.complaint, key, dealer)
    for operator in match.giving_back.owed_to(me, match.absence.left):
        key = contributor.name_gift(operator)
        yield key, partial(contributor.give_back, operator, key)
    # Nor do we blame anybody while we wait for a majority to have somebody's last word.
    if blames and presence.hears_majority(match):
        for operator in presence.missed(match):
            key = f"missed/{operator}/{words[operator]}".encode()
            yield key, partial(say, key, bodies.Missed(operator, words[operator]))
        for operator in presence.given_up(match):
            key = f"given_up/{operator}/{words[operator]}".encode()
            yield key, partial(say, key, bodies.GivenUp(operator, words[operator]))
