"""The pages there are, and when each of them stands.

The first kind that applies wins. Adding a page is one row here.
"""

from __future__ import annotations

from cli.screen.page import Kind
from cli.screen.pages.big import Big, BigWaiting
from cli.screen.pages.lookback import Lookback
from cli.screen.pages.passing import Passing
from cli.screen.pages.replay import Replay
from cli.screen.pages.score import Score
from cli.screen.pages.table import Table
from cli.screen.pages.waiting import Opening, Waiting

KINDS: tuple[Kind, ...] = (
    Kind("replay", lambda model: model.record is not None, Replay),
    Kind("passing", lambda model: model.passing is not None, Passing),
    Kind("lookback", lambda model: model.recap is not None, Lookback),
    Kind("score", lambda model: model.over is not None, Score),
    Kind("big", lambda model: model.is_big and model.view is not None, Big),
    Kind("table", lambda model: model.view is not None, Table),
    Kind("big-waiting", lambda model: model.is_big and model.lobby is not None, BigWaiting),
    Kind("waiting", lambda model: model.lobby is not None, Waiting),
    Kind("opening", lambda model: True, Opening),
)
