"""The lobby: seats, readiness, start; and who is heard of."""

from __future__ import annotations

import pytest

from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.genesis import open_terms
from protocol.journal.statements import MAX_OPTIONS, MAX_SEATS, MAX_TERMS, agree_to
from protocol.messages import Meet
from protocol.roster import MAX_ADDRESSES, Operator
from protocol.session.lobby import HostedLobby
from protocol.session.match_session import GOODBYE_SECONDS, Presence
from protocol.session.mesh import RELENTS, RETIRED, Programs
from tests.protocol.tabletop import TABLE

HOST, BERT, CARLA, DORA = (Identity.fresh() for _ in range(4))


def room(
    seats: int = 3,
    bots: tuple[str, ...] = (),
    *,
    no_seat: bool = False,
    others: tuple[str, ...] = (),
) -> HostedLobby:
    host = Operator(identity=HOST.public, name="Anna")
    return HostedLobby(
        table=TABLE,
        name="Kitchen",
        options=b"old",
        host=host,
        seats=seats,
        bots=bots,
        no_seat=no_seat,
        others=others,
    )


def full_room() -> HostedLobby:
    lobby = room(3)
    assert lobby.join(BERT.public, "Bert", ()) == ""
    assert lobby.join(CARLA.public, "Carla", ()) == ""
    return lobby


def agree(lobby: HostedLobby, *guests: Identity) -> None:
    for guest in guests:
        assert lobby.agree(guest.public, agree_to(lobby.terms, guest, bytes(16)))


def seating(lobby: HostedLobby) -> list[tuple[str, int | None]]:
    return [(seat.kind, seat.operator) for seat in lobby.gathering().seats]


def test_the_host_sits_first_and_bots_last() -> None:
    assert seating(room(4, ("easy", "normal"))) == [
        ("taken", 0),
        ("open", None),
        ("bot", 0),
        ("bot", 0),
    ]
    levels = [seat.level for seat in room(4, ("easy", "normal")).gathering().seats]
    assert levels == ["", "", "easy", "normal"]


def test_a_host_may_keep_the_table_without_a_seat() -> None:
    lobby = room(2, no_seat=True)
    assert lobby.join(BERT.public, "Bert", ()) == ""
    assert seating(lobby) == [("taken", 1), ("open", None)]
    assert lobby.gathering().operators[0].name == "Anna"


@pytest.mark.parametrize(("seats", "bots"), [(0, 0), (17, 0), (2, 2), (2, 3)])
def test_a_table_that_cannot_seat_everybody_is_not_opened(seats: int, bots: int) -> None:
    with pytest.raises(ValueError):
        room(seats, ("easy",) * bots)


def test_guests_take_the_first_open_seat_until_it_is_full() -> None:
    lobby = full_room()
    assert seating(lobby) == [("taken", 0), ("taken", 1), ("taken", 2)]
    assert lobby.join(DORA.public, "Dora", ()) == "full"
    assert lobby.join(BERT.public, "Bert", ()) == ""  # is here already
    assert lobby.join(HOST.public, "Anna", ()) == "own_table"
    assert all(kind == "taken" for kind, _ in seating(lobby))


def test_who_comes_back_from_elsewhere_is_found_there_and_all_are_asked_anew() -> None:
    lobby = full_room()
    agree(lobby, BERT, CARLA)
    place = ("10.0.0.7:4000",)
    assert not lobby.finds(BERT.public, place)
    assert lobby.join(BERT.public, "Bert", place) == ""
    assert lobby.finds(BERT.public, place)
    assert open_terms(lobby.terms).operators[1].addresses == place
    assert seating(lobby) == [("taken", 0), ("taken", 1), ("taken", 2)]
    assert lobby.ready == (True, False, False)
    agree(lobby, BERT, CARLA)
    assert lobby.start(HOST)[0] == ""
    assert lobby.join(BERT.public, "Bert", ()) == "too_often"


def test_who_leaves_gives_the_seat_back_and_the_others_keep_theirs() -> None:
    lobby = full_room()
    assert lobby.leave(BERT.public) == ""
    assert seating(lobby) == [("taken", 0), ("open", None), ("taken", 1)]
    assert lobby.index_of(CARLA.public) == 1
    assert lobby.leave(BERT.public) == "no_such_seat"
    assert lobby.leave(HOST.public) == "no_such_seat"


def test_persons_who_share_a_laptop_have_a_seat_each() -> None:
    lobby = room(5, others=("Boris",))
    assert lobby.join(BERT.public, "Bert", (), ("Anna", "Carla")) == ""
    assert [(seat.name, seat.operator) for seat in lobby.gathering().seats] == [
        ("Anna", 0),
        ("Boris", 0),
        ("Bert", 1),
        ("Anna 2", 1),
        ("Carla", 1),
    ]
    names = [operator.name for operator in lobby.gathering().operators]
    assert names == ["Anna & Boris", "Bert & Anna 2 & Carla"]
    agree(lobby, BERT)
    assert lobby.kick(3) == ("", BERT.public)  # they go together
    assert [seat.kind for seat in lobby.gathering().seats] == ["taken"] * 2 + ["open"] * 3


def test_who_comes_together_sits_down_together_or_not_at_all() -> None:
    lobby = room(3)
    before = lobby.terms
    assert lobby.join(BERT.public, "Bert", (), ("Carla", "Dora")) == "too_few_seats"
    assert lobby.join(BERT.public, "Bert", (), ("\u202e",)) == "name"
    assert lobby.terms == before
    assert lobby.join(BERT.public, "Bert", (), ("Carla",)) == ""
    assert lobby.join(DORA.public, "Dora", (), ("Eve",)) == "full"
    assert lobby.set_options(b"new", 2) == "seats_taken"


def test_a_host_needs_seats_for_all_at_its_laptop() -> None:
    with pytest.raises(ValueError):
        room(3, ("easy",), others=("Boris", "Clara"))


def test_long_names_at_one_laptop_make_a_name_that_fits() -> None:
    lobby = room(8)
    many = ["x" * 24, "y" * 24, "z" * 24]
    assert lobby.join(BERT.public, many[0], (), many[1:]) == ""
    assert lobby.join(CARLA.public, many[0], (), many[1:]) == ""
    names = [operator.name for operator in lobby.gathering().operators]
    assert len(set(names)) == 3
    assert max(map(len, names)) <= 24


def test_who_is_kicked_does_not_come_back() -> None:
    lobby = full_room()
    assert lobby.kick(1) == ("", BERT.public)
    assert lobby.join(BERT.public, "Bert", ()) == "kicked"
    assert lobby.kick(0) == ("own_seat", None)
    assert lobby.kick(1) == ("no_such_seat", None)
    assert lobby.kick(9) == ("no_such_seat", None)
    assert lobby.kick(-1) == ("no_such_seat", None)


def test_who_is_kicked_may_be_let_in_again() -> None:
    """By name, since a slip of the host's finger is no quarrel."""
    lobby = full_room()
    assert lobby.sent_away == ()
    lobby.kick(1)
    assert lobby.sent_away == ("Bert",)
    assert lobby.readmit() == ""
    assert lobby.sent_away == ()
    assert lobby.join(BERT.public, "Bert", ()) == ""


def test_others_may_be_let_look_on_later_and_all_are_asked_anew() -> None:
    lobby = full_room()
    before = lobby.terms
    assert not lobby.gathering().spectators
    assert lobby.welcome() == ""
    assert lobby.gathering().spectators
    assert lobby.terms != before, "whoever was ready has agreed to something else"
    assert lobby.welcome() == "already_so"


def test_bots_come_and_go() -> None:
    lobby = room(3)
    assert lobby.set_bot(2, "easy") == ""
    assert lobby.set_bot(2, "normal") == ""
    assert seating(lobby)[2] == ("bot", 0)
    assert lobby.set_bot(0, "easy") == "taken"
    assert lobby.set_bot(7, "easy") == "no_such_seat"
    assert lobby.open_seat(0) == "taken"
    assert lobby.open_seat(7) == "no_such_seat"
    assert lobby.kick(2) == ("", None)
    assert seating(lobby)[2] == ("open", None)


def test_names_are_made_legible_and_told_apart() -> None:
    lobby = room(4)
    assert lobby.join(BERT.public, "\x1b[31m\u202e", ()) == ""
    assert lobby.join(CARLA.public, "anna", ()) == ""
    assert lobby.join(DORA.public, "\u202e\n", ()) == "name"
    names = [operator.name for operator in lobby.gathering().operators]
    assert names == ["Anna", "[31m", "anna 2"]


def test_names_that_differ_by_what_nobody_sees_are_told_apart() -> None:
    lobby = room(4)
    assert lobby.join(BERT.public, "Anna\u1160", ()) == ""
    assert lobby.join(CARLA.public, "\uff21nna\ufe0f", ()) == ""
    assert lobby.join(DORA.public, "\u3164\u2800", ()) == "name"
    names = [operator.name for operator in lobby.gathering().operators]
    assert names == ["Anna", "Anna 2", "\uff21nna 3"]


def test_the_match_begins_when_every_seat_is_taken_and_everybody_agrees() -> None:
    lobby = room(3)
    assert lobby.start(HOST) == ("seat_open", None)
    lobby.join(BERT.public, "Bert", ())
    lobby.set_bot(2, "easy")
    assert lobby.start(HOST) == ("not_ready", None)
    agree(lobby, BERT)
    code, first = lobby.start(HOST)
    assert code == ""
    assert first is not None
    assert Chain(first).beginning.terms == lobby.terms
    assert lobby.start(HOST) == ("started", None)


def test_any_change_takes_every_agreement_back() -> None:
    lobby = full_room()
    for change in (
        lambda: lobby.set_options(b"new"),
        lambda: lobby.leave(CARLA.public),
        lambda: lobby.join(CARLA.public, "Carla", ()),
        lambda: lobby.kick(2),
        lambda: lobby.set_bot(2, "easy"),
        lambda: lobby.open_seat(2),
    ):
        agree(lobby, BERT)
        assert lobby.ready[1]
        change()
        assert not any(lobby.ready[1:])


def test_an_agreement_to_what_has_changed_meanwhile_does_not_count() -> None:
    lobby = full_room()
    agreement = agree_to(lobby.terms, BERT, bytes(16))
    lobby.set_options(b"new")
    assert not lobby.agree(BERT.public, agreement)
    assert not lobby.agree(DORA.public, agree_to(lobby.terms, DORA, bytes(16)))
    assert not lobby.agree(HOST.public, agree_to(lobby.terms, HOST, bytes(16)))
    assert lobby.ready == (True, False, False)


def test_after_the_start_nothing_changes_any_more() -> None:
    lobby = full_room()
    agree(lobby, BERT, CARLA)
    assert lobby.start(HOST)[0] == ""
    assert lobby.join(DORA.public, "Dora", ()) == "started"
    assert lobby.kick(1) == ("started", None)
    assert lobby.set_bot(1, "easy") == "started"
    assert lobby.open_seat(1) == "started"
    assert lobby.set_options(b"new") == "started"
    assert lobby.leave(BERT.public) != ""
    assert not lobby.agree(BERT.public, agree_to(lobby.terms, BERT, bytes(16)))


# Presence.


def test_who_comes_back_to_say_goodbye_without_end_is_told_of_now_and_then() -> None:
    """A handshake takes a liar some milliseconds, and each time a line stood on the screen."""
    presence, told = Presence(3, 0, 0.0), 0
    for number in range(2400):
        told += presence.part(1, number / 40)
        presence.hear(1, number / 40)
    assert told == 60 / GOODBYE_SECONDS
    assert presence.part(2, 60.0)


def test_who_makes_us_wait_and_lets_us_in_without_end_is_not_believed() -> None:
    programs, members, told = Programs(), frozenset(range(3)), 0
    for _ in range(100):
        told += programs.turned_away(1, "elsewhere", members) == "elsewhere"
        programs.let_in(1)
    assert told == RELENTS
    assert programs.turned_away(2, "elsewhere", members) == "elsewhere"


def test_programs_that_replace_each_other_without_end_fill_no_memory() -> None:
    programs = Programs()

    def meets(number: int, *, replaces: bool = True) -> str:
        session = number.to_bytes(8, "big")
        meet = Meet(TABLE, bytes(32), (), session, replaces)
        refused = programs.refuse(1, meet, is_linked=True)
        if not refused:
            programs.speaking[1] = session
        return refused

    for number in range(10 * RETIRED):
        assert meets(number) == ""
    assert len(programs._retired[1]) == RETIRED
    assert meets(10 * RETIRED - 2, replaces=False) == "replaced"


def test_another_game_may_have_more_seats() -> None:
    lobby = room(2, ("easy",))
    assert lobby.set_options(b"new", 4) == ""
    assert seating(lobby) == [("taken", 0), ("bot", 0), ("open", None), ("open", None)]


def test_with_fewer_seats_nobody_who_sits_here_is_sent_away() -> None:
    lobby = room(5, ("easy", "normal"))
    lobby.join(BERT.public, "Bert", ())
    assert lobby.set_options(b"four", 4) == ""  # the open seat goes first
    assert [seat.level for seat in lobby.gathering().seats] == ["", "", "easy", "normal"]
    assert lobby.set_options(b"three", 3) == ""  # then the last bot
    assert [seat.level for seat in lobby.gathering().seats] == ["", "", "easy"]
    assert lobby.set_options(b"one", 1) == "seats_taken"
    assert lobby.set_options(b"none", 0) == "seats_taken"
    assert lobby.set_options(b"many", 99) == "no_such_seat"
    assert lobby.gathering().options == b"three"
    assert seating(lobby) == [("taken", 0), ("taken", 1), ("bot", 0)]


def test_bots_are_named_after_the_seats_they_come_to() -> None:
    lobby = room(4, ("easy",))
    lobby.set_options(b"new", 2)
    assert [seat.name for seat in lobby.gathering().seats] == ["Anna", "Bot 2"]


LONGEST = "[fe80:1111:2222:3333:4444:5555:6666:7777]:65535"
"""As long as the schema lets an address be."""


def test_guests_with_the_longest_of_everything_fit_the_terms_all_sixteen() -> None:
    """No guest takes another's room: what the host shows, every guest can accept."""
    wide = "\U0001f451" * 24
    lobby = HostedLobby(
        table=TABLE,
        name=wide,
        options=bytes(MAX_OPTIONS),
        host=Operator(identity=HOST.public, name=wide, addresses=(LONGEST,) * MAX_ADDRESSES),
        seats=MAX_SEATS,
    )
    for number in range(1, MAX_SEATS):
        name = wide[:-1] + chr(0x10000 + number)
        assert lobby.join(bytes([number]) * 32, name, (LONGEST,) * MAX_ADDRESSES) == ""
        open_terms(lobby.terms)
    assert len(lobby.terms) <= MAX_TERMS
    assert all(operator.addresses for operator in lobby.gathering().operators)


def test_a_change_that_guests_would_have_to_refuse_is_refused_here() -> None:
    lobby = full_room()
    agree(lobby, BERT)
    before = lobby.gathering(), lobby.terms
    assert lobby.set_options(bytes(MAX_OPTIONS + 1), 5) == "too_large"
    assert lobby.set_options(bytes(MAX_TERMS)) == "too_large"
    assert (lobby.gathering(), lobby.terms) == before
    assert lobby.ready == (True, True, False)
    assert lobby.set_options(b"new", 4) == ""
    assert lobby.set_bot(3, "Å" * 65) == "too_large"
    assert seating(lobby)[3] == ("open", None)
    with pytest.raises(ValueError, match="terms"):
        HostedLobby(
            table=TABLE,
            name="Kitchen",
            options=bytes(MAX_OPTIONS + 1),
            host=Operator(identity=HOST.public, name="Anna"),
            seats=2,
        )


def test_who_agrees_again_says_nothing_new() -> None:
    lobby = full_room()
    agree(lobby, BERT)
    assert not lobby.agree(BERT.public, agree_to(lobby.terms, BERT, bytes(16)))
    assert lobby.ready == (True, True, False)


def test_an_agreement_can_be_taken_back_until_the_match_begins() -> None:
    lobby = full_room()
    agree(lobby, BERT, CARLA)
    assert lobby.reconsider(BERT.public)
    assert lobby.ready == (True, False, True)
    assert not lobby.reconsider(BERT.public)
    assert not lobby.reconsider(HOST.public)
    assert not lobby.reconsider(DORA.public)
    assert lobby.start(HOST) == ("not_ready", None)
    agree(lobby, BERT)
    assert lobby.start(HOST)[0] == ""
    assert not lobby.reconsider(CARLA.public)


def test_two_names_that_look_alike_in_two_alphabets_are_told_apart() -> None:
    lobby = room(3)
    assert lobby.join(BERT.public, "\u0412\u0435rt", ()) == ""
    assert lobby.join(CARLA.public, "Bert", ()) == ""
    assert lobby.gathering().operators[2].name == "Bert 2"
