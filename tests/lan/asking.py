"""Print how a browser asks for tables in its first half second: one JSON list, true for each
question whose answer is to come to this laptop alone, in the order in which they were asked.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest import mock

from zeroconf import DNSOutgoing, Zeroconf

from protocol.discovery.announcement import SERVICE
from protocol.discovery.browser import Browser

FIRST_SECONDS = 0.5


async def ask() -> list[bool]:
    asked: list[bool] = []
    is_over = asyncio.Event()
    send = Zeroconf.async_send

    def overhear(zeroconf: Zeroconf, out: DNSOutgoing, *where: Any) -> None:
        for question in out.questions:
            # Timers fire in their order, so that a slow machine makes no question late, and
            # none early.
            if question.name == SERVICE and not is_over.is_set():
                asyncio.get_running_loop().call_later(FIRST_SECONDS, is_over.set)
                asked.append(question.unicast)
        send(zeroconf, out, *where)

    browser = Browser()
    with mock.patch.object(Zeroconf, "async_send", overhear):
        await browser.start()
        await is_over.wait()
        await browser.close()
    return asked


if __name__ == "__main__":
    print(json.dumps(asyncio.run(ask())))
