"""Nothing that matters flashes by: round's end, last round, and what befalls oneself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from citadels_p2p.cards import EDITIONS
from citadels_p2p.match.news import (
    Ask,
    Awaited,
    Barred,
    EventNews,
    News,
    Option,
    OverNews,
    Patience,
    ScoreLine,
    SeatScore,
    StateNews,
)
from citadels_p2p.rules import Rules
from citadels_p2p.rules.view import CityCard, Turn, View, You
from cli.drawing.pen import ASCII, UNICODE
from cli.i18n import LANGUAGES, speaking
from cli.screen.look import Look
from cli.screen.screen import Screen
from cli.text import cards, wordings
from cli.text.cells import text_of
from tests.cli.scripted import ACT, NAMES, build, event, in_hand, lobby, view
from tests.screens.reading import read
from tests.screens.robot import text

SIZES = ((60, 18), (80, 24), (140, 40))
CHOOSE = Ask(
    9,
    "character",
    (Option("pick:1", "pick", {"slot": 1, "character": "king"}),),
    deadline=25.0,
)


def heard(*news: News, you: int | None = 0) -> Screen:
    """A screen at a table of three whose viewer is Ann, and what it heard after that."""
    screen = Screen()
    for one in (replace(lobby(), you=you), *news):
        screen.hear(one, 0.0)
    return screen


def told(*events: tuple[object, ...]) -> Sequence[News]:
    """Events in their order."""
    return [EventNews(event(n, str(kind), *rest)) for n, (kind, *rest) in enumerate(events, 1)]


def richer(before: View, gold: int) -> View:
    """The same table, with this much gold before everybody."""
    seats = tuple(replace(seat, gold=gold) for seat in before.seats)
    return replace(before, seats=seats, round=3, turn=None, phase="selection")


SCORES = tuple(
    SeatScore(seat, 20 - seat, (ScoreLine("districts", 20 - seat),), seat + 1)
    for seat in range(3)
)
OVER = OverNews(SCORES, (0,), "ab", "", NAMES)


# The look back


@pytest.mark.parametrize("size", SIZES)
def test_the_look_back_shows_the_moment_that_it_speaks_of(size: tuple[int, int]) -> None:
    screen = heard(
        *told(("round_begins", 2, 0)),
        StateNews(view(), NAMES),
        *told(("round_begins", 3, 1)),
        StateNews(richer(view(), 7), NAMES),
        StateNews(replace(richer(view(), 41), crown=2), NAMES),
    )
    shown = read(screen, size)
    assert "Round 2 is over." in shown[0]
    ann = next(row for row in shown[3:] if re.search("Ann|YOU", row))
    assert re.search(r"\b7(g| gold| )", ann)
    assert UNICODE.crown in ann or UNICODE.crest in ann
    assert not any(re.search(r"\b41(g| )", row) for row in shown)


@pytest.mark.parametrize("size", SIZES)
def test_the_look_back_says_that_ones_own_choice_waits_behind_it(size: tuple[int, int]) -> None:
    before = (
        *told(("round_begins", 2, 0)),
        StateNews(view(), NAMES),
        *told(("round_begins", 3, 1)),
        StateNews(richer(view(), 7), NAMES),
    )
    screen = heard(*before)
    assert "is waiting" not in read(screen, size)[1]
    screen.hear(CHOOSE, 0.0)
    shown = read(screen, size, now=5.0)
    assert "Your choice is waiting" in shown[1]
    assert "20 s left" in shown[1]


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_the_look_back_tells_the_deeds_of_its_round_and_of_none_after_it(
    size: tuple[int, int],
) -> None:
    screen = heard(
        *told(("round_begins", 2, 0), ("built", 1, "tavern", 70, 1)),
        StateNews(view(), NAMES),
        *told(("round_begins", 3, 1)),
        StateNews(richer(view(), 7), NAMES),
    )
    shown = " ".join(" ".join(read(screen, size)).split())
    assert "builds Tavern" in shown.partition("Journal")[2]
    assert "Round 3 begins" not in shown


def test_no_look_back_with_the_numbers_of_another_moment() -> None:
    """Who comes back in the middle of a round hears all rounds at once, and one table."""
    screen = heard(
        *told(("round_begins", 1, 0), ("round_begins", 2, 0), ("round_begins", 3, 1)),
        StateNews(replace(view(), round=3), NAMES),
    )
    assert "is over" not in "\n".join(read(screen, (80, 24)))


@pytest.mark.parametrize("rows", range(18, 21))
def test_the_look_back_counts_what_it_has_no_room_for(rows: int) -> None:
    screen = heard(
        *told(("round_begins", 2, 0)),
        *told(*(("destroyed", 1, 2, "tavern", 70 + paid, paid) for paid in range(1, 13))),
        StateNews(view(), NAMES),
        *told(("round_begins", 3, 1)),
        StateNews(richer(view(), 7), NAMES),
    )
    shown = read(screen, (60, rows))
    seen = sum("destroys" in row for row in shown)
    assert 2 <= seen < 12
    assert any(f"{12 - seen} more" in row for row in shown)
    assert any("Go on" in row for row in shown)


def test_names_in_the_look_back_are_whole_while_cells_are_free() -> None:
    screen = heard(
        *told(("round_begins", 2, 0), ("rank_called", 2, 1, "blackmailer")),
        *told(("turn_begins", 1, 2, "blackmailer"), ("turn_begins", 0, 1, "witch")),
        *told(("turn_resumed", 0, 7, "architect")),
        StateNews(view(), NAMES),
        *told(("round_begins", 3, 1)),
        StateNews(richer(view(), 7), NAMES),
    )
    shown = "\n".join(read(screen, (60, 18)))
    assert "Blackmailer " in shown


# The last round


@pytest.mark.parametrize("size", SIZES)
def test_the_last_look_back_comes_before_the_score(size: tuple[int, int]) -> None:
    screen = heard(
        *told(("round_begins", 2, 0), ("named", 1, "king", "murder")),
        StateNews(view(), NAMES),
        *told(("city_completed", 1, True), ("exposed", 2, "king"), ("match_over", (0,))),
        StateNews(replace(view(), phase="over", turn=None), NAMES),
        OVER,
    )
    shown = read(screen, size)
    assert "Round 2 is over" in shown[0]
    assert any("completes a city" in row for row in shown)
    screen.press("enter")
    shown = read(screen, size)
    assert "You win with" in shown[1]


# What is at stake

STAKES = told(
    ("round_begins", 2, 0),
    ("rank_called", 1, 1, "assassin"),
    ("named", 1, "king", "murder"),
    ("named", 2, "merchant", "theft"),
    ("markers_placed", 1, ("merchant", "bishop"), "threats"),
)
ALL_SIZES = (*SIZES, (120, 36))


@pytest.mark.parametrize("size", ALL_SIZES)
def test_everybody_sees_what_lies_on_the_characters(size: tuple[int, int]) -> None:
    screen = heard(StateNews(view(), NAMES), *STAKES, you=2)
    shown = read(screen, size)
    ranks = next(row for row in shown if "†" in row)
    assert "4†" in ranks
    assert "6¤‡ Mer" in ranks
    assert "5‡ Bish" in ranks
    if size[0] >= 100:
        assert any("murdered" in row and "you" not in row for row in shown[:5])


def band(screen: Screen, size: tuple[int, int]) -> str:
    """What stands on the band below the cities; "" where there is none."""
    block = screen.paint(Look(), *size)
    rows = (row for row in block if row[0].style.split()[:1] in (["on-bad"], ["on-told"]))
    return next((text_of(row) for row in rows), "")


@pytest.mark.parametrize("size", ALL_SIZES)
def test_what_befalls_oneself_stands_in_the_band_for_the_whole_round(
    size: tuple[int, int],
) -> None:
    screen = heard(StateNews(view(), NAMES), *STAKES)
    assert "Cleo is going to rob you, the Merchant." in band(screen, size)
    screen.hear(EventNews(event(6, "rank_called", 6, 0, "merchant")), 0.0)
    screen.hear(EventNews(event(7, "robbed", 2, 0, 2)), 0.0)
    screen.hear(StateNews(view(), NAMES), 0.0)
    assert "Cleo steals your 2 gold." in band(screen, size)
    screen.model.answered(ACT)  # and still it is told what lies on the character
    assert "You are robbed: Cleo takes 2 gold" in band(screen, size)
    screen.press("h")  # nobody reads the own character over one's shoulder
    assert "robbed" not in band(screen, size)


@pytest.mark.parametrize("size", ALL_SIZES)
def test_ones_own_markers_say_which_is_the_true_one(size: tuple[int, int]) -> None:
    mine = replace(view(), you=replace(view().you, signed=(("warrants", "bishop"),)))
    screen = heard(
        StateNews(mine, NAMES),
        *told(("round_begins", 2, 0), ("markers_placed", 0, ("king", "bishop"), "warrants")),
    )
    ranks = next(row for row in read(screen, size) if "§" in row)
    assert "5§! Bish" in ranks
    assert "4§ King" in ranks


def test_the_signs_are_explained() -> None:
    screen = heard(StateNews(view(), NAMES))
    screen.press("?")
    seen: set[str] = set()
    for _page in range(12):
        seen |= set(read(screen, (80, 24)))
        screen.press("pagedown")
    for sign in (UNICODE.crown, UNICODE.away, UNICODE.out, *UNICODE.marks.values()):
        assert any(row.startswith(f"│ {sign} ") for row in seen), sign


def test_no_sign_stands_for_two_things() -> None:
    for signs in (UNICODE, ASCII):
        shown = [signs.crown, signs.away, signs.out, signs.barred, signs.focus]
        shown += [*signs.marks.values(), *signs.quarters.values()]
        assert len(shown) == len(set(shown)), shown


# Every size


CARDS = ("palace", "manor", "castle", "church", "docks", "harbor")


def crowd(cards: int = 7) -> View:
    """Eight at the table, full cities, a long hand."""
    one = view().seats[0]
    city = tuple(CityCard("tavern", 100 + n, 1, "trade") for n in range(7))
    seats = tuple(replace(one, seat=n, city=city, points_so_far=10 + n) for n in range(8))
    hand = tuple(in_hand("palace", 20 + n) for n in range(cards))
    return replace(view(), seats=seats, you=You(0, hand, ("merchant",)))


def crowded(options: int, barred: int, cards: int = 7) -> Screen:
    """A turn with many choices at a full table."""
    ask = Ask(
        3,
        "act",
        (*(build(11 + n, CARDS[n], 5) for n in range(options)), Option("end", "end")),
        barred=tuple(Barred(build(50 + n, "temple", 1), "too_dear") for n in range(barred)),
    )
    names = tuple(f"Player {n}" for n in range(8))
    return heard(
        *told(("round_begins", 2, 0), ("built", 1, "tavern", 5, 1)),
        StateNews(crowd(cards), names),
        ask,
    )


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 36), (140, 40)])
def test_at_a_full_table_choices_points_and_the_last_sentence_stay(
    size: tuple[int, int],
) -> None:
    shown = read(crowded(6, 4), size)
    assert any("Build Palace" in row for row in shown)
    assert any("more" in row and "▼" in row for row in shown) or any(
        "End your turn" in row for row in shown
    )
    if size[0] >= 80:
        assert any("Tavern for 1 gold" in row for row in shown)
    for points in range(10, 18):
        assert sum(bool(re.search(rf"(?<!\d){points}(?!\d)", row)) for row in shown), points


@pytest.mark.parametrize("barred", [2, 4, 8])
def test_what_is_impossible_does_not_push_out_the_journal(barred: int) -> None:
    names = ("Ann", "Bob", "Cleo")
    ask = Ask(
        3,
        "act",
        (build(11, "palace", 5), Option("end", "end")),
        barred=tuple(Barred(build(50 + n, "temple", 1), "too_dear") for n in range(barred)),
    )
    news = told(
        ("round_begins", 2, 0),
        *(("built", 1, "tavern", 5, paid) for paid in range(1, 4)),
    )
    seats = tuple(replace(view().seats[0], seat=n) for n in range(5))
    five = replace(view(), seats=seats)
    shown = read(heard(*news, StateNews(five, (*names, "Dan", "Eve")), ask), (80, 24))
    assert sum(f"Tavern for {paid} gold" in row for paid in (1, 2, 3) for row in shown) == 3


@pytest.mark.parametrize("size", SIZES)
def test_the_end_of_the_turn_is_in_sight_whatever_the_menu_hides(size: tuple[int, int]) -> None:
    screen = crowded(6, 4)
    for key in ("", *["down"] * 11):
        screen.press(key)
        shown = read(screen, size)
        assert sum("0 End your turn" in row for row in shown) == 1, shown


@pytest.mark.parametrize("size", SIZES)
def test_how_to_send_several_picks_is_in_sight(size: tuple[int, int]) -> None:
    cards = tuple(
        Option(f"put:{n}", "discard", {"slot": n, "card": card})
        for n, card in enumerate((*CARDS, *CARDS))
    )
    screen = heard(StateNews(crowd(), tuple(f"Player {n}" for n in range(8))))
    screen.hear(Ask(3, "discard", cards, low=0, high=12), 0.0)
    assert sum("Done: choose nothing" in row for row in read(screen, size)) == 1
    for key in "123456":
        screen.press(key)
    shown = read(screen, size)
    (done,) = (row for row in shown if "Done: " in row and "Palace" in row)
    assert "Harbor" in done or "…" in done


def test_the_ranks_keep_their_place_when_a_hint_comes_or_goes() -> None:
    screen = heard(*told(("round_begins", 2, 0)), StateNews(view(), NAMES), CHOOSE)
    screen.settle("hints", True)
    with_hint = read(screen, (80, 24))
    assert any("Arrows or a digit" in row for row in with_hint)
    screen.press("x")
    without = read(screen, (80, 24))
    assert not any("Arrows or a digit" in row for row in without)
    assert with_hint[:8] == without[:8]


def test_nine_ranks_at_60_columns_have_names() -> None:
    nine = Rules.make("2016", seats=8).characters
    table = replace(lobby(), edition="2016", options={"characters": list(nine)})
    screen = Screen()
    screen.hear(replace(table, you=0), 0.0)
    screen.hear(StateNews(replace(crowd(2), turn=None, roster=nine), NAMES * 3), 0.0)
    ranks = next(row for row in read(screen, (60, 18)) if " 9" in row and " 8" in row)
    assert sum(letter.isalpha() for letter in ranks) >= 9 * 3


@pytest.mark.parametrize("count", [13, 17])
def test_a_long_hand_says_how_many_cards_are_not_seen(count: int) -> None:
    screen = crowded(6, 4, count)
    rows = [row for row in read(screen, (60, 18)) if "Palace" in row and "Build" not in row]
    seen = sum(row.count("Palace") for row in rows)
    assert f"{count - seen} more: r" in rows[-1], "+1 would be a district"


def test_who_watches_is_not_told_to_hide_a_hand() -> None:
    watching = replace(view(), you=None)
    assert "hide" in read(heard(StateNews(view(), NAMES)), (80, 24))[-1]
    assert "hide" not in read(heard(StateNews(watching, NAMES), you=None), (80, 24))[-1]


@pytest.mark.parametrize("seats", [7, 8])
def test_a_decision_at_a_full_small_table_shows_five_choices_and_everybodys_amounts(
    seats: int,
) -> None:
    """Two of eight characters were seen at once, beside rows of districts nobody had built."""
    roles = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect")
    options = tuple(
        Option(f"take:{n}", "take", {"slot": n, "card": role}) for n, role in enumerate(roles)
    )
    table = crowd(2)
    table = replace(table, seats=table.seats[:seats])
    screen = heard(StateNews(table, tuple(f"Player {n}" for n in range(seats))))
    rows = read(screen, (60, 18))
    seen = [row for row in rows if "●1 ●1" in row]
    assert len(seen) == seats
    screen.hear(Ask(3, "character", options), 0.0)
    shown = read(screen, (60, 18))
    assert sum(bool(re.match(r"[► ]  ?[1-7] [A-Z]", row)) for row in shown) >= 5
    for n in range(seats):
        assert any(row.endswith(f" {10 + n}") for row in shown[2:])


@pytest.mark.parametrize("size", SIZES)
def test_a_character_that_nobody_can_play_says_so_where_it_may_be_named(
    size: tuple[int, int],
) -> None:
    """A newcomer murdered the Thief that lay face up beside the deck."""
    roles = ("thief", "magician")
    options = tuple(Option(f"murder:{one}", "murder", {"character": one}) for one in roles)
    screen = heard(StateNews(view(), NAMES), Ask(3, "act", (*options, Option("end", "end"))))
    screen.press("enter")
    shown = read(screen, size)
    assert "nobody plays it" in next(row for row in shown if "Murder the Thief" in row)
    assert "nobody" not in next(row for row in shown if "Murder the Magician" in row)


def test_choices_come_before_the_journal_where_there_is_hardly_any_room() -> None:
    """Two choices of seven were hidden under two rows of journal, which has its rule."""
    ask = Ask(
        3,
        "act",
        (
            Option("gold", "gold"),
            Option("cards", "cards"),
            *(build(11 + n, CARDS[n], 5) for n in range(4)),
            Option("end", "end"),
        ),
    )
    table = replace(crowd(2), seats=crowd(2).seats[:4])
    news = (*told(("round_begins", 2, 0)), StateNews(table, ("Ann", "Bob", "Cleo", "Dan")))
    shown = read(heard(*news, ask), (60, 18))
    assert sum("Build " in row for row in shown) == 4
    assert not any("more" in row for row in shown)
    assert any("Round 2 begins" in row for row in shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_the_safety_words_stand_there_while_the_first_characters_are_chosen(
    language: str, size: tuple[int, int]
) -> None:
    """Between two laptops the page that shows them is gone within a moment."""
    words = ("923", "533", "288", "082")
    first = replace(view(), round=1, phase="selection", turn=None)
    with speaking(language):
        screen = heard(StateNews(first, NAMES), CHOOSE)
        assert "923" not in "\n".join(read(screen, size)), "nobody else is there"
        screen.hear(replace(lobby(words=words), you=0), 0.0)
        assert " ".join(words) in band(screen, size)
        screen.hear(StateNews(replace(first, round=2), NAMES), 0.0)
        assert "923" not in "\n".join(read(screen, size))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_character_can_do_is_never_cut_where_one_chooses(
    language: str, edition: str
) -> None:
    with speaking(language):
        for role in cards.POWERS:
            two = tuple(Option(f"take:{one}", "take", {"card": one}) for one in (role, "king"))
            table = replace(view(), phase="selection", turn=None)
            screen = heard(
                replace(lobby(), edition=edition),
                StateNews(table, NAMES),
                Ask(9, "character", two),
            )
            shown = read(screen, (80, 24))
            assert any(wordings.power(role, edition) in row for row in shown), role


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 36), (160, 50)])
def test_who_thinks_for_long_is_shown_with_the_time(columns: int, rows: int) -> None:
    table = replace(lobby(ready=True, third="human"), patience=Patience(20, 0, "usual", 3, 2))
    looks_on = replace(table, you=None, spectator=True)
    for screen, seat in ((Screen(), table), (Screen(), looks_on), (Screen(big=True), looks_on)):
        for news in (seat, StateNews(view(), NAMES, Awaited(0, "act"))):
            screen.hear(news, 100.0)

        def shown_at(now: float, screen: Screen = screen) -> str:
            return text(screen.paint(Look(UNICODE, now), columns, rows))

        assert "for 5 s" not in shown_at(107.0)
        assert "for 10 s" in shown_at(112.0)
        assert "for 1:05" in shown_at(168.0)
        screen.hear(StateNews(view(), NAMES, Awaited(2, "act")), 170.0)
        assert " for " not in shown_at(172.0)


@pytest.mark.parametrize("size", SIZES)
def test_all_who_lead_have_the_same_mark(size: tuple[int, int]) -> None:
    """Beside a light head a light badge is seen as well as beside a dark one."""
    seats = tuple(replace(seat, points_so_far=3) for seat in view().seats)
    screen = heard(StateNews(replace(view(), seats=seats), NAMES))
    badges = [
        (above.style, span.text)
        for row in screen.paint(Look(UNICODE, 0.0), *size)
        for above, span in pairwise(row)
        if "on-badge" in span.style.split()
    ]
    assert len(badges) >= 3
    assert len(badges) % 3 == 0
    assert not any("on-me" in before.split() for before, _text in badges)


def test_where_ones_own_turn_waits_for_somebody_it_is_not_said_that_nothing_is_asked() -> None:
    waits = StateNews(view(), NAMES, Awaited(1, "respond"))
    shown = "\n".join(read(heard(waits), (120, 36)))
    assert "Your turn" in shown
    assert "nothing is asked" not in shown
    assert "then your turn goes on" in shown


def test_who_chose_first_knows_what_lies_face_down() -> None:
    """Nobody can have taken it before."""
    table = crowd(4)
    choose = replace(table, turn=None, phase="selection")
    for crown, said in ((0, "it lies face down"), (1, "taken before you")):
        screen = heard(StateNews(replace(choose, crown=crown), NAMES * 3), CHOOSE)
        assert f"({said}" in "\n".join(read(screen, (140, 40)))


def test_the_winner_is_lit_and_not_the_viewer() -> None:
    over = replace(OVER, scores=tuple(replace(one, rank=3 - one.seat) for one in SCORES),
                   winners=(2,))  # fmt: skip
    screen = heard(StateNews(view(), NAMES), over)
    screen.press("enter")
    screen.press("x")
    light = [
        (span.style, span.text)
        for row in screen.paint(Look(UNICODE, 60.0), 120, 36)
        for span in row
        if {"on-me", "on-badge"} & set(span.style.split())
    ]
    assert [text.strip() for style, text in light if "on-me" in style.split()] == ["3. Ann"]
    assert any("Cleo" in text for style, text in light if "on-badge" in style.split())


def test_cards_that_a_seer_takes_are_told_with_the_power_in_band_and_journal() -> None:
    taken = told(("turn_begins", 1, 3, "seer"), ("cards_given", 0, 1, 1, "seer"))
    screen = heard(StateNews(view(n=0), NAMES), *taken, StateNews(view(n=9), NAMES))
    shown = read(screen, (120, 36))
    assert sum("1 card of yours goes to Bob (Seer)." in row for row in shown) == 2


def test_a_rank_that_something_lies_on_keeps_its_whole_name_in_a_narrow_row() -> None:
    before = replace(view(), turn=Turn(1, 3, "magician"))
    marked = told(("named", 2, "merchant", "theft"), ("rank_called", 3, 1, "magician"))
    shown = read(heard(StateNews(before, NAMES), *marked), (60, 18))
    assert f"{UNICODE.marks['theft']} Merchant " in shown[1]


def test_what_has_no_room_beside_signs_of_districts_is_counted_in_words() -> None:
    """At 60 columns "+1" stood behind tiles, and is the sign of a Temple."""
    deck = EDITIONS["classic"].deck
    barred = tuple(
        Barred(build(40 + n, row.card, row.cost), "not_enough_gold")
        for n, row in enumerate(deck)
    )
    ask = replace(ACT, barred=barred)
    shown = "\n".join(read(heard(StateNews(view(), NAMES), ask), (60, 18)))
    assert re.search(r"\d more$", shown, re.MULTILINE), shown
