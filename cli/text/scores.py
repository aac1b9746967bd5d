"""The end in words: points, and what they are for."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.match import OverNews, SeatScore, StandingNews
from citadels_p2p.rules import Rules
from cli.i18n import N_, _, ngettext
from cli.text import cards
from cli.text.game import option_name, option_value
from cli.text.scene import Scene, called, listing

SCORES: dict[str, str] = {
    "districts": N_("districts"),
    "quarters": N_("all five types"),
    "first_city": N_("first complete city"),
    "other_city": N_("complete city"),
}


def score_reason(code: str) -> str:
    """What points are for."""
    return _(SCORES[code]) if code in SCORES else cards.district(code)


def final(
    news: OverNews, scene: Scene, options: Mapping[str, object] | None = None
) -> tuple[str, ...]:
    """The scores, best first, each with its reasons; with the game's `options` also what has
    decided between equals.
    """
    ranked = sorted(news.scores, key=lambda score: (score.rank, score.seat))
    rows = (_score(score, scene) for score in ranked)
    return (*resigned(news, scene), _("Final score:"), *rows, *decider(news, options))


def resigned(news: OverNews, scene: Scene) -> tuple[str, ...]:
    """Who has ended the match before its time; nothing where it was played to its end."""
    if not news.resigned:
        return ()
    if any(scene.is_you(seat) for seat in news.resigned):
        return (_("You have left for good; the score is as it stood."),)
    name = scene.name(news.resigned[0])
    if news.claimed:
        return (
            _("{name} did not come back, and the match was claimed as it stood.").format(
                name=name
            ),
        )
    return (_("{name} has left for good; the score is as it stood.").format(name=name),)


def decider(news: OverNews, options: Mapping[str, object] | None) -> tuple[str, ...]:
    """The rule that broke a tie in points; nothing where there was no tie to break."""
    ranks = {(score.total, score.rank) for score in news.scores}
    if options is None or len(ranks) == len({total for total, _rank in ranks}):
        return ()
    value = option_value("ties", Rules.from_options(options).ties)
    return (_("{option}: {value}").format(option=option_name("ties"), value=value),)


def evening(news: StandingNews) -> tuple[str, ...]:
    """How this evening has gone; nothing after its first match."""
    if news.matches < 2:
        return ()
    rows = sorted(news.rows, key=lambda row: -row.wins)
    wins = ", ".join(f"{called(row.name)} {row.wins}" for row in rows)
    lines = [
        ngettext(
            "{count} match this evening. Wins: {wins}.",
            "{count} matches this evening. Wins: {wins}.",
            news.matches,
        ).format(count=news.matches, wins=wins)
    ]
    most = max(row.murdered for row in news.rows)
    if most:
        names = listing([called(row.name) for row in news.rows if row.murdered == most])
        often = ngettext(
            "Murdered most often: {names}, {count} time.",
            "Murdered most often: {names}, {count} times.",
            most,
        )
        lines.append(often.format(names=names, count=most))
    return tuple(lines)


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
    """Where the match is saved, and the commands that verify it and step through it; practice
    that was kept as text has nothing to verify.
    """
    from protocol.storage.match_files import SUFFIX  # a match's modules: the lobby needs none

    if not path.endswith(SUFFIX):
        again = _("Step through it: citadels replay {path}").format(path=shown_path(path))
        return _("The match is saved: {path}").format(path=path), again
    return (
        _("The match is saved: {path}").format(path=path),
        _("Anybody can check it: citadels verify {path}").format(path=shown_path(path)),
        _("Step through it: citadels replay"),
    )


def shown_path(path: str) -> str:
    """A path as it may be pasted into a command line."""
    return f'"{path}"' if " " in path else path
