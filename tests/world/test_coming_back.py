"""Who is gone for a while finds everything as it was; who leaves for good leaves it settled."""

from __future__ import annotations

import pytest

from citadels_p2p.match import Leave
from citadels_p2p.match.acts import Reopen, Say, SetBot
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.news import Bye, Chat, Refused
from protocol.storage.match_files import unfinished
from tests.world.evening import Evening
from tests.world.oracles import judged
from tests.world.person import Person, runtime_of
from tests.world.run import Scene, Task, act, play
from tests.world.scenes import ended_well, one_of_two

WAYS = ("killed", "without power", "secrets overwritten", "secrets gone")


def again_and_again(table: Evening) -> None:
    """However Bert's program ends, he is asked the same as before, over the same hand."""
    table.sit_down("--city 7")
    table.begun()
    anna, bert, _ = table.players
    table.forgetful.add(bert)
    for way in WAYS:
        bert.attends = False
        table.until(lambda: bert.asked is not None and hand(bert))
        assert bert.asked is not None
        before = bert.asked.options, hand(bert)
        bert.laptop.kill(power=way != "killed")
        for path in bert.laptop.disk.home.glob("matches/*.secrets*"):
            match way:
                case "secrets overwritten" if path.suffix == ".secrets":
                    path.write_bytes(b"gone" * 3000)
                case "secrets overwritten" | "secrets gone" if path.suffix != ".damaged":
                    path.unlink()
        since = table.world.now
        table.come_back(bert)
        table.until(lambda: bert.asked is not None)
        assert bert.notices("key_back", since) == way.startswith("secrets")
        assert (bert.asked.options, hand(bert)) == before, way
        speak_up(table, bert, anna, way)
        bert.attend()
        table.some_way()
    matches = bert.laptop.disk.home / "matches"
    damaged = [*matches.glob("*.damaged")]
    assert len(damaged) == 1, [*matches.iterdir()]
    ended_well(table)
    assert not [*matches.glob("*.secrets")], [*matches.iterdir()]


def test_who_goes_on_with_a_match_has_its_name_at_the_next_table_too() -> None:
    """Somebody told it to one command alone, lost power, and went on with another command."""
    (report,) = play([Task("once_more", 8400009)])
    assert not report.problem


def hand(person: Person) -> tuple[str, ...]:
    you = person.state and person.state.view.you
    return tuple(card.card for card in you.hand) if you else ()


def speak_up(table: Evening, one: Person, other: Person, text: str) -> None:
    """Numbers of chat go on over a restart, and are learned anew."""
    for speaker in (one, other):
        said = f"{speaker.laptop.name}, {text}"
        speaker.does(Say(said))
        for hearer in (one, other):
            heard = hearer.heard
            table.until(
                lambda: any(isinstance(news, Chat) and news.text == said for _, news in heard)  # noqa: B023
            )


def test_whoever_comes_back_is_asked_the_same_over_the_same_hand() -> None:
    act(again_and_again, 1)


def of_two_one_leaves(table: Evening) -> None:
    """History tells it, and nobody is offered to go on with it."""
    one_of_two(table)
    here = [one for one in table.players if one.plays]
    for person in here:
        person.does(Leave())
        table.until(lambda: person.code is not None)  # noqa: B023
        home, over = person.laptop.disk.home, person.over
        assert person.code == 0
        assert over is not None
        gone = over.names[over.resigned[0]]
        (told,) = recall(home).summaries
        assert told.standing == "finished"
        assert (told.claimed, told.resigned) == ((gone, "") if over.claimed else ("", gone))
        assert unfinished(home) == ()


@pytest.mark.parametrize("seed", [1, 2], ids=["by word", "in silence"])
def test_of_two_one_leaves_and_the_other_has_the_match(seed: int) -> None:
    act(of_two_one_leaves, seed, seats=2)


def alone_with_bots(table: Evening) -> None:
    """Of two the guest leaves for good: the host plays on to the end with its bots."""
    anna, bert = table.players
    table.sit_down("--city 3 --bots 2", seats=4)
    table.some_way()
    table.gone.add(bert)
    bert.departs()
    table.until(lambda: bert.notices("seat_lost"))
    bert.does(Leave())
    table.until(lambda: bert.code == 0)
    assert bert.over is None
    assert unfinished(bert.laptop.disk.home) == ()
    runtime = runtime_of(anna)
    assert runtime is not None
    table.until(lambda: runtime.machine.replica.chain.members == {0})
    ended_well(table)
    assert anna.over is not None
    assert anna.over.resigned == ()


def test_who_is_left_with_bots_plays_on_alone() -> None:
    act(alone_with_bots, seats=2)


def the_host_of_two_goes_home(table: Evening) -> None:
    """For the day: the other one is told that the match is saved."""
    anna, bert = table.players
    table.sit_down()
    table.some_way()
    anna.does(Leave())
    table.until(lambda: bert.code is not None)
    assert bert.bye == Bye(6, "closed", {"by": "Anna", "saved": True})


def test_of_two_the_one_whose_host_leaves_hears_that_the_match_is_saved() -> None:
    act(the_host_of_two_goes_home, seats=2)


def opened_again(table: Evening) -> None:
    """Anna's laptop dies before the match has begun: Bert opens her table, Carla comes over."""
    anna, bert, carla = table.players
    carla.attends = False  # so that it does not begin
    table.sit_down()
    table.until(lambda: all(one.table and one.table.you is not None for one in (bert, carla)))
    before = carla.table
    assert before is not None
    anna.does(Reopen())
    table.until(lambda: Refused("host_here") in [news for _, news in anna.heard])
    anna.laptop.kill(power=True)
    table.gone.add(anna)
    table.until(
        lambda: all(one.table is not None and one.table.host_gone for one in (bert, carla))
    )
    bert.does(Reopen())
    table.until(lambda: carla.table is not None and carla.table.invited_by == "Bert")
    carla.does(Reopen())
    table.until(lambda: carla.table is not None and carla.table.host == "Bert")
    assert bert.table is not None
    assert bert.table.table != before.table
    assert (bert.table.name, bert.table.options) == (before.name, before.options)
    bert.does(SetBot(2, "easy"))
    carla.attend()
    ended_well(table)


def test_a_table_whose_host_dies_before_the_match_is_opened_by_a_guest() -> None:
    act(opened_again)


def joins_again(table: Evening) -> None:
    """Of two one is killed, and nobody hosts: `join` brings it back, by any words."""
    table.sit_down("--city 7 --bots 1", seats=3)
    ways = ("Bert", "Kitchen"), ("Bert", ""), ("Bert", "10.0.0.1"), ("Anna", "Kitchen")
    for name, target in ways:
        table.some_way(2, 4)
        gone = table[name]
        (stays,) = (one for one in table.players if one is not gone)
        since, answers = table.world.now, table.answers
        gone.laptop.kill()
        table.until(lambda: stays.notices("paused", since))  # noqa: B023
        gone.laptop.boot()
        gone.types(f"join {target} --name {name}")
        table.until(lambda: table.answers > answers + 2)  # noqa: B023
    ended_well(table)


def test_join_brings_back_whoever_was_killed() -> None:
    act(joins_again, 1, seats=2)


def under_other_addresses(table: Evening) -> None:
    """All go home, and nobody is where the journal says when they go on."""
    table.sit_down()
    table.some_way()
    for person in table.players:
        person.laptop.kill(power=True)
        person.laptop.move(f"10.0.0.{50 + person.laptop.number}")
    for person in table.players:
        table.come_back(person)
    ended_well(table)


def test_a_table_that_comes_back_under_other_addresses_finds_itself() -> None:
    act(under_other_addresses)


def wakes_when_all_are_back(table: Evening) -> None:
    """Bert and Anna leave while Carla's lid is closed, and go on: it hears of their goodbyes at
    once when it wakes, and of themselves a moment later.
    """
    anna, bert, carla = table.players
    table.sit_down("--city 3")
    table.some_way()
    carla.laptop.close_lid(20.0)
    for person in (bert, anna):
        person.does(Leave())
        table.until(lambda: person.code is not None)  # noqa: B023
        table.wait(2.0)
    for person in (anna, bert):
        table.come_back(person)
    ended_well(table)


def test_who_wakes_when_all_who_left_are_back_plays_on() -> None:
    act(wakes_when_all_are_back, 9)


def at_another_table(table: Evening, *, resumes: bool) -> None:
    """The others play to the end and close without Dora, whose cable is out: she has it from
    whoever keeps another table, while she waits or another evening.
    """
    *others, dora = table.players
    table.sit_down("--city 3 --away 5")
    table.some_way()
    for other in others:
        table.net.cut(other.laptop, dora.laptop)
    table.until(lambda: all(one.knows_the_end for one in others), 900)
    for other in others:
        other.does(Leave())
    table.until(lambda: all(one.code == 0 for one in others))
    table.net.mend_all()
    carla, score = table["Carla"], table["Carla"].over
    if resumes:
        dora.laptop.kill()
    carla.types("host Cellar --name Carla --seats 3")
    table.until(lambda: carla.table)
    if resumes:
        table.come_back(dora)
    table.until(lambda: dora.over, 120)
    assert dora.over is not None
    assert score is not None
    assert (dora.over.digest, dora.over.scores) == (score.digest, score.scores)
    dora.does(Leave())
    table.until(lambda: dora.code == 0)
    (path,) = dora.laptop.disk.home.glob("matches/*.citadels")
    _, verdict, _ = judged(path)
    assert (verdict.sound, verdict.finished) == (True, True)
    assert unfinished(dora.laptop.disk.home) == ()


def waits_for_the_end(table: Evening) -> None:
    at_another_table(table, resumes=False)


def resumes_for_the_end(table: Evening) -> None:
    at_another_table(table, resumes=True)


@pytest.mark.parametrize("scene", [waits_for_the_end, resumes_for_the_end])
def test_who_missed_the_end_has_it_from_somebody_at_another_table(scene: Scene) -> None:
    act(scene, 1, seats=4)
