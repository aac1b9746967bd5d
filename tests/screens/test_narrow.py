"""What is too long for its place: nobody's character or name is lost where it can be told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from citadels_p2p.cards import EDITIONS
from citadels_p2p.match.news import OverNews, ScoreLine, SeatScore, StateNews
from citadels_p2p.rules.choosing import rank_of
from citadels_p2p.rules.view import You
from cli import i18n
from cli.client.rounds import RoundSummary
from cli.screen.pages.ranks import cut_apart
from cli.screen.pages.seats import together
from cli.screen.screen import Screen
from cli.text import cards
from cli.text.cells import width
from tests.cli.scripted import NAMES, lobby, view
from tests.screens.robot import painted, text

ROLES = ("Magician", "Bishop")


@pytest.mark.parametrize(
    ("room", "told"),
    [
        (16, "Magician, Bishop"),
        (14, "Magici, Bishop"),
        (10, "Magi, Bish"),
        (3, "Ma, Bi"),
    ],
)
def test_of_several_characters_each_can_be_made_out(room: int, told: str) -> None:
    assert together(ROLES, room) == told


def test_what_is_secret_or_unknown_keeps_its_sign() -> None:
    assert together(ROLES[:1], 14, secret=ROLES[1:]) == "Magic, (Bisho)"
    assert together(ROLES[:1], 8, unknown=1) == "Magic, ?"
    assert together((), 10, unknown=2) == "?, ?"
    assert together(ROLES[:1], 4) == "Magician"  # one alone is cut with a sign, by its column


@pytest.mark.parametrize(("columns", "rows"), [(60, 18), (120, 36)])
def test_the_second_character_is_on_the_table_at_every_size(columns: int, rows: int) -> None:
    one, *others = view().seats
    pair = ("merchant", "architect")
    seen = replace(
        view(),
        seats=(replace(one, characters=pair), *others),
        you=You(0, (), pair, ()),
        turn=None,
    )
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(seen, NAMES), 0.0)
    shown = text(painted(screen, columns, rows))
    assert "Merc" in shown
    assert ", Arch" in shown


def test_a_long_name_stands_whole_beside_the_plots_where_there_is_room() -> None:
    long = "Anastasia of Novgorod"
    names = (long, "Bob", "Cleo")
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(), names), 0.0)
    scores = tuple(
        SeatScore(seat, 20 - seat, (ScoreLine("districts", 20 - seat),), seat + 1)
        for seat in range(3)
    )
    screen.hear(OverNews(scores, (0,), "ab", "", names), 0.0)
    for columns, rows in ((120, 36), (80, 24)):
        assert f"1. {long} " in text(painted(screen, columns, rows))
    for round in range(1, 15):  # plots of fourteen rounds take the cells of the longest names
        screen.model.rounds.append(RoundSummary(round, gold=(round,) * 3, worth=(round,) * 3))
    small = text(painted(screen, 80, 24)).splitlines()
    row = next(row for row in small if " 1. " in row)
    assert "1. Anastasia of Nov… " in row
    assert width(row) <= 80


def test_a_window_that_is_too_small_says_so_in_whole_words() -> None:
    screen = Screen()
    told = " ".join(text(painted(screen, 40, 15)).split())
    assert "The window needs 60×18 cells; it has 40×15." in told
    assert "Make it larger, or play with --ui plain." in told
    for columns in range(1, 40):
        assert len(painted(screen, columns, 2)) == 2


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_no_two_characters_of_a_match_are_cut_to_the_same_letters(
    edition: str, language: str
) -> None:
    cast, random = EDITIONS[edition].cast, Random(7)
    by_rank: dict[int, list[str]] = {}
    with i18n.speaking(language):
        for role in cast:
            by_rank.setdefault(rank_of(EDITIONS[edition], role), []).append(
                cards.character(role)
            )
    for _ in range(300):
        names = [random.choice(some) for _rank, some in sorted(by_rank.items())]
        for longest in range(2, 12):
            cut = cut_apart(names, longest)
            assert len(set(cut)) == len(names), (longest, cut)
            assert max(map(width, cut)) <= longest


def test_names_that_begin_alike_show_how_they_end() -> None:
    assert cut_apart(["Король", "Королева", "Ткач"], 4) == ["К-ль", "К-ва", "Ткач"]
    assert cut_apart(["Король", "Королева", "Ткач"], 2) == ["Ко", "Кр", "Тк"]
    assert cut_apart(["Король", "Королева", "Ткач"], 5) == ["К-оль", "К-ева", "Ткач"]
    assert cut_apart(["王王王", "王王子"], 4) == ["王王", "王王"]
    assert together(("Король", "Королева"), 10) == "К-ль, К-ва"
