"""The end in words: points, and what they are for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from citadels_p2p.match import OverNews, ScoreLine, SeatScore, StandingNews
from citadels_p2p.rules import Rules
from cli.i18n import N_, NN_, _, counted, phrase
from cli.text import cards
from cli.text.blanks import capital
from cli.text.game import option_line
from cli.text.scene import Scene, called, listing

_NOTHING_SHOWN: Mapping[int, Sequence[str]] = {}

SCORES: dict[str, str] = {
    "districts": N_("districts"),
    "quarters": N_("all five types"),
    "first_city": N_("first complete city"),
    "other_city": N_("complete city"),
}
#: the same, where there is little room
_SHORT: dict[str, str] = {
    "quarters": N_("types"),
    "first_city": N_("first city"),
    "other_city": N_("full city"),
}


def part(line: ScoreLine, *, short: bool = False) -> str:
    """What some points are for, with their number."""
    words = {**SCORES, **_SHORT} if short else SCORES
    known = line.reason in words
    named = _(words[line.reason]) if known else cards.district(line.reason)
    return _("{reason} {points}").format(reason=named, points=line.points)


def parts(lines: Sequence[ScoreLine]) -> tuple[str, ...]:
    """What all points are for, the longest form first."""
    if not lines:
        return ("",)
    worth, *more = lines
    first, told = str(worth.points), [part(one) for one in more]
    brief = [part(one, short=True) for one in more]
    return (
        " + ".join((part(worth), *told)),
        " + ".join((first, *told)),
        " + ".join((part(worth), *brief)),
        " + ".join((first, *brief)),
        "+".join((first, *brief)),
        " + ".join(str(one.points) for one in lines),
    )


def won(news: OverNews, scene: Scene) -> str:
    """Who has won, and with how many points."""
    won_by = [score.total for score in news.scores if score.seat in news.winners]
    points = max(won_by, default=0)
    if news.winners == (scene.you,):
        said = NN_("You win with {points} point.", "You win with {points} points.")
    elif len(news.winners) == 1:
        said = NN_("{names} wins with {points} point.", "{names} wins with {points} points.")
    else:
        said = NN_(
            "{names} win with {points} point each.", "{names} win with {points} points each."
        )
    names = listing([_who(scene, seat) for seat in news.winners])
    return phrase(said, {"names": names, "points": points})


def final(
    news: OverNews,
    scene: Scene,
    options: Mapping[str, object] | None = None,
    shown: Mapping[int, Sequence[str]] = _NOTHING_SHOWN,
) -> tuple[str, ...]:
    """The scores, best first, each with its reasons; with the game's `options` also what has
    decided between equals, and how, with what each seat has `shown` in the last round.
    """
    ranked = sorted(news.scores, key=lambda score: (score.rank, score.seat))
    rows = (_score(score, scene) for score in ranked)
    return (
        *resigned(news, scene),
        _("Final score:"),
        *rows,
        *decider(news, options, scene, shown),
    )


def resigned(news: OverNews, scene: Scene) -> tuple[str, ...]:
    """Who has ended the match before its time; nothing where it was played to its end."""
    if not news.resigned:
        return ()
    if any(scene.is_you(seat) for seat in news.resigned):
        return (_("You have left for good; the score is as it stood."),)
    name = scene.name(news.resigned[0])
    if news.claimed:
        said = _("{name} did not come back, and the match was claimed as it stood.")
    else:
        said = _("{name} has left for good; the score is as it stood.")
    return (said.format(name=name),)


def decider(
    news: OverNews,
    options: Mapping[str, object] | None,
    scene: Scene,
    shown: Mapping[int, Sequence[str]],
) -> tuple[str, ...]:
    """The rule that broke a tie in points; nothing where there was no tie to break. With what
    each seat has `shown` in the last round, also how it did so for the winner.
    """
    ranks = {(score.total, score.rank) for score in news.scores}
    if options is None or len(ranks) == len({total for total, _rank in ranks}):
        return ()
    ties = Rules.from_options(options).ties
    if ties == "ranks" and (said := _by_rank(news, scene, shown)):
        return (said,)
    return (option_line("ties", ties),)


def _by_rank(news: OverNews, scene: Scene, shown: Mapping[int, Sequence[str]]) -> str:
    """How the ranks of the last round decided who has won; "" where they did not."""
    first, *others = sorted(news.scores, key=lambda score: score.rank)
    level = [score for score in others if score.total == first.total]
    if not level or level[0].rank == first.rank:
        return ""
    ranks = {role: rank for rank, role in scene.ranks.items()}
    mine, other = (
        max(((ranks.get(role, 0), role) for role in shown.get(one.seat, ())), default=None)
        for one in (first, level[0])
    )
    if mine is None or (other is not None and other[0] >= mine[0]):
        return ""
    blanks = {
        "name": _who(scene, first.seat),
        "other": _who(scene, level[0].seat),
        "points": first.total,
        "rank": f"{mine[0]} {cards.character(mine[1])}",
        "other_rank": _("none") if other is None else f"{other[0]} {cards.character(other[1])}",
    }
    said = _(
        "{other}: {points} too. The last round's ranks decide: {name} {rank},"
        " {other} {other_rank}."
    )
    return capital(said.format(**blanks))


def _who(scene: Scene, seat: int) -> str:
    return _("you") if scene.is_you(seat) else scene.name(seat)


def evening(news: StandingNews) -> tuple[str, ...]:
    """How this evening has gone; nothing after its first match."""
    if news.matches < 2:
        return ()
    rows = sorted(news.rows, key=lambda row: -row.wins)
    wins = ", ".join(f"{called(row.name)} {row.wins}" for row in rows)
    lines = [
        counted(
            "{count} match this evening. Wins: {wins}.",
            "{count} matches this evening. Wins: {wins}.",
            count=news.matches,
            wins=wins,
        )
    ]
    most = max(row.murdered for row in news.rows)
    if most:
        names = listing([called(row.name) for row in news.rows if row.murdered == most])
        often = counted(
            "Murdered most often: {names}, {count} time.",
            "Murdered most often: {names}, {count} times.",
            count=most,
            names=names,
        )
        lines.append(often)
    return tuple(lines)


def _score(score: SeatScore, scene: Scene) -> str:
    told = ", ".join(map(part, score.lines))
    name = scene.subject(score.seat)
    return counted(
        "{rank}. {name}: {total} point ({parts}).",
        "{rank}. {name}: {total} points ({parts}).",
        total=score.total,
        rank=score.rank,
        name=name,
        parts=told,
    )


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
