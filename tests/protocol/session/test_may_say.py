"""Who may say what, and when: the table is read aloud, and tried over real connections."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from protocol.errors import Malformed, ProtocolError
from protocol.identity.keys import Identity
from protocol.journal.statements import NOTHING, VERSION, Agreement, Signed
from protocol.messages import (
    QUIET,
    Acked,
    Audience,
    Audit,
    Catalogue,
    CodeShare,
    Commit,
    Denied,
    Elected,
    Entries,
    Fault,
    Follow,
    Heartbeat,
    History,
    Join,
    JoinTogether,
    Knock,
    Leave,
    Lobby,
    Meet,
    Message,
    PasswordProof,
    PasswordShare,
    Ready,
    Refused,
    Remember,
    RequestVote,
    Segment,
    Spoken,
    Status,
    Submit,
    TableOpened,
    TrialVote,
    Unready,
    Voted,
    Watch,
    Witness,
)
from protocol.session.inbound import Inbound
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.may_say import MAY_CHANGE, MAY_SAY
from protocol.session.speakers import Phase, Speaker, handler
from protocol.session.spectating import Spectating
from tests.protocol.gathering import company, play
from tests.protocol.session.test_hostile import stranger

pytestmark = pytest.mark.played(by=play)

SIGNED = Signed(b"content", bytes(64))
KEY = Identity.fresh().public

EVERY: dict[type[Message], Message] = {
    type(one): one
    for one in (
        Knock(),
        Status(
            VERSION, bytes(16), "t", "", b"", "lobby", 2, 1, 0, KEY, (), "host", False, False
        ),
        Join(VERSION, "Eve", ()),
        JoinTogether(VERSION, ("Eve", "Adam"), ()),
        Denied("full"),
        Lobby(b"terms", (True,)),
        Ready(Agreement(bytes(16), bytes(64))),
        Unready(),
        Leave("left"),
        TableOpened(bytes(16), ("10.0.0.1:1",)),
        Follow(bytes(16), 1, 0, NOTHING, 0),
        Entries((SIGNED,)),
        Submit(SIGNED),
        Refused(SIGNED),
        Acked(SIGNED),
        Commit(0, (SIGNED,)),
        QUIET,
        Fault("code", None, ()),
        Watch(VERSION, bytes(16), 0, NOTHING),
        Audience(0),
        PasswordShare(bytes(33)),
        PasswordProof(bytes(32)),
        CodeShare(bytes(33)),
        Meet(bytes(16), bytes(32), (), bytes(8), False),
        RequestVote(1, 0, 0, NOTHING, False),
        TrialVote(1, True),
        Voted(SIGNED),
        Elected(SIGNED),
        Witness(SIGNED),
        Remember(None, None, 1, 0),
        History((), ()),
        Audit(bytes(16), 1, NOTHING, 0, NOTHING),
        Segment(0, (SIGNED,)),
        Spoken(SIGNED),
    )
}

VISIT = {Knock, Join, JoinTogether, Watch, Meet}
ORDER = {
    *(Follow, Entries, Submit, Refused, Acked, Commit, Heartbeat, RequestVote, TrialVote),
    *(Voted, Elected, Witness, Remember, History, Audit, Segment, Fault),
}
STRANGER = VISIT | {PasswordShare, CodeShare, Denied, Leave, Heartbeat}
SPECTATOR = VISIT | {Heartbeat, Leave}

HEARD: dict[tuple[Phase, Speaker], set[type[Message]]] = {
    (Phase.LOBBY, Speaker.STRANGER): STRANGER | {TableOpened, Entries},
    (Phase.LOBBY, Speaker.SPECTATOR): SPECTATOR,
    (Phase.LOBBY, Speaker.GUEST): VISIT | {Heartbeat, Spoken, Leave, Ready, Unready},
    (Phase.LOBBY, Speaker.HOST): {
        *(Heartbeat, Lobby, Spoken, Leave, Denied, Fault, Entries, Audience)
    },
    (Phase.LOBBY, Speaker.WATCHED): {
        *(Heartbeat, Lobby, Leave, Denied, Fault, Entries, Audience)
    },
    (Phase.MATCH, Speaker.STRANGER): STRANGER,
    (Phase.MATCH, Speaker.SPECTATOR): SPECTATOR,
    (Phase.MATCH, Speaker.NEWCOMER): set(EVERY),
    (Phase.MATCH, Speaker.UNLINKED): set(EVERY),
    (Phase.MATCH, Speaker.OPERATOR): VISIT | ORDER | {Spoken, Audience, Leave},
    (Phase.MATCH, Speaker.WATCHED): {
        *(Heartbeat, Entries, Commit, Fault, Lobby, Leave, Denied, Audience)
    },
}
"""Written a second time, by hand."""

HEARERS: dict[Speaker, type] = {Speaker.HOST: LobbyGuest, Speaker.WATCHED: Spectating}


def test_every_message_is_tried() -> None:
    assert set(EVERY) == set(Message.__subclasses__()) == set(get_args(Catalogue))
    assert set(MAY_CHANGE) == set(EVERY)


@pytest.mark.parametrize("message", EVERY.values(), ids=lambda one: type(one).__name__)
def test_what_is_not_in_the_table_is_refused(message: Message) -> None:
    assert set(MAY_SAY) == set(HEARD)
    for (phase, speaker), heard in HEARD.items():
        if type(message) in heard:
            hears = handler(MAY_SAY, phase, speaker, message)
            assert getattr(HEARERS.get(speaker, Inbound), hears.__name__) is hears
        else:
            with pytest.raises(Malformed, match=type(message).__name__):
                handler(MAY_SAY, phase, speaker, message)


def test_every_hearer_takes_what_it_is_given() -> None:
    for row in MAY_SAY.values():
        for kind, hears in row.items():
            assert [*inspect.signature(hears).parameters][:2] == ["self", "channel"]
            (taken,) = [
                hint
                for name, hint in get_type_hints(hears).items()
                if name not in ("channel", "return")
            ]
            assert kind is taken or kind in get_args(taken) or taken is msgspec.Struct


CUT = [one for kind, one in EVERY.items() if kind not in STRANGER]


@pytest.mark.parametrize("begun", [False, True], ids=["lobby", "match"])
async def test_a_stranger_that_says_what_it_may_not_is_cut_off(
    tmp_path: Path, begun: bool
) -> None:
    async with company(tmp_path, 2, rounds=20) as table:
        if begun:
            await table.begin()
        for message in CUT if begun else (x for x in CUT if type(x) is not TableOpened):
            visitor = await stranger(table)
            visitor.post(message)
            with pytest.raises(ProtocolError):
                await visitor.receive()
            await visitor.closed()
        visitor = await stranger(table)
        visitor.post(QUIET)
        visitor.post(Knock())
        assert isinstance(await visitor.receive(), Status)
        visitor.abort()
