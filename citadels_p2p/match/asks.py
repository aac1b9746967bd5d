"""From the engine's choices and scores to what a person is asked and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citadels_p2p import rules
from citadels_p2p.bots.advice import Counsel
from citadels_p2p.match.news import (
    AdviceNews,
    Ask,
    Awaited,
    Barred,
    Ground,
    Option,
    OverNews,
    ScoreLine,
    SeatScore,
)
from citadels_p2p.rules import Move, Reason, State
from citadels_p2p.rules.needs import Decide


def option_of(move: Move, faces: dict[int, str], state: State) -> Option:
    """A legal move with what a sentence about it needs (its fields, and the card in a slot it
    names), and what it costs.
    """
    said = move.fields()
    fields = {name: value for name, value in said.items() if value not in (-1, "")}
    slot = fields.get("slot")
    if isinstance(slot, int) and "card" not in fields:
        card = faces.get(slot) or state.faces.get(slot)
        if card is not None:
            fields["card"] = card
    return Option(move.id, move.verb, fields, move.outlay == "gift", move.outlay == "sacrifice")


def ask_of(number: int, state: State, faces: dict[int, str], seconds: int | None = None) -> Ask:
    """The question that is put to a person now, with what is not possible and why.

    `seconds`: how long it stays open.
    """
    choice = rules.choice(state, faces)
    verbs = tuple(dict.fromkeys(move.verb for move in choice.moves))
    closes = {verb: rules.closed_by(state, verb, verbs) for verb in verbs}
    options = tuple(
        replace(
            option_of(move, faces, state),
            closes=closes[move.verb],
            harms=rules.harms(state, move),
        )
        for move in choice.moves
    )
    barred = tuple(
        Barred(option_of(move, faces, state), reason.code, reason.fields())
        for move, reason in rules.menu(state, faces)
        if reason is not None
    )
    deadline = None if seconds is None else float(seconds)
    return Ask(
        number,
        choice.kind,
        options,
        choice.low,
        choice.high,
        deadline,
        barred,
        choice.ask,
        dict(choice.about),
    )


def advice(ask: int, counsel: Counsel) -> AdviceNews:
    """What a bot would do in the ask with this id, as it is told."""
    grounds = tuple(Ground(code, fields) for code, fields in counsel.grounds)
    return AdviceNews(
        ask, counsel.picks, counsel.percent, grounds, counsel.next, counsel.next_percent
    )


def awaited_in(state: State) -> Awaited | None:
    """Whom the table waits for now; public, as every decision's kind is."""
    need = rules.need(state)
    if not isinstance(need, Decide):
        return None
    return Awaited(need.seat, rules.asked(state))


def over_of(
    state: State,
    names: tuple[str, ...],
    journal: str = "",
    resigned: tuple[int, ...] = (),
    *,
    claimed: bool = False,
) -> OverNews:
    """The final scores, line by line; the seats that have `resigned` come last."""
    scores = rules.score(state)
    order = sorted((line.seat in resigned, line.rank) for line in scores.seats)
    return OverNews(
        scores=tuple(
            SeatScore(
                seat=line.seat,
                total=line.total,
                lines=tuple(ScoreLine(reason, points) for reason, points in line.lines),
                rank=1 + order.index((line.seat in resigned, line.rank)),
            )
            for line in scores.seats
        ),
        winners=tuple(
            line.seat for line in scores.seats if (line.seat in resigned, line.rank) == order[0]
        ),
        digest=rules.digest(state).hex(),
        journal=journal,
        names=names,
        resigned=resigned,
        claimed=claimed,
    )


def fits(question: Ask, picks: Sequence[str]) -> Reason | None:
    """Why an answer has not the form asked for, or names what is not listed; else None."""
    listed = {option.id for option in question.options}
    if any(pick not in listed for pick in picks) or len(set(picks)) != len(picks):
        return Reason("not_an_option")
    low, high = (1, 1) if question.low is None else (question.low, question.high or 0)
    if len(picks) < low:
        return Reason("too_few", (low,))
    return Reason("too_many", (high,)) if len(picks) > high else None
