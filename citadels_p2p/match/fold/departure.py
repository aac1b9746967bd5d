"""What becomes of the cards when somebody has left for good.

Until then each card that is dealt or opened costs a recovery, and the escrow asks for as many
holders as ever. So, before anything else goes on:

1. What the one who left can read is mixed by all who are here, and stays sealed.
2. Its share of every card that lies face down is put together once: its layer can be taken off.
3. Everybody who is here entrusts its key anew, to those who stay, with the quorum for so many.

From then on cards are laid and shuffled without its key. The third step is also the fence: what
one author says is ordered as it was said, so nothing that was made for the cards as they were
before can come after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import STRIP, Duty
from citadels_p2p.match.fold.refusal import STALE
from protocol.cards.escrow import threshold
from protocol.errors import IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match


def give_up(match: Match, author: int, entry: bodies.GivenUp) -> bool:
    """Take a word on somebody's leaving for good; whether it newly counts as away.

    Nobody is given up where the others could not play on without it.
    """
    absence = match.absence
    if entry.operator in absence.left or match.is_over:
        raise IllegalEntry(STALE)
    leaves = author == entry.operator
    if leaves and not absence.could_spare(author):
        raise IllegalEntry(STALE)
    if not leaves and entry.operator not in absence.gone:
        raise IllegalEntry(STALE)
    before = absence.attendance.away
    absence.attendance.give_up(author, entry.operator, entry.since)
    return absence.attendance.away != before


def resign(match: Match, author: int, secret: bytes) -> None:
    """One of the last two leaves for good, and gives its share key away.

    The other one plays on alone where it has seats besides its person's; else it is over.
    """
    absence = match.absence
    last = [one for one in range(match.operators) if one not in absence.left]
    if match.stage != "play" or absence.leaving or len(last) != 2:
        raise IllegalEntry(STALE)
    match.keys.give(author, secret)
    (other,) = (one for one in last if one != author)
    if len(match.seats_of(other)) > 1:
        absence.opened |= {author}
        absence.attendance.say_goodbye(author)
    else:
        match.resigned, match.stage = author, "audit"


def remove(match: Match, entry: bodies.Removed) -> list[int]:
    """The journal counts somebody no more: who newly counts as away by that.

    Only whoever had left for good by the entry that the removal names.
    """
    absence = match.absence
    if entry.operator not in absence.left or absence.left_at[entry.operator] > entry.place:
        raise IllegalEntry("removed before it has left")
    return absence.attendance.remove(entry.operator)


def settle(match: Match, seq: int) -> None:
    """Entry `seq` stands: who has left for good by it, and can be spared."""
    absence = match.absence
    for operator in sorted(absence.attendance.given_up.difference(absence.left)):
        if operator in absence.gone:
            absence.left_at[operator] = seq
            absence.leaving += (operator,)
            if len(absence.leaving) == 1:
                _regroup(match)


def duties(match: Match) -> tuple[Duty, ...]:
    """What must be done before the match goes on without those who have left for good."""
    absence = match.absence
    while absence.leaving:
        leaver = absence.leaving[0]
        if leaver not in absence.gone:
            return ()  # too few are here: the match waits
        pending = _unlayer(match, leaver) or _entrust(match)
        if pending:
            return pending
        match.cards.depart(leaver)
        absence.departed += (leaver,)
        absence.leaving = absence.leaving[1:]
        if absence.leaving:
            _regroup(match)
    return _entrust(match)


def _unlayer(match: Match, leaver: int) -> tuple[Duty, ...]:
    zones = match.zones
    mixing = match.custody.vacate(match.seats_of(leaver), zones)
    if mixing:
        return mixing
    layered = [
        slot
        for slot in sorted(zones)
        if match.is_card(slot)
        and match.face(slot) is None
        and leaver not in match.cards.sharers(slot)
    ]
    if leaver in match.absence.opened:
        masks = [match.cards.state(slot).value.mask for slot in layered]
        for slot, share in zip(layered, match.keys.shares(leaver, masks), strict=True):
            match.cards.add_share(leaver, slot, share)
        return ()
    if not layered:
        return ()
    return tuple(match.absence.share_duties("strip", {leaver: layered}, STRIP))


def _entrust(match: Match) -> tuple[Duty, ...]:
    """Also who was away meanwhile and comes back entrusts its key to those who are left."""
    if not match.keys.departed:
        return ()
    renewed = match.keys.renewed
    return tuple(Duty("entrust", one) for one in match.absence.present if one not in renewed)


def _regroup(match: Match) -> None:
    absence = match.absence
    left = (*absence.departed, absence.leaving[0])
    needed = threshold(match.operators - len(left), match.liveness.escrow)
    match.keys.regroup(left, needed)
