"""The end in words: points, and what they are for."""

from __future__ import annotations

from citadels_p2p.match.news import OverNews, SeatScore
from cli.i18n import _, ngettext
from cli.text.reasons import score_reason
from cli.text.scene import Scene


def final(news: OverNews, scene: Scene) -> tuple[str, ...]:
    """The scores, best first, each with its reasons."""
    ranked = sorted(news.scores, key=lambda score: (score.rank, score.seat))
    return (_("Final score:"), *(_score(score, scene) for score in ranked))


def _score(score: SeatScore, scene: Scene) -> str:
    parts = ", ".join(
        _("{reason} {points}").format(reason=score_reason(line.reason), points=line.points)
        for line in score.lines
    )
    name = _("You") if scene.is_you(score.seat) else scene.name(score.seat)
    return ngettext(
        "{rank}. {name}: {total} point ({parts}).",
        "{rank}. {name}: {total} points ({parts}).",
        score.total,
    ).format(rank=score.rank, name=name, total=score.total, parts=parts)


def saved(path: str) -> tuple[str, ...]:
    """Where the match is, and how anybody can check it."""
    return (
        _("The match is saved: {path}").format(path=path),
        _("Anybody can check it: citadels verify {path}").format(path=shown_path(path)),
    )


def shown_path(path: str) -> str:
    """A path as it may be pasted into a command line."""
    return f'"{path}"' if " " in path else path
