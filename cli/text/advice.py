"""What a bot would do in the viewer's place, and why, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.match import AdviceNews, Ask, Ground
from cli.i18n import N_, NN_, Message, _, phrase
from cli.text.blanks import filled
from cli.text.labels import label
from cli.text.scene import Scene, listing

#: code of a reason → its sentence
GROUNDS: Mapping[str, Message] = {
    "income": NN_("Your city pays it {gold} gold."),
    "power": N_("{character}: a strong power."),
    "bearer": N_("{character}: {seat} has it, with a chance of {percent}%."),
    "near": N_("{seat}: {built} of {needed} districts."),
    "rich": NN_("{seat}: {gold} gold."),
    "short": NN_("{gold} gold is missing for this: {card}."),
    "bare": N_("Nothing in your hand can be built."),
    "paid": N_("Your gold pays for all of your hand already."),
    "points": NN_("It is worth {points} point.", "It is worth {points} points."),
    "new_quarter": N_("It is the first of its type in your city."),
    "completes": N_("It completes your city."),
    "pays_more": NN_(
        "Then you can pay for {count} district more.",
        "Then you can pay for {count} districts more.",
    ),
    "later": N_("It costs nothing, and nothing better comes before it."),
    "hands": N_("{seat} holds {count}; {own} of your own would be of use."),
    "spare": NN_(
        "{count} card of your hand is of no use.",
        "{count} cards of your hand are of no use.",
    ),
    "price": NN_("It costs you {gold} gold."),
    "nothing_left": N_("What is left would bring less than it costs."),
}


def advice(news: AdviceNews, ask: Ask, scene: Scene) -> tuple[str, ...]:
    """What a bot would choose; why; how likely it holds the viewer to win then."""
    choice = _("A bot would choose: {choice}.").format(choice=_said(news.picks, ask, scene))
    if news.percent is None:
        return (choice, _("There is nothing else to choose."))
    chance = _("Your chance to win, by its reckoning: {percent}%.").format(percent=news.percent)
    lines = (choice, *(ground(one, scene) for one in news.grounds), chance)
    if not news.next:
        return lines
    other = _("The next best: {choice}, {percent}%.").format(
        choice=_said(news.next, ask, scene), percent=news.next_percent
    )
    return (*lines, other)


def ground(one: Ground, scene: Scene) -> str:
    """A reason as a sentence."""
    if one.code == "price" and not one.fields["gold"]:
        return _("It costs you nothing.")
    return phrase(GROUNDS[one.code], filled(scene, one.fields))


def _said(picks: tuple[str, ...], ask: Ask, scene: Scene) -> str:
    labels = [label(option, scene) for option in ask.options if option.id in picks]
    return listing(labels) if labels else _("nothing")
