"""Handing the program out: what is offered, what a request may get, and what it may cost."""

from __future__ import annotations

import asyncio
import contextlib
import html
import ipaddress
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import AsyncIterator, Iterator, Sequence
from http import server as http_server
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from cli import i18n
from cli.commands import share
from cli.commands.share import Shared, reached, text, typed
from cli.settings import Settings
from cli.share import bootstrap, lines, packing, page, qr, server, single_files, stock
from cli.share.offer import File, Offer, code, in_groups
from cli.share.request import answer, refuse
from protocol.errors import Unavailable
from protocol.wire.addresses import Adapter
from tests import pseudo

BASES = ("http://192.168.178.201:24490/", "http://[fd00:1234:5678::2]:24490/")
CODE = "0123456789abcdef0123"
LOOPBACK = Adapter(name="lo", index=1, interfaces=(ipaddress.IPv4Interface("127.0.0.1/8"),))
WHEEL = File.of("one-1-py3-none-any.whl", b"wheel " * 100_000)
SINGLE = File.of("citadels-linux-x86_64", b"#!/bin/sh\necho 'citadels, alone'\n")
PAGE = File.of("index.html", b"<p>")
EXE = File.of("citadels-windows-x86_64.exe", b"MZ")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    i18n.use("en")
    yield
    i18n.use("en")


@pytest.fixture
def offer() -> Offer:
    singles = {"linux x86_64": SINGLE, "windows x86_64": EXE}
    return Offer({"3.9 linux x86_64": (WHEEL,), "3.12 linux x86_64": (WHEEL,)}, singles)


@pytest.fixture
def for_all(offer: Offer) -> Offer:
    """Something for each system."""
    mac = File.of("citadels-macos-arm64", b"mach")
    return Offer(offer.sets, {**offer.singles, "macos arm64": mac})


# What is offered


def test_every_byte_of_what_is_offered_changes_the_code(offer: Offer) -> None:
    seen = {code(offer.go("main", "1")), code(offer.go("main", "2"))}
    other = File.of(WHEEL.name, WHEEL.content[:-1] + b"!")  # type: ignore[operator,index]  # bytes
    seen.add(code(Offer({"3.12 linux x86_64": (other,)}, {}).go("main", "1")))
    singles = {"windows x86_64": File.of(EXE.name, b"ZM")}
    seen.add(code(Offer(offer.sets, singles).go("main", "1")))
    assert len(seen) == 4
    assert {len(one) for one in seen} == {20}, "80 bits"


def test_a_code_is_read_in_groups() -> None:
    assert in_groups("f2495b0479c2f656") == "f249 5b04 79c2 f656"


def test_pythons_stand_in_the_order_of_their_age(offer: Offer) -> None:
    assert offer.systems == {"linux x86_64": ("3.9", "3.12")}


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_all_that_a_page_would_have_trusted_stands_on_the_sharers_screen(
    for_all: Offer, tmp_path: Path, language: str
) -> None:
    """Every row to type, for every system and address, and every sum of a file."""
    offer = for_all
    said = text(Shared(BASES, CODE, offer), Settings(tmp_path))
    screen = {row.strip() for row in said}
    for base in BASES:
        shown = page.pages(offer, base)
        assert set(shown) == {"/", *(f"/{one}" for one in i18n.LANGUAGES)}
        content = shown[f"/{language}"].content
        assert isinstance(content, bytes)
        told = content.decode("utf-8")
        assert CODE not in told, "who reads the page alone must not be able to go on"
        assert "<script" not in told
        blocks = re.findall("(?s)<pre>(.*?)</pre>", told)
        assert len(blocks) == 3
        offered = [html.unescape(row) for block in blocks for row in block.split("\n")]
        assert [row for row in offered if row.replace(lines.PLACE, CODE) not in screen] == []
        sums = re.findall("<code>(.*?)</code>", told)
        assert sorted(sums) == sorted(one.digest for one in offer.singles.values())
        assert {f"SHA-256 {one}" for one in sums} <= screen
        assert sum(lines.PLACE in row for row in offered) == 3
        assert html.escape(EXE.name) in told
        assert "3.9, 3.12" in told


@pytest.mark.parametrize(
    ("place", "system"),
    [
        ("linux x86_64", "linux"),
        ("musl x86_64", "linux"),
        ("macos arm64", "macos"),
        ("windows arm64", "windows"),
    ],
)
def test_rows_are_shown_for_what_is_here_and_for_nothing_else(place: str, system: str) -> None:
    """On the page and on the screen: nobody types for nothing. Alpine's Linux is one, too."""
    offer = Offer({f"3.12 {place}": (WHEEL,)}, {})
    rows = {row for of in lines.rows(BASES[0], CODE).values() for row in of}
    mine = [*lines.rows(BASES[0], CODE)[system]]
    said = [row.strip() for row in typed(Shared(BASES[:1], CODE, offer))]
    assert [row for row in said if row in rows] == mine
    assert [one for one, name in page.SYSTEMS.items() if f"{name}:" in said] == [system]
    shown = html.unescape(page._page(offer, BASES[0]))
    assert re.findall("(?s)<pre>(.*?)</pre>", shown) == [
        "\n".join(lines.rows(BASES[0])[system])
    ]
    assert f"{place.partition(' ')[2]}: 3.12" in shown


def test_a_row_is_short_enough_to_be_typed(for_all: Offer) -> None:
    """One row of a terminal, also for the longest address of IPv4."""
    said = typed(Shared(("http://192.168.178.201:24490/",), CODE, for_all))
    assert len(said) > 10
    for row in said:
        assert len(row) <= 80, row


def test_the_page_is_translated_whole(offer: Offer) -> None:
    with pseudo.spoken():
        text = page._page(offer, "http://10.0.0.7:24490/")
    shown = re.sub(r"(?s)<style>.*</style>|<pre>.*?</pre>|<nav>.*</nav>|<[^>]+>", "\n", text)
    shown = html.unescape(shown)
    words = re.sub(r"\S+: 3[\d., ]+|[\d.]+ MB|SHA-256|\b[0-9a-f]{64}\b", "", shown)
    kept = ("Windows", "PowerShell", "macOS", "Linux", EXE.name, SINGLE.name, lines.PLACE)
    assert pseudo.untranslated(words, *kept) == []


def test_a_single_file_is_known_by_its_name_alone() -> None:
    assert single_files.place_of("citadels-windows-arm64.exe") == "windows arm64"
    assert single_files.place_of("citadels-macos-arm64") == "macos arm64"
    for other in ("citadels-macos-arm64.exe", "citadels-windows-x86_64", "citadels-linux-../x"):
        assert single_files.place_of(other) is None


def test_a_qr_code_is_square_and_has_a_rim() -> None:
    rows = qr.rows("http://10.77.0.10:24490/", ascii_only=True)
    assert {len(row) for row in rows} == {2 * len(rows)}
    assert set(rows[0]) == {"#"}
    blocks = qr.rows("http://10.77.0.10:24490/")
    assert len(blocks) == (len(rows) + 1) // 2
    dark = qr.rows("http://10.77.0.10:24490/", ascii_only=True, on_light=True)
    assert "".join(dark).translate({32: "#", 35: " "}) == "".join(rows)


def test_the_sharers_screen_is_translated_whole(for_all: Offer, tmp_path: Path) -> None:
    shared = Shared(BASES, CODE, for_all)
    with pseudo.spoken():
        said = text(shared, Settings(tmp_path))
    rows = [lines.rows(base, CODE).values() for base in BASES]
    copied = {f"  {row}" for each in rows for of in each for row in of}
    assert copied < set(said)
    rest = "\n".join(line for line in said if line not in copied)
    rest = re.sub(r"(linux|windows|macos) \w+64: .*|SHA-256 .*|0123 .*|http\S+", "", rest)
    kept = ("MB", "Ctrl", "C", "citadels", "Windows", "PowerShell", "macOS", "Linux")
    assert pseudo.untranslated(rest, *kept) == []


# What is installed here, as wheels


def test_what_is_read_from_the_screen_fits_the_smallest_one(for_all: Offer) -> None:
    """The prompt's row and the last sentence stand below it."""
    shared = Shared(BASES, CODE, for_all)
    rows = (*reached(shared), *typed(shared))
    assert len(rows) <= 24 - 2
    assert all(any(base in row for row in rows) for base in BASES)
    assert "0123 4567 89ab cdef 0123" in rows[-1]


def test_the_programs_own_wheel_is_whole(tmp_path: Path) -> None:
    made = packing.program()
    assert isinstance(made.content, bytes)
    (tmp_path / made.name).write_bytes(made.content)
    bootstrap.unpack(tmp_path / made.name, tmp_path / "lib")
    start = (sys.executable, "-c", "from cli.__main__ import main; main(['--version'])")
    ran = subprocess.run(
        start, cwd=tmp_path / "lib", capture_output=True, text=True, check=True
    )
    assert packing.version() in ran.stdout
    assert (tmp_path / "lib/citadels_launcher.py").is_file()
    assert (tmp_path / "lib/cli/locale/fr/LC_MESSAGES/citadels.mo").is_file()
    assert (tmp_path / "lib/cli/i18n/spoken_words/fr.txt").is_file()
    assert (tmp_path / "lib/cli/icon.svg").is_file()
    assert packing.program().digest == made.digest


def test_what_is_installed_becomes_the_wheel_that_it_came_from(tmp_path: Path) -> None:
    twin = packing.plain("zeroconf")
    assert twin.name.endswith("-py3-none-any.whl")
    (tmp_path / "twin").write_bytes(twin.content)  # type: ignore[arg-type]  # packed in memory
    with zipfile.ZipFile(tmp_path / "twin") as archive:
        names = archive.namelist()
    assert "zeroconf/_dns.py" in names
    assert not [
        name for name in names if name.endswith((".so", ".pyd", ".pyc", "direct_url.json"))
    ]


def test_what_was_fetched_is_offered_while_it_is_whole(tmp_path: Path) -> None:
    wheels = stock.share_folder(tmp_path) / "wheels"
    wheels.mkdir(parents=True)
    (wheels / WHEEL.name).write_bytes(b"as it was")
    digest = File.of(WHEEL.name, b"as it was").digest
    stock.write_sets(stock.share_folder(tmp_path), {"3.99 windows arm64": {WHEEL.name: digest}})
    kept = stock._fetched(stock.share_folder(tmp_path))
    assert [file.name for file in kept["3.99 windows arm64"]] == [WHEEL.name]
    (wheels / WHEEL.name).write_bytes(b"as it is")
    assert stock._fetched(stock.share_folder(tmp_path)) == {}


def test_single_files_lie_in_a_folder(tmp_path: Path) -> None:
    programs = stock.share_folder(tmp_path) / "programs"
    programs.mkdir(parents=True)
    (programs / EXE.name).write_bytes(b"MZ")
    (programs / "citadels-notes.txt").write_bytes(b"mine")
    found = dict(stock._singles(tmp_path))
    assert found["windows x86_64"].digest == EXE.digest
    assert not [file for file in found.values() if "notes" in file.name]


def test_a_program_in_one_file_shares_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    offer = stock.stock(tmp_path)
    place = bootstrap.here().partition(" ")[2]
    assert not offer.sets
    assert single_files.place_of(offer.singles[place].name) == place
    assert offer.singles[place].content == Path(sys.executable)


# What a request may get


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET /one HTTP/1.1", 200),
        ("HEAD /one HTTP/1.0", 200),
        ("GET /two HTTP/1.1", 404),
        ("GET /../one HTTP/1.1", 404),
        ("GET /%6fne HTTP/1.1", 404),
        ("GET //one HTTP/1.1", 404),
        ("GET /one?x HTTP/1.1", 404),
        (f"GET /{quote('../' * 9)}etc/passwd HTTP/1.1", 404),
        ("GET http://10.0.0.7/one HTTP/1.1", 404),
        ("POST /one HTTP/1.1", 405),
        ("GET /one", 400),
        ("\x00\xff HTTP/1.1", 400),
        ("", 400),
    ],
)
def test_a_request_is_a_key_in_the_list(request_line: str, status: int) -> None:
    given = answer(request_line.encode("latin-1") + b"\r\nHost: x\r\n\r\n", {"/one": WHEEL})
    assert given.status == status
    assert given.head.startswith(f"HTTP/1.1 {status} ".encode())
    assert (given.file is not None) == (request_line.startswith("GET") and status == 200)
    assert given.head.endswith(b"\r\n\r\n")


def test_a_refusal_has_no_body() -> None:
    assert b"Content-Length: 0\r\n" in refuse(server.HTTPStatus.NOT_FOUND).head


@contextlib.asynccontextmanager
async def served(
    near: tuple[Adapter, ...] = (LOOPBACK,), taken: list[tuple[str, str]] | None = None
) -> AsyncIterator[int]:
    def note(by: str, what: str) -> None:
        if taken is not None:
            taken.append((by, what))

    inside = server.Server({"127.0.0.1": {"/one": WHEEL, "/": PAGE}}, near, note)
    sockets = server.bind("127.0.0.1", 0, None)
    async with server.serving(inside, sockets):
        yield sockets[0].getsockname()[1]


async def ask(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_a_file_is_handed_out_whole_and_told() -> None:
    async def scene() -> None:
        taken: list[tuple[str, str]] = []
        async with served(taken=taken) as port:
            said = await ask(port, b"GET /one HTTP/1.1\r\n\r\n")
            head, _blank, body = said.partition(b"\r\n\r\n")
            assert body == WHEEL.content
            assert f"Content-Length: {WHEEL.size}".encode() in head
            assert (await ask(port, b"GET /two HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 404 ")
            assert taken == [("127.0.0.1", "/one")]

    asyncio.run(scene())


def test_a_huge_request_is_cut() -> None:
    async def scene() -> None:
        async with served() as port:
            said = await ask(port, b"GET /one HTTP/1.1\r\nX: " + b"x" * 1_000_000)
            assert not said or said.startswith(b"HTTP/1.1 431 ")
            assert (await ask(port, b"GET /one HTTP/1.1\r\n\r\n")).endswith(b"wheel ")

    asyncio.run(scene())


def test_who_asks_by_https_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that begins with TLS sends no HTTP, and would wait for as long as we do."""
    monkeypatch.setattr(server, "REQUEST", 1000.0)

    async def scene() -> None:
        taken: list[tuple[str, str]] = []
        async with served(taken=taken) as port, asyncio.timeout(100):
            said = await ask(port, bytes.fromhex("16030102000100"))
            assert said == bytes.fromhex("15030100020246"), "fatal: protocol_version"
            assert taken == [("127.0.0.1", server.HTTPS)]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("/", ""),
        ("/fr", ""),
        ("/go", "10.0.0.7 asks for the list; next its own laptop compares the code."),
        ("/one-1-py3-none-any.whl", "10.0.0.7 takes the program."),
        ("/citadels-linux-x86_64", "10.0.0.7 takes the program."),
        (server.HTTPS, "10.0.0.7 asks by https:// here. The address begins with http://."),
    ],
)
def test_only_who_had_the_right_code_takes_the_program(asked: str, said: str) -> None:
    assert share._step(asked).format(address="10.0.0.7") == said


class Watched(server.Server):
    """Tells when it is through with a connection."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.ended = asyncio.Event()

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await super().meet(reader, writer)
        self.ended.set()


@pytest.mark.parametrize("request_", [b"GET /one HT", b"GET /one HTTP/1.1\r\n\r\n"])
def test_who_writes_or_reads_too_slowly_is_cut(
    request_: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST", 0.2)
    monkeypatch.setattr(server, "ANSWER", 0.2)
    monkeypatch.setattr(server, "SLOWEST", 1e12)
    large = File.of("large", b"x" * 50_000_000)

    async def scene() -> None:
        inside = Watched({"127.0.0.1": {"/one": large}}, (LOOPBACK,), fail)
        sockets = server.bind("127.0.0.1", 0, None)
        async with server.serving(inside, sockets), asyncio.timeout(100):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", sockets[0].getsockname()[1]
            )
            writer.write(request_)  # and then nothing is read until the other side has enough
            await inside.ended.wait()
            assert len(await everything(reader)) < large.size
            writer.close()

    asyncio.run(scene())


def fail(by: str, what: str) -> None:
    raise AssertionError(f"{by} has {what}")


def test_a_page_is_known_from_what_else_listens_there(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[str, str]] = []

    async def another(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async def scene() -> tuple[str, str, str, int]:
        async with served(taken=taken) as port:
            monkeypatch.setattr(server, "PORT", port)
            ours = await server.page_of("127.0.0.1")
        nobody = await server.page_of("127.0.0.1")
        async with await asyncio.start_server(another, "127.0.0.1", 0) as listening:
            monkeypatch.setattr(server, "PORT", listening.sockets[0].getsockname()[1])
            theirs = await server.page_of("127.0.0.1")
        return ours, nobody, theirs, port

    ours, nobody, theirs, port = asyncio.run(scene())
    assert ours == f"http://127.0.0.1:{port}/"
    assert (nobody, theirs) == ("", "")
    assert taken == [], "nobody is told that somebody asks for a page"


async def everything(reader: asyncio.StreamReader) -> bytes:
    with contextlib.suppress(ConnectionError):
        return await reader.read()
    return b""


def test_when_it_ends_nobody_gets_anything_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REQUEST", 1000.0)

    async def scene() -> None:
        async with asyncio.timeout(100):
            async with served() as port:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"GET /one")
                assert (await ask(port, b"HEAD /one HTTP/1.1\r\n\r\n")) != b""
            assert await everything(reader) == b""
            writer.close()
            with pytest.raises(ConnectionError):
                await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(scene())


def test_one_laptop_has_so_many_connections_and_no_more() -> None:
    async def scene() -> None:
        async with served() as port:
            held = [
                await asyncio.open_connection("127.0.0.1", port) for _ in range(server.EACH)
            ]
            assert await ask(port, b"GET /one HTTP/1.1\r\n\r\n") == b""
            held[0][1].write(b"GET /two HTTP/1.1\r\n\r\n")
            assert (await held[0][0].read()).startswith(b"HTTP/1.1 404 ")
            assert await ask(port, b"GET /one HTTP/1.1\r\n\r\n") != b""
            for _reader, writer in held:
                writer.close()

    asyncio.run(scene())


def test_who_is_on_no_network_of_ours_gets_nothing() -> None:
    elsewhere = Adapter(
        name="wlan0", index=2, interfaces=(ipaddress.IPv4Interface("192.0.2.7/24"),)
    )

    async def scene() -> None:
        async with served(near=(elsewhere,)) as port:
            assert await ask(port, b"GET /one HTTP/1.1\r\n\r\n") == b""

    asyncio.run(scene())


def test_a_second_share_takes_the_next_port() -> None:
    first = server.listening_on((LOOPBACK,))
    second = server.listening_on((LOOPBACK,))
    try:
        ports = [sockets[0].getsockname()[1] for sockets in (first, second)]
        assert ports[0] != ports[1]
        with pytest.raises(Unavailable) as refused:
            server.listening_on((LOOPBACK,), ports[0])
        assert refused.value.hint == "port_busy"
    finally:
        for one in (*first, *second):
            one.close()


# What runs at the guest's


#: shells whose users type the rows; what is not here is passed over, and CI has them all
SHELLS = (("sh",), ("bash",), ("dash",), ("zsh",), ("busybox", "sh"), ("mksh",))
#: what the rows and `go` call beside the hash and the network, and what a bare PATH then has
TOOLS = ("sh", "cut", "uname", "mkdir", "mktemp", "rmdir", "chmod", "mv", "rm", "cat", "env")


@pytest.fixture
def http(offer: Offer) -> Iterator[tuple[str, dict[str, bytes]]]:
    """A server with `go` and the files of the offer; whoever asks may be given others."""
    go = Offer({}, offer.singles).go("def main(*_):\n    raise SystemExit(3)\n", "nonce")
    assert isinstance(SINGLE.content, bytes)
    given = {"/go": go, f"/{SINGLE.name}": SINGLE.content}

    class Handler(http_server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = given.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_said: object) -> None:
            pass

    with http_server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        running = threading.Thread(target=listening.serve_forever)
        running.start()
        yield f"http://127.0.0.1:{listening.server_port}/", given
        listening.shutdown()
        running.join()


def path_with(folder: Path, *tools: str) -> str:
    """A PATH with these tools and no others."""
    folder.mkdir()
    for tool in tools:
        found = shutil.which(tool)
        if found is None:
            pytest.skip(f"{tool} is not installed")
        (folder / tool).symlink_to(found)
    return str(folder)


def told(
    shell: tuple[str, ...], rows: Sequence[str], home: Path, path: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Type rows into a shell, as standard input, and leave it with what the last one gave."""
    program = shutil.which(shell[0])
    if program is None:
        pytest.skip(f"{shell[0]} is not installed")
    with tempfile.TemporaryDirectory() as passing:
        return subprocess.run(
            [program, *shell[1:]],
            input="\n".join((*rows, "exit $?\n")),
            capture_output=True,
            text=True,
            env={"HOME": str(home), "PATH": path, "LANG": "C", "TMPDIR": passing, **more},
            cwd=home,
            check=False,
        )


unix = pytest.mark.skipif(sys.platform == "win32", reason="needs sh")


@unix
@pytest.mark.parametrize("shell", SHELLS, ids="-".join)
@pytest.mark.parametrize(
    ("system", "tools"),
    [
        ("linux", ("curl", "sha256sum")),
        ("linux", ("wget", "sha256sum")),
        ("macos", ("curl", "shasum", "perl")),
    ],
)
def test_the_rows_bring_the_single_file_past_every_proxy(
    http: tuple[str, dict[str, bytes]],
    tmp_path: Path,
    shell: tuple[str, ...],
    system: str,
    tools: tuple[str, ...],
) -> None:
    """Also where wget is all there is."""
    base, given = http
    path = path_with(tmp_path / "bin", *TOOLS, *tools)
    proxy = {f"{name}_proxy": "http://127.0.0.1:9" for name in ("http", "all", "HTTP", "ALL")}
    ran = told(shell, lines.rows(base, code(given["/go"]))[system], tmp_path, path, **proxy)
    assert ran.returncode == 0, ran.stderr
    program = tmp_path / "citadels" / "citadels"
    alone = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert alone.stdout == "citadels, alone\n"


@unix
@pytest.mark.parametrize("shell", SHELLS, ids="-".join)
@pytest.mark.parametrize("system", ["linux", "macos"])
@pytest.mark.parametrize(
    ("typed", "lacks"),
    [
        ("0" * 20, ()),
        ("", ()),
        (lines.PLACE, ()),
        ("cut short", ()),
        ("right", ("sha256sum", "shasum")),
        ("", ("sha256sum", "shasum")),
        ("right", ("cut",)),
        ("", ("cut",)),
        ("right", ("mv",)),
        ("", ("sha256sum", "shasum", "curl", "wget")),
        ("right", ("curl", "wget")),
    ],
)
def test_nothing_is_run_and_the_exit_code_says_so(
    http: tuple[str, dict[str, bytes]],
    tmp_path: Path,
    shell: tuple[str, ...],
    system: str,
    typed: str,
    lacks: tuple[str, ...],
) -> None:
    """A wrong code, none, one cut short, and what a laptop may lack, in every shell."""
    base, given = http
    right = code(given["/go"])
    typed = {"right": right, "cut short": right[:-1]}.get(typed, typed)
    every = (*TOOLS, "curl", "wget", "sha256sum", "shasum", "perl")
    path = path_with(tmp_path / "bin", *(tool for tool in every if tool not in lacks))
    ran = told(shell, lines.rows(base, typed)[system], tmp_path, path)
    assert ran.returncode != 0
    assert right not in ran.stdout
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bin"]
    if lacks:
        assert "not found" in ran.stderr, "what is missing is said"
    elif typed:
        assert "No such file" in ran.stderr or "can't open" in ran.stderr, "as the page says"


@unix
def test_a_laptop_with_busybox_alone_gets_it(
    http: tuple[str, dict[str, bytes]], tmp_path: Path
) -> None:
    base, given = http
    (tmp_path / "bin").mkdir()
    busybox = shutil.which("busybox")
    if busybox is None:
        pytest.skip("busybox is not installed")
    for tool in (*TOOLS, "wget", "sha256sum"):
        (tmp_path / "bin" / tool).symlink_to(busybox)
    rows = lines.rows(base, code(given["/go"]))["linux"]
    proxy = {"http_proxy": "http://127.0.0.1:9"}
    ran = told(("busybox", "sh"), rows, tmp_path, str(tmp_path / "bin"), **proxy)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "citadels" / "citadels").read_bytes() == SINGLE.content


@unix
def test_what_is_not_the_list_that_was_shared_is_not_run(
    http: tuple[str, dict[str, bytes]], tmp_path: Path
) -> None:
    base, given = http
    right = code(given["/go"])
    path = path_with(tmp_path / "bin", *TOOLS, "curl", "sha256sum", "touch")
    for evil in (
        b"touch evil",
        b"touch evil\n#" + given["/go"],
        given["/go"] + b"\ntouch evil",
    ):
        given["/go"] = evil
        ran = told(("sh",), lines.rows(base, right)["linux"], tmp_path, path)
        assert ran.returncode != 0
        assert [one.name for one in tmp_path.iterdir()] == ["bin"]


def slips(row: str) -> Iterator[str]:
    """A row with one key left out, struck twice or too early, a sign beside it or for it."""
    for at, struck in enumerate(row):
        before, after = row[:at], row[at + 1 :]
        yield before + after
        yield before + struck + struck + after
        yield before + after[:1] + struck + after[1:]
        for sign in "&|;>":
            yield before + sign + after
            yield before + sign + struck + after


@unix
@pytest.mark.parametrize("system", ["linux", "macos"])
def test_no_slip_of_one_key_runs_what_was_not_checked(tmp_path: Path, system: str) -> None:
    """Whoever sends it knows the rows and the code, and lets its text begin with the code.
    The row of macOS is another one where the tool stands, and is slow to run.
    """
    *_fetched, last = lines.rows(BASES[0], CODE)[system]
    cut = len(last) if system == "linux" else last.index("|")
    bait, evil, place = (tmp_path / name for name in (last.split()[1], "evil", "place"))
    bait.write_text(f"{CODE}  -\n: >{evil}\n", "utf-8")

    def type_in(row: str) -> None:
        place.mkdir()
        shutil.copy(bait, place)
        quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = ["sh", "-c", f"u=x:1/go\n{row}"]
        subprocess.run(command, cwd=place, check=False, timeout=60, **quiet)
        shutil.rmtree(place)

    for row in sorted({last, *(slip + last[cut:] for slip in slips(last[:cut]))}):
        type_in(row)
        assert not evil.exists(), row
    type_in(f"sh ./{bait.name} $u")
    assert evil.exists(), "the bait is none"


@unix
def test_a_single_file_that_was_changed_is_not_kept(
    http: tuple[str, dict[str, bytes]], tmp_path: Path
) -> None:
    base, given = http
    given[f"/{SINGLE.name}"] = b"#!/bin/sh\necho evil\n"
    path = path_with(tmp_path / "bin", *TOOLS, "curl", "sha256sum")
    ran = told(("sh",), lines.rows(base, code(given["/go"]))["linux"], tmp_path, path)
    assert ran.returncode == 1
    assert "Nothing was installed" in ran.stderr
    assert not (tmp_path / "citadels").exists()


@unix
@pytest.mark.parametrize("left", [(), ("citadels.part",)])
@pytest.mark.parametrize("false", [b"#!/bin/sh\necho evil\n", None])
def test_who_types_the_rows_again_after_a_failure_has_the_program(
    http: tuple[str, dict[str, bytes]],
    tmp_path: Path,
    false: bytes | None,
    left: tuple[str, ...],
) -> None:
    """Whatever the first try has left, killed or refused, is in nobody's way."""
    base, given = http
    path, name = path_with(tmp_path / "bin", *TOOLS, "curl", "sha256sum"), f"/{SINGLE.name}"
    typed, true = lines.rows(base, code(given["/go"]))["linux"], given.pop(name)
    if false is not None:
        given[name] = false
    assert told(("sh",), typed, tmp_path, path).returncode == 1
    folder = tmp_path / "citadels"
    folder.mkdir()
    for part in left:
        (folder / part).touch()
    given[name] = true
    assert told(("sh",), typed, tmp_path, path).returncode == 0
    assert [one.name for one in folder.iterdir()] == ["citadels"]


@unix
@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("shell", SHELLS, ids="-".join)
def test_every_shell_reads_the_whole_of_it(
    offer: Offer, tmp_path: Path, shell: tuple[str, ...], language: str
) -> None:
    """What it says in any language, and the programs for others inside, end no text early."""
    with i18n.speaking(language):
        go = offer.go(bootstrap.source(), "nonce")
    program = shutil.which(shell[0])
    if program is None:
        pytest.skip(f"{shell[0]} is not installed")
    ran = subprocess.run(
        [program, *shell[1:], "-n"], input=go, capture_output=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"".join(go.split(b"\f")[:4]).isascii(), "PowerShell may read it in any alphabet"


def in_python(source: str, base: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-", base],
        input=source,
        capture_output=True,
        text=True,
        env={"HOME": str(home), "USERPROFILE": str(home), "LANG": "fr_FR.UTF-8"},
        check=False,
    )


def for_here(**wheels: bytes) -> tuple[Offer, dict[str, bytes]]:
    files = {f"{name}.whl": content for name, content in wheels.items()}
    made = tuple(File.of(name, content) for name, content in files.items())
    return Offer({bootstrap.here(): made}, {}), files


def a_wheel(text: str) -> bytes:
    import io

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("cli/__init__.py", "")
        archive.writestr("cli/__main__.py", f"def start():\n    print({text!r})\n")
        archive.writestr("one-1.data/purelib/one.py", "")
    return packed.getvalue()


def put(tmp_path: Path, offer: Offer, files: dict[str, bytes]) -> tuple[str, str]:
    place = tmp_path / "served"
    place.mkdir(exist_ok=True)
    for name, content in files.items():
        (place / name).write_bytes(content)
    python = offer.go(bootstrap.source(), "nonce").split(b"\f")[3].decode("ascii")
    return python, place.as_uri() + "/"


def test_a_newer_program_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    for said in ("first", "second"):
        source, base = put(tmp_path, *for_here(one=a_wheel(said)))
        ran = in_python(source, base, tmp_path)
        assert ran.returncode == 0, ran.stderr
        start = tmp_path / "citadels" / "lib" / "start.py"
        assert (start.parent / "one.py").is_file()
        command = [sys.executable, str(start)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ran.stdout == f"{said}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["citadels", "served"]


@pytest.mark.parametrize("bad", [a_wheel("evil!"), a_wheel("evil, and longer"), b""])
def test_with_a_false_file_nothing_is_installed(tmp_path: Path, bad: bytes) -> None:
    offer, files = for_here(one=a_wheel("first"), two=a_wheel("other"))
    source, base = put(tmp_path, offer, {**files, "two.whl": bad})
    ran = in_python(source, base, tmp_path)
    assert ran.returncode == 1
    assert "two.whl" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["served"]


def test_an_empty_folder_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "citadels").mkdir()
    source, base = put(tmp_path, *for_here(one=a_wheel("first")))
    assert in_python(source, base, tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["citadels", "served"]


def test_a_home_that_is_not_there_is_said(tmp_path: Path) -> None:
    source, base = put(tmp_path, *for_here(one=a_wheel("first")))
    ran = in_python(source, base, tmp_path / "nowhere")
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "nowhere" in ran.stderr


@pytest.mark.parametrize(
    "answer",
    [
        b"garbage here\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 300 + b"\r\n",
    ],
    ids=["no status", "a bad chunk", "too many headers"],
)
def test_who_talks_no_http_in_the_sharers_place_is_said(tmp_path: Path, answer: bytes) -> None:
    source, _ = put(tmp_path, *for_here(one=a_wheel("first")))
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answered() -> None:
            channel, _ = listening.accept()
            with channel:
                channel.recv(4096)
                channel.sendall(answer)

        running = threading.Thread(target=answered)
        running.start()
        ran = in_python(source, f"http://127.0.0.1:{listening.getsockname()[1]}/", tmp_path)
        running.join()
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["served"]


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "citadels").mkdir()
    (tmp_path / "citadels" / "mine.txt").write_text("mine", encoding="utf-8")
    source, base = put(tmp_path, *for_here(one=a_wheel("first")))
    assert in_python(source, base, tmp_path).returncode == 1
    assert [path.name for path in (tmp_path / "citadels").iterdir()] == ["mine.txt"]


def test_a_python_without_wheels_leaves_the_way_to_another(tmp_path: Path) -> None:
    offer = Offer({"3.11 amiga m68k": (WHEEL,)}, {})
    source, base = put(tmp_path, offer, {})
    assert in_python(source, base, tmp_path).returncode == bootstrap.NOTHING
    assert bootstrap.NOTHING == single_files.NOTHING, "one stands alone, the other reads it"


def test_the_offer_is_data_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name in it cannot end the text in which it stands."""
    monkeypatch.setattr(sys, "argv", ["-c", "http://192.0.2.1/"])
    odd = File.of("x'''\"\\\n.whl", b"")
    go = Offer({"3.12 linux x86_64": (odd,)}, {}).go("main = lambda a, o: found.append(o)", "1")
    found: list[dict[str, object]] = []
    exec(go.split(b"\f")[3], {"found": found})
    assert json.dumps(odd.name) in json.dumps(found)
