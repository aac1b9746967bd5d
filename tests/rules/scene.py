"""Setting a scene at the table in two lines, and playing on from there in words.

    scene = Scene(ann=Player("warlord", gold=3), bob=Player(city="market keep"))
    assert scene.play("destroy:bob:market") == [
        "destroyed seat=ann owner=bob card=market paid=1"
    ]

People sit in the order of `PEOPLE`, with Ann's left neighbour Bob. A scene opens with the first
call of a round; whoever has no character is not called. Moves are the engine's own ids, except
that cards and people go by name. Everything that happens is given as lines of text: the event's
kind and its fields, without the slots, which mean nothing to a reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from random import Random

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import (
    Choice,
    Decided,
    Event,
    Fact,
    Move,
    Reason,
    Rules,
    SeatScore,
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
    step,
)
from citadels_p2p.rules.events import Value
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.state import BASE, Frame, Place
from citadels_p2p.rulings.playing import _say, _uniques
from citadels_p2p.rulings.reading import PEOPLE
from tests.json_schema import CAUSES

#: the boxes that a scene may be of, the simplest first
BOXES = ("classic", "2016", "dark-city")

#: verbs on the slot of a secret, which the words leave out
_ON_MARKERS = frozenset({"sign", "confiscate", "threaten"})

#: the cards of the books; a house box adds its own later, which are causes too
PRINTED = frozenset((*CHARACTERS, *DISTRICTS))

#: fields that name a person, beside those that every event calls so
_PERSONS = frozenset({
    "seat", "victim", "other", "owner", "before", "crown", "judge", "to", "winners",
    "match_begins.first",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits there: characters, gold, hand and city; cards are words between spaces."""

    characters: str = ""
    _: KW_ONLY
    gold: int = 0
    hand: str = ""
    city: str = ""

    def cards(self) -> list[str]:
        """The districts, in the hand and standing."""
        return [*self.hand.split(), *self.city.split()]


class _Arranged(Random):
    """Chance that first lays out the orders it was given, one after the other."""

    def __init__(self, orders: Sequence[str]) -> None:
        super().__init__(7)
        self.orders = [order.split() for order in orders]

    def shuffle(self, x: list[str]) -> None:  # type: ignore[override]
        if not self.orders:
            super().shuffle(x)
            return
        order = self.orders.pop(0)
        assert sorted(order) == sorted(x), f"not an order of this pile: {x}"
        x[:] = order


class Scene:
    """A table, an open dealer, and everything that happened since the scene opened (`story`).

    `deck` names the cards on top of the deck, the first to be drawn first. `pile` makes the
    scene open with the choice of characters, laid out in this order; `again` is their order
    after the King went back into the pile. `first` completed a city earlier: the last round.
    `cast` names characters beside those that somebody holds; a rank that neither names has its
    usual one. Unless `edition` says otherwise, the box is the first of `BOXES` that has
    everything; its deck holds the unique districts that are laid out, and usual ones.
    `readings`: those of `READINGS` that are not as usual.
    """

    def __init__(
        self,
        *,
        seats: int = 4,
        crown: str = "ann",
        city: int | None = None,
        deck: str = "",
        pile: str = "",
        again: str = "",
        first: str = "",
        cast: str = "",
        edition: str = "",
        uniques: tuple[str, ...] | None = None,
        gilding: str = "cost",
        readings: Mapping[str, str] | None = None,
        **people: Player,
    ) -> None:
        named = list(dict.fromkeys([*_held(people), *cast.split()]))
        laid = {word for player in people.values() for word in player.cards()} | {*deck.split()}
        if not edition:
            edition = next(box for box in BOXES if _has(box, named, laid))
        if uniques is None:
            uniques = _uniques(edition, laid, named)
        if edition != "classic" and seats in EDITIONS[edition].ninth_needed:
            ranks = {CHARACTERS[id].rank for id in named}
            named += [] if 9 in ranks else ["artist"]
        self.rules = Rules.make(
            edition,
            seats=seats,
            city=city,
            characters=named if edition != "classic" else None,
            uniques=uniques,
            draft="pass",
            characters_each=None,
            **{"gilding": gilding, **(readings or {})},
        )
        self.state = new(self.rules)
        self.dealer = OpenDealer(_Arranged([order for order in (pile, again) if order]))
        self.story: list[str] = []
        self._lay_out(people, deck)
        state = self.state
        state.crown = PEOPLE.index(crown)
        state.round = 1
        if first:
            state.first = PEOPLE.index(first)
            state.ends = True
        state.phase = "setup" if pile else "turns"
        state.stack[BASE:] = [Frame("deal", "settled", 0)]
        self._advance()

    @classmethod
    def opening(cls, seats: int, cast: str = "") -> Scene:
        """A match from its very beginning, up to the first choice of a character."""
        scene = cls(seats=seats, cast=cast)
        scene.state = new(scene.rules)
        scene.dealer = OpenDealer(Random(seats))
        scene.story = []
        scene._advance()
        return scene

    # What happens

    def play(self, *words: str) -> list[str]:
        """Whoever is asked plays these moves, each offered and legal; gives what happened."""
        told: list[str] = []
        for word in words:
            move = self._move(word)
            assert self._is_offered(move), f"{word} is not among {sorted(self.offers())}"
            told += self._settle(self._decided(move))
        return told

    def arrange(self, *orders: str) -> None:
        """Chance lays out these orders next, one after the other."""
        self.dealer.random = _Arranged(orders)

    def leave_in_deck(self, count: int) -> None:
        """Only the top cards stay in the deck; the others lie in the last person's hand."""
        state = self.state
        state.places[-1].hand += state.deck[: len(state.deck) - count]
        del state.deck[: len(state.deck) - count]

    def gild(self, person: str, card: str) -> None:
        """A gold of the bank lies on this district."""
        self.state.gilded[self._slot(card, self._place(person).city)] = 1
        self.state.bank -= 1

    def claim(self, word: str) -> list[str]:
        """Whoever is asked plays what no honest player is offered, but no rule can refuse."""
        move = self._move(word)
        assert not self._is_offered(move), f"{word} is offered"
        return self._settle(self._decided(move))

    def refused(self, word: str) -> str:
        """Why the seat that is asked may not play this; fails where it may."""
        reason = self.reason(word)
        return _line(reason.code, reason.fields())

    def reason(self, word: str) -> Reason:
        """The same, as the engine gives it."""
        move = self._move(word)
        assert not self._is_offered(move), f"{word} is offered"
        reason = step(self.state, self._decided(move))
        assert isinstance(reason, Reason), f"{word} is accepted"
        return reason

    def offers(self, verb: str = "") -> set[str]:
        """Everything the asked seat may choose, in the words `play` takes; one verb's only."""
        return {
            self._word(move) for move in self._choice().moves if not verb or move.verb == verb
        }

    def pass_turn(self) -> list[str]:
        """The one whose turn it is takes gold and ends the turn."""
        return self.play("gold", "end")

    def time_out(self) -> list[str]:
        """The seat that is asked does not answer."""
        return self._settle(TimedOut(self.state.stack[-1].seat))

    # What the table shows

    @property
    def asked(self) -> str:
        """Who is asked, and for what: `ann act`; `over` at the end."""
        frame = self.state.stack[-1]
        return (
            f"{PEOPLE[frame.seat]} {self._choice().kind}" if frame.need == "decide" else "over"
        )

    @property
    def turn(self) -> str:
        """Who plays, and as which character: `ann warlord`; empty where nobody does."""
        turn = self.state.turn
        return f"{PEOPLE[turn.seat]} {turn.character}" if turn else ""

    @property
    def crown(self) -> str:
        assert self.state.crown is not None
        return PEOPLE[self.state.crown]

    def gold(self, person: str) -> int:
        return self._place(person).gold

    def hand(self, person: str) -> list[str]:
        """The cards in a hand, by name in alphabetical order."""
        return sorted(self._names(self._place(person).hand))

    def city(self, person: str) -> list[str]:
        """The districts, in the order they were built."""
        return self._names(self._place(person).city)

    def characters(self, person: str) -> list[str]:
        """This round's characters, hidden or not, in the order they were taken."""
        return self._names(self._place(person).picks)

    def under_deck(self, count: int) -> list[str]:
        """The lowest cards of the deck, the lowest last."""
        return self._names(self.state.deck[:count])[::-1]

    def deck(self) -> int:
        return len(self.state.deck)

    def going_round(self) -> list[str]:
        """The characters from which the asked seat chooses, in alphabetical order."""
        return sorted(self._names(self.state.pile))

    def aside(self) -> list[str]:
        """The characters face down, out of the round."""
        return self._names(self.state.aside)

    def faceup(self) -> list[str]:
        return self._names(list(self.state.faceup))

    def points(self, person: str) -> dict[str, int]:
        """The lines of a person's score."""
        return dict(self._score(person).lines)

    def total(self, person: str) -> int:
        return self._score(person).total

    def winners(self) -> list[str]:
        return [PEOPLE[seat] for seat in score(self.state).winners]

    # The machinery

    def _lay_out(self, people: dict[str, Player], deck: str) -> None:
        state, labels = self.state, self.rules.pack
        free = list(range(len(labels)))

        def draw(cards: str) -> list[int]:
            slots = []
            for card in cards.split():
                slot = next(slot for slot in free if labels[slot] == card)
                free.remove(slot)
                slots.append(slot)
            return slots

        state.bank = 0
        self.dealer.faces.update(enumerate(labels))
        districts = state.tables.districts
        for person, player in people.items():
            place = self._place(person)
            place.hand = draw(player.hand)
            for slot in draw(player.city):
                board.place(state, PEOPLE.index(person), slot, districts[labels[slot]])
            for character in player.characters.split():
                self.dealer.faces[state.fresh_slot] = character
                place.picks.append(state.fresh_slot)
                state.fresh_slot += 1
        for person in PEOPLE[: self.rules.seats]:
            self._place(person).gold = people[person].gold if person in people else 0
            state.bank -= self._place(person).gold
        top = draw(deck)
        state.deck = free[::-1] + top[::-1]
        state.lots = {}

    def _settle(self, fact: Fact) -> list[str]:
        reason = refuse(self.state, fact)
        assert reason is None, reason
        return self._told(apply(self.state, fact)) + self._advance()

    def _advance(self) -> list[str]:
        events: list[Event] = []
        self.state.log = events
        self.dealer.advance(self.state)
        self.state.log = None
        return self._told(events)

    def _told(self, events: list[Event]) -> list[str]:
        assert all(map(_has_listed_cause, events)), events
        lines = [_line(event.kind, event.fields()) for event in events]
        self.story += lines
        return lines

    def _choice(self) -> Choice:
        seat = self.state.stack[-1].seat
        return choice(self.state, self.dealer.knowledge(self.state, seat))

    def _is_offered(self, move: Move) -> bool:
        asked = self._choice()
        if asked.low is None or asked.high is None:
            return move in asked.moves
        offered = {option.id for option in asked.moves}
        return asked.low <= len(move.picks) <= asked.high and offered.issuperset(move.picks)

    def _decided(self, move: Move) -> Decided:
        hidden = secret(self.state, move)
        if hidden is not None:
            move = self.dealer.invent(hidden)
        shown = tuple((slot, self.dealer.faces[slot]) for slot in reveals(self.state, move))
        return Decided(self.state.stack[-1].seat, move, shown)

    def _move(self, word: str) -> Move:
        verb, *words = word.split(":")
        frame = self.state.stack[-1]
        home = self.state.places[frame.seat]
        where = home.city if verb == "gild" else list(frame.slots) or home.hand
        if verb == "recast":
            where = home.picks
        elif verb == "pay_cards":
            where = [option.slot for option in self._choice().moves]
        if verb in _ON_MARKERS:
            words.insert(0, str(self._marker(frame)))
        for index, name in enumerate(VERBS[verb]):
            if name == "give":
                words[index] = str(self._slot(words[index], home.city))
            elif name == "seat":
                seat = PEOPLE.index(words[index])
                words[index] = str(seat)
                where = self.state.places[seat].city
            elif name == "slot":
                words[index] = str(self._slot(words[index], where))
            elif name == "slots":
                slots = [self._slot(card, where) for card in filter(None, words[0].split(","))]
                move = decision(self.state, [f"card:{slot}" for slot in slots])
                assert isinstance(move, Move), move
                return move
            elif name == "characters":
                move = decision(self.state, [f"role:{role}" for role in words[0].split(",")])
                assert isinstance(move, Move), move
                return move
        move = decision(self.state, [":".join((verb, *words))])
        assert isinstance(move, Move), move
        return move

    def _marker(self, frame: Frame) -> int:
        """The slot of the secret in question."""
        if frame.then == "sign":
            return frame.slots[0]
        purpose = "threats" if frame.then == "threaten" else "warrants"
        return self.state.hidden_markers[purpose].slot

    def _slot(self, card: str, where: Sequence[int]) -> int:
        if card.isdigit():
            return int(card)
        found = [slot for slot in where if self.dealer.faces[slot] == card]
        assert found, f"{card} is not there, only {self._names(where)}"
        return found[0]

    def _word(self, move: Move) -> str:
        words = [move.verb]
        for name in VERBS[move.verb]:
            if name == "seat":
                words.append(PEOPLE[move.seat])
            elif name == "slot" and move.verb not in _ON_MARKERS:
                words.append(self.dealer.faces[move.slot])
            elif name == "give":
                words.append(self.dealer.faces[move.give])
            elif name == "number":
                words.append(str(move.number))
            elif name != "slot":
                words.append(getattr(move, name))
        return ":".join(words)

    def _names(self, slots: Sequence[int]) -> list[str]:
        return [self.dealer.faces[slot] for slot in slots]

    def _place(self, person: str) -> Place:
        return self.state.places[PEOPLE.index(person)]

    def _score(self, person: str) -> SeatScore:
        return score(self.state).seats[PEOPLE.index(person)]


def _has(edition: str, characters: list[str], cards: set[str]) -> bool:
    box = EDITIONS[edition]
    return set(characters) <= {*box.cast} and cards <= {
        row.card for row in box.deck + box.chest
    }


def _held(people: dict[str, Player]) -> list[str]:
    return [id for player in people.values() for id in player.characters.split()]


def _line(kind: str, fields: dict[str, Value]) -> str:
    words = [kind]
    for name, value in fields.items():
        if name in ("slot", "other_slot"):
            continue
        is_person = name in _PERSONS or f"{kind}.{name}" in _PERSONS
        words.append(f"{name}={_say(value, is_person)}")
    return " ".join(words)


def _has_listed_cause(event: Event) -> bool:
    """Programs are told a closed list of reasons for each kind of event."""
    fields = event.fields()
    cause = fields.get("reason", fields.get("purpose"))
    of_the_house = {*CHARACTERS, *DISTRICTS} - PRINTED
    return cause is None or cause in {*CAUSES[event.kind], *of_the_house}
