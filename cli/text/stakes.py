"""What everybody knows to lie on the characters of a round: who is murdered, threatened, and
the like; folded from events alone, so that it holds for the whole round. And its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citadels_p2p.rules.events import Event
from cli.i18n import N_, _, counted
from cli.text import cards
from cli.text.scene import Scene, listing

#: purposes of `named` and `markers_placed`, in the order in which they are told
PURPOSES = ("murder", "witchcraft", "theft", "warrants", "threats")


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that lies on a character: why, and who laid it there.

    `done`: it has come true; `gold`: what that cost.
    """

    purpose: str
    seat: int
    done: bool = False
    gold: int = 0


class Stakes:
    """What lies on which character in this round."""

    def __init__(self) -> None:
        self.on: dict[str, tuple[Mark, ...]] = {}
        self._turn = ""  #: the character whose turn it is

    def of(self, character: str | None) -> tuple[Mark, ...]:
        """What lies on this character."""
        return self.on.get(character or "", ())

    def hear(self, event: Event) -> None:
        fields = event.fields()
        seat, role = fields.get("seat"), fields.get("character")
        purpose = str(fields.get("purpose"))
        match event.kind:
            case "round_begins":
                self.on, self._turn = {}, ""
            case "rank_called" | "turn_begins" | "turn_resumed":
                self._turn = str(role or "")
            case "named" if purpose in PURPOSES:
                self._lay(str(role), purpose, seat)
            case "markers_placed":
                bearers = fields["characters"]
                assert isinstance(bearers, tuple)
                for bearer in bearers:
                    self._lay(str(bearer), purpose, seat)
            case "markers_withdrawn":
                self._lift(purpose, None)
            case "robbed":
                gold = fields["gold"]
                named = any(mark.purpose == "theft" for mark in self.of(self._turn))
                purpose = "theft" if named else "threats"
                self._come_true(purpose, gold if isinstance(gold, int) else 0)
            case "confiscated":
                self._come_true("warrants")
            case "threat_shown":
                self._come_true("threats")
            case "bribed" | "threat_dropped":
                self._lift("threats", self._turn)

    def _lay(self, character: str, purpose: str, seat: object) -> None:
        assert isinstance(seat, int)
        laid = (*self.of(character), Mark(purpose, seat))
        self.on[character] = tuple(sorted(laid, key=lambda mark: _place(mark.purpose)))

    def _lift(self, purpose: str, character: str | None, but: str = "") -> None:
        """Take marks off one character, or off all (None) but one."""
        for one, marks in self.on.items():
            if character in (None, one) and one != but:
                self.on[one] = tuple(mark for mark in marks if mark.purpose != purpose)

    def _come_true(self, purpose: str, gold: int = 0) -> None:
        """It was this character: what else of the kind was laid out means nothing any more."""
        self._lift(purpose, None, but=self._turn)
        self.on[self._turn] = tuple(
            replace(mark, done=True, gold=gold) if mark.purpose == purpose else mark
            for mark in self.of(self._turn)
        )


def _place(purpose: str) -> int:
    return PURPOSES.index(purpose) if purpose in PURPOSES else len(PURPOSES)


#: purpose → what lies there; a person's own, and somebody else's
_LAID: dict[str, tuple[str, str]] = {
    "murder": (N_("Murdered by you: {characters}."), N_("Murdered: {characters}.")),
    "witchcraft": (N_("Bewitched by you: {characters}."), N_("Bewitched: {characters}.")),
    "theft": (N_("To be robbed by you: {characters}."), N_("To be robbed: {characters}.")),
    "warrants": (N_("Your warrants: {characters}."), N_("Warrants: {characters}.")),
    "threats": (N_("Your threats: {characters}."), N_("Threats: {characters}.")),
}
#: purpose → what has come true
_DONE: dict[str, str] = {
    "theft": N_("Robbed: {characters}."),
    "warrants": N_("A district is confiscated: {characters}."),
    "threats": N_("The threat is real: {characters}."),
}
#: purpose → what whoever plays the character is told
_PERILS: dict[str, str] = {
    "murder": N_("You are murdered: your {character} stays silent."),
    "witchcraft": N_("You are bewitched: {name} plays the turn of your {character}."),
    "theft": N_("{name} is going to rob you, the {character}."),
    "warrants": N_("A warrant of {name} lies on your {character}."),
    "threats": N_("A threat of {name} lies on your {character}."),
}


def stakes(
    on: Mapping[str, Sequence[Mark]], scene: Scene, signed: Mapping[str, str]
) -> tuple[str, ...]:
    """A sentence for each kind of thing that lies on characters.

    `signed`: purpose → the character that bears the true one of the viewer's own markers.
    """
    said = []
    for purpose in PURPOSES:
        found = [
            (role, mark)
            for role, marks in on.items()
            for mark in marks
            if mark.purpose == purpose
        ]
        if not found:
            continue
        mine = scene.is_you(found[0][1].seat)
        done = purpose in _DONE and any(mark.done for _role, mark in found)
        sentence = _DONE[purpose] if done else _LAID[purpose][0 if mine else 1]
        names = [_bearer(role, signed.get(purpose)) for role, _mark in found]
        said.append(_(sentence).format(characters=listing(names)))
    return tuple(said)


def _bearer(role: str, signed: str | None) -> str:
    """A character that bears something; among one's own, the true one is said to be that."""
    name = cards.character(role)
    return _("{character} (the true one)").format(character=name) if role == signed else name


def peril(role: str, mark: Mark, scene: Scene) -> str:
    """What this mark means for the viewer, who plays `role`; '' where it means nothing."""
    if scene.is_you(mark.seat):
        return ""
    name, character = scene.name(mark.seat), cards.character(role)
    if mark.done and mark.purpose in ("theft", "threats"):
        if not mark.gold:
            return ""  # as if nothing had been
        return counted(
            "You are robbed: {name} takes {gold} gold of your {character}.",
            gold=mark.gold,
            name=name,
            character=character,
        )
    if mark.done:
        return _("{name} confiscates what your {character} builds.").format(
            name=name, character=character
        )
    return _(_PERILS[mark.purpose]).format(name=name, character=character)
