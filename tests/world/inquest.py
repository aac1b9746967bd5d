"""What must be true of honest laptops among lying ones; four oracles over one evening.

- *Blame.* Nobody honest is named, by a laptop or in a file; nobody honest is sent home; who is
  exposed on one honest laptop is exposed on every one that is linked with it afterwards.
- *Safety.* What is confirmed on an honest laptop stays so; but for what it had not written down
  when it lost its power, and liars could do without those who hold it: that is a fork. Where a
  liar has made two histories of one match, each honest laptop exposes or suspects one, has
  stopped, or is in the later one.
- *Liveness.* Under a clear sky the match comes to its end for everybody honest; or all of them
  expose a liar, suspect one, or see that one does not do what the match waits for.
- *Secrecy*, and what screens say of trust: see `ledger.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from citadels_p2p.match import Notice
from citadels_p2p.match.news import Bye, TableNews
from protocol.journal.statements import quorum
from protocol.replication.replica import Replica
from tests.world.adversary import Adversary, session_of
from tests.world.evening import Evening
from tests.world.oracles import Wrong, check_scores, judged
from tests.world.person import Person, dealer_of, runtime_of

STILL = 75.0
"""Seconds without a new confirmed entry, after which a match stands still: whoever is silent is
away long before, and a host that withholds is replaced.
"""

LONGEST = 400.0
"""Seconds under a clear sky."""

REACH = 12.0
"""Seconds of a link under a clear sky, after which what exposes somebody has been judged."""

MANY = 8
"""Elections, within an evening without weather, after which they have no end."""

LEFT_BEHIND = frozenset({"broke", "false_words", "stopped"})
"""Why somebody goes from the lobby of a host that lies."""

SENT_HOME = frozenset(("closed", "kicked", "full", "other_table", "started", "not_begun"))
"""What others may say of themselves before a match; in it, at most where nobody could host."""


class _Word(NamedTuple):
    """What somebody honest held confirmed at one place."""

    digest: bytes
    replica: Replica  #: of the program that held it so
    is_safe: bool  #: whether too many honest ones held it for a majority without them


class Inquest:
    """Watches one evening with an adversary, and says what is wrong."""

    def __init__(self, table: Evening, adversary: Adversary, *, calm: bool = False) -> None:
        """`calm`: no weather befalls anybody honest, whatever the liars do."""
        self.table, self.adversary, self.calm = table, adversary, calm
        self.disturbed = 0.0 if calm else float("inf")  #: until when the weather is not clear
        self.grew = 0.0  #: when something was confirmed last
        self._confirmed: dict[Replica, int] = {}
        self._read_back: dict[Replica, int] = {}  # how far its disk held it confirmed
        self._known: dict[tuple[str, bytes, int], _Word] = {}
        self._words: dict[tuple[bytes, int], bytes] = {}
        self.forks: list[str] = []
        self._read: Counter[str] = Counter()  # how much was read of what each has heard
        self._named: dict[str, set[str]] = {}  # by honest name: whom it calls a cheat
        self._told: dict[str, float] = {}  # by honest name: when it first exposed a liar
        self.ill: set[str] = set()  #: honest ones whom something befell in a calm evening
        self._weighed: Counter[str] = Counter()  # how much of what each has heard
        self._heard_it: list[tuple[Person, Person, float]] = []
        world = table.world
        table.liveness.liars = frozenset(adversary.names)
        world.watchers.remove(table.safety.look)
        world.watchers.append(self.look)

    @property
    def honest(self) -> list[Person]:
        return [one for one in self.table.players if one not in self.adversary.members]

    # While it goes on.

    def look(self) -> None:
        for person in self.honest:
            runtime = runtime_of(person)
            if runtime is not None:
                self._look_at(person, runtime.machine.replica)
            if self.calm:
                self._check_calm(person)
            if person.laptop.name not in self._told and self.exposes(person):
                self._told[person.laptop.name] = self.table.world.now
        for teller in self.honest:
            if teller.laptop.name in self._told and teller.plays:
                self._who_hears(teller)

    def _look_at(self, person: Person, replica: Replica) -> None:
        """What it held confirmed stays; what others hold otherwise is a fork."""
        chain, name = replica.chain, person.laptop.name
        seen = self._confirmed.get(replica, -1)
        if replica.confirmed <= seen:
            return
        read_back = self._read_back.setdefault(replica, replica.confirmed)
        self.grew = self.table.world.now
        self._confirmed[replica] = replica.confirmed
        match = chain.genesis.digest
        for seq in range(seen + 1, replica.confirmed + 1):
            digest = chain.hash_at(seq)
            known = self._known.get((name, match, seq))
            if known is None or known.digest != digest:
                if known is not None:
                    # A certificate is written with the next word, PROTOCOL 8.3, rule 4.
                    if known.is_safe or known.replica is replica or seq <= read_back:
                        raise Wrong(
                            f"lost: {name} has another word confirmed at {seq} than before"
                        )
                    self.forks.append(f"{name} at {seq}, as before its power was lost")
                word = _Word(digest, replica, self._is_safe(replica, seq, digest))
                self._known[name, match, seq] = word
            if self._words.setdefault((match, seq), digest) != digest:
                self.forks.append(f"{name} at {seq}")

    def _is_safe(self, replica: Replica, seq: int, digest: bytes) -> bool:
        held = 0
        for person in self.honest:
            runtime = runtime_of(person)
            if runtime is not None:
                theirs = runtime.machine.replica
                held += theirs.stored >= seq and theirs.chain.hash_at(seq) == digest
        members = len(replica.chain.members)
        return members - held < quorum(members)

    def _who_hears(self, teller: Person) -> None:
        session, now = session_of(teller), self.table.world.now
        if session is None or session.match is None:
            return
        for other in self.honest:
            if other is teller or other.laptop.name in self._told or not other.plays:
                continue
            theirs = session_of(other)
            if theirs is None or theirs.match is None or now < self.disturbed:
                continue
            if other.over is not None:
                continue
            if (
                session.match.mesh.links.of(theirs.table.person.identity.public) is not None
                and theirs.match.mesh.links.of(session.table.person.identity.public) is not None
                and not any((one, two) == (teller, other) for one, two, _ in self._heard_it)
            ):
                self._heard_it.append((teller, other, now))

    # What an honest one knows.

    def exposes(self, person: Person) -> bool:
        """Whether it has named a liar."""
        name = person.laptop.name
        for _, news in person.heard[self._read[name] :]:
            if isinstance(news, Notice) and news.code == "cheat":
                self._named.setdefault(name, set()).add(str(news.fields["name"]))
        self._read[name] = len(person.heard)
        return bool(self._named.get(name, set()) & self.adversary.names)

    def suspects(self, person: Person) -> bool:
        """Whether its screen says that a liar owes an answer."""
        seats = () if person.table is None else person.table.seats
        return any(
            (seat.suspected or not seat.present) and seat.name in self.adversary.names
            for seat in seats
        )

    def knows(self, person: Person) -> str:
        """ "done", "exposes", "suspects", "stopped", "waits" or "left" (a liar's lobby; or its
        seat for good, before its program ended).
        """
        if self.exposes(person):
            return "exposes"
        if person.over is not None:
            return "done"
        if person.code is not None:
            gave_up = person.gives_up and person.failed == "none_unfinished"
            has_left = gave_up or self._left(person) or self._is_told_by_the_last(person)
            return "left" if has_left else "stopped"
        return "suspects" if self.suspects(person) else "waits"

    def _left(self, person: Person) -> bool:
        """Whether it has gone from a lobby whose host, a liar, broke the rules, made up what
        somebody says, or said that something is wrong: only its own link shows that, and nobody
        else can be told.
        """
        heard = [news for _, news in person.heard]
        is_gone = any(isinstance(one, Bye) and one.reason in LEFT_BEHIND for one in heard)
        hosts = [one.host for one in heard if isinstance(one, TableNews)]
        return is_gone and person.state is None and hosts[-1] in self.adversary.names

    @property
    def is_still(self) -> bool:
        return self.stands > STILL

    @property
    def stands(self) -> float:
        """For how many seconds nothing was confirmed, under a clear sky."""
        return self.table.world.now - max(self.grew, self.disturbed)

    def is_owed(self) -> bool:
        """Whether all can see that a liar does not do what only it can do; or that somebody
        does not who found a liar out before it held anything of the match, and cannot return.
        """
        for person in self.honest:
            dealer, session = dealer_of(person), session_of(person)
            if dealer is None or session is None:
                continue
            genesis = dealer.match.genesis
            file = Path("matches", f"{genesis.table.hex()}.citadels")
            gone = {
                one.laptop.name
                for one in self.honest
                if (self.exposes(one) or self._left(one))
                and not (one.laptop.disk.home / file).exists()
            }
            liars = {
                index
                for index, one in enumerate(genesis.operators)
                if one.identity in self.adversary.identities or one.name in gone
            }
            # A decision is not: the others have hurried it.
            if any(d.operator in liars and d.kind != "act" for d in dealer.match.duties):
                return True
        return False

    def is_decided(self) -> bool:
        words = [self.knows(one) for one in self.honest]
        if all(word in ("done", "exposes", "stopped", "left") for word in words):
            return True
        return self.is_still

    def begin_again(self) -> None:
        """Another match: nothing of it is confirmed yet."""
        self._confirmed.clear()

    def clear(self) -> None:
        """The weather is calm from now on."""
        self.disturbed = self.table.world.now

    # In the end.

    def judge(self, *, bound: bool = True) -> str:
        """What came of it; raises `Wrong`. `bound`: no more of them lie than may."""
        self._blame()
        self._check_roster()
        self._spreading()
        words = {one.laptop.name: self.knows(one) for one in self.honest}
        if bound and self._confirmed:  # else a liar has kept the match from beginning
            self._liveness(words)
        if "exposes" not in words.values() and not self.forks:
            check_scores(self.honest)
        self.check_secrecy()
        return self._verdict(words)

    def check_secrecy(self) -> None:
        """Nobody has read what the rules hide, in any history; screens say what is so."""
        for wrong in self.adversary.ledger.wrongs(self.adversary.identities):
            raise Wrong(f"secrecy: {wrong}")

    def _blame(self) -> None:
        names = self.adversary.names
        for problem in self.table.world.problems:
            if problem.split(":")[0] in {one.laptop.name for one in self.honest}:
                raise Wrong(f"a program failed: {problem}")
        for person in self.honest:
            name = person.laptop.name
            self.exposes(person)
            if self._named.get(name, set()) - names:
                raise Wrong(f"accuracy: {name} names {self._named[name]}")
            bye = person.bye
            if bye is not None and bye.code not in (0, 4):
                is_named = bye.reason == "cheat" or self._left(person)
                is_parted = bye.reason == "diverged" and self.forks
                is_closed = bye.reason in SENT_HOME
                is_closed |= self._is_told_by_the_last(person)
                if not (is_named or is_parted or is_closed):
                    raise Wrong(f"accuracy: {name} is sent home: {bye}")
            for path in sorted((person.laptop.disk.home / "matches").glob("*.citadels")):
                for fault in judged(path)[1].faults:
                    if fault.author and fault.author not in names:
                        raise Wrong(f"accuracy: {name}'s {path.name} says {fault}")

    def _is_told_by_the_last(self, person: Person) -> bool:
        """Whether the only other laptop that counts has said that somebody plays elsewhere with
        its key. Neither is anything without the other: that ends its program, and the match is
        kept.
        """
        notices = [news for _, news in person.heard if isinstance(news, Notice)]
        gone = {one.fields["name"] for one in notices if one.code == "given_up"}
        bye = person.bye
        return (
            bye is not None and bye.reason == "elsewhere" and self.table.seats - len(gone) <= 2
        )

    def _check_calm(self, person: Person) -> None:
        """Nobody makes hosts change without end, calls who is here away, or sends home who
        plays: the others are a majority, and one of them can host.
        """
        name, bye = person.laptop.name, person.bye
        if bye is not None and bye.reason == "closed" and person.over is None:
            raise Wrong(f"blame: {name} was sent home by somebody's word")
        for _, news in person.heard[self._weighed[name] :]:
            if isinstance(news, Notice) and news.code == "away":
                missed = news.fields["name"]
                if missed not in self.adversary.names and missed not in self.ill:
                    raise Wrong(f"accuracy: {name} hears that {missed} is away")
        self._weighed[name] = len(person.heard)
        if len(self.table.liveness.elections) > MANY:
            raise Wrong(f"liveness: {name} hears of more than {MANY} elections")

    def _check_roster(self) -> None:
        """Every laptop that counts is shown by name, and a locked table is shown as one."""
        for person in self.honest:
            dealer, shown = dealer_of(person), person.table
            if dealer is None or shown is None:
                continue
            genesis = dealer.match.genesis
            persons = {seat.operator: seat.name for seat in shown.seats if seat.kind != "bot"}
            for place, one in enumerate(genesis.operators):
                if place not in persons and one.name != shown.carrier:
                    raise Wrong(f"trust: {one.name} counts, and {person.laptop.name} sees none")

    def _spreading(self) -> None:
        now = self.table.world.now
        for teller, other, since in self._heard_it:
            if now - since > REACH and not self.exposes(other):
                raise Wrong(
                    f"spreading: {other.laptop.name} hears {teller.laptop.name} from"
                    f" {since:.1f} on, and exposes nobody"
                )

    def _liveness(self, words: dict[str, str]) -> None:
        if self.forks:
            known = {"exposes", "suspects", "stopped", "left", "done"}
            here = {words[one.laptop.name] for one in self.honest if one.code is None}
            # Who has gone home from another history has nobody to tell.
            if here & known and not set(words.values()) <= known:
                raise Wrong(f"forked: {self.forks[0]}, and {words}")
            return
        if "stopped" in words.values() and "exposes" not in words.values():
            raise Wrong(f"stopped: {words}")
        if "waits" in words.values() and not self.is_owed():
            raise Wrong(f"stuck: {words}")

    def _verdict(self, words: dict[str, str]) -> str:
        for word in ("exposes", "stopped", "waits", "suspects"):
            if word in words.values():
                return word
        return "forked" if self.forks else "done"
