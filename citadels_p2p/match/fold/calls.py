"""What is said when a rank is called, and how a lie about it comes out.

Why so: docs/decisions, 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.picks import Denial
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.rules.needs import Call, Called
from protocol.errors import IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match


def judge(match: Match, seq: int, author: int, entry: bodies.Answered) -> None:
    """Take an operator's answer to the call that is open; a `RemoteError` for a false one."""
    need = rules.need(match.state)
    assert isinstance(need, Call)
    if entry.step != match.step:
        raise IllegalEntry(STALE)
    if entry.seat < 0:
        if entry.slot != -1 or entry.nonce or entry.shares:
            raise IllegalEntry("'not I' carries nothing")
        match.picks.deny(Denial(seq, author, need.rank))
        return
    if match.hidden_picks().get(entry.slot) != entry.seat:
        raise IllegalEntry("reveals a card that this seat has not chosen")
    if match.keepers[entry.seat] != author:
        raise IllegalEntry("answers for somebody else's seat")
    with match.cards.trial():
        match.cards.apply_shares(author, (entry.slot,), b"open", entry.shares)
        character = match.check_pick(entry.slot, entry.nonce)
        fact = Called(entry.seat, entry.slot, character)
        match.refuse(fact)
    match.picks.reveal(author, fact)


def exposed(match: Match, slots: Sequence[int], faces: Sequence[str]) -> IllegalEntry | None:
    """Whoever stayed silent at the call of a character that is now shown has cheated."""
    hidden = match.hidden_picks()
    for slot, face in zip(slots, faces, strict=True):
        seat = hidden.get(slot)
        if seat is None or not face:
            continue
        denial = match.picks.lie(match.keepers[seat], match.rank_of(face))
        if denial is not None:
            return IllegalEntry(
                f"silent at the call of rank {denial.rank} in entry {denial.seq}",
                culprit=match.genesis.operators[denial.operator].identity,
            )
    return None
