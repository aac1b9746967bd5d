"""Who speaks to us, and in which phase; and how the table of what they may say is read."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

import msgspec

from protocol.errors import Malformed


class Phase(enum.Enum):
    """Whether the match has begun, here."""

    LOBBY = enum.auto()
    MATCH = enum.auto()


class Speaker(enum.Enum):
    """Who is at the other end of a connection, as far as we know by now."""

    STRANGER = enum.auto()  #: has no place at this table
    SPECTATOR = enum.auto()  #: watches our table
    GUEST = enum.auto()  #: sits in our lobby
    NEWCOMER = enum.auto()  #: sat in our lobby, and has not said yet which match it means
    UNLINKED = enum.auto()  #: plays in our match, on a connection that is no link
    OPERATOR = enum.auto()  #: plays in our match, and this is its link
    HOST = enum.auto()  #: in whose lobby we sit
    WATCHED = enum.auto()  #: whose table we watch


class Change(enum.Enum):
    """What a message may change of what its hearer believes."""

    NOTHING = enum.auto()  #: asks, or tells what nothing hangs on
    LINK = enum.auto()  #: whether, where and with which program its speaker is linked with us
    TERMS = enum.auto()  #: what our person is asked to agree to, or a guest's own signature
    VOICE = enum.auto()  #: what a person says, under its own key
    JOURNAL = enum.auto()  #: what is signed inside it, as our own machine has checked it


Handler: TypeAlias = Callable[..., Awaitable[None] | None]
"""Called with the part of the session that hears, the channel and the message."""

MaySay: TypeAlias = Mapping[tuple[Phase, Speaker], Mapping[type[msgspec.Struct], Handler]]

_REFUSED = {
    Speaker.STRANGER: "{} before it has a place",
    Speaker.SPECTATOR: "a spectator says {}",
    Speaker.GUEST: "{} is not for a host",
    Speaker.NEWCOMER: "{} is not for a match",
    Speaker.UNLINKED: "{} before it has a link",
    Speaker.OPERATOR: "{} is not for a match",
    Speaker.HOST: "{} is not for a guest",
    Speaker.WATCHED: "{} is not for a spectator",
}


def handler(
    may_say: MaySay, phase: Phase, speaker: Speaker, message: msgspec.Struct
) -> Handler:
    """What hears this message. Raises `Malformed` where the table has no place for it."""
    found = may_say[phase, speaker].get(type(message))
    if found is None:
        raise Malformed(_REFUSED[speaker].format(type(message).__name__))
    return found
