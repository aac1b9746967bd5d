"""The page for a browser: whole in itself, safe whatever names say, and really working."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match.archive.record import MatchRecord
from cli import i18n
from cli.client.web_page import page
from cli.drawing.building import body_height
from cli.drawing.outline import GOLD

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def opened(path: Path, where: str, profile: Path) -> str:
    """The document as the browser has it once its script has run."""
    assert BROWSER is not None
    run = subprocess.run(
        [
            BROWSER,
            *FLAGS,
            f"--user-data-dir={profile}",
            "--dump-dom",
            f"{path.as_uri()}{where}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return run.stdout


def test_the_page_needs_nothing_from_anywhere(record: MatchRecord) -> None:
    written = page(record)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", written)
    assert "default-src 'none'" in written


def test_a_name_cannot_break_out_of_the_story(record: MatchRecord) -> None:
    names = ("</script><script>alert(1)</script>", "<!--", *record.names[2:])
    written = page(replace(record, names=names))
    assert written.count("<script>") == 1
    assert written.count("</script>") == 1


def test_every_moment_and_every_chair_are_in_the_page(record: MatchRecord) -> None:
    written = page(record)
    told = json.loads(re.search(r"const story = (\{.*\});\n", written).group(1))  # type: ignore[union-attr]
    assert len(told["moments"]) == len(record.moments)
    assert told["chairs"] == [-1, 0, 1, 2]
    assert {len(moment["views"]) for moment in told["moments"]} == {4}


def test_every_house_of_the_match_is_drawn_as_high_as_it_is_dear(record: MatchRecord) -> None:
    told = json.loads(re.search(r"const story = (\{.*\});\n", page(record)).group(1))  # type: ignore[union-attr]
    cities = [seat["city"] for one in told["moments"] for seat in one["views"][0]["seats"]]
    houses = [house for city in cities for house in city]
    assert houses
    for _name, cost, kind, looks in houses:
        high, body, roof, _panes = told["houses"][looks]
        assert looks.startswith(f"{kind} {cost}")
        assert body == body_height(cost, GOLD) < high
        assert roof.startswith("M")


def test_the_page_speaks_the_language_that_is_chosen(record: MatchRecord) -> None:
    with i18n.speaking("fr"):
        assert '"lang":"fr"' in page(record)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here; CI installs it")
def test_a_browser_steps_through_it(record: MatchRecord, tmp_path: Path) -> None:
    path = tmp_path / "match.html"
    path.write_text(page(record), encoding="utf-8")
    profile = tmp_path / "profile"
    first = opened(path, "", profile)
    assert f"1 / {len(record.moments)}" in first
    last = opened(path, f"#{len(record.moments)},2", profile)
    assert f"{len(record.moments)} / {len(record.moments)}" in last
    standing = record.moments[-1].views[None].seats
    assert last.count('class="house ') == sum(len(seat.city) for seat in standing)
    assert first.count('class="house ') == 0
    ends = {moment.views[None].round: moment.views[None].seats for moment in record.moments}
    gold = max(seat.gold for seats in ends.values() for seat in seats)
    assert f"From 0 to {gold}, rounds 1 to {len(ends)}" in last
    assert last.count("<polyline") == 2 * (len(record.names) + 1)
