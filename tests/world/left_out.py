"""The rules of PROTOCOL.md that hold liars, each left out on purpose, and what finds that.

`RULES` is the table: a rule by the words that begin it, the mutant without it, and the scene
and seed of the world, or the test, that is well with the rule and fails without it. All run in
the suite (`test_liars`, `tests/simulation/test_mutants`, the tests that are named).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager as Context
from typing import Any, NamedTuple
from unittest import mock

import msgspec

from citadels_p2p.match.fold import departure, owing
from citadels_p2p.match.fold.custody import Custody
from citadels_p2p.match.operator.presence import Presence as Absences
from citadels_p2p.match.operator.presence import SilenceClock
from citadels_p2p.match.session import online
from protocol.application import Application
from protocol.cards import escrow, recovery
from protocol.cards.deck import SealedCards
from protocol.cards.group import Group, Point, Scalar
from protocol.errors import Equivocation, Impostor, Malformed, Unavailable
from protocol.journal import genesis
from protocol.journal.evidence import exhibit
from protocol.journal.statements import MAX_STATEMENT, Refusal, Signed
from protocol.messages import Denied, Leave
from protocol.replication.ballot import BallotBox
from protocol.replication.effects import Effect, Fail
from protocol.replication.follower import Follower
from protocol.replication.host_watch import HostWatch
from protocol.replication.leader import Leader
from protocol.replication.parting import Partings
from protocol.replication.replica import Replica
from protocol.replication.review import TELL, Review
from protocol.session.access import Access
from protocol.session.host_link import HostEnd
from protocol.session.lobby import Gathering
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.match_session import MatchSession
from protocol.session.mesh import Mesh
from protocol.wire import channel
from protocol.wire.channel import Channel
from protocol.wire.codec import decode

Mutant = Callable[[], Context[object]]


def _nothing(owner: object, name: str, result: object = None) -> Mutant:
    """This is not done, and answers so."""
    return lambda: mock.patch.object(owner, name, return_value=result)


def _goodbyes_end_matches() -> Context[object]:
    """Whoever hosts and says that it goes ends the match."""

    def hear(self: MatchSession[Application], index: int, _channel: Channel) -> None:
        if index == self.host.operator:
            self._at.events.end("closed", self._at.table.name_of(index))

    return mock.patch.object(MatchSession, "hear_goodbye", hear)


def _goodbyes_are_no_silence() -> Context[object]:
    """Who has said goodbye is never missed."""
    silences = MatchSession.silences

    def silent(self: MatchSession[Application]) -> tuple[float, ...]:
        heard = enumerate(silences(self))
        return tuple(0.0 if one in self.mesh.left else much for one, much in heard)

    return mock.patch.object(MatchSession, "silences", silent)


def _short_reviews() -> Context[object]:
    """A complaint about what we lack is dropped after some seconds."""
    look_at = Review._look_at

    def looked(self: Review, now: float, case: Any, linked: Any) -> list[Effect]:
        if now - case.since > TELL and not case.is_judged:
            return self._decide(now, case)
        return look_at(self, now, case, linked)

    return mock.patch.object(Review, "_look_at", looked)


def _one_word_is_enough() -> Context[object]:
    """That another program has our key is believed of anybody."""

    def away(self: Mesh, channel: Channel, code: str) -> None:
        if code in ("elsewhere", "replaced"):
            self._runtime.driver.fail(Unavailable("elsewhere"))

    return mock.patch.object(Mesh, "turned_away", away)


@contextlib.contextmanager
def _any_matchs_refusal() -> Iterator[None]:
    """Whoever is sent a refusal of what was ordered stops, whatever match it is of."""
    hear_refusal = HostWatch.hear_refusal

    def hear(self: HostWatch, signed: Signed, follower: Follower) -> Any:
        refusal = decode(signed.content, Refusal, limit=MAX_STATEMENT)
        host = follower.host
        if host is None or refusal.match == self._replica.chain.genesis.digest:
            return hear_refusal(self, signed, follower)
        culprit = self._replica.chain.genesis.operators[host].identity
        shown = (exhibit("refusal", signed),)
        return [Fail(Equivocation("refused and ordered", culprit=culprit, evidence=shown))]

    with (
        mock.patch.object(HostWatch, "hear_refusal", hear),
        mock.patch.object(Replica, "exposes", return_value=True),
    ):
        yield


def _withheld_is_silence() -> Context[object]:
    """What a host leaves lying is its author's silence."""
    tick = SilenceClock.tick

    def ticked(self: SilenceClock, now: float, *given: Any) -> None:
        tick(self, now, *given[:3])

    return mock.patch.object(SilenceClock, "tick", ticked)


def _same_game(one: Gathering, other: Gathering) -> bool:
    """Whoever sits there, as soon as all seats are taken."""
    taken = all(seat.kind != "open" for seat in other.seats)
    return one.options == other.options and taken


def _unchecked_values() -> Context[object]:
    """What a seal opens to is taken for the value that was committed to."""

    def unmask(held: escrow.Escrow, holder: int, behind: Point) -> Scalar:
        group, seal = held.group, held.seals[holder]
        pad = escrow._pad(group, held.context, held.dealer, holder, seal.hint, behind)
        minus = group.scalar_multiply(escrow._number(group.order - 1), pad)
        return group.scalar_add(seal.masked, minus)

    return mock.patch.object(escrow.Escrow, "_unmask", unmask)


def _unproven(room: object) -> Mutant:
    """Shares are taken from a step whose proof nobody checks."""

    def taken(group: Group, _binding: object, sealed: Sequence[object], raw: bytes) -> Any:
        return [group.decode_point(raw[32 * n : 32 * (n + 1)]) for n in range(len(sealed))]

    return lambda: mock.patch.object(room, "check_shares", taken)


def _one_step_back() -> Context[object]:
    """Who has parted from us even earlier is asked for the entry before, each time."""
    ask = Partings._ask
    return mock.patch.object(
        Partings, "_ask", lambda self, now, one, place, _step: ask(self, now, one, place, 1)
    )


def _any_code() -> Context[object]:
    """What a refusal or a goodbye is called is whatever its speaker likes."""
    heard = channel.decode

    def read(frame: bytes, kind: Any, *, limit: int) -> msgspec.Struct:
        try:
            return heard(frame, kind, limit=limit)
        except Malformed:
            tag, *said = msgspec.msgpack.decode(frame)
            free = {4: Denied, 7: Leave}
            if tag not in free:
                raise
            return free[tag](*said)

    return mock.patch.object(channel, "decode", read)


def _a_goodbye_is_enough() -> Context[object]:
    """Who says that it leaves has left, in whatever history that stands."""
    give_up = departure.give_up

    def given_up(match: Any, author: int, entry: Any) -> bool:
        is_newly_away = give_up(match, author, entry)
        match.ended |= {author} & {entry.operator}
        return is_newly_away

    return mock.patch.object(departure, "give_up", given_up)


def _false_signatures_decide() -> Context[object]:
    """Where what leads to a proof is no journal, the proof is dropped for good."""

    def decided(self: Review, case: Any) -> None:
        self._decide(case.since, case)

    return mock.patch.object(Review, "unfounded", decided)


def _beginnings_are_everybodys() -> Context[object]:
    """What somebody has begun an answer with is held against whoever is asked next."""
    hear = Review.hear_segment

    def heard(self: Review, now: float, operator: int, segment: Any) -> list[Effect]:
        for case in self.cases:
            if case.asked is not None and case.asked[0] == operator:
                case.givers = {operator}
        return hear(self, now, operator, segment)

    return mock.patch.object(Review, "hear_segment", heard)


def _a_false_beginning_is_the_hosts() -> Context[object]:
    """A guest leaves its host for a beginning that anybody brings."""
    begin_by = LobbyGuest.begin_by

    async def begun(self: Any, channel: Channel, first: Signed) -> None:
        try:
            await begin_by(self, channel, first)
        except Impostor as problem:
            self._give_up(problem.blame(self.table.host))

    return mock.patch.object(LobbyGuest, "begin_by", begun)


LEFT_OUT: dict[str, Mutant] = {
    "a goodbye is enough": _a_goodbye_is_enough,
    "false signatures decide": _false_signatures_decide,
    "beginnings are everybody's": _beginnings_are_everybodys,
    "any code": _any_code,
    "called as it likes": _nothing(genesis, "_check_names"),
    "ghosts count": lambda: mock.patch.object(genesis, "_check_roster"),
    "the same game is enough": lambda: mock.patch.object(online, "is_same_table", _same_game),
    "masks left out": lambda: mock.patch.object(Custody, "unmasked", return_value=[]),
    "keys at once": lambda: mock.patch.object(owing, "unended", return_value=frozenset()),
    "goodbyes end matches": _goodbyes_end_matches,
    "goodbyes are no silence": _goodbyes_are_no_silence,
    "short reviews": _short_reviews,
    "asks nobody": _nothing(Review, "_ask", []),
    "one beginning is enough": _nothing(MatchSession, "hear_beginning"),
    "one word is enough": _one_word_is_enough,
    "unlocked by the next host": _nothing(Access, "is_shut_to", False),
    "the host alone begins": _nothing(MatchSession, "brings_beginning", False),
    "sent away at once": lambda: mock.patch.object(LobbyGuest, "sent_away", HostEnd.sent_away),
    "any beginning": _nothing(LobbyGuest, "_is_fresh", True),
    "a false beginning is the host's": _a_false_beginning_is_the_hosts,
    "withheld is silence": _withheld_is_silence,
    "any match's refusal": _any_matchs_refusal,
    "any journal's votes": lambda: mock.patch.object(BallotBox, "shown", mock.ANY),
    "its own clock alone": _nothing(Absences, "_undecided", set()),
    "seals prove nothing": _nothing(escrow, "check_possession"),
    "unchecked values": _unchecked_values,
    "complaints prove nothing": _unproven(escrow),
    "parts prove nothing": _unproven(recovery),
    "keys of before": _nothing(SealedCards, "depart"),
    "shown at once": lambda: mock.patch.object(
        Replica, "shown_to", lambda self, _one, _sent: self.stored
    ),
    "counts its own word": lambda: mock.patch.object(
        Replica, "vouched_for", property(lambda self: self.stored)
    ),
    "keeps its removal": _nothing(Replica, "count_again", []),
    "whoever is elected": lambda: mock.patch(
        "protocol.journal.election.is_majority", return_value=True
    ),
    "nobody has left": lambda: mock.patch.object(
        Replica, "leaving", property(lambda _: frozenset())
    ),
    "one step back": _one_step_back,
    "asks at every word": _nothing(Partings, "_is_asked", False),
    "compares again": lambda: mock.patch.multiple(
        Partings,
        create=True,
        _compared=property(lambda _: {}, lambda *_: None),
        _judged=property(lambda _: set(), lambda *_: None),
    ),
    "cut at once": lambda: mock.patch.object(
        Partings, "follow", lambda _, _now, one, follow, leader: leader.follow(one, follow)
    ),
    "a host compares nothing": lambda: mock.patch(
        "protocol.replication.raft.answer", return_value=[]
    ),
    "first burst": _nothing(Leader, "_is_elsewhere", False),
    "forgotten comparison": lambda: mock.patch.object(
        Partings, "forget", lambda self, one: self._questions.pop(one, None)
    ),
    "sees no entry": _nothing(Partings, "see", []),
}


class Rule(NamedTuple):
    """A rule of a section of PROTOCOL.md: `words` stand there. `found`: a scene of the world
    and its seed, at three laptops unless a third word says how many; a file of tests and one of
    them; or "test_mutants", where the name of the mutant is a case.
    """

    section: str
    words: str
    mutant: str
    found: str


_SEAMS, _BLAME = "Seams", "Blame"
_HISTORIES, _ESCROW, _MEMBERS = "Several histories", "Escrow", "Membership"
_CLOSED, _VAULT = "match/test_closed.py", "cards/test_escrow.py"
_HANDS = "match/test_forked_hands.py"
_OUT = "replication/test_removals.py"
_PARTED, _HALVES = "Following", "replication/test_parting.py"

RULES = (
    Rule(_SEAMS, "*The roster.*", "ghosts count", "ghosts 0"),
    Rule(
        _SEAMS,
        "is called after who sits there",
        "called as it likes",
        "session/test_seams.py laptop_under_another",
    ),
    Rule(
        _SEAMS,
        "*One key, two programs.*",
        "both come again",
        "session/test_node.py who joins again by another program",
    ),
    Rule(_SEAMS, "*Once more.*", "the same game is enough", "ghost_once_more 0"),
    Rule(_SEAMS, "*Goodbyes.*", "goodbyes end matches", "caught 0"),
    Rule(
        _SEAMS,
        "whatever the code. Its clocks run",
        "goodbyes are no silence",
        "finished_in_its_turn 0",
    ),
    Rule(_SEAMS, "*Codes.*", "any code", "session/test_seams.py no code of a host is spoken"),
    Rule(_SEAMS, "*Lock and gallery*", "unlocked by the next host", "unlocks 0"),
    Rule(_SEAMS, "*Elsewhere*", "one word is enough", "elsewhere 0"),
    Rule(_SEAMS, "*Two beginnings.*", "one beginning is enough", "two_beginnings 0"),
    Rule(
        _SEAMS,
        "*A beginning that is kept back.*",
        "the host alone begins",
        "session/test_seams.py that the host keeps back",
    ),
    Rule(
        _SEAMS,
        "Anything else costs the speaker its connection",
        "a false beginning is the host's",
        "lobby_lies 11 0",
    ),
    Rule(
        _SEAMS,
        "Who has agreed, and is sent away",
        "sent away at once",
        "sent_away_as_it_begins 0",
    ),
    Rule(
        _SEAMS,
        "the nonce that it has drawn at this table",
        "any beginning",
        "session/test_seams.py nothing that it has not agreed to",
    ),
    Rule(_SEAMS, "*Withheld words.*", "withheld is silence", "withheld_words 0"),
    Rule(_SEAMS, "*Who never decides.*", "its own clock alone", "never_decides 0"),
    Rule(
        _BLAME, "Nobody stops before it was asked", "any match's refusal", "of_another_match 0"
    ),
    Rule(
        _BLAME, "A statement of another match proves nothing here", "any-match", "swarm 2100030"
    ),
    Rule(
        _BLAME, "with an entry of one's own journal", "own journal in no place", "test_mutants"
    ),
    Rule(_BLAME, "An open case outlives links", "short reviews", "held_back 0"),
    Rule(_BLAME, "is asked by *audit*", "asks nobody", "caught 1"),
    Rule(
        _BLAME,
        "is asked for all of it, and blamed for nothing",
        "beginnings are everybody's",
        "replication/test_review.py whoever begins an answer",
    ),
    Rule(
        _BLAME,
        "since a hash is of an entry without its signature",
        "false signatures decide",
        "replication/test_review.py under false signatures",
    ),
    Rule(
        _BLAME, "Who had stopped before, and names nobody", "stopped and deaf", "test_mutants"
    ),
    Rule(_BLAME, "followed or not, or when it says", "suspected for ever", "test_mutants"),
    Rule(_BLAME, "answers with a *segment*", "answers nobody", "test_mutants"),
    Rule(
        _BLAME,
        "*Nobody is exposed by another's signature.*",
        "anothers-signature",
        "test_mutants",
    ),
    Rule(_BLAME, "*A refusal names the place", "any-refusal", "caught 0"),
    Rule(_BLAME, "*An accusation is of a statement", "old-words", "test_mutants"),
    Rule(_BLAME, "*Silence is seen by all.*", "silence", "test_mutants"),
    Rule(_BLAME, "*Hear yourself first.*", "deaf restart", "test_mutants"),
    Rule(_BLAME, "no statement before all who are linked", "heard from some", "test_mutants"),
    Rule(_BLAME, "go on with one that is up to", "counters again", "test_mutants"),
    Rule(_BLAME, "*One odd digest is one odd laptop*", "odd-digest", "test_mutants"),
    Rule(_BLAME, "*Backing off.*", "gives-in", "invented_terms 0"),
    Rule(_BLAME, "is said again after a growing pause", "at-once", "test_mutants"),
    Rule(_BLAME, "*What is said in a person's name", "anybodys-words", "test_mutants"),
    Rule(
        _BLAME,
        "of an election whose votes are for another",
        "any journal's votes",
        "shown_before_the_vote 0",
    ),
    Rule(
        _BLAME,
        "compares them from the first entry that is another",
        "no gossip",
        "test_mutants",
    ),
    Rule(_HISTORIES, "**A. Who is here has masked since.**", "masks left out", "plays_twice 0"),
    Rule(_HISTORIES, "**B.**", "no_characters", f"{_CLOSED} each rule of the masks"),
    Rule(_HISTORIES, "**C. Bookkeeping.**", "masked_ever", f"{_CLOSED} each rule of the masks"),
    Rule(_HISTORIES, "**D. Two own checks.**", "passes", f"{_CLOSED} a holder refuses"),
    Rule(_HISTORIES, "**E. Over before keys.**", "keys at once", "plays_twice 0"),
    Rule(_HISTORIES, "and has left from then on", "a goodbye is enough", "swarm 2100001"),
    Rule(
        _HISTORIES, "**F. Votes lower no threshold.**", "_by_own_word", f"{_CLOSED} votes lower"
    ),
    Rule(
        _HISTORIES,
        "that somebody who is gone could read",
        "hands_as_they_lie",
        f"{_HANDS} a power over the hand",
    ),
    Rule(
        _HISTORIES,
        "and it has been in no pile since",
        "put_back_is_masked",
        f"{_HANDS} what was put back",
    ),
    Rule(
        _HISTORIES,
        "**G. Who is gone is not called.**",
        "shown_at_the_end",
        f"{_HANDS} nothing is said here",
    ),
    Rule(
        _ESCROW, "**Dealing.**", "seals prove nothing", f"{_VAULT} no dealer makes a complaint"
    ),
    Rule(_ESCROW, "**Opening.**", "unchecked values", f"{_VAULT} opens for nobody else"),
    Rule(_ESCROW, "**Complaint.**", "complaints prove nothing", f"{_VAULT} a false complaint"),
    Rule(_ESCROW, "**Parts.**", "parts prove nothing", f"{_VAULT} a part holds for one holder"),
    Rule(
        _ESCROW, "**Leaving for good.**", "keys of before", f"{_VAULT} under the key of before"
    ),
    Rule(
        _ESCROW,
        "**Giving back.**",
        "unchecked values",
        f"{_VAULT} a false part that is given back",
    ),
    Rule("Links", "who says it again on its link", "", "session/test_hostile.py meets again"),
    Rule("Succession", "has that entry's number and term", "terms as told", "test_mutants"),
    Rule(_MEMBERS, "Who **counts** at an entry", "counted-for-ever", "test_mutants"),
    Rule(_MEMBERS, "| a certificate |", "newest-majority", "test_mutants"),
    Rule(_MEMBERS, "one change at a time", "removals at once", "test_mutants"),
    Rule(_MEMBERS, "an entry of its own term", "removals in a new term", "test_mutants"),
    Rule(
        _MEMBERS,
        "Who is taken out is shown nothing new",
        "shown at once",
        f"{_OUT} is shown that once it is confirmed",
    ),
    Rule(
        _MEMBERS,
        "it acknowledges nothing",
        "counts its own word",
        f"{_OUT} acknowledges nothing from there on",
    ),
    Rule(
        _MEMBERS,
        "it lets go of its removal",
        "keeps its removal",
        f"{_OUT} loses its office before",
    ),
    Rule(
        _MEMBERS,
        "Who was not there may not know the removals",
        "whoever is elected",
        f"{_OUT} is believed by who has the removals",
    ),
    Rule(_PARTED, "Whoever knows another entry confirmed", "no gossip", "test_mutants"),
    Rule(_PARTED, "then 2, 4, 8", "one step back", f"{_HALVES} far back takes few"),
    Rule(_PARTED, "One question is under way", "asks at every word", f"{_HALVES} a false hash"),
    Rule(
        _PARTED, "names something new", "compares again", f"{_HALVES} whoever was compared is"
    ),
    Rule(
        _PARTED, "In term 0 everybody", "a host compares nothing", f"{_HALVES} a host answers"
    ),
    Rule(_PARTED, "takes it as a *witness*", "sees no entry", f"{_HALVES} who has stopped is"),
    Rule(
        _PARTED,
        "A question outlives its link",
        "forgotten comparison",
        f"{_HALVES} a comparison survives",
    ),
    Rule(_PARTED, "once the guest has been asked", "cut at once", f"{_HALVES} a host asks who"),
    Rule(
        _PARTED,
        "who has answered is not served",
        "compares again",
        f"{_HALVES} who was compared may",
    ),
    Rule(
        _PARTED,
        "are passed over: its first words",
        "first burst",
        f"{_HALVES} who acknowledges its own history",
    ),
    Rule(
        _MEMBERS,
        "does not take it out, is suspected",
        "nobody has left",
        f"{_OUT} goes on counting",
    ),
)
