"""Shell: the channels of those who have a place at a host's table, one each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from protocol.errors import RemoteError, Unavailable
from protocol.wire.channel import Channel


@dataclass(slots=True)
class _Link:
    channel: Channel
    heard: float


class Links:
    """By identity. Who comes by another way gives up the way it came before: whatever ends that
    one says what its program is told.
    """

    def __init__(self) -> None:
        self._links: dict[bytes, _Link] = {}

    def __iter__(self) -> Iterator[bytes]:
        return iter(tuple(self._links))

    def take(self, channel: Channel, now: float) -> None:
        """This channel is its peer's from now on; one that it had before is nobody's."""
        self._links[channel.peer] = _Link(channel, now)
        channel.keep()

    def drop(self, channel: Channel) -> bool:
        """It is not any more; whether it was."""
        if not self.holds(channel):
            return False
        del self._links[channel.peer]
        return True

    def holds(self, channel: Channel) -> bool:
        """Whether this very channel is its peer's."""
        link = self._links.get(channel.peer)
        return link is not None and link.channel is channel

    def of(self, identity: bytes) -> Channel | None:
        link = self._links.get(identity)
        return None if link is None else link.channel

    def is_fresh(self, identity: bytes, now: float, silence: float) -> bool:
        """Whether there is a link to it, and something was heard on it not long ago."""
        link = self._links.get(identity)
        return link is not None and now - link.heard <= silence

    def hear(self, channel: Channel, now: float) -> bool:
        """Something was said on it; False for a channel that is nobody's here."""
        if (link := self._links.get(channel.peer)) is None or link.channel is not channel:
            return False
        link.heard = now
        return True

    def send(self, identity: bytes, message: msgspec.Struct) -> None:
        channel = self.of(identity)
        if channel is not None:
            post(channel, message)

    def broadcast(self, message: msgspec.Struct) -> None:
        for link in self._links.values():
            post(link.channel, message)

    def abort_silent(self, now: float, silence: float) -> None:
        """Give up the links on which nothing was heard for so long."""
        for link in tuple(self._links.values()):
            if now - link.heard > silence:
                link.channel.abort()

    def clear(self) -> tuple[Channel, ...]:
        channels = tuple(link.channel for link in self._links.values())
        self._links = {}
        return channels


def post(channel: Channel, message: msgspec.Struct) -> None:
    """Send if it still can be; whoever receives on the channel learns of its end.

    Raises `LocalError` for what nobody could be sent: a bug of ours.
    """
    try:  # noqa: SIM105 (said thousands of times a match, and a third of what that costs)
        channel.post(message)
    except (RemoteError, Unavailable):
        pass
