"""Playing rulings: every act must be possible, every refusal and every outcome as written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citadels_p2p.rules import Move, Reason, TimedOut, score
from citadels_p2p.rules.events import KINDS, Value
from citadels_p2p.rulings.reading import COIN, PEOPLE, Fault, Line, Ruling, Unreadable, read
from citadels_p2p.rulings.table import Table

#: event fields that name a person
_PERSONS = frozenset(("seat", "victim", "other", "owner", "before", "to", "winners"))


def check(text: str) -> list[Fault]:
    """What the rulings of a file say otherwise than the engine; Unreadable for a wrong form."""
    return [fault for ruling in read(text) for fault in _play(ruling)]


def _play(ruling: Ruling) -> list[Fault]:
    table = Table(ruling)
    for person in ruling.people:
        if PEOPLE.index(person) >= table.rules.seats:
            raise Unreadable(ruling.line, f"there is no seat for {person}")
    faults: list[Fault] = []
    for line in ruling.lines:
        if line.section == "outcome":
            found = _look(table, line)
            expected = " ".join(line.words)
            if found != expected and not _same(line, found):
                faults.append(_fault(ruling, line, found))
        elif (trouble := _act(table, line)) is not None:
            faults.append(_fault(ruling, line, trouble))
            break
    return faults


def _fault(ruling: Ruling, line: Line, found: str) -> Fault:
    said = f"{line.about}: {' '.join(line.words)}"
    return Fault(line.number, ruling.title, said, found or "nothing")


# Acts


def _act(table: Table, line: Line) -> str | None:
    """One line of acts; what is wrong with it."""
    if not line.words:
        raise Unreadable(line.number, "no act")
    if table.person != line.about:
        return f"asked: {table.asked}"
    first, *rest = line.words
    if line.words == ("nothing",):
        return _told(table.happen(TimedOut(PEOPLE.index(line.about))))
    if first == "not" and rest:
        return _bar(table, rest)
    if first == "may" and rest:
        move = table.find(rest)
        legal = isinstance(move, Move) and " ".join(rest) in table.offers()
        return None if legal else _offered(table)
    move = table.find(line.words)
    return _told(move if isinstance(move, Reason) else table.settle(move))


def _bar(table: Table, words: Sequence[str]) -> str | None:
    """`not build keep (untouchable)`: the act is refused, for this reason if one is given."""
    reason = ""
    if words[-1].startswith("("):
        *words, reason = words
    move = table.find(words)
    why = move if isinstance(move, Reason) else table.settle(move)
    if why is None:
        return "accepted"
    return None if reason in ("", f"({why.code})") else f"refused: {why.code}"


def _told(reason: Reason | None) -> str | None:
    return None if reason is None else f"refused: {reason.code}"


def _offered(table: Table) -> str:
    return "offered: " + ", ".join(table.offers())


# Outcomes


def _same(line: Line, found: str) -> bool:
    """Cards of a hand or a city are the same in any order; one event among others is enough."""
    if line.about == "told":
        return f"\n{' '.join(line.words)}\n" in f"\n{found}\n"
    return sorted(found.split()) == sorted(line.words) or line.words == (found or "nothing",)


def _look(table: Table, line: Line) -> str:
    """What the table shows of the thing that the line is about."""
    name, _, rest = line.about.partition(" of ")
    if name in _OF_PERSON:
        person, _, detail = rest.partition(" for ")
        if person not in PEOPLE[: table.rules.seats]:
            raise Unreadable(line.number, f"nobody is called {person}")
        return _OF_PERSON[name](table, PEOPLE.index(person), detail)
    if line.about in _OF_TABLE:
        return _OF_TABLE[line.about](table)
    if line.about == "under the deck":
        return " ".join(table.names(table.state.deck[: len(line.words)]))
    raise Unreadable(line.number, f"no such outcome: {line.about}")


def _standing(table: Table, seat: int) -> list[str]:
    """The districts of a city, with a mark behind those on which gold lies."""
    place, gilded = table.state.places[seat], table.state.gilded
    return [
        card + COIN * gilded.get(slot, 0)
        for slot, card in zip(place.city, place.names, strict=True)
    ]


def _points(table: Table, seat: int, reason: str) -> str:
    sheet = score(table.state).seats[seat]
    return str(dict(sheet.lines).get(reason, 0) if reason else sheet.total)


def _turn(table: Table) -> str:
    turn = table.state.turn
    return f"{PEOPLE[turn.seat]} {turn.character}" if turn is not None else "nobody"


def _crown(table: Table) -> str:
    crown = table.state.crown
    return "nobody" if crown is None else PEOPLE[crown]


def _winners(table: Table) -> str:
    return " ".join(PEOPLE[seat] for seat in score(table.state).winners)


def _events(table: Table) -> str:
    return "\n".join(_event(event.kind, event.values) for event in table.events)


def _event(kind: str, values: Sequence[Value]) -> str:
    words = [kind]
    for name, value in zip(KINDS[kind], values, strict=True):
        if name in ("slot", "other_slot"):
            continue
        words.append(_say(value, name in _PERSONS))
    return " ".join(words)


def _say(value: Value, is_person: bool) -> str:
    if value is None:
        return "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "+".join(_say(one, is_person) for one in value)
    return PEOPLE[value] if is_person and isinstance(value, int) else str(value)


_OF_PERSON: dict[str, Callable[[Table, int, str], str]] = {
    "gold": lambda table, seat, _: str(table.state.places[seat].gold),
    "cards": lambda table, seat, _: str(len(table.state.places[seat].hand)),
    "hand": lambda table, seat, _: " ".join(table.names(table.state.places[seat].hand)),
    "city": lambda table, seat, _: " ".join(_standing(table, seat)),
    "characters": lambda table, seat, _: " ".join(table.names(table.state.places[seat].picks)),
    "points": _points,
}
_OF_TABLE: dict[str, Callable[[Table], str]] = {
    "asked": lambda table: table.asked,
    "turn": _turn,
    "crown": _crown,
    "winner": _winners,
    "last round": lambda table: "yes" if table.state.ends else "no",
    "told": _events,
}
