"""Playing rulings: every act must be possible, every refusal and every outcome as written.

The scene is laid out on the engine itself, with an open dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from citadels_p2p import notation
from citadels_p2p.cards import DISTRICTS, EDITIONS, READINGS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import Game
from citadels_p2p.rules import (
    Choice,
    Decided,
    Fact,
    Move,
    Reason,
    Rules,
    TimedOut,
    apply,
    board,
    choice,
    decision,
    new,
    refuse,
    reveals,
    score,
    secret,
)
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.events import Event, Value
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.state import BASE, Frame
from citadels_p2p.rulings.reading import (
    COIN,
    NOBODY,
    PEOPLE,
    POSITION,
    Fault,
    Line,
    Ruling,
    Unreadable,
    read,
)


class Table:
    """One scene being played. Characters, cards and people go by name."""

    def __init__(self, ruling: Ruling) -> None:
        self.events: list[Event] = []
        text = ruling.settings.get(POSITION)
        if text is not None:
            try:
                game = Game.at(text, seed=0)
            except notation.Unreadable as fault:
                raise Unreadable(ruling.line, str(fault)) from None
            self.rules, self.state, self.dealer = game.rules, game.state, game.dealer
            self.state.log = None
            return
        self.rules = _rules(ruling)
        self.state = new(self.rules)
        self.dealer = OpenDealer(Random(0))
        self._lay_out(ruling)
        self._advance()

    @property
    def asked(self) -> str:
        """Who is asked, and for what: `ann act`; `over` at the end."""
        frame = self.state.stack[-1]
        if frame.need != "decide":
            return "over"
        return f"{PEOPLE[frame.seat]} {ASKS[frame.then].kind}"

    @property
    def person(self) -> str:
        """Who is asked; nobody at the end."""
        frame = self.state.stack[-1]
        return PEOPLE[frame.seat] if frame.need == "decide" else ""

    def offers(self) -> dict[str, Move]:
        """What the asked seat may choose, by the words for it."""
        offer = self._choice()
        return {self._words(move): move for move in offer.moves}

    def settle(self, move: Move) -> Reason | None:
        """The asked seat decides so; the reason where it may not, and then nothing happens."""
        state = self.state
        hidden = secret(state, move)
        if hidden is not None:
            move = self.dealer.invent(hidden)
        shown = tuple((slot, self.dealer.faces[slot]) for slot in reveals(state, move))
        return self.happen(Decided(state.stack[-1].seat, move, shown))

    def happen(self, fact: Fact) -> Reason | None:
        """This fact, and whatever follows of itself."""
        reason = refuse(self.state, fact)
        if reason is None:
            self.events += apply(self.state, fact)
            self._advance()
        return reason

    def find(self, words: Sequence[str]) -> Move | Reason:
        """The move for these words, be it legal or not; Reason where they make no move."""
        offer = self._choice()
        verb, *rest = words
        if offer.low is not None:
            chosen = []
            for name in rest:
                options = [
                    move.id
                    for move in offer.moves
                    if self._words(move).split()[1:] == [name] and move.id not in chosen
                ]
                if not options:
                    return Reason("no_such_card")
                chosen.append(options[0])
            return decision(self.state, chosen)
        named = self.offers().get(" ".join(words))
        return named if named is not None else self._build(verb, rest)

    def names(self, slots: Sequence[int]) -> list[str]:
        """The cards in these slots, hidden or not."""
        return [self.dealer.faces[slot] for slot in slots]

    def _choice(self) -> Choice:
        seat = self.state.stack[-1].seat
        return choice(self.state, self.dealer.knowledge(self.state, seat))

    def _words(self, move: Move) -> str:
        words = [move.verb]
        for name in VERBS[move.verb]:
            value = getattr(move, name)
            if name == "seat":
                words.append(PEOPLE[value])
            elif name in ("slot", "give"):
                words += self.names([value] if value in self.dealer.faces else [])
            elif name not in ("slots", "characters"):
                words.append(str(value))
        return " ".join(words)

    def _build(self, verb: str, words: list[str]) -> Move | Reason:
        """A move that is not offered: each card is looked for where it can be meant."""
        seat = self.state.stack[-1].seat
        home = self.state.places[seat]
        where = [*self.state.stack[-1].slots, *home.hand, *home.city, *home.picks]
        where += [laid.slot for laid in self.state.hidden_markers.values() if laid.seat == seat]
        names = VERBS.get(verb)
        if names is None or len(names) != len(words):
            return Reason("not_an_option")
        arguments = []
        for name, word in zip(names, words, strict=True):
            if name == "seat" and word in PEOPLE:
                seat = PEOPLE.index(word)
                where = self.state.places[seat].city if seat < len(self.state.places) else []
                arguments.append(str(seat))
            elif name in ("slot", "give"):
                slots = home.city if name == "give" else where
                found = [slot for slot in slots if self.dealer.faces[slot] == word]
                if not found:
                    return Reason("no_such_card")
                arguments.append(str(found[0]))
            else:
                arguments.append(word)
        return decision(self.state, [":".join((verb, *arguments))])

    def _advance(self) -> None:
        self.state.log = self.events
        self.dealer.advance(self.state)
        self.state.log = None

    def _lay_out(self, ruling: Ruling) -> None:
        state, labels = self.state, self.rules.pack
        free = list(range(len(labels)))

        def draw(cards: Sequence[str]) -> list[int]:
            slots = []
            for card in cards:
                slot = next((slot for slot in free if labels[slot] == card), None)
                if slot is None:
                    raise Unreadable(ruling.line, f"the deck has no {card} left")
                free.remove(slot)
                slots.append(slot)
            return slots

        self.dealer.faces.update(enumerate(labels))
        state.bank = 0
        for seat, place in enumerate(state.places):
            sitter = ruling.people.get(PEOPLE[seat])
            place.gold = sitter.gold if sitter else 0
            state.bank -= place.gold
            if sitter is None:
                continue
            place.hand = draw(sitter.hand)
            for slot, card in zip(draw(sitter.city), sitter.city, strict=True):
                board.place(state, seat, slot, state.tables.districts[card])
            state.gilded |= {place.city[at]: 1 for at in sitter.gilded}
            state.bank -= len(sitter.gilded)
            for character in sitter.characters:
                self.dealer.faces[state.fresh_slot] = character
                place.picks.append(state.fresh_slot)
                state.fresh_slot += 1
        top = draw(ruling.settings.get("deck", "").split())
        state.deck = free[::-1] + top[::-1]
        state.lots = {}
        crown = ruling.settings.get("crown", PEOPLE[0])
        state.crown = None if crown == NOBODY else PEOPLE.index(crown)
        state.round = 1
        if "first" in ruling.settings:
            state.first = PEOPLE.index(ruling.settings["first"])
            state.ends = True
        state.phase = "turns"
        state.stack[BASE:] = [Frame("deal", "settled", 0)]


def _rules(ruling: Ruling) -> Rules:
    """The scene's edition with the characters and districts that it names, and usual ones."""
    settings = ruling.settings
    edition = settings.get("edition", "classic")
    box = EDITIONS[edition]
    seats = int(settings.get("seats", 4))
    cast = [id for sitter in ruling.people.values() for id in sitter.characters]
    cast += settings.get("cast", "").split()
    laid = set(settings.get("deck", "").split())
    for sitter in ruling.people.values():
        laid.update(sitter.hand, sitter.city)
    try:
        return Rules.make(
            edition,
            seats,
            int(settings["city"]) if "city" in settings else None,
            characters=tuple(dict.fromkeys(cast))
            if len(box.cast) > len(box.characters)
            else None,
            uniques=_uniques(edition, laid, cast),
            draft="pass",
            characters_each=None,
            **{name: settings[name] for name in READINGS if name in settings},
        )
    except ValueError as error:
        raise Unreadable(ruling.line, str(error)) from None


def _uniques(edition: str, laid: set[str], cast: Sequence[str]) -> tuple[str, ...] | None:
    """The unique districts laid out, and as many of the usual ones as the deck needs: none that
    never plays with one of the characters.
    """
    box = EDITIONS[edition]
    banned = {card for character, card in box.apart if character in cast}
    usual = [row for row in box.deck if DISTRICTS[row.card].quarter == "unique"]
    wanted = [row for row in (*usual, *box.chest) if row.card in laid]
    if all(row in usual for row in wanted):
        return None
    room = box.unique_cards[1] - sum(row.copies for row in wanted)
    for row in usual:
        if row not in wanted and row.card not in banned and row.copies <= room:
            wanted.append(row)
            room -= row.copies
    return tuple(row.card for row in wanted)


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
        return None if legal else f"offered: {', '.join(table.offers())}"
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
        card.id + COIN * gilded.get(slot, 0)
        for slot, card in zip(place.city, place.districts, strict=True)
    ]


def _points(table: Table, seat: int, reason: str) -> str:
    sheet = score(table.state).seats[seat]
    return str(dict(sheet.lines).get(reason, 0) if reason else sheet.total)


def _turn(table: Table) -> str:
    turn = table.state.turn
    return f"{PEOPLE[turn.seat]} {turn.character}" if turn is not None else "nobody"


def _event(event: Event) -> str:
    fields = event.fields().items()
    said = (_say(one, name in _PERSONS) for name, one in fields if not name.endswith("slot"))
    return " ".join((event.kind, *said))


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
    "crown": lambda table: _say(table.state.crown, True),
    "winner": lambda table: " ".join(PEOPLE[seat] for seat in score(table.state).winners),
    "last round": lambda table: "yes" if table.state.ends else "no",
    "told": lambda table: "\n".join(map(_event, table.events)),
}
