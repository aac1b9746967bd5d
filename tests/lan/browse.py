"""Print the tables in sight at every change, one JSON line each: `browse.py [INTERFACE …]`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time

from protocol.discovery.browser import Browser


async def browse(interfaces: list[str]) -> None:
    browser = Browser(interfaces or None)
    await browser.start()
    print(json.dumps({"at": time.monotonic(), "tables": {}}), flush=True)
    while True:
        await browser.changed()
        tables = {
            found.announcement.name: {
                "addresses": found.addresses,
                "taken": found.announcement.taken,
            }
            for found in browser.found
        }
        print(json.dumps({"at": time.monotonic(), "tables": tables}), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(browse(sys.argv[1:]))
