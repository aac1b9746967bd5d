"""One operator of a game of high card, as a program of its own: it says what happens, and when.

`python -m tests.lan.seat HOME SEATS` hosts; with an ADDRESS behind, it sits down there. A line
is a moment of the monotonic clock, which all processes of one machine share, and what happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from pathlib import Path

from protocol import Advanced, Hosted, LobbyChanged, Node
from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from tests.protocol.high_card import HighCard


async def main(home: Path, seats: int, address: str) -> None:
    identity = load_or_create(home)
    common = {"home": home, "identity": identity, "name": home.name, "announce": False}

    def make(genesis: object, me: int) -> HighCard:
        return HighCard(genesis, me, 200)  # type: ignore[arg-type]

    if address:
        while True:
            with contextlib.suppress(Unavailable):  # a busy machine takes long to shake hands
                node = await Node.join(addresses=[address], make=make, **common)  # type: ignore[arg-type]
                break
        await node.ready()
    else:
        node = await Node.host(
            table_name="Kitchen",
            options=b"",
            seats=seats,
            make=make,
            **common,  # type: ignore[arg-type]
        )
        say(f"address {node.address}")
    while True:
        match await node.next():
            case LobbyChanged() if not address:
                await node.start()
            case LobbyChanged():
                await node.ready()
            case Advanced(seq):
                say(f"advanced {seq}")
            case Hosted(operator):
                say(f"hosted {operator}")


def say(what: str) -> None:
    print(f"{time.monotonic():.4f} {what}", flush=True)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    asyncio.run(main(place, int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""))
