"""One's own clock over the others, and what a table agrees to wait."""

from __future__ import annotations

import json

import pytest

from citadels_p2p.match.operator.presence import ASLEEP, SilenceClock
from citadels_p2p.match.options import (
    Liveness,
    pack_options,
    unpack_liveness,
    unpack_options,
)
from citadels_p2p.rules import Rules
from protocol.errors import IllegalEntry
from protocol.session.match_session import Presence

WORDS = (5, 6, 7)


def ticks(
    clock: SilenceClock, until: float, silence: float, owing: tuple[int, ...] = ()
) -> None:
    """Half a second at a time; operator 2 has been silent for so long at the end."""
    moment = 0.0
    while moment <= until:
        unheard = max(0.0, silence - (until - moment))
        clock.tick(moment, (0.0, 0.0, unheard), owing, WORDS)
        moment += 0.5


def test_who_is_not_heard_is_overdue() -> None:
    clock = SilenceClock(3, 0)
    ticks(clock, 30.0, 19.5)
    assert clock.overdue(20.0) == ()
    clock.tick(30.5, (0.0, 0.0, 20.0), (), WORDS)
    assert clock.overdue(20.0) == (2,)


def test_who_is_heard_and_does_not_do_what_it_owes_is_overdue_too() -> None:
    clock = SilenceClock(3, 0)
    ticks(clock, 20.0, 0.0, owing=(1, 2))
    assert clock.overdue(20.0) == (1, 2)
    clock.hear(1)
    assert clock.overdue(20.0) == (2,)
    clock.tick(20.5, (0.0, 0.0, 0.0), (1,), WORDS)
    assert clock.overdue(20.0) == ()


def test_every_word_starts_the_clock_anew() -> None:
    clock = SilenceClock(3, 0)
    ticks(clock, 15.0, 0.0, owing=(2,))
    clock.tick(15.5, (0.0, 0.0, 0.0), (2,), (5, 6, 8))
    clock.tick(25.0, (0.0, 0.0, 0.0), (2,), (5, 6, 8))
    assert clock.quiet[2] == 9.5


def test_what_a_host_leaves_lying_is_nobodys_silence() -> None:
    """It kept back an honest player's words until honest clocks called it away."""
    clock = SilenceClock(3, 0)
    ticks(clock, 3.0, 0.0, owing=(1, 2))
    for moment in range(7, 90):
        clock.tick(moment / 2, (0.0,) * 3, (1, 2), WORDS, withheld=(1,))
    assert (clock.quiet[1], clock.overdue(20.0)) == (3.0, (2,))
    clock.tick(45.0, (0.0,) * 3, (1,), WORDS)
    assert clock.quiet[1] == 3.5  # the time before counts: words that are refused stop no clock


def test_a_word_by_way_of_others_is_a_word() -> None:
    """Whoever is linked with somebody else only is not silent: its entries come."""
    clock = SilenceClock(3, 0)
    ticks(clock, 30.0, 30.0)
    clock.hear(2)
    clock.tick(35.0, (0.0, 0.0, 35.0), (), WORDS)
    assert clock.quiet[2] == 5.0
    clock.tick(40.0, (0.0, 0.0, 40.0), (), WORDS)
    assert clock.overdue(10.0) == (2,)


def test_we_miss_nobody_for_our_own_sleep() -> None:
    """Whoever opens the lid has heard nobody for an hour, and that is nobody's fault."""
    clock = SilenceClock(3, 0)
    ticks(clock, 5.0, 0.0, owing=(1,))
    clock.tick(5.0 + ASLEEP + 3600.0, (0.0, 3600.0, 3600.0), (1,), WORDS)
    assert clock.overdue(1.0) == ()


def test_we_are_never_overdue_ourselves() -> None:
    clock = SilenceClock(3, 2)
    ticks(clock, 60.0, 50.0, owing=(2,))
    assert clock.overdue(1.0) == ()


def test_presence_counts_from_the_last_word() -> None:
    presence = Presence(3, 1, 100.0)
    presence.hear(0, 104.0)
    assert presence.silences(110.0) == (6.0, 0.0, 10.0)
    presence.hear(2, 111.0)
    assert presence.silences(111.0) == (7.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "liveness",
    [Liveness(), Liveness(away=5, step_time=60), Liveness(escrow="strict"), Liveness(away=1)],
)
def test_a_table_agrees_how_long_it_waits(liveness: Liveness) -> None:
    """It travels with the rules, in one canonical form; what is as usual is left out."""
    rules = Rules.make("classic", seats=4)
    packed = pack_options(rules, liveness)
    assert unpack_options(packed) == rules
    assert unpack_liveness(packed) == liveness
    assert (packed == pack_options(rules)) == (liveness == Liveness())


@pytest.mark.parametrize(
    "change",
    [
        {"away": 0},
        {"away": 20},
        {"away": "20"},
        {"away": True},
        {"step_time": -1},
        {"step_time": 86_401},
        {"step_time": 1.5},
        {"escrow": "lax"},
        {"escrow": 3},
        {"patience": 9},
    ],
)
def test_what_no_table_can_agree_to_is_refused(change: dict[str, object]) -> None:
    options = {**Rules.make("classic", seats=4).to_options(), **change}
    packed = json.dumps(options, sort_keys=True, separators=(",", ":")).encode()
    with pytest.raises(IllegalEntry, match="options"):
        unpack_liveness(packed)


def test_a_table_says_the_size_of_its_city_even_where_it_is_the_usual_one() -> None:
    """A program may leave it out of a proposal; on the wire a game has one form."""
    with pytest.raises(IllegalEntry, match="canonical"):
        unpack_options(b'{"edition":"classic","seats":4}')
