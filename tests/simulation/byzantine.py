"""A match where some laptops lie at random, and what must hold whatever they do.

- *Accuracy.* Nobody honest is named: by an honest laptop, by a stranger who reads its disk, or
  by a judge who is shown any of what was signed; and no word is shown in the name of somebody
  honest that it never said. Nobody honest is driven to say one thing again without a pause.
- What an honest laptop holds confirmed stays. Where two hold different histories, as a majority
  with a liar in it can bring about, each of them exposes or suspects a liar, or has stopped.
- *Spreading.* Who is exposed on one honest laptop is exposed on every honest laptop that is
  linked with it afterwards, for `REACH` seconds under a clear sky.
- *Completeness.* Under a clear sky the match goes to its end, or every honest laptop exposes or
  suspects a liar. Who does not do its own duty is seen by all, and counts as suspected.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.application import Application
from protocol.errors import ProtocolError, RemoteError
from protocol.journal.evidence import prove_alone
from protocol.journal.judgement import prove
from protocol.journal.statements import quorum
from tests.protocol.high_card import HighCard
from tests.simulation.bench import Bench, Broken
from tests.simulation.doubles import Double, Switchboard
from tests.simulation.forgery import Forger
from tests.simulation.fortune import Fortune
from tests.simulation.laptop import Laptop
from tests.simulation.parting import PartingCard
from tests.simulation.policy import Liar
from tests.simulation.sightings import Sightings
from tests.simulation.table import Outcome
from tests.simulation.temper import Temper
from tests.simulation.trial import by_journal
from tests.simulation.weather import Weather

LONGEST = {"cards": 60.0, "citadels": 240.0}
"""Seconds under a clear sky."""

STILL = 12.0
"""Seconds without a new confirmed entry, after which a match stands still."""

PATIENCE = 10.0
"""Seconds under a clear sky, for which somebody honest may be suspected."""

REACH = 8.0
"""Seconds of a link under a clear sky, after which what exposes somebody has been judged."""

SHOWN = 150
"""Pieces of evidence that a judge is shown in the end."""


@dataclass
class Inquest:
    """One such match."""

    table: Bench
    kind: str
    liars: list[Liar]
    bound: bool  # no more of them than a majority can bear
    _cleared: float = 0.0

    @classmethod
    def plant(cls, table: Bench, kind: str, chance: Random) -> Inquest:
        """Let some lie: the host, guests, or both."""
        fortune = Fortune(chance)
        count = len(table.laptops)
        stay = count - len(table.game.goes)  # the fewer are left, the fewer may lie
        bearable = stay - quorum(stay)
        many = fortune.number(1, max(bearable, 1))
        if fortune.happens(0.1):
            many = fortune.number(1, count - 1)  # accuracy holds whatever the number
        chosen = sorted(fortune.some(range(count))[:many])
        if fortune.happens(0.4) and 0 not in chosen:
            chosen[0] = 0
        table.suspects.update(chosen)
        keys = {me: table.identities[me] for me in chosen}
        conspire = fortune.happens(0.5)
        shared = Sightings(fortune)
        board = Switchboard(table.net)
        doubles = {me: Double(table.laptops[me], table.another(me), board) for me in chosen}
        liars = []
        for me in chosen:
            others = tuple(one for one in range(count) if one != me)
            temper = Temper.draw(fortune, others)
            seen = shared if conspire else Sightings(fortune)
            mine = keys if conspire else {me: keys[me]}
            laptop = table.laptops[me]
            forger = Forger(laptop, mine, seen, fortune, temper.wildness)
            liars.append(Liar(laptop, forger, seen, fortune, temper, table.clock, doubles[me]))
        table.clumsy = lambda: {liar.me for liar in liars if liar.is_clumsy}
        return cls(table, kind, liars, len(chosen) <= bearable)

    def play(self, faults: int) -> tuple[Outcome, str]:
        """What came of it: "went on", "exposed" or "suspected"."""
        try:
            return self._play(faults)
        except Broken as problem:
            raise Broken(f"{problem}\n{self.story()}") from problem
        except Exception as problem:
            where = "".join(traceback.format_exception(problem))
            raise Broken(f"crash: {problem!r}\n{self.story()}\n{where}") from problem

    def _play(self, faults: int) -> tuple[Outcome, str]:
        table = self.table
        table.begin()
        Weather(table).rage(faults, lambda: all(one.failure for one in table.honest))
        table.pass_by(self._fortune_of_play())
        table.clear()
        for liar in self.liars:
            if not liar.temper.goes_on:
                liar.repent()
        table.grown = began = self._cleared = table.clock.now
        while not self._is_still() or table.clock.now - began < LONGEST[self.kind]:
            table.pass_by(0.25)
            if table.clock.now - began > 4 * LONGEST[self.kind]:
                break  # it goes on, slowly
            if self._is_decided():
                table.pass_by(1.0)  # disks write what condemns
                if self._is_decided():
                    break
        if any(self._exposes(one) for one in table.honest):
            table.pass_by(REACH + 1.0)
        self._check()
        return table.outcome(), self._verdict()

    def _fortune_of_play(self) -> float:
        return self.table.chance.choice((0.5, 2.0, 8.0))

    # What the honest ones know.

    def knows(self, laptop: Laptop[Application]) -> str:
        """ "done", "exposes", "suspects", "stopped" or "waits"."""
        failure = laptop.failure or _cheat(laptop.app)
        if failure is not None:
            return "exposes" if self._is_found(failure) else "stopped"
        if self.table.is_done(laptop):
            return "done"
        told = [problem for me, problem in self.table.charges if me == laptop.me]
        if self._suspects(laptop) or any(map(self._is_found, told)):
            return "suspects"
        return "waits"

    def _suspects(self, laptop: Laptop[Application]) -> list[int]:
        """The liars that this one suspects."""
        held = self.table.suspicions.get(laptop.me, {})
        return [one for one in held if one in self.table.suspects]

    def _is_found(self, problem: ProtocolError) -> bool:
        """Whether this names a liar. One odd digest is no reason to stop."""
        named = problem.culprit if isinstance(problem, RemoteError) else None
        return self.table.operator(named) in self.table.suspects

    def _is_decided(self) -> bool:
        words = [self.knows(laptop) for laptop in self.table.honest]
        is_parted = bool(self.table.forks) and not self._is_told(words)
        if all(word in ("done", "exposes") for word in words) and not is_parted:
            return True
        if not self._is_still():
            return False  # two histories that have come to their end are still compared
        return "waits" not in words or self._is_owed()

    def _is_told(self, words: Collection[str]) -> bool:
        """Whether somebody honest exposes or suspects a liar."""
        return "exposes" in words or any(map(self._suspects, self.table.honest))

    def _is_still(self) -> bool:
        return self.table.clock.now - self.table.grown >= STILL

    def _is_owed(self) -> bool:
        """Whether all can see that a liar does not do what only it can do."""
        if not self.bound:
            return True
        alive = [one for one in self.table.honest if one.failure is None]
        if not alive:
            return False
        app = max(alive, key=lambda one: one.machine.replica.confirmed).app
        if isinstance(app, HighCard):
            done = app.shown if app._all_hidden else app.hidden
            left = app.left if isinstance(app, PartingCard) else ()
            return any(me not in done and me not in left for me in self.table.suspects)
        assert isinstance(app, SealedDealer)
        match = app.match
        # all have signed it, and cannot spare so many
        missed = match.absence.attendance.away - match.absence.gone
        alone = missed if match.stage == "play" else range(match.operators)
        return any(
            duty.operator in self.table.suspects and duty.operator in alone
            for duty in match.duties
        )

    # What must hold.

    def _check(self) -> None:
        table = self.table
        for laptop in table.honest:
            own, chain = table.own.get(laptop.me, []), laptop.machine.replica.chain
            known = min(
                chain.head, len(own) - 1
            )  # who stopped early may lack what it had heard
            is_short = known < len(own) - 1 and laptop.failure is None and self._is_still()
            if own and (is_short or chain.hash_at(known) != own[known]):
                raise Broken(f"lost: {laptop.me} has not what it held confirmed")
            table.accuse(f"who reads the disk of {laptop.me}", by_journal(self.table, laptop))
        self._judge()
        self._check_spreading()
        self._check_suspicions()
        words = {laptop.me: self.knows(laptop) for laptop in table.honest}
        if not self.bound:
            return
        if table.forks:
            # A minority that acknowledges and forgets can fork: no majority quorum hinders it.
            # Whoever holds the later history may have played it to its end.
            if "waits" in words.values() or not self._is_told(words.values()):
                raise Broken(f"forked: {table.forks[0]}, and {words}")
            return
        if "stopped" in words.values():
            raise Broken(f"stopped: {words}")
        if set(words.values()) == {"done"}:
            chains = [laptop.machine.replica.chain for laptop in table.honest]
            ends = [chain.hash_at(chain.head) for chain in chains]  # who has left ends earlier
            states = {laptop.app.digest() for laptop in table.honest}
            if len(states) > len(set(ends)):
                raise Broken("diverged: one end, several states")
            table.write_out(table.honest)
            # Meanwhile a liar goes on; who has found it out holds what proves it.
            if not any(laptop.failure for laptop in table.honest):
                table.verify(table.honest)
        elif "waits" in words.values() and self._is_still() and not self._is_decided():
            raise Broken(f"stuck: {words}")

    def _exposes(self, laptop: Laptop[Application]) -> bool:
        failure = laptop.failure
        return laptop.is_up and failure is not None and self._is_found(failure)

    def _check_spreading(self) -> None:
        """Who has a proof shares it with whoever it is linked with, whatever that one lacks."""
        now, honest = self.table.clock.now, self.table.honest
        for teller in filter(self._exposes, honest):
            for other in honest:
                link = teller.link_with(other.me)
                if link is None or other.lid.is_closed or teller.lid.is_closed:
                    continue
                since = max(self._cleared, teller.stopped_at, link.since)
                if now - since >= REACH and not self._exposes(other):
                    raise Broken(f"spreading: {other.me} hears {teller.me}, and exposes nobody")

    def _check_suspicions(self) -> None:
        """Whoever is honest, and is still there, is not suspected for long."""
        table = self.table
        for laptop in table.honest:
            for other, (why, since) in table.suspicions.get(laptop.me, {}).items():
                is_well = other not in table.suspects and table.laptops[other].failure is None
                is_long = table.clock.now - max(since, self._cleared) > PATIENCE
                if laptop.failure is None and is_well and is_long:
                    raise Broken(f"accuracy: {laptop.me} suspects {other} for ever: {why}")

    def _judge(self) -> None:
        """All that was signed may be shown to anybody, in any company."""
        genesis = self.table.laptops[0].machine.replica.chain.genesis
        for liar in self.liars:
            for _ in range(SHOWN):
                evidence = liar.evidence()
                table, chance = self.table, self.table.chance
                table.accuse("a judge", prove_alone(genesis, evidence), made_up=True)
                reader = chance.choice(table.honest)
                found = prove(reader.machine.replica.chain, evidence)
                table.accuse("a reader", found, made_up=True)

    def _verdict(self) -> str:
        words = [self.knows(laptop) for laptop in self.table.honest]
        for word, verdict in (
            ("exposes", "exposed"),
            ("waits", "owed" if self._is_still() else "went on"),
            ("suspects", "suspected"),
        ):
            if word in words:
                return verdict
        return "went on"

    def story(self) -> str:
        """Who lied, the last lies, and what each honest laptop thinks."""
        lines = [f"{len(self.table.laptops)} operators, at {self.table.clock.now:.3f}"]
        lines += [str(liar) for liar in self.liars]
        told = sorted(
            (line for liar in self.liars for line in liar.told),
            key=lambda line: float(line.split()[0]),
        )
        lines += ["last lies:", *(f"  {line}" for line in told[-30:])]
        for laptop in self.table.honest:
            if hasattr(laptop, "machine"):
                lines.append(
                    f"{laptop.me} {self.knows(laptop)}"
                    f" suspects={self.table.suspicions.get(laptop.me, {})} {laptop.failure!r}"
                )
        for me, problem in self.table.charges[:12]:
            if me not in self.table.suspects:
                lines.append(f"charge by {me}: {problem!r}")
        lines.append(self.table._where())
        return "\n".join(lines)


def _cheat(app: Application) -> RemoteError | None:
    return app.match.cheat if isinstance(app, SealedDealer) else None
