"""The pages there are, and when each of them stands.

The first kind that applies wins. Adding a page is one row here.
"""

from __future__ import annotations

from cli.screen.page import Kind
from cli.screen.pages.lookback import Lookback
from cli.screen.pages.opening import Opening
from cli.screen.pages.replay import Replay
from cli.screen.pages.score import Score
from cli.screen.pages.table import Table
from cli.screen.pages.waiting import Waiting

KINDS: tuple[Kind, ...] = (
    Kind("replay", lambda heard: heard.record is not None, Replay),
    Kind("score", lambda heard: heard.over is not None, Score),
    Kind("lookback", lambda heard: heard.recap is not None, Lookback),
    Kind("table", lambda heard: heard.view is not None, Table),
    Kind("waiting", lambda heard: heard.lobby is not None, Waiting),
    Kind("opening", lambda heard: True, Opening),
)
