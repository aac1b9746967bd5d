"""How others come to a table, on the screen: the join code, words, and a QR code that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli import i18n
from cli.client.plain import Plain
from cli.screen.frame import LEAST
from cli.screen.screen import Screen
from cli.settings import Settings
from cli.share import qr
from cli.text.lobby import ways_in
from cli.text.spoken import told, words
from protocol.wire.spoken_code import SpokenCode
from tests import pseudo
from tests.cli.scripted import lobby
from tests.screens.robot import SIZES, painted, text

FOUR = "192.168.1.20:24482/OBPP-5BRA-U7BG-TQAJ"
SIX = "[fe80::1c2d:3eff:fe4f:5a6b]:24482/OBPP-5BRA-U7BG-TQAJ"
SPOKEN = SpokenCode((1, 20), None, (words("en").index("almond"), words("en").index("pigeon")))
HOSTED = replace(lobby(), hosting=True, you=0, code=FOUR, spoken=SPOKEN)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    i18n.use("en")
    yield
    i18n.use("en")


def opened(code: str = FOUR, theme: str = "dark", home: Path = Path()) -> Screen:
    screen = Screen(settled=Settings(home, theme=theme))
    screen.hear(replace(HOSTED, code=code), 0.0)
    screen.press("c")
    return screen


def shows(
    screen: Screen, picture: tuple[str, ...], columns: int, rows: int, *, plain: bool = False
) -> bool:
    """Whether each row of the picture stands below the one before, in one place."""
    lines = text(painted(screen, columns, rows, ascii_only=plain)).splitlines()
    place = next((n for n, said in enumerate(lines) if picture[0] in said), 0)
    left = lines[place].find(picture[0])
    stands = [said[left:].ljust(len(picture[0])) for said in lines[place:]]
    return all(
        said.startswith(row) for said, row in zip(stands, picture, strict=False)
    ) and len(stands) >= len(picture)


@pytest.mark.parametrize("code", [FOUR, SIX], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("plain", [False, True], ids=["blocks", "ASCII"])
def test_the_picture_is_there_whole_from_the_size_that_is_told(code: str, plain: bool) -> None:
    screen, picture = opened(code), qr.rows(code, ascii_only=plain)
    said = text(painted(screen, *LEAST, ascii_only=plain))
    asked = re.search(r"A window of (\d+).(\d+) cells", said)
    assert asked is not None
    columns, rows = int(asked[1]), int(asked[2])
    assert shows(screen, picture, columns, rows, plain=plain)
    assert not shows(screen, picture, columns, rows - 1, plain=plain)
    for size in SIZES:
        painted(screen, *size, ascii_only=plain)


def test_code_and_words_stand_beside_it() -> None:
    said = text(painted(opened(), 100, 30))
    assert "citadels join" in said
    for part in ("192.168.1.20:24482", "1-20-almond-pigeon-", "can pass for"):
        assert part in said.replace("\n", " "), part


def test_on_a_light_screen_what_is_dark_is_painted() -> None:
    assert shows(opened(theme="light"), qr.rows(FOUR, on_light=True)[1:-1], 100, 30)


def test_the_key_is_in_the_footer_of_the_waiting_room_and_shuts_it_again() -> None:
    screen = opened()
    assert "QR" in text(painted(screen, *LEAST))
    screen.press("c")
    assert "join code" in text(painted(screen, 100, 30)).splitlines()[-1]


def test_on_no_network_there_is_nothing_to_show() -> None:
    screen = Screen()
    screen.hear(replace(HOSTED, address="127.0.0.1:24482"), 0.0)
    screen.press("c")
    said = text(painted(screen, 100, 30))
    assert "on no network" in said
    assert "QR" not in said


def test_a_host_sees_the_words_in_the_waiting_room() -> None:
    screen = Screen()
    screen.hear(HOSTED, 0.0)
    for columns, rows in ((80, 24), (100, 30)):
        assert "citadels join 1-20-almond-pigeon-" in text(painted(screen, columns, rows))


def test_plain_lines_tell_the_words_and_show_the_picture_when_asked() -> None:
    plain = Plain()
    first = plain.hear(HOSTED)
    assert any("citadels join 1-20-almond-pigeon-" in str(effect) for effect in first)
    said = "\n".join(getattr(effect, "text", "") for effect in plain.read("code"))
    assert "\n".join(f"  {row}" for row in qr.rows(FOUR)) in said
    assert "1-20-almond-pigeon-" in said
    changed = plain.hear(replace(HOSTED, spoken=SpokenCode((1, 20), None, (5, 6))))
    assert any("citadels join 1-20-" in str(effect) for effect in changed)


def test_plain_lines_paint_what_is_dark_on_a_light_terminal() -> None:
    plain = Plain(on_light=True)
    assert "no table" in str(plain.read("code"))
    plain.hear(HOSTED)
    assert qr.rows(FOUR, on_light=True)[1] in str(plain.read("code"))


def test_it_is_translated_whole() -> None:
    with pseudo.spoken():
        said = "\n".join(ways_in(HOSTED))
    assert pseudo.untranslated(said, "citadels", "join", FOUR, told(SPOKEN)) == []


def test_the_join_code_follows_the_line_that_promises_it() -> None:
    screen = Screen()
    screen.hear(HOSTED, 0.0)
    rows = [row.strip() for row in text(painted(screen, 80, 24)).splitlines()]
    promise = next(n for n, row in enumerate(rows) if row.endswith("they type this:"))
    assert rows[promise + 1] == f"citadels join {FOUR}"
    assert any("1-20-almond-pigeon-" in row for row in rows[:promise])
