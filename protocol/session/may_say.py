"""Who may say what, and when: one table, and nothing that is not in it is heard.

`MAY_SAY[phase, speaker]` names, for each message that this speaker may send in this phase, the
method that hears it. The first six speakers are heard by `Inbound`, a host by `LobbyGuest`, and
a host whose table we watch by `Spectating`. Whatever else arrives is `Malformed` and costs the
connection; in a lobby, or for a spectator, a host's own connection is the whole table, so that
such a host ends it.

- Anybody may knock, ask for a seat or for a spectator's place, and say which match it means:
  the answer is a status, a lobby, or a refusal with a code.
- In a lobby whose host is gone, whoever sat there may say that it has opened the table again.
- Whoever is told by a guest that its match has not begun may bring it entry 0: the guest begins
  by it if it is what it has agreed to itself, with its own nonce, and by no other.
- An operator's statements about the order of things go to the machine of the match, which
  checks their signatures and knows who hosts: those that may change the journal, and no other.
- An operator may still be speaking on a connection that is no link (any more): that is not its
  fault, so it is not heard and not cut; but two who mean two matches by one table show each
  other how these began.

**The law of the seams**: a word outside the journal describes its speaker's own link and
nothing else. `MAY_CHANGE` has what each message may change of what its hearer believes: who is
at the table and counts, that the match is over, that somebody is gone for good or has cheated,
that the table is locked. All of that comes from one's own journal, or from terms that all have
signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import msgspec

from protocol.messages import (
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
from protocol.session.speakers import Change, Handler, MaySay, Phase, Speaker
from protocol.session.spectating import Spectating

_Row = Mapping[type[msgspec.Struct], Handler]

MAY_CHANGE: Mapping[type[msgspec.Struct], Change] = {
    **dict.fromkeys((Knock, Status, Audience), Change.NOTHING),
    **dict.fromkeys(
        (Join, JoinTogether, Watch, Meet, Leave, Unready, TableOpened), Change.LINK
    ),
    **dict.fromkeys((PasswordShare, PasswordProof, CodeShare, Denied), Change.LINK),
    **dict.fromkeys((Lobby, Ready), Change.TERMS),
    Spoken: Change.VOICE,
    **dict.fromkeys((Follow, Entries, Submit, Refused, Acked, Commit), Change.JOURNAL),
    **dict.fromkeys((Heartbeat, RequestVote, TrialVote, Voted, Elected), Change.JOURNAL),
    **dict.fromkeys((Witness, Remember, History, Audit, Segment, Fault), Change.JOURNAL),
}
"""What each message may change of what its hearer believes."""

_VISIT: _Row = {
    Knock: Inbound.answer_knock,
    Join: Inbound.seat,
    JoinTogether: Inbound.seat,
    Watch: Inbound.admit_spectator,
    Meet: Inbound.meet,
}

_STRANGER: _Row = {
    **_VISIT,
    PasswordShare: Inbound.prove,
    CodeShare: Inbound.prove,
    Denied: Inbound.turned_away,
    Leave: Inbound.turned_away,
    Heartbeat: Inbound.ignore,
}

_SPECTATOR: _Row = {
    **_VISIT,
    Heartbeat: Inbound.hear_spectator,
    Leave: Inbound.goes,
}

_LATE: _Row = dict.fromkeys(get_args(Catalogue), Inbound.ignore)
"""Anything may still be under way when a link begins or ends."""

MAY_SAY: MaySay = {
    (Phase.LOBBY, Speaker.STRANGER): {
        **_STRANGER,
        TableOpened: Inbound.hear_opened,
        Entries: Inbound.hear_first_entry,
    },
    (Phase.LOBBY, Speaker.SPECTATOR): _SPECTATOR,
    (Phase.LOBBY, Speaker.GUEST): {
        **_VISIT,
        Heartbeat: Inbound.ignore,
        Spoken: Inbound.hear_line,
        Leave: Inbound.goes,
        Ready: Inbound.hear_ready,
        Unready: Inbound.hear_unready,
    },
    (Phase.LOBBY, Speaker.HOST): {
        Heartbeat: LobbyGuest.ignore,
        Lobby: LobbyGuest.hear_lobby,
        Spoken: LobbyGuest.hear_line,
        Leave: LobbyGuest.hear_goodbye,
        Denied: LobbyGuest.hear_denied,
        Fault: LobbyGuest.hear_refusal,
        Entries: LobbyGuest.hear_entries,
        Audience: LobbyGuest.hear_audience,
    },
    (Phase.LOBBY, Speaker.WATCHED): {
        Heartbeat: Spectating.ignore,
        Lobby: Spectating.hear_lobby,
        Leave: Spectating.hear_goodbye,
        Denied: Spectating.hear_denied,
        Fault: Spectating.hear_refusal,
        Entries: Spectating.hear_first_entries,
        Audience: Spectating.hear_audience,
    },
    (Phase.MATCH, Speaker.STRANGER): _STRANGER,
    (Phase.MATCH, Speaker.SPECTATOR): _SPECTATOR,
    (Phase.MATCH, Speaker.NEWCOMER): {**_LATE, **_VISIT},
    (Phase.MATCH, Speaker.UNLINKED): {
        **_LATE,
        **_STRANGER,
        Witness: Inbound.hear_beginning,
    },
    (Phase.MATCH, Speaker.OPERATOR): {
        **{
            kind: Inbound.hear_machine
            for kind, change in MAY_CHANGE.items()
            if change is Change.JOURNAL
        },
        **_VISIT,
        Spoken: Inbound.hear_line,
        Audience: Inbound.hear_audience,
        Leave: Inbound.hear_goodbye,
    },
    (Phase.MATCH, Speaker.WATCHED): {
        Heartbeat: Spectating.hear_beat,
        Entries: Spectating.hear_entries,
        Commit: Spectating.hear_commit,
        Fault: Spectating.hear_fault,
        Lobby: Spectating.ignore,
        Leave: Spectating.hear_goodbye,
        Denied: Spectating.hear_denied,
        Audience: Spectating.hear_audience,
    },
}
