"""From a typed line to an answer to the open question."""

from __future__ import annotations

from dataclasses import dataclass

from citadels_p2p.match import Ask, Option
from cli import i18n
from cli.i18n import _
from cli.line.picking import Unclear, fold, pick, pick_several
from cli.text import Scene, cards, label
from cli.text.asking import numbers
from cli.text.table import Box


@dataclass(frozen=True, slots=True)
class Picked:
    """The option ids that were meant."""

    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Miscounted:
    """Too few or too many were named: the code of the refusal, and the bound."""

    code: str
    bound: int


def names(option: Option, scene: Scene) -> tuple[str, ...]:
    """Everything by which an option may be called, in English too; its label first."""
    found = [label(option, scene), option.id]
    if i18n.current() != "en":
        with i18n.speaking("en"):
            found.append(label(option, scene))
    match option.fields.get("card"):
        case str(card):
            found += [cards.district(card), card]
    match option.fields.get("character"):
        case str(role):
            found += [cards.character(role), role]
    match option.fields.get("seat"):
        case int(seat) if not scene.is_you(seat):
            found.append(scene.name(seat))
    return tuple(found)


def meanings(ask: Ask, scene: Scene) -> dict[str, str]:
    """What may be typed for an answer → the label that it stands for, for who mistyped it."""
    return {
        name: label(option, scene) for option in ask.options for name in names(option, scene)
    }


def is_plain_number(typed: str) -> bool:
    """Only numbers, commas and spaces: it can be nothing but an answer."""
    return all(part.isdecimal() for part in typed.replace(",", " ").split())


def understand(ask: Ask, typed: str, scene: Scene, box: Box) -> Picked | Miscounted | Unclear:
    """What a non-empty line means as an answer to `ask`."""
    known = numbers(ask, box)
    choices = [names(option, scene) for option in ask.options]
    if ask.low is None or ask.high is None:
        one = pick(typed, choices, known)
        return one if isinstance(one, Unclear) else Picked((ask.options[one].id,))
    word = fold(typed.strip())
    if word in ("none", fold(_("none"))):
        picked: tuple[int, ...] | Unclear = ()
    elif word in ("all", fold(_("all"))):
        picked = tuple(range(len(ask.options)))
    else:
        picked = pick_several(typed, choices, known)
    if isinstance(picked, Unclear):
        return picked
    if len(picked) < ask.low:
        return Miscounted("too_few", ask.low)
    if len(picked) > ask.high:
        return Miscounted("too_many", ask.high)
    return Picked(tuple(ask.options[index].id for index in picked))
