"""HTTP as far as a page and some files need it: GET and HEAD, one request per connection.

A request is a key in the list and never a path: whatever is not in it letter by letter is not
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from cli.share.offer import File

#: bytes of a request, all its headers included
LIMIT = 8 * 1024

#: what a page of ours may bring along: nothing but its own style
POLICY = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'"

_ALWAYS = (
    "Connection: close",
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    POLICY,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back: the head, and a file behind it unless there is none to send."""

    status: HTTPStatus
    head: bytes
    file: File | None = None


def asked(head: bytes) -> tuple[str, str]:
    """Method and target of a request; ("", "") for what is none."""
    line = head.split(b"\r\n", 1)[0].decode("latin-1")
    match line.split(" "):
        case [method, target, "HTTP/1.0" | "HTTP/1.1"]:
            return method, target
    return "", ""


def answer(head: bytes, offered: Mapping[str, File]) -> Answer:
    """The answer to a request; `offered` is the list, from "/" on."""
    method, target = asked(head)
    if not method:
        return refuse(HTTPStatus.BAD_REQUEST)
    if method not in ("GET", "HEAD"):
        return refuse(HTTPStatus.METHOD_NOT_ALLOWED)
    file = offered.get(target)
    if file is None:
        return refuse(HTTPStatus.NOT_FOUND)
    is_page = file.name.endswith(".html")
    kind = "text/html; charset=utf-8" if is_page else "application/octet-stream"
    head_only = _head(HTTPStatus.OK, file.size, kind)
    return Answer(HTTPStatus.OK, head_only, file if method == "GET" else None)


def refuse(status: HTTPStatus) -> Answer:
    """A status and nothing more."""
    return Answer(status, _head(status, 0, "text/plain"))


def _head(status: HTTPStatus, size: int, kind: str) -> bytes:
    lines = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {size}",
        *_ALWAYS,
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("ascii")
