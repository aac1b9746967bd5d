"""Shell: both ends of the exchange over a spoken code, which gives its key to who knows it.

The guest asks at each address that may be meant, and takes the key of the first that proves to
know the secret: what it has then is a join code. A host counts what was tried in vain. After
some it draws another secret, and after some of these it has none any more, so that all guesses
together are few.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from protocol.errors import ProtocolError, RemoteError, Unavailable, WrongPassword
from protocol.identity.keys import Identity
from protocol.messages import CodeShare, Denied
from protocol.session.finding import STAGGER_SECONDS, first_of, persistently, reach
from protocol.session.password_exchange import examine, show
from protocol.wire.addresses import join_address
from protocol.wire.channel import Channel
from protocol.wire.spoken_code import Secret, SpokenCode, fresh_secret, spoken

TRIES = 3
"""In vain, until the secret is another one. What is typed wrong does not come so far."""

SECRETS = 5
"""Until there is none any more."""

AT_ONCE = 8
"""Exchanges that are under way: a whole table may come in one moment."""

Place = tuple[str, bytes]
"""Where a host is, and its key."""


async def pinned_by(code: SpokenCode, usual_port: int) -> Place:
    """Where the host of this code is, and the key under which it has proven to know the secret.

    We show a key that is made for the moment. Raises `Unavailable`: "not_spoken" where somebody
    answers who does not know the secret, "no_spoken" where it is not asked for any more, and
    why nobody answers; or a `RemoteError`.
    """
    refusals: list[Unavailable] = []
    port = code.port or usual_port
    addresses = [join_address(host, port) for host in code.hosts]
    tries = [partial(_ask, address, code, refusals) for address in addresses]
    try:
        return await first_of(tries, STAGGER_SECONDS, lambda place: None)
    except (RemoteError, Unavailable):
        if refusals:  # that tells more than an address at which nobody is
            raise refusals[0] from None
        raise


async def _ask(address: str, code: SpokenCode, refusals: list[Unavailable]) -> Place:
    """One attempt at one address."""
    identity = Identity.fresh()
    reached = await persistently(lambda: reach((address,), identity, "", None))
    channel = reached.channel
    try:
        me, table = identity.public, reached.status.table
        await show(channel, code.password, me, table, CodeShare)
    except WrongPassword as lie:
        refusals.append(Unavailable("not_spoken", address))
        raise refusals[-1] from lie
    except Unavailable as problem:
        refusals.append(Unavailable(problem.hint, address))
        raise
    finally:
        channel.abort()
    return reached.address, channel.peer


class SpokenSecret:
    """A host's secret, and what was tried in vain. `changed` is called when there is another
    one, or none any more.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._secret: Secret | None = fresh_secret()
        self._drawn = 1
        self._failed = 0
        self._open = 0

    def code(self, address: str, usual_port: int) -> SpokenCode | None:
        """What to say of a host at this address; None where there is no way to."""
        if self._secret is None:
            return None
        return spoken(address, self._secret, usual_port)

    async def admit(self, channel: Channel, first: CodeShare, me: bytes, table: bytes) -> None:
        """Go through the exchange that `first` begins; refusals are told.

        Raises what ends the channel, and `Malformed` for what does not belong here. Whoever
        breaks off has had its try as well; who is late, so that the secret has changed
        meanwhile, does not learn whether it was right.
        """
        secret = self._secret
        if secret is None:
            channel.post(Denied("no_spoken"))
            return
        if self._open >= AT_ONCE:
            channel.post(Denied("guesses"))
            return
        self._open += 1
        try:
            password = SpokenCode((), None, secret).password
            proof = await examine(channel, password, me, table, first)
        except WrongPassword:
            self._fail(secret)
            channel.post(Denied("not_spoken"))
        except (ProtocolError, asyncio.CancelledError):
            self._fail(secret)
            raise
        else:
            channel.post(proof if secret == self._secret else Denied("not_spoken"))
        finally:
            self._open -= 1

    def _fail(self, secret: Secret) -> None:
        """One try at this secret was in vain."""
        if secret != self._secret:
            return  # it counts no more
        self._failed += 1
        if self._failed < TRIES:
            return
        self._failed = 0
        self._secret = fresh_secret() if self._drawn < SECRETS else None
        self._drawn += 1
        self._changed()
