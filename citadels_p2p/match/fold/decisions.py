"""Judging one decision, or the answer to a call: from what an operator writes to the fact that
the engine takes, and how a lie about a call comes out (why so: docs/decisions, 32).

What a decision shows is of two kinds. A card has lain sealed in its slot, and its operator's
share opens it. Something that a seat *invented* (which warrant is signed) has no card: a fresh
slot stands for it, the seat bound itself to it by a commitment, and tells it with the nonce.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.bots import LEVELS
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.picks import Denial
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Call, Called, Decided
from protocol.errors import BadProof, IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match


MOST = 250
"""Times that an operator hands its seat over or takes it back: journals are not without end."""


def judge(match: Match, author: int, entry: bodies.Acted) -> Decided:
    """The fact in a decision that its author owes; a `RemoteError` where it may not stand.

    Changes nothing but the shares it shows, and those only where all is well; a commitment in
    it is for the caller to take.
    """
    move = rules.decision(match.state, entry.picks)
    if isinstance(move, Reason):
        raise IllegalEntry(move.code)
    pick = rules.commits(match.state, move)
    if (pick is None) != (entry.commitment == b"") or len(entry.commitment) not in (0, 32):
        raise IllegalEntry("a commitment goes with what is hidden, and with nothing else")
    slots = rules.reveals(match.state, move)
    with match.cards.trial():
        shown = (*_opened(match, author, entry, slots), *_told(match, entry, slots))
        fact = Decided(entry.seat, move, shown)
        match.refuse(fact)
    return fact


def _opened(
    match: Match, author: int, entry: bodies.Acted, slots: Sequence[int]
) -> tuple[tuple[int, str], ...]:
    """The faces of the cards that the decision shows."""
    cards = tuple(slot for slot in slots if match.is_card(slot))
    closed = match.still_closed(author, cards)
    if closed:
        match.cards.apply_shares(author, closed, b"open", entry.shares)
    elif entry.shares:
        raise IllegalEntry("shares of nothing")
    shown = tuple((slot, match.face(slot) or "") for slot in cards)
    if any(not face for _, face in shown):
        raise BadProof("the card is not open")
    return shown


def _told(
    match: Match, entry: bodies.Acted, slots: Sequence[int]
) -> tuple[tuple[int, str], ...]:
    """What it tells of the seat's own inventions, each held against its commitment."""
    invented = tuple(slot for slot in slots if not match.is_card(slot))
    if tuple(told.slot for told in entry.told) != invented:
        raise IllegalEntry("tells other secrets than it should")
    for told in entry.told:
        label = match.pick_label(told.slot, entry.seat)
        match.picks.check(label, told.slot, told.face, told.nonce)
    return tuple((told.slot, told.face) for told in entry.told)


def hand_over(match: Match, author: int, entry: bodies.HandedOver) -> None:
    """A person gives its seat to a bot, or takes it back."""
    seats = match.genesis.seats
    if not 0 <= entry.seat < len(seats) or match.keepers[entry.seat] != author:
        raise IllegalEntry("hands over somebody else's seat")
    if entry.level and entry.level not in LEVELS:
        raise IllegalEntry("hands over to nobody")
    if seats[entry.seat].kind == "bot" or entry.level == match.bots.get(entry.seat, ""):
        raise IllegalEntry(STALE)
    if match.is_over:
        raise IllegalEntry(STALE)  # said in time, ordered after the last act
    if match.handed[author] == MOST:
        raise IllegalEntry(STALE)
    match.handed[author] += 1
    match.bots[entry.seat] = entry.level


def judge_answer(match: Match, seq: int, author: int, entry: bodies.Answered) -> None:
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
