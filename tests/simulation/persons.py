"""Persons at a simulated table who take their time: `python -m tests.simulation.persons`.

How long an event takes, by the delay of the network: they decide the same, whatever it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from random import Random

from citadels_p2p.match.news import Ask, News
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.match.session.foretelling import HEAD_START
from citadels_p2p.rules import Reason, Rules
from protocol.application import Application, Genesis
from tests.simulation.chance import seeded, small_cities
from tests.simulation.laptop import Laptop
from tests.simulation.match import GROUPS
from tests.simulation.once import once
from tests.simulation.table import Game, Table

DELAYS = (0.0, 0.02, 0.05, 0.15)
"""Seconds that a message is on its way."""

THINKING = 0.12
"""Seconds for a decision, on average: between none and twice as many."""

WORK = 0.0, 0.008
"""Seconds for a write or a fold: with these an event takes what it takes between programs."""

PATIENT = 100_000.0


class Evening(Table):
    """A table where persons sit."""

    laptops: list[Laptop[SealedDealer]]  # type: ignore[assignment]

    def __init__(
        self, seed: object, operators: int, delay: float, thinking: float = THINKING
    ) -> None:
        self.seed = str(seed)
        self.thinking = thinking
        self.asks = self.held = 0
        super().__init__(Random(self.seed), operators, persons(self.seed, operators))
        self.net.latency = delay, delay
        for laptop in self.laptops:
            laptop.slow_disk.seconds = laptop.fold_seconds = WORK

    def _confirmed(self, laptop: Laptop[Application], seq: int) -> None:
        super()._confirmed(laptop, seq)
        self.attend(laptop)

    def attend(self, laptop: Laptop[Application]) -> None:
        """Whoever is asked by now begins to think."""
        dealer = laptop.app
        assert isinstance(dealer, SealedDealer)
        self._ask(laptop, dealer.news())
        self.clock.plan(HEAD_START, lambda: self._ask(laptop, dealer.foretell()))

    def _ask(self, laptop: Laptop[Application], told: tuple[News, ...]) -> None:
        dealer = laptop.app
        assert isinstance(dealer, SealedDealer)
        if not told or not isinstance(ask := told[-1], Ask):
            return
        self.asks += 1
        step = dealer.persons.asked.step if dealer.persons.asked else 0
        chance = Random(f"{self.seed}/{laptop.me}/{step}")

        def answer() -> None:
            if laptop.app is not dealer or not laptop.is_up or dealer.open_ask() != ask.id:
                return
            low, high = (ask.low, ask.high) if ask.low is not None else (1, 1)
            assert high is not None
            count = chance.randint(low, min(high, len(ask.options)))
            picks = tuple(one.id for one in chance.sample(ask.options, count))
            made = dealer.decide(ask.id, picks)
            if isinstance(made, Reason):
                answer()
            elif made is None:
                self.held += 1
            else:
                laptop.driver.say(made)
                self.attend(laptop)

        self.clock.plan(chance.uniform(0.0, 2 * self.thinking), answer)


def persons(seed: str, seats: int) -> Game:
    """The real match, every seat a person's."""

    def make(genesis: Genesis, me: int) -> SealedDealer:
        return SealedDealer(genesis, me, {}, GROUPS["tiny"], Random(f"{seed}/{me}"))

    def over(app: Application) -> bool:
        assert isinstance(app, SealedDealer)
        return app.match.stage == "done"

    def scores(app: Application) -> object:
        assert isinstance(app, SealedDealer)
        return app.result("").scores

    options = pack_options(Rules.make("classic", seats, 6), Liveness(away=60))
    return Game(options, make, over, scores, seats)


def evening(operators: int, delay: float, seed: int, thinking: float = THINKING) -> Evening:
    """A match from beginning to end."""
    with seeded(Random(seed), real=False), small_cities(), once():
        table = Evening(seed, operators, delay, thinking)
        table.begin()
        table.until(lambda: table.is_over, PATIENT)
    return table


def count(
    operators: int, delay: float, seeds: Iterable[int], thinking: float = THINKING
) -> tuple[float, int, int, int]:
    """Seconds, events, questions, and how many answers were held."""
    played = [evening(operators, delay, seed, thinking) for seed in seeds]
    return (
        sum(one.clock.now for one in played),
        sum(len(one.laptops[0].app.match.events) for one in played),
        sum(one.asks for one in played),
        sum(one.held for one in played),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="persons", description=__doc__)
    parser.add_argument("operators", type=int, nargs="?", default=3)
    parser.add_argument("seeds", type=int, nargs="?", default=3)
    parser.add_argument("--thinking", type=float, default=THINKING, metavar="SECONDS")
    line = parser.parse_args()
    first = 0.0
    for delay in DELAYS:
        seconds, events, asks, held = count(
            line.operators, delay, range(line.seeds), line.thinking
        )
        each = seconds / events
        first = first or each
        print(
            f"{delay * 1000:4.0f} ms: {each:.3f} s an event, {each / first:.2f} times;"
            f" {events} events, {asks} questions, {held} answers held"
        )


if __name__ == "__main__":
    main()
