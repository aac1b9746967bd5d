"""What is played at a simulated table: a small game of cards, and the real one."""

from __future__ import annotations

from random import Random

from citadels_p2p.bots import make_bot
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.rules import Rules
from protocol.application import Application, Genesis
from protocol.cards.group import Group
from tests.protocol.high_card import HighCard
from tests.simulation.table import Game


def high_card(rounds: int) -> Game:
    """Everybody puts a card, all are turned: hundreds of matches a minute."""

    def over(app: Application) -> bool:
        assert isinstance(app, HighCard)
        return app.is_over

    def wins(app: Application) -> object:
        assert isinstance(app, HighCard)
        return app.wins

    return Game(b"high card", lambda genesis, me: HighCard(genesis, me, rounds), over, wins)


LEVELS = ("easy", "normal", "normal")
"""Some play at random, and do what nobody would; some play to the end that is in sight."""


def citadels(
    chance: Random,
    seats: int,
    group: Group,
    city: int = 3,
    away: int = 5,
    give_up: int = 0,
) -> Game:
    """The real match over sealed cards; every seat is played by a bot of its own level.

    Who is silent for `away` seconds is played without; for `give_up`, has left for good.
    """
    chosen = Rules.make("classic", seats, city)

    levels = [chance.choice(LEVELS) for _ in range(seats)]

    def make(genesis: Genesis, me: int) -> SealedDealer:
        brains = {
            seat: make_bot(levels[seat])
            for seat, place in enumerate(genesis.seats)
            if place.operator == me
        }
        return SealedDealer(genesis, me, brains, group, chance)

    def over(app: Application) -> bool:
        assert isinstance(app, SealedDealer)
        return app.match.stage == "done"

    def scores(app: Application) -> object:
        assert isinstance(app, SealedDealer)
        return app.result("").scores

    options = pack_options(chosen, Liveness(away=away, give_up=give_up))
    return Game(options, make, over, scores, seats, _keeps_hands)


def _keeps_hands(app: Application) -> None:
    """At rest no operator reads another's hand or hidden character.

    But for a card that all have seen: what the Graveyard takes back has lain in a city.
    """
    assert isinstance(app, SealedDealer)
    match = app.match
    if match.stage != "play" or not match.at_rest or match.cheat is not None:
        return
    if len(match.absence.present) == 1:
        return  # nobody's layer is left but that of the one who plays on alone
    held = {slot: seat for seat, one in enumerate(match.state.places) for slot in one.hand}
    for slot, seat in (held | match.hidden_picks()).items():
        open_to_us = {app.me}
        if match.keepers[seat] not in open_to_us and match.cards.face(slot) is None:
            seen = app.contributor.known.peek(slot)
            assert seen is None, f"{app.me} reads {slot}, which is {seat}'s"
