"""A saved match on the full screen: stepped through by keys, seen from any chair."""

from __future__ import annotations

from operator import sub

import pytest

from citadels_p2p.match.acts import Leave
from citadels_p2p.match.archive.record import MatchRecord, counsel
from citadels_p2p.match.news import OverNews, RecordNews, Refused
from cli.screen.page import Ponder
from cli.screen.pages.replay import Replay
from cli.screen.playback import Playback
from cli.screen.screen import Screen
from cli.settings import UNSETTLED
from cli.text import Scene, refusal
from tests.screens.robot import SIZES, painted, text
from tests.screens.tale import tale


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return tale(5, 22)


#: what is said where no chair shows a hand
HIDDEN = refusal("hands_stay_hidden", {}, Scene())[:30]


def shown(record: MatchRecord, *keys: str, seat: int | None = None) -> Screen:
    """The screen after these keys."""
    screen = Screen()
    screen.hear(RecordNews(record, seat, "/home/ann/saved.citadels"), 0.0)
    for key in keys:
        screen.press(key)
    return screen


def place(screen: Screen) -> int:
    page = screen.page
    assert isinstance(page, Replay)
    return page.playback.at


def seen(screen: Screen) -> str:
    return text(painted(screen, 80, 24))


def test_steps_go_on_and_back_between_the_ends(record: MatchRecord) -> None:
    assert place(shown(record)) == 0
    assert place(shown(record, "left")) == 0
    assert place(shown(record, "right", " ", "enter", "left")) == 2
    assert place(shown(record, "end")) == len(record.moments)
    assert place(shown(record, "end", "right")) == len(record.moments)
    assert place(shown(record, "end", "home")) == 0


def test_turns_and_rounds_are_leapt_and_come_back_to(record: MatchRecord) -> None:
    rounds = [moment.views[None].round for moment in record.moments]
    third = shown(record, "pagedown", "pagedown")
    assert place(third) == rounds.index(3)
    third.press("down")
    turn = place(third)
    assert record.moments[turn].views[None].turn is not None
    third.press("right")
    third.press("up")
    assert place(third) == turn
    third.press("up")
    third.press("pageup")
    assert place(third) == rounds.index(2)


def test_what_was_known_is_the_same_whichever_way_one_came(record: MatchRecord) -> None:
    """Rounds, journal, ranks called: nothing of the future stays when one goes back."""
    there = Playback(RecordNews(record, 1, ""), UNSETTLED)
    back = Playback(RecordNews(record, 1, ""), UNSETTLED)
    back.go(len(record.moments))
    for moment in (40, 90, 12):
        there.sit(1)
        there.go(moment)
        back.go(moment)
        for one in (there.model, back.model):
            assert one.view == record.moments[moment].views[1]
        assert list(there.model.journal) == list(back.model.journal)
        assert there.model.rounds == back.model.rounds
        assert there.model.rank == back.model.rank


def test_the_plots_at_the_end_have_every_round_once(record: MatchRecord) -> None:
    screen = shown(record, "end", "pageup", "pageup", "end")
    rounds = [one.number for one in screen.told.rounds]
    assert rounds == sorted(set(rounds))
    assert " wins with " in seen(screen)


def test_a_round_is_gone_to_by_its_number_and_a_character_by_its_call(
    record: MatchRecord,
) -> None:
    screen = shown(record, "g", "4")
    assert "► Round 4." in seen(screen)
    screen.press("down")
    screen.press("enter")
    view = record.moments[place(screen)].views[None]
    assert view.round == 4
    assert view.turn is not None
    assert f"►{view.turn.rank} " in seen(screen).splitlines()[-2]


def test_the_hand_of_a_chair_is_seen_and_taken_away_again(record: MatchRecord) -> None:
    screen = shown(record, "pagedown", "v", "3", "enter")
    assert "Seen by: Chloé" in seen(screen)
    you = record.moments[place(screen)].views[2].you
    assert you is not None
    view = screen.told.view
    assert view is not None
    assert view.you == you
    screen.press("v")
    screen.press("0")
    screen.press("enter")
    assert "Seen by: everybody" in seen(screen)
    assert "Your hand" not in seen(screen)


def test_hands_that_stay_hidden_are_said_to_be() -> None:
    screen = shown(tale(3, 5, opened=False, cut=30), "v")
    assert screen.overlays == []
    assert HIDDEN in seen(screen)
    screen.press("right")
    assert HIDDEN not in seen(screen)


def test_a_chair_that_was_asked_for_and_tells_nothing_is_explained() -> None:
    screen = Screen()
    screen.hear(Refused("hands_stay_hidden"), 0.0)
    screen.hear(RecordNews(tale(3, 5, opened=False, cut=30), None, ""), 0.0)
    assert HIDDEN in seen(screen)


def test_a_story_that_breaks_off_says_why_and_has_no_score() -> None:
    screen = shown(tale(3, 5, cut=30), "end")
    assert place(screen) == 29
    assert "30/30" in seen(screen)
    assert "signature" in seen(screen)
    assert "score" not in text(painted(shown(tale(3, 5, cut=30), "g", "end"), 80, 24))


@pytest.mark.parametrize("keys", [("right",), ("pagedown", "down"), ("end",), ("g",), ("?",)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_size_shows_it_and_how_to_go_on(
    record: MatchRecord, keys: tuple[str, ...], ascii_only: bool
) -> None:
    screen = shown(record, *keys)
    for columns, rows in SIZES:
        frame = text(painted(screen, columns, rows, ascii_only=ascii_only))
        if not screen.overlays:
            assert f"{place(screen) + 1}/{len(record.moments) + 1}" in frame
            assert "? help" in frame
        if ascii_only:
            assert frame.replace("Chloé", "").isascii()


def test_help_lists_the_keys_of_the_replay_and_nothing_to_say(record: MatchRecord) -> None:
    rows = text(painted(shown(record, "?"), 120, 36))
    assert "on to what happens next" in rows
    assert "choose whose hand to see" in rows
    assert "speak to the table" not in rows


def test_nobody_is_spoken_to_and_leaving_asks_nothing(record: MatchRecord) -> None:
    assert shown(record, "t").overlays == []
    assert shown(record).press("q") == (Leave(),)
    assert shown(record, "end").press("q") == (Leave(),)


def test_a_click_on_the_bar_goes_there(record: MatchRecord) -> None:
    screen = shown(record)
    bar = painted(screen, 80, 24)[-3]
    screen.click(bar[len(bar) // 2].target)
    assert abs(place(screen) - len(record.moments) // 2) <= len(record.moments) // 39


def test_every_cell_of_the_bar_leads_to_a_place_under_it(record: MatchRecord) -> None:
    """What is clicked is where the marker then stands."""
    screen = shown(record)
    for x in range(1, 79):
        target = painted(screen, 80, 24)[-3][x].target
        screen.click(target)
        assert painted(screen, 80, 24)[-3][x].style == "focus"


def test_the_score_of_a_replay_leaves_no_table(record: MatchRecord) -> None:
    screen = shown(record, "end")
    assert "Close the replay" in seen(screen)
    assert "Leave the table" not in seen(screen)
    assert screen.press("4") == ()
    assert screen.press("enter") == (Leave(),)


def test_enter_at_the_score_of_a_replay_begins_it_anew(record: MatchRecord) -> None:
    screen = shown(record, "end")
    assert screen.press("enter") == ()
    assert place(screen) == 0


def test_the_score_stays_on_the_terminal_behind(record: MatchRecord) -> None:
    assert any("Final score" in line for line in shown(record, "end").farewell())
    assert shown(record).farewell() == ()


def test_the_result_on_the_terminal_breaks_between_words(
    record: MatchRecord,
) -> None:
    screen = shown(record, "end")
    whole, narrow = screen.farewell(500), screen.farewell(40)
    assert len(narrow) > len(whole)
    assert " ".join(" ".join(narrow).split()) == " ".join(" ".join(whole).split())
    long = [line for line in narrow if len(line) > 40]
    assert long == [line for line in whole[-3:] if len(line) > 40]  # where it is saved


def test_turning_points_lead_to_their_rounds_and_deeds(record: MatchRecord) -> None:
    over = record.ending("")
    assert isinstance(over, OverNews)
    rounds = [moment.views[None].round for moment in record.moments]
    for point in over.turning_points:
        assert max(map(sub, point.after, point.before)) >= 5, "what changed little is none"
        screen = shown(record, "end", "e")
        assert f"Round {point.round}: " in seen(screen)
        for key in (*str(point.round), "enter"):
            screen.press(key)
        assert place(screen) == rounds.index(point.round)


def test_the_last_turning_point_ends_with_who_has_won(record: MatchRecord) -> None:
    over = record.ending("")
    assert isinstance(over, OverNews)
    last = record.moments[-1].views[None].round
    ends = [point.after for point in over.turning_points if point.round == last]
    for after in ends:
        assert [seat for seat, part in enumerate(after) if part] == list(over.winners)


def test_a_story_that_breaks_off_has_no_turning_points() -> None:
    screen = shown(tale(3, 5, cut=40), "e")
    assert "No round moved by much who would win." in seen(screen)


def test_a_bot_says_what_it_would_have_done_in_the_chair_of_who_decided(
    record: MatchRecord,
) -> None:
    screen = shown(record)
    replay = screen.page
    assert isinstance(replay, Replay)
    screen.press("pagedown")
    asked = record.moments[replay.playback.at].asked
    assert asked is not None
    name = record.names[asked.seat]
    screen.press("w")
    if replay.playback.seat != asked.seat:
        assert f"See the hand of {name} first" in seen(screen)
        replay.playback.sit(asked.seat)
    assert screen.press("w") == (Ponder(replay.playback.at),)
    assert screen._do(replay.advised(counsel(record, replay.playback.at))) == ()
    assert "A bot would choose: " in seen(screen)


def test_what_nobody_knows_is_not_advised_on() -> None:
    sealed = tale(3, 7, opened=False)
    screen = shown(sealed)
    assert screen.press("w") == ()
    assert "Nothing is asked of anybody here." in seen(screen)
    assert counsel(sealed, 0) is None
