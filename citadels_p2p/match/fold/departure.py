"""What becomes of the cards when somebody has left for good.

Until then each card that is dealt or opened costs a recovery, and the escrow asks for as many
holders as ever. So, before anything else goes on:

1. What the one who left can read is mixed with the stock by all who are here, and stays sealed.
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


def resign(match: Match, author: int) -> None:
    """One of the last two leaves for good.

    The other one plays on alone where it has seats besides its person's; else it is over.
    """
    absence = match.absence
    last = [one for one in range(match.operators) if one not in absence.left]
    if match.stage != "play" or absence.leaving or len(last) != 2:
        raise IllegalEntry(STALE)
    (other,) = (one for one in last if one != author)
    if len(match.seats_of(other)) > 1:
        absence.resigning |= {author}
        absence.attendance.say_goodbye(author)
    else:
        match.resigned, match.stage = author, "audit"
        match.ended |= {author}


def remove(match: Match, entry: bodies.Removed) -> list[int]:
    """The journal counts somebody no more: who newly counts as away by that.

    Only whoever had left for good by the entry that the removal names.
    """
    absence = match.absence
    left_at = absence.left_at.get(entry.operator)  # None: its layer is not off yet
    if left_at is None or left_at > entry.place:
        raise IllegalEntry("removed before it has left")
    return absence.attendance.remove(entry.operator)


def settle(match: Match, seq: int) -> None:
    """Entry `seq` stands: who has left for good by it, and can be spared.

    By its own word only once it has said *over* after that: a goodbye alone may stand in
    another history than the one in which its author plays on.
    """
    absence = match.absence
    if match.is_over or not absence.gone:
        return
    sure = (absence.attendance.goodbyes & match.ended) | absence.resigning
    for operator in sorted((sure | absence.attendance.voted_out).difference(absence.left)):
        if operator in absence.gone:
            if operator not in absence.resigning:
                absence.left_at[operator] = seq
            absence.left += (operator,)
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
        absence.left_at.setdefault(leaver, match.seq)
        if absence.leaving:
            _regroup(match)
    return _entrust(match)


def _unlayer(match: Match, leaver: int) -> tuple[Duty, ...]:
    zones = match.zones
    layered = [
        slot
        for slot in sorted(zones)
        if match.is_card(slot)
        and match.face(slot) is None
        and leaver not in match.cards.sharers(slot)
    ]
    if not layered:
        return ()
    if leaver in match.absence.resigning:
        mixing = match.custody.passes({leaver: layered}, zones)
        return mixing or (Duty("deal", leaver, tuple(layered), STRIP),)
    return match.custody.share_duties("strip", {leaver: layered}, zones, STRIP)


def _entrust(match: Match) -> tuple[Duty, ...]:
    """Also who was away meanwhile and comes back entrusts its key to those who are left."""
    if not match.keys.departed:
        return ()
    renewed = match.keys.renewed
    return tuple(Duty("entrust", one) for one in match.absence.present if one not in renewed)


def _regroup(match: Match) -> None:
    """The escrows that everybody who stays deals anew.

    Only who left by its own word lowers the threshold: otherwise a few, with command of the
    network, could vote out all others one by one until they are enough. An escrow that has too
    few holders is none.
    """
    absence = match.absence
    left = (*absence.departed, absence.leaving[0])
    needed = threshold(match.operators - len(_by_own_word(match)), match.liveness.escrow)
    holders = match.operators - len(left) - 1
    match.keys.regroup(left, needed if needed and needed <= holders else None)


def _by_own_word(match: Match) -> frozenset[int]:
    left = (*match.absence.departed, match.absence.leaving[0])
    return match.absence.attendance.goodbyes.intersection(left, match.ended)
