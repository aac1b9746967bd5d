"""A guest that wants too much of `citadels share`: `python -m tests.lan.greedy HOST PORT PATH`.

It asks for files outside the list, sends a huge request and holds as many slow connections as
it can, until it is ended. Its only line says what it got.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
from threading import Event

OUTSIDE = (
    "/../pyproject.toml",
    "/..%2fpyproject.toml",
    "//etc/passwd",
    "/identity.pem",
    "/share",
)


def asked(address: tuple[str, int], request: bytes) -> bytes:
    """All that comes back."""
    got = b""
    with contextlib.suppress(ConnectionError), socket.create_connection(address, 20) as line:
        line.sendall(request)
        while chunk := line.recv(65_536):
            got += chunk
    return got


def main(host: str, port: int, path: str) -> None:
    address = (host, port)
    got = {name: asked(address, b"GET %s HTTP/1.1\r\n\r\n" % name.encode()) for name in OUTSIDE}
    huge = asked(address, b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000_000)
    held = []
    for _ in range(40):
        line = socket.create_connection(address, 20)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with contextlib.suppress(ConnectionError):
            line.sendall(b"GET %s HTTP/1.1\r\n\r\n" % path.encode())  # and nothing is read
        held.append(line)
    told = {
        "outside": sorted({answer.split(b"\r\n")[0].decode() for answer in got.values()}),
        "huge": len(huge),
        "turned away": turned_away(held),
    }
    print(json.dumps(told), flush=True)
    Event().wait()


def turned_away(held: list[socket.socket]) -> int:
    """How many of these were cut without an answer."""
    count = 0
    for line in held:
        try:
            count += line.recv(1, socket.MSG_PEEK) == b""
        except ConnectionError:
            count += 1
    return count


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
