"""A slow network costs a match only the delays that some rule needs, and persons less.

A cable takes one delay, and nothing else takes any: so the moment at which the host folds an
entry tells how many delays it took after the one before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from unittest import mock

import pytest

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.news import EventNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from tests.world.evening import Evening
from tests.world.person import dealer_of
from tests.world.run import Scene, act
from tests.world.scenes import ended_well

DELAY = 0.05
"""Seconds that a message is on its way."""


def slow(table: Evening) -> None:
    table.net.latency = DELAY, DELAY
    for laptop in table.laptops:
        laptop.disk.seconds = laptop.work_seconds = 0.0, 0.0
    table.think(0.0)


def counted(table: Evening) -> dict[str, float]:
    """Delays that an entry of each kind took, on average, in a match that is played out."""
    delays, entries = Counter[str](), Counter[str]()
    host, last = table.players[0], [0.0]
    fold = SealedDealer.fold

    def folded(self: SealedDealer, seq: int, author: int, body: bytes) -> str | None:
        if self is dealer_of(host):
            kind = f"{'guest' if author else 'host'} {type(bodies.read(body)).__name__}"
            delays[kind] += (table.world.now - last[0]) / DELAY  # type: ignore[assignment]
            entries[kind] += 1
            last[0] = table.world.now
        return fold(self, seq, author, body)

    slow(table)
    with mock.patch.object(SealedDealer, "fold", folded):
        table.sit_down("--city 3 --away 60")
        ended_well(table)
    return {kind: delays[kind] / entries[kind] for kind in entries}


def between(table: Evening, **bounds: tuple[float, float]) -> None:
    each = counted(table)
    for kind, (least, most) in bounds.items():
        assert least <= each[kind.replace("_", " ")] <= most, each


def of_three(table: Evening) -> None:
    """Nobody waits for a certificate."""
    between(
        table,
        host_Acted=(0.0, 2.1),  # the host orders it, and one guest has it: there and back
        guest_Acted=(
            0.0,
            2.1,
        ),  # the entry before comes with the host's word, and it goes there
        guest_Passed=(0.0, 2.1),
        guest_Shuffled=(0.0, 2.1),  # mixed before the shuffle before it is confirmed
        host_Shuffled=(0.0, 0.1),
        host_Shared=(0.0, 2.1),  # all side by side, once what they are dealt by is confirmed
        guest_Shared=(0.0, 2.1),
    )


def of_five(table: Evening) -> None:
    """Guests hear from each other."""
    between(table, guest_Acted=(0.0, 3.1), guest_Shuffled=(0.0, 2.1))


def of_seven(table: Evening) -> None:
    """The host tells."""
    between(table, guest_Acted=(3.8, 4.1), guest_Shuffled=(0.0, 2.1))


@pytest.mark.parametrize(("scene", "seats"), [(of_three, 3), (of_five, 5), (of_seven, 7)])
def test_a_slow_network_costs_only_the_delays_that_some_rule_needs(
    scene: Scene, seats: int
) -> None:
    act(scene, 1, seats=seats)


def early_and_late(_table: Evening) -> None:
    """Persons think while what their question follows is on its way; their answer is held."""
    early, held, asked = played()
    with mock.patch.object(SealedDealer, "foretell", return_value=()):
        late, none, _ = played()
    assert none == 0
    assert held > asked / 4
    assert early < 0.88 * late


def played() -> tuple[float, int, int]:
    """Seconds an event of a match, how many answers were held, and of how many."""
    table = Evening("early and late")
    decide, made = SealedDealer.decide, []

    def decided(self: SealedDealer, ask: int, picks: Sequence[str]) -> object:
        made.append(decide(self, ask, picks))
        return made[-1]

    slow(table)
    table.think(0.12)
    with mock.patch.object(SealedDealer, "decide", decided):
        table.sit_down("--city 6 --away 60")
        ended_well(table)
    told = [when for when, news in table.players[0].heard if isinstance(news, EventNews)]
    table.world.close()
    return (told[-1] - told[0]) / len(told), made.count(None), len(made)


def test_who_is_asked_early_waits_less() -> None:
    act(early_and_late, 1)
