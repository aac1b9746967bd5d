"""A port that is taken, on the system that we are on and on one that shares ports."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from collections.abc import Iterator

import pytest

from protocol.wire import tcp

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="another system is simulated by means of this one"
)


class _BsdSocket(socket.socket):
    """SO_REUSEADDR as macOS and BSD have it: ports may be shared by those who set it."""

    def setsockopt(self, level: int, option: int, value: int) -> None:  # type: ignore[override]
        super().setsockopt(level, option, value)
        if (level, option) == (socket.SOL_SOCKET, socket.SO_REUSEADDR):
            super().setsockopt(level, socket.SO_REUSEPORT, value)


@pytest.fixture(params=["linux", "darwin", "freebsd14"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != "linux":
        monkeypatch.setattr(tcp.sys, "platform", request.param)
        monkeypatch.setattr(tcp.socket, "socket", _BsdSocket)
    return str(request.param)


@contextlib.contextmanager
def listening(host: str, port: int = 0) -> Iterator[int]:
    with contextlib.closing(tcp.bound(host, port)) as one:
        yield one.getsockname()[1]


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize(
    ("first", "second"),
    [("127.0.0.1", "0.0.0.0"), ("0.0.0.0", "127.0.0.1"), ("0.0.0.0", "0.0.0.0")],
)
def test_a_port_at_which_somebody_listens_is_busy(first: str, second: str) -> None:
    with listening(first) as port:
        with pytest.raises(OSError, match=r"in use") as caught, listening(second, port):
            pass
        assert caught.value.errno == errno.EADDRINUSE


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_port_is_taken_again_at_once_after_a_restart(host: str) -> None:
    """Though connections to it are still dying out (TIME_WAIT)."""
    with contextlib.closing(tcp.bound(host, 0)) as one:
        port = one.getsockname()[1]
        one.setblocking(True)
        with socket.create_connection(("127.0.0.1", port)) as guest:
            one.accept()[0].close()
            assert guest.recv(1) == b""
    with listening(host, port) as again:
        assert again == port


def test_a_port_that_is_kept_from_us_is_told_as_it_is(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(_self: socket.socket, _address: object) -> None:
        raise PermissionError(errno.EACCES, system)

    monkeypatch.setattr(tcp.socket.socket, "bind", denied, raising=False)
    with pytest.raises(PermissionError):
        tcp.bound("127.0.0.1", 4000)
