"""A match with a liar: who signs a lie is named by every honest laptop, nobody else ever is.

A verdict is a typed error. It must hold without its teller: the journal on the laptop's own
disk condemns the liar when a stranger folds it, or the signed bytes in the error do. Where no
bytes show the lie, the others play on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.application import SPECTATOR, Application
from protocol.errors import Diverged, ProtocolError, RemoteError
from protocol.journal.chain import Journal, check_entries
from protocol.journal.evidence import MAX_EXHIBIT, Exhibit
from protocol.journal.judgement import judge, prove
from protocol.journal.statements import MAX_ORDERED, Authored, Ordered
from protocol.replication.folding import fold_again, judge_at
from protocol.wire.codec import decode
from tests.simulation.laptop import Laptop
from tests.simulation.liar import Liar
from tests.simulation.liars import LIARS, Kind
from tests.simulation.lying_programs import LyingProgram
from tests.simulation.table import CLEAR_SECONDS, Outcome, Table
from tests.simulation.weather import Weather


@dataclass
class Trial:
    """One table, one of whose laptops lies. Made before the table begins."""

    table: Table
    kind: Kind
    me: int
    liar: Liar | LyingProgram
    suspicions: list[tuple[int, int, str]]

    @classmethod
    def plant(cls, table: Table, name: str, chance: Random) -> Trial:
        """Let one lie: the first host, where only a host can."""
        kind = LIARS[name]
        me = 0 if kind.seat == "host" else chance.randrange(len(table.laptops))
        if kind.seat == "guest":
            me = max(me, 1)
        table.suspects.add(me)
        suspicions: list[tuple[int, int, str]] = []

        def suspected(laptop: Laptop[Application], operator: int, why: str | None) -> None:
            if why is not None:
                suspicions.append((laptop.me, operator, why))

        for laptop in table.laptops:
            laptop._watch = replace(laptop._watch, suspected=suspected)  # type: ignore[arg-type]
        liar = kind.plant(table.laptops[me], table.identities[me], chance.randrange(5, 60))
        return cls(table, kind, me, liar, suspicions)

    @property
    def culprit(self) -> bytes:
        return self.table.identities[self.me].public

    @property
    def honest(self) -> list[Laptop[Application]]:
        """The others, as far as they are there."""
        return [one for one in self.table.laptops if one.me != self.me and one.is_up]

    def play(self, faults: int) -> Outcome:
        """Until everybody honest has named the liar; or to the end, where nobody heard a lie.

        `AssertionError` where a signed lie under a clear sky goes unnamed, where somebody else
        is named, where a verdict does not hold by itself, and where a lie that no bytes show
        keeps the others from playing on.
        """
        table = self.table
        table.begin()
        if self.kind.absence:
            self._send_somebody_away()
        else:
            Weather(table).rage(faults, lambda: self.is_decided)
            table.clear()
        if not self.kind.exposed:
            table.until(lambda: self._is_settled, CLEAR_SECONDS * (3 if self.kind.drags else 1))
            self._check_names()
            return table.outcome()
        table.until(lambda: self.is_decided or self._is_played, CLEAR_SECONDS)
        if self.is_named or self.is_decided:
            table.pass_by(5.0)  # disks write what condemns, nobody thinks of somebody else
            self._check()
            return table.outcome()
        assert table.faults or not self.liar.lied, "a lie that nobody noticed"
        return table.play_out()

    def _send_somebody_away(self) -> None:
        """For good, once it can be stood in for; neither the liar nor the host."""
        table = self.table
        table.until(lambda: all(map(_plays, table.laptops)), CLEAR_SECONDS)
        others = [one for one in self.honest if not one.machine.is_host]
        table.chance.choice(others).power_cut()

    @property
    def _is_played(self) -> bool:
        """Whether all who are here have come to the end."""
        table = self.table
        return all(table.is_done(one) for one in table.laptops if one.is_up)

    @property
    def _is_settled(self) -> bool:
        """Whether everybody honest has played to the end, or has stopped, or two cannot go on
        because each suspects the other.
        """
        told = [self.table.is_done(one) or _fault(one) is not None for one in self.honest]
        return all(told) or (len(self.table.laptops) == 2 and bool(self.suspicions))

    @property
    def is_decided(self) -> bool:
        """Whether nothing more will be found out."""
        return self.kind.exposed and all(_fault(laptop) for laptop in self.honest)

    @property
    def is_named(self) -> bool:
        return any(_fault(laptop) for laptop in self.honest)

    def _check_names(self) -> None:
        """Nobody honest is named by anybody honest; who lied in vain is not named at all."""
        for teller, problem in self.table.charges:
            if teller != self.me:
                assert _named(problem) in (self.culprit, None), f"{teller} accuses: {problem!r}"
        if self.kind.exposed:
            return
        for laptop in self.honest:
            problem = _fault(laptop)
            two_differ = isinstance(problem, Diverged) and len(self.table.laptops) == 2
            shown = problem is None or _named(problem) == self.culprit
            assert shown or two_differ, f"{laptop.me} stops: {problem!r}"

    def _check(self) -> None:
        self._check_names()
        verdicts = [(laptop, _fault(laptop)) for laptop in self.honest]
        proofs = 0
        for laptop, problem in verdicts:
            if problem is None:
                continue  # it was behind; it hears why when it gets there
            if _is_behind(laptop, problem):
                continue
            assert _named(problem) == self.culprit, f"{laptop.me} does not name: {problem!r}"
            assert isinstance(problem, RemoteError)
            assert self.culprit in (
                self._by_journal(laptop),
                _named(prove(laptop.machine.replica.chain, problem.evidence)),
                _named(shown_veto(laptop, problem.evidence)),
            ), f"{laptop.me} has no proof: {problem!r}"
            proofs += 1
        assert proofs, verdicts

    def _by_journal(self, laptop: Laptop[Application]) -> bytes | None:
        """Whom a stranger names who reads what is on this laptop's disk."""
        return _named(by_journal(self.table, laptop))


def by_journal(table: Table, laptop: Laptop[Application]) -> RemoteError | None:
    """What a stranger finds who reads what is on this laptop's disk."""
    app = None
    try:
        for chain, entry in check_entries(Journal(tuple(laptop.disk.entries))):
            if app is None:
                app = table.game.make(chain.genesis, laptop.me)
            elif entry.election is None:
                fold_again(table.game.make, app, chain, entry)
    except RemoteError as problem:
        return problem
    return None if app is None else _cheat(app)


def _plays(laptop: Laptop[Application]) -> bool:
    return isinstance(laptop.app, SealedDealer) and laptop.app.match.stage == "play"


def _cheat(app: Application) -> RemoteError | None:
    return app.match.cheat if isinstance(app, SealedDealer) else None


def _fault(laptop: Laptop[Application]) -> ProtocolError | None:
    """Why this laptop plays no further."""
    return laptop.failure or _cheat(laptop.app)


def _is_behind(laptop: Laptop[Application], problem: ProtocolError | None) -> bool:
    """Whether it was told of an entry that it could not judge yet.

    Because the history before it was lacking, or because it followed nobody at that moment. It
    stops, since others have, and blames nobody.
    """
    if not isinstance(problem, RemoteError) or problem.culprit is not None:
        return False
    machine = laptop.machine
    judged = machine.replica.chain.head + (machine.host is not None)
    return any(_seq(item) > judged for item in problem.evidence)


def _seq(item: bytes) -> int:
    shown = decode(item, Exhibit, limit=MAX_EXHIBIT)
    if shown.kind != "ordered":
        return 0
    return decode(shown.content, Ordered, limit=MAX_ORDERED).seq


def _named(problem: ProtocolError | None) -> bytes | None:
    return problem.culprit if isinstance(problem, RemoteError) else None


def shown_veto(laptop: Laptop[Application], evidence: tuple[bytes, ...]) -> RemoteError | None:
    """What an application made anew says of what is in evidence, also where the laptop that
    stopped for it was switched off since.
    """
    driver = laptop.driver
    if not driver.closed:
        return driver.proof(evidence)()
    chain = driver.chain

    def judged(place: int, said: Authored) -> str | None:
        made = driver._make(chain.genesis, SPECTATOR).fold
        return judge_at(made, chain.entries[1 : place + 1], said)

    return judge(chain, evidence, judged, chain.head)
