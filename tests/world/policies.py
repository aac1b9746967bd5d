"""What a liar of a swarm does besides: deeds of several words, in their order.

Words that are drawn one by one hardly ever come to any of these. An evening has one at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import msgspec

from citadels_p2p.match import Leave
from citadels_p2p.match.acts import Depart
from citadels_p2p.match.fold import bodies
from protocol.cards.escrow import threshold
from protocol.errors import RemoteError
from protocol.journal.evidence import exhibit
from protocol.journal.statements import DOMAIN_ORDERED, Authored, Ordered, Signed, sign
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    Fault,
    History,
    Refused,
    Remember,
    Segment,
    Spoken,
    Submit,
    Voted,
    Witness,
)
from protocol.wire.channel import Channel
from tests.simulation.forgery import Forger
from tests.simulation.sightings import Sightings, read
from tests.simulation.temper import Temper
from tests.world.adversary import Adversary, Liar, Post, says, session_of
from tests.world.evening import Evening
from tests.world.inquest import Inquest
from tests.world.person import Person, dealer_of

ORDERS = Entries | Commit | Witness | History | Acked | Refused
"""By which somebody comes to know what is in order."""

SIGNED: tuple[type[msgspec.Struct], ...] = (
    *(Acked, Commit, Elected, Entries, Fault, History, Refused, Remember, Segment, Spoken),
    *(Submit, Voted, Witness),
)
"""What carries statements."""

EXHIBITS = ("ordered", "authored", "ack", "refusal", "vote")
"""The kinds of evidence."""


def place_of(person: Person) -> int:
    """Its roster index: -1 for nobody at the table."""
    session = session_of(person)
    return -1 if session is None or session.table.me is None else session.table.me


def part(table: Evening, ones: Sequence[Person], others: Sequence[Person]) -> None:
    for one, other in product(ones, others):
        table.net.cut(one.laptop, other.laptop)


def meet(table: Evening, ones: Sequence[Person], others: Sequence[Person]) -> None:
    for one, other in product(ones, others):
        table.net.mend(one.laptop, other.laptop)


# Speaking to one alone.


def whispers(table: Evening, adversary: Adversary) -> None:
    """One of them speaks to one of the others alone from now on."""
    fortune = adversary.fortune
    liar = fortune.one([adversary.liars[one.laptop] for one in adversary.members])
    if not liar.is_playing:
        return
    hears = fortune.one([one for one in range(table.seats) if one != liar.me])

    def tongue(channel: Channel, _message: msgspec.Struct, _post: Post) -> bool:
        is_silent = liar.is_playing and liar.is_lying
        return is_silent and liar.index_of(channel) not in (hears, -1)

    liar.note("whispers", hears)
    liar.temper = Temper(goes_on=fortune.happens(0.6))  # what else it says is heard by one
    liar.tongue = tongue


# Answering who asks for what leads to a proof.


def forges(table: Evening, adversary: Adversary) -> None:
    """Where one of them hosts, it refuses what somebody says, while another one hears of it
    alone, and nothing of the order. It tells that one of the complaint before anybody else can;
    and what it is asked for then has false signatures, or is an entry of its own making and
    nothing after it.
    """
    fortune = adversary.fortune
    liar = adversary.liars[adversary.members[0].laptop]
    honest = [one for one in table.players if one not in adversary.members]
    if not liar.is_playing or len(honest) < 2:
        return
    author = fortune.one(honest)
    behind = fortune.one([one for one in honest if one is not author])
    others = [one for one in honest if one is not behind]
    place, says_no_more = place_of(behind), fortune.happens(0.5)
    # Nothing else: whatever it does besides would expose it sooner.
    liar.temper = Temper(strict=0.5, goes_on=fortune.happens(0.6))
    liar.victims = frozenset((place_of(author),))
    part(table, [behind], others)
    table.world.plan(fortune.between(3.0, 12.0), lambda: meet(table, [behind], others))

    def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
        if not (liar.is_playing and liar.is_lying) or liar.index_of(channel) != place:
            return False
        match message:
            case Segment(known=known, entries=(_, *_)) if says_no_more:
                if not liar.lies["begins an answer"]:
                    liar.note("begins an answer", message)
                    post(Segment(known, (_made_up(liar, known),)))
                return True
            case Segment(known=known, entries=(_, *_) as entries):
                liar.note("false signatures", message)
                post(Segment(known, tuple(Signed(one.content, bytes(64)) for one in entries)))
                return True
        return isinstance(message, ORDERS)

    def ear(_channel: Channel, message: msgspec.Struct) -> bool:
        if not isinstance(message, Fault) or not liar.is_lying:
            return False
        liar.note("complains with it", message)
        for channel in liar.channels():
            if liar.index_of(channel) == place:
                says(channel, message)
        return True  # its own program plays on

    liar.tongue, liar.ear = tongue, ear


def _made_up(liar: Liar, known: int) -> Signed:
    """An entry of its own making after that one."""
    chain = liar.machine.replica.chain
    said = chain.entries[-1]
    order = Ordered(said.term, known + 1, chain.hash_at(known), said.inside.content, bytes(64))
    session = session_of(liar.person)
    assert session is not None
    return sign(session.table.person.identity, DOMAIN_ORDERED, order)


# What was said another evening.


class _Recalling(Forger):
    """It says again what was said at another table of the same people."""

    earlier: Sightings

    def statement(self, name: str) -> Signed:
        return self.earlier.signed(name) or super().statement(name)

    def complaint(self) -> Fault:
        """What somebody signed then, as evidence, with what others did."""
        kinds = [one for one in self.earlier.kinds() if one in EXHIBITS]
        chosen = self._fortune.some(kinds)[:2]
        return Fault("equivocation", None, tuple(exhibit(k, self.statement(k)) for k in chosen))


def another_evening(table: Evening, adversary: Adversary) -> Sightings:
    """The same people have met before, and some of it is known still: what was said then."""
    chance = table.chance
    with adversary.resting():
        table.sit_down("--city 3")
        table.begun()
        if chance.random() < 0.5:
            table.players[0].laptop.close_lid(4.0)  # another one is elected
        table.some_way(4, 30)
        table.wait(5.0)
        for person in table.players:
            if person.plays:
                person.does(Leave())
        table.until(lambda: all(person.code is not None for person in table.players))
    for person in table.players:  # else who misses the next match goes on with that one
        for path in (person.laptop.disk.home / "matches").iterdir():
            path.unlink()
    return adversary.forget()


def recalls(adversary: Adversary, earlier: Sightings) -> None:
    """From now on they say it at this table, as evidence, for the order of things, or both."""
    fortune = adversary.fortune
    for person in adversary.members:
        liar = adversary.liars[person.laptop]

        def recall(liar: Liar = liar) -> None:
            channels = liar.channels()
            if channels:
                keys = adversary.keys()
                forger = _Recalling(liar, keys, adversary.seen, fortune, liar.temper.wildness)
                forger.earlier = earlier
                to = channels if fortune.happens(0.5) else fortune.some(channels)
                complains = fortune.happens(0.3)
                made = forger.complaint() if complains else forger.message(fortune.one(SIGNED))
                liar.says(made, to)

        liar.again(fortune.between(0.3, 20.0), recall)


# Playing on twice.


def may_play_twice(seats: int, liars: int) -> bool:
    """Whether so many are enough to play on with each part of the others."""
    needed = threshold(seats)
    return needed is not None and liars >= 2 * needed - seats


def play_twice(
    table: Evening, adversary: Adversary, inquest: Inquest, *, goodbye: bool = False
) -> None:
    """All members copy their folders, play on with some while the cables of the others are
    out, perhaps to the end; put their copies back, and play on with the others. Then all meet.

    `goodbye`: one of the others leaves for good just then. One history has that; in the other
    the members, who host, pass over it until somebody else has gone, and it plays on.
    """
    chance, honest = table.chance, inquest.honest
    cut = table.seats - (threshold(table.seats) or table.seats)
    ones, others = honest[:-cut], honest[-cut:]

    def first() -> None:
        if goodbye or chance.random() < 0.5:
            end = table.world.now + 300
            while not all(one.over for one in ones) and table.world.now < end:
                table.wait(1.0)
            table.wait(8.0)
        else:
            table.wait(chance.choice((15.0, 30.0)))

    leaver = others[0] if goodbye else None
    plays_on_twice(table, adversary, ones, others, first, leaver)
    table.wait(chance.choice((2.0, 8.0)))
    inquest.check_secrecy()  # before the keys of these are given away as well
    table.wait(chance.choice((25.0, 80.0)))


def plays_on_twice(
    table: Evening,
    adversary: Adversary,
    ones: Sequence[Person],
    others: Sequence[Person],
    first: Callable[[], object],
    leaver: Person | None = None,
) -> None:
    """`first` passes with `ones`, from a copy of the members' folders on; then they begin again
    with `others`. `leaver` says goodbye to the members alone.
    """
    copies = {one: one.laptop.disk.copy() for one in adversary.members}
    part(table, ones, others)
    if leaver is not None:
        _says_goodbye(table, adversary, leaver)
    part(table, adversary.members, others)
    first()
    for one, copy in copies.items():
        adversary.liars[one.laptop].note("plays twice")
        if not one.laptop.loop.is_dead:
            one.laptop.kill(power=True)
        one.laptop.disk.put_back(copy)
    part(table, adversary.members, ones)
    meet(table, adversary.members, others)
    for one in copies:
        table.come_back(one)


def _says_goodbye(table: Evening, adversary: Adversary, leaver: Person) -> None:
    """`leaver` is heard by the members alone, and hears nobody."""
    place = place_of(leaver)
    for member in adversary.members:
        table.net.cut(member.laptop, leaver.laptop, one_way=True)
        liar = adversary.liars[member.laptop]

        def ear(_channel: Channel, message: msgspec.Struct, liar: Liar = liar) -> bool:
            """In the second history: it is passed over while everybody else is here."""
            dealer = dealer_of(liar.person)
            if not liar.lies["plays twice"] or dealer is None:
                return False
            if dealer.match.absence.gone - {place}:
                return False
            return isinstance(message, Submit) and _is_goodbye(message.authored, place)

        liar.ear = ear
    leaver.does(Depart())
    table.wait(1.0)


def _is_goodbye(signed: Signed, place: int) -> bool:
    found = read(signed)
    if found is None or not isinstance(found[1], Authored) or found[1].author != place:
        return False
    try:
        return isinstance(bodies.read(found[1].body), bodies.GivenUp)
    except RemoteError:
        return False
