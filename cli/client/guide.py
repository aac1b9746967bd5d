"""The guide: what a newcomer is told, each thing once, at the moment when it happens.

A moment is a sentence or three, and a question to what the client knows: does this happen now?
So the guide fits whatever is played. The moments about keys are also the hints of everybody's
first match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.i18n import _

#: a question to what the client knows
Holds = Callable[[ClientModel], bool]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is told, and when. `page`: "table", "lookback" or "score"; `only`: "screen" or
    "lines", where it is not about the game but about how that is played here.
    """

    text: str
    holds: Holds
    page: str = "table"
    only: str = ""


# What may be true of a match at one moment


def seen(holds: Callable[[View], bool]) -> Holds:
    """That is so of the table, once there is one."""
    return lambda model: model.view is not None and holds(model.view)


def asked(kind: str, round_: int = 1) -> Holds:
    """That is asked, from this round on."""
    return lambda model: (
        model.ask is not None and model.ask.kind == kind and _round(model) >= round_
    )


def offers(*verbs: str) -> Holds:
    """All of them are possible now, in one's own turn."""

    def holds(model: ClientModel) -> bool:
        ask = model.ask
        return (
            ask is not None
            and ask.kind == "act"
            and {x.verb for x in ask.options}.issuperset(verbs)
        )

    return holds


def plays(character: str) -> Holds:
    """It is one's own turn, as this character."""

    def holds(model: ClientModel) -> bool:
        turn = None if model.view is None else model.view.turn
        mine = turn is not None and (turn.seat, turn.character) == (model.me, character)
        return mine and asked("act")(model)

    return holds


def befalls(purpose: str, *, mine: bool) -> Holds:
    """That is to befall one's own character, or another; and it was laid there by others."""

    def holds(model: ClientModel) -> bool:
        you = None if model.view is None else model.view.you
        own = you.characters if you is not None else ()
        return any(
            mark.purpose == purpose and mark.seat != model.me and not mark.done
            for role, marks in model.stakes.on.items()
            if (role in own) is mine
            for mark in marks
        )

    return holds


def suffered(kind: str, by: str, victim: str) -> Holds:
    """Another player has done this to one as that character, and nothing has happened since;
    `victim`: the event's field for whom.
    """

    def holds(model: ClientModel) -> bool:
        turn = None if model.view is None else model.view.turn
        if model.last is None or model.last.kind != kind or turn is None:
            return False
        mine = model.last.fields()[victim] == model.me != turn.seat
        return mine and turn.character == by

    return holds


def gathers(model: ClientModel) -> bool:
    """Gold or cards, and no district of one's own that changes what they are."""
    return offers("gold", "cards")(model) and not _owns("library", "observatory")(model)


def _owns(*districts: str) -> Holds:
    def holds(model: ClientModel) -> bool:
        city = model.view.seats[model.me].city if model.view and model.me is not None else ()
        return any(one.card in districts for one in city)

    return holds


def may_end(model: ClientModel) -> bool:
    """The turn may end, and the first time not before something could be built."""
    builds = offers("build")(model) and _round(model) == 1
    return offers("end")(model) and not builds


def keeps(model: ClientModel) -> bool:
    """One of two cards."""
    ask = model.ask
    two = ask is not None and len(ask.options) == 2 and ask.low is None
    return two and asked("keep")(model) and not _owns("library", "observatory")(model)


def holds_unique(model: ClientModel) -> bool:
    you = None if model.view is None else model.view.you
    hand = () if you is None else you.hand
    unique = any(DISTRICTS[one.card].quarter == "unique" for one in hand)
    return unique and asked("act")(model)


def opens(model: ClientModel) -> bool:
    """Some line of the menu leads to more choices."""
    verbs = [x.verb for x in model.ask.options] if model.ask is not None else []
    return any(verbs.count(verb) > 1 for verb in verbs if verb not in ("build", "take"))


def _is_nearly_over(view: View) -> bool:
    """Two districts more complete a city."""
    most = max(len(seat.city) for seat in view.seats)
    return not view.ends and most + 2 >= view.city_size


def _round(model: ClientModel) -> int:
    return 0 if model.view is None else model.view.round


#: by name; the first that holds comes first
MOMENTS: dict[str, Moment] = {
    "welcome": Moment(
        "Welcome to Citadels! You build a city, district by district. When somebody has"
        " {city} districts, the round is played out, and the most points win.",
        asked("character"),
    ),
    "key_enough": Moment(
        "Every step is explained like this. The word enough ends that, and you play on.",
        asked("character"),
        only="lines",
    ),
    "pick": Moment(
        "Each round everybody chooses a character in secret. Its rank says when your turn"
        " comes, 1 before 8, and its power is yours for this round.",
        asked("character"),
    ),
    "key_pick": Moment(
        "Arrows or a digit go to a choice, Enter takes it.",
        asked("character"),
        only="screen",
    ),
    "key_signs": Moment(
        "Each district is a building. Its ground floor shows kind and cost: ◊ is noble, +"
        " religious, ● trade, ▲ military, * unique; taller is dearer.",
        asked("character"),
        only="screen",
    ),
    "key_heads": Moment(
        "Over each city stand its districts of the {city} that end the match, gold, cards"
        " and points. The crown is with whoever chooses first; † marks who is murdered, ¤"
        " who is robbed.",
        asked("character"),
        only="screen",
    ),
    "out": Moment(
        "Some characters are out of this round. Everybody sees the ones that lie face up;"
        " another lies face down. So nobody quite knows who is who.",
        lambda model: asked("character")(model) and seen(lambda view: bool(view.faceup))(model),
    ),
    "crown": Moment(
        "Whoever has the crown chooses first, then the others round the table. The crown"
        " stays where it is until somebody plays the King.",
        asked("character", 2),
    ),
    "called": Moment(
        "Now the characters are called by rank. Whoever has the one that is called shows it"
        " and takes a turn; where nobody answers, the next rank is called.",
        seen(lambda view: view.turn is not None),
    ),
    "resources": Moment(
        "Your turn! First take two gold, or look at two districts and keep one. Gold pays"
        " for districts; without cards there is nothing to build.",
        gathers,
    ),
    "keep": Moment(
        "One of these comes to your hand, the other goes under the deck. A cheap district"
        " is soon built, a dear one brings more points.",
        keeps,
    ),
    "build": Moment(
        "Now you may build, usually one district a turn and never two of the same name. You"
        " pay its cost in gold, and at the end it is worth as many points.",
        offers("build"),
    ),
    "end": Moment(
        "When there is nothing more that you want to do, end your turn. Gold and cards that"
        " are left are yours in the next round too.",
        may_end,
    ),
    "murdered": Moment(
        "The Assassin has named your character! You stay silent when it is called, and this"
        " turn is lost. Your gold, hand and city are not: soon there is another round.",
        befalls("murder", mine=True),
    ),
    "robbed": Moment(
        "The Thief has named your character: when it is called, the Thief gets all the gold"
        " that you have then. What you gather in your turn stays yours.",
        befalls("theft", mine=True),
    ),
    "destroyed": Moment(
        "The Warlord has destroyed a district of yours, for one gold less than its cost. So"
        " dear ones are safer, and nobody can touch the city of a living Bishop.",
        suffered("destroyed", "warlord", "owner"),
    ),
    "swapped": Moment(
        "The Magician has exchanged hands with you: your cards are gone, and those of the"
        " other player are yours. A large hand attracts it, so build what you can.",
        suffered("cards_gained", "magician", "seat"),
    ),
    "assassin": Moment(
        "As the Assassin you name a character, not a player: whoever has it loses the turn."
        " Think of what the others would like to be.",
        plays("assassin"),
    ),
    "thief": Moment(
        "As the Thief you name a character. When it is called, all its player's gold is"
        " yours, so look who is rich; nobody can rob the Assassin or the murdered.",
        plays("thief"),
    ),
    "magician": Moment(
        "As the Magician you may exchange your hand with another player's, or cards of"
        " yours with the deck. Build first, exchange later: few cards for many!",
        plays("magician"),
    ),
    "king": Moment(
        "As the King you have the crown now, so in the next round you choose first. And"
        " your noble districts bring you gold.",
        plays("king"),
    ),
    "bishop": Moment(
        "As the Bishop you need not fear the Warlord in this round. And your religious"
        " districts bring you gold.",
        plays("bishop"),
    ),
    "merchant": Moment(
        "As the Merchant you get one gold more in this turn. And your trade districts bring"
        " you gold: the deck has many of them.",
        plays("merchant"),
    ),
    "architect": Moment(
        "As the Architect you get two cards more, and you may build up to three districts"
        " in this turn, if you can pay for them.",
        plays("architect"),
    ),
    "warlord": Moment(
        "As the Warlord you may destroy a district for one gold less than its cost, so one"
        " that costs 1 at no cost. And your military districts bring you gold.",
        plays("warlord"),
    ),
    "income": Moment(
        "Your city pays: one gold for each district of your character's type. Take it once"
        " in the turn; if you build one of that type first, it counts too.",
        offers("income"),
    ),
    "unique": Moment(
        "There is a unique district in your hand. Once such a one stands in your city, it"
        " does something of its own; its card says what.",
        holds_unique,
    ),
    "murder": Moment(
        "The Assassin has named a character. Whoever has it gives no answer when it is"
        " called, and loses the turn. Luckily it is not yours.",
        befalls("murder", mine=False),
    ),
    "lookback": Moment(
        "The round is over, and this is what became known: who was who, and what they have"
        " now. All characters go back, and the crown's owner begins the next round.",
        lambda model: model.recap is not None and not model.recap.last,
        page="lookback",
    ),
    "types": Moment(
        "A city with all five types of district is worth three points more at the end. So"
        " look which type you have not got yet.",
        asked("character", 3),
    ),
    "nearly": Moment(
        "A city is nearly complete! The match ends with the round in which a city has"
        " {city} districts: four points for the first, two for others that make it.",
        seen(_is_nearly_over),
    ),
    "last_round": Moment(
        "A city is complete, so this is the last round. Look what still brings you points:"
        " a dear district, or the type that you have not got.",
        seen(lambda view: view.ends),
    ),
    "score": Moment(
        "The points: what each district costs, three for all five types, four for the first"
        " complete city, two for the others, and what unique districts add. Well played!",
        lambda model: True,
        page="score",
    ),
    "key_dim": Moment(
        "What is dim below the choices is not possible now. The reason stands before it.",
        lambda model: model.ask is not None and bool(model.ask.barred),
        only="screen",
    ),
    "key_more": Moment(
        "An entry with an arrow opens more choices. Esc takes you back, nothing is sent.",
        opens,
        only="screen",
    ),
    "key_cards": Moment(
        "The key r tells what every card does, and ? helps at any time.",
        asked("character", 2),
        only="screen",
    ),
    "key_advice": Moment(
        "The key w says what a bot would do here, and why.",
        lambda model: asked("act")(model) and model.may_be_advised,
        only="screen",
    ),
    "key_journal": Moment(
        "What is bright in the journal is new to you; l shows all of it.",
        asked("act", 2),
        only="screen",
    ),
    "key_cities": Moment(
        "Tab spells out the next city. Gold and numbers of cards are open.",
        asked("act", 3),
        only="screen",
    ),
}

#: the guide on the full screen and in plain lines, and what everybody's first match has of it
ON_SCREEN = tuple(one for one in MOMENTS.values() if one.only != "lines")
IN_LINES = tuple(one for one in MOMENTS.values() if one.only != "screen")
HINTS = tuple(one for one in MOMENTS.values() if one.only == "screen")


class Guide:
    """Which moment is told now. An answer makes room for the next."""

    def __init__(self, moments: Sequence[Moment] = ()) -> None:
        self.now: Moment | None = None
        self._left = list(moments)
        self._asked: object = None  #: what was asked when `now` came up

    @property
    def over(self) -> bool:
        """Whether nothing more will be told."""
        return not self._left and self.now is None

    def stop(self) -> None:
        """The person has heard enough."""
        self._left, self.now = [], None

    def notice(self, model: ClientModel) -> None:
        """Something has changed: what stands may be over, and something else be to be told."""
        if self.now is not None and not (model.ask is self._asked and _is(self.now, model)):
            if self._stands(model):
                return
            self.now = None
        if self.now is None:
            self.go_on(model)

    def go_on(self, model: ClientModel) -> None:
        """What stands is read."""
        self.now = self._next(model)
        self._asked = model.ask
        if self.now is not None:
            self._left.remove(self.now)

    def text(self, model: ClientModel) -> str:
        """What is told now; '' for nothing."""
        if self.now is None or not (_is(self.now, model) or self._stands(model)):
            return ""
        city = 0 if model.view is None else model.view.city_size
        return _(self.now.text).format(city=city)

    def _stands(self, model: ClientModel) -> bool:
        """Whether what came up stays although its moment is over: where others play on, until
        it is read, or there is something else to tell.
        """
        now = self.now
        lasts = now is not None and now.page == "table" and not now.only  # no key's hint
        return (
            lasts
            and model.is_live
            and _page(model) in ("", "table")
            and self._next(model) is None
        )

    def _next(self, model: ClientModel) -> Moment | None:
        return next((one for one in self._left if _is(one, model)), None)

    def tell(self, model: ClientModel) -> tuple[str, ...]:
        """Everything that is to be told now, as lines; a round is looked back on with them."""
        told = []
        self.notice(model)
        while (said := self.text(model)) or model.recap is not None:
            if said:
                told.append(_("Guide: {text}").format(text=said))
            else:
                model.recap = None
            self.go_on(model)
        return tuple(told)


def _is(moment: Moment, model: ClientModel) -> bool:
    """Whether it happens now, before the person's eyes."""
    return moment.page == _page(model) and moment.holds(model)


def _page(model: ClientModel) -> str:
    """The page that stands; '' while a question to the person is on its way."""
    if model.recap is not None:
        return "lookback"
    if model.over is not None:
        return "score"
    mine = model.awaited is not None and model.awaited.seat == model.me
    on_its_way = mine and model.ask is None
    return "" if model.view is None or model.view.you is None or on_its_way else "table"
