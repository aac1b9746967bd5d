"""Words said outside the journal at the worst moment, by changed programs among honest ones."""

from __future__ import annotations

import msgspec
import pytest

from citadels_p2p.match.session.evening import Evening as Session
from citadels_p2p.match.session.online import Online
from protocol.messages import Audience, Denied, Leave
from protocol.session.operator_session import OperatorSession
from tests.world.evening import Evening
from tests.world.oracles import check_files, check_scores
from tests.world.person import Person
from tests.world.run import act


def says(liar: Person, message: msgspec.Struct) -> None:
    """A changed program says this to everybody whom it is linked with."""
    session = liar.session
    if isinstance(session, Session):
        session = session._session
    assert isinstance(session, Online)
    node = session.node._session
    assert isinstance(node, OperatorSession)

    async def say() -> None:
        node.links.broadcast(message)

    liar.laptop.run(say())


def goes_on_without(table: Evening, liar: Person) -> None:
    """The others play to the end, to one score and sound files; nobody is sent home."""
    others = [one for one in table.players if one is not liar]
    table.until(lambda: all(one.knows_the_end for one in others), 900)
    assert all(one.bye is None or one.bye.code == 0 for one in others)
    check_scores(others)
    check_files(others)


def finished_in_its_turn(table: Evening) -> None:
    """A guest says that it has finished, and shuts its lid: it was never missed."""
    table.sit_down("--city 3 --away 5")
    table.some_way()
    bert = table["Bert"]
    bert.attends = False
    table.wait(5)
    says(bert, Leave("finished"))
    table.wait(0.2)
    bert.laptop.kill(power=True)
    goes_on_without(table, bert)


def finished_by_the_host(table: Evening) -> None:
    """A host that is about to be found out says to all that it has finished: sent home, 0."""
    table.sit_down("--city 3 --away 5")
    table.some_way()
    anna = table["Anna"]
    says(anna, Leave("finished"))
    table.wait(0.2)
    anna.laptop.kill(power=True)
    goes_on_without(table, anna)


def words_in_the_middle(table: Evening) -> None:
    """Codes, refusals and numbers of anybody's: each costs its speaker a link at most."""
    table.sit_down("--city 3")
    words = (Leave("left"), Denied("elsewhere"), Audience(9), Leave("kicked"), Denied("full"))
    for word in words:
        table.some_way(1, 4)
        says(table.chance.choice(table.players), word)
    table.until(lambda: all(one.knows_the_end for one in table.players), 900)
    check_scores(table.players)
    check_files(table.players)
    for person in table.players:
        told = {news.code for _, news in person.heard if hasattr(news, "code")}
        assert "cheat" not in told


@pytest.mark.parametrize("scene", [finished_in_its_turn, finished_by_the_host])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_goodbye_ends_no_match_and_freezes_none(scene: object, seed: int) -> None:
    assert callable(scene)
    act(scene, seed, seats=4)


def test_words_outside_the_journal_change_nothing_that_counts() -> None:
    act(words_in_the_middle, 0, seats=4)
