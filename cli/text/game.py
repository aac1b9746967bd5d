"""The game that a table proposes: its options, what has changed, and why one is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, PRESETS, READINGS
from citadels_p2p.match import Patience
from citadels_p2p.rules import Rules
from cli.i18n import N_, NN_, _, counted, phrase
from cli.text import cards
from cli.text.guess import did_you_mean
from cli.text.scene import listing, shown

#: the option (a flag's name) that would have to change → codes of `Rules.make` and of presets,
#: and why
_REFUSED: dict[str, dict[str, str]] = {
    "edition": {"unknown_edition": N_("There is no such edition.")},
    "seats": {"seats_out_of_range": N_("Players in this edition ({edition}): {count}.")},
    "guided": {"guided_deal": N_("This is one fixed deal: say nothing else of the game.")},
    "city": {"city_out_of_range": N_("A city has 6, 7 or 8 districts.")},
    "characters": {
        "unknown_character": N_("No such character is in this edition: {named}."),
        "two_of_a_rank": N_("Two of these characters have the same rank: choose one of each."),
        "too_few_seats": N_("{character}: only with more players."),
        "no_ninth_character": N_("With so few players there is no character of rank 9."),
    },
    "uniques": {
        "unknown_unique": N_("No such unique district is in this edition: {named}."),
        "uniques_out_of_range": N_("Unique districts in this edition ({edition}): {count}."),
        "twice": N_("{card} is named twice."),
        "not_together": N_("{card}: never played with one of these characters."),
    },
    "draft": {"unknown_draft": N_("Characters are passed on or dealt: pass or deal.")},
    "characters_each": {
        "characters_each_out_of_range": N_("There are not enough characters for so many each."),
    },
    **{name: {f"unknown_{name}": N_("This option is not read so.")} for name in READINGS},
    "away": {"away_out_of_range": N_("A laptop counts as away after 1 second or more.")},
    "step_time": {"step_time_out_of_range": N_("A decision takes a day at most.")},
    "give_up": {"give_up_out_of_range": N_("A laptop loses its seat after a day at most.")},
    "escrow": {"unknown_escrow": N_("Laptops stand in: usual, strict or relaxed.")},
    "preset": {"unknown_preset": N_("There is no such preset in this edition.")},
    "people": {
        "too_many_people": N_("There are not enough seats for so many."),
        "no_screen": N_("To share a laptop you need a terminal that can be wiped."),
    },
    "big": {"not_full": N_("The big screen needs a terminal, and --ui full.")},
    "bots": {"no_seat_left": N_("No seat is left for a person.")},
    "bot_command": {"no_command": N_("That is no command: quote it as a shell would.")},
    "": {
        "nothing_to_draw": N_("This edition has no others that lots could draw."),
        "unknown_option": N_("There is no such option of a game."),
    },
}
#: code → the option, and why
REFUSALS = {
    code: (option, why) for option, codes in _REFUSED.items() for code, why in codes.items()
}

#: codes of what is too few or too many for an edition → what of it says how many
_SPANS = {"seats_out_of_range": "seats", "uniques_out_of_range": "unique_cards"}


def refused_game(problem: ValueError) -> tuple[str, str]:
    """Why a game is refused: the option to change ("" for none) and the sentence."""
    code, _colon, named = str(problem).partition(":")
    if code not in REFUSALS:
        return "", str(problem)
    option, sentence = REFUSALS[code]
    names = {"character": cards.character(named), "card": cards.district(named)}
    if code in _SPANS:
        fewest, most = getattr(EDITIONS[named], _SPANS[code])
        names["count"] = f"{fewest}" if fewest == most else f"{fewest}–{most}"
        names["edition"] = cards.edition(named)
    said = _(sentence).format(**names, named=shown(named) or "?")
    if code == "unknown_character" and named in CHARACTERS:
        others = [cards.edition(id) for id, box in EDITIONS.items() if named in box.cast]
        said = _("{character} belongs to another edition: {editions}.").format(
            character=cards.character(named), editions=listing(others)
        )
    elif code == "unknown_character":
        said += did_you_mean(named, {id: id for id in CHARACTERS})
    elif code == "unknown_preset":
        said += did_you_mean(named, {id: id for id in PRESETS})
    elif code == "unknown_unique":
        said += did_you_mean(
            named, {id: id for id, row in DISTRICTS.items() if row.quarter == "unique"}
        )
    return option, said


#: how long a table waits: the options of it
WAITING = ("step_time", "away", "give_up", "escrow")

#: option of a game → what it is called
OPTIONS: dict[str, str] = {
    "edition": N_("Edition"),
    "preset": N_("Preset"),
    "seats": N_("Seats"),
    "city": N_("Complete city"),
    "characters": N_("Characters"),
    "uniques": N_("Unique districts"),
    "draft": N_("Choosing characters"),
    "characters_each": N_("Characters each"),
    "complete": N_("Complete cities"),
    "ending": N_("End"),
    "gilding": N_("Artist's gold"),
    "steps": N_("Steps of a turn"),
    "ties": N_("Ties"),
    "unveiling": N_("Secret Vault"),
    "step_time": N_("Time for a decision"),
    "away": N_("Away after"),
    "give_up": N_("Seat lost after"),
    "escrow": N_("Standing in for who is away"),
}

#: further fields of a form → what they are called
FIELDS: dict[str, str] = {
    "table": N_("Name of the table"),
    "bots": N_("Bots"),
    "bot_level": N_("Bots play"),
    "spectators": N_("Spectators"),
    "locked": N_("Password"),
    "people": N_("Who shares this laptop"),
    "no_seat": N_("Without a seat of your own"),
    "start_when_full": N_("Begin when all are ready"),
    "step_time": N_("Seconds for a decision"),
    "away": N_("Seconds until away"),
    "give_up": N_("Seconds until a seat is lost"),
}

#: option → value → what it means, where the value is a word
_VALUES: dict[str, dict[str, str]] = {
    "preset": {
        "first_game": N_("First Game"),
        "devious_dignitaries": N_("Devious Dignitaries"),
        "illustrious_emissaries": N_("Illustrious Emissaries"),
        "vicious_nobles": N_("Vicious Nobles"),
        "ambitious_aristocrats": N_("Ambitious Aristocrats"),
        "cunning_agents": N_("Cunning Agents"),
        "tenacious_delegates": N_("Tenacious Delegates"),
        "devious_dignitaries_2016": N_("Devious Dignitaries (2016)"),
        "illustrious_emissaries_2016": N_("Illustrious Emissaries (2016)"),
        "vicious_nobles_2016": N_("Vicious Nobles (2016)"),
    },
    "draft": {"pass": N_("passed on"), "deal": N_("dealt by chance")},
    "complete": {
        "safe": N_("out of the reach of powers"),
        "open": N_("open to powers, the end may be taken back"),
    },
    "ending": {
        "round": N_("after the round that completes a city"),
        "turn": N_("after the turn that completes a city"),
    },
    "steps": {
        "free": N_("in any order"),
        "fixed": N_("in a fixed order"),
    },
    "ties": {
        "ranks": N_("the higher rank of the last round"),
        "costs": N_("more points in districts, then more gold"),
        "none": N_("stay as they are"),
    },
    "gilding": {
        "price": N_("raises the price for others"),
        "cost": N_("raises the cost itself"),
    },
    "escrow": {
        "usual": N_("two thirds of the others"),
        "relaxed": N_("a bare majority of the others"),
        "strict": N_("nobody: the game waits"),
    },
    "unveiling": {
        "points": N_("brings its points"),
        "quarter": N_("counts for all five types too"),
    },
}

#: what stands for characters and districts that are not named
_CHANCE: dict[str, str] = {
    "random": N_("others by lots"),
    "ninth": N_("one of rank 9"),
}

_DISTRICTS = NN_("{count} district", "{count} districts")


def option_name(option: str) -> str:
    """What an option of a game is called; a newer one by its own word."""
    known = OPTIONS.get(option)
    return _(known) if known else option.replace("_", " ")


def field_name(name: str) -> str:
    return _(FIELDS[name]) if name in FIELDS else option_name(name)


def option_value(option: str, value: object) -> str:
    known = _VALUES.get(option, {}).get(value) if isinstance(value, str) else None
    if known:
        return _(known)
    match option, value:
        case "edition", str():
            return cards.edition(value)
        case "city", int():
            return phrase(_DISTRICTS, {"count": value})
        case "bot_level", str():
            return cards.level(value)
        case "away" | "give_up" | "step_time", int() if value > 0:
            return counted("{count} second", "{count} seconds", count=value)
        case "give_up" | "step_time", 0:
            return _("no limit")
        case _, True:
            return _("yes")
        case _, False:
            return _("no")
        case "characters", list() | tuple():
            return _members(cards.character, value)
        case "uniques", list() | tuple():
            return _members(cards.district, value)
        case "people", tuple():
            return ", ".join(value)
        case _:
            return str(value)


def _members(name: Callable[[str], str], words: Iterable[object]) -> str:
    """Characters or districts of a game: first who is named, then what lots draw."""
    listed = sorted((str(word) for word in words), key=lambda word: word in _CHANCE)
    shown = [_member(name, word) for word in listed]
    if listed[:1] == ["random"]:
        shown[0] = _("drawn by lots")
    return listing(shown)


def _member(name: Callable[[str], str], word: str) -> str:
    """One of the characters or districts of a game, or what stands for such as lots draw."""
    return _(_CHANCE[word]) if word in _CHANCE else name(word)


def member_name(word: str) -> str:
    """A character or a district by its name, or what stands for such as lots draw."""
    return _member(cards.source, word)


def option_line(option: str, value: object) -> str:
    return _("{option}: {value}").format(
        option=option_name(option), value=option_value(option, value)
    )


def chosen(game: Rules, but: Collection[str] = ()) -> tuple[str, ...]:
    """The options of a game that are worth a line.

    Edition, seats and city always, unless they are among `but`; others where they are not what
    the edition usually has.
    """
    options = game.to_options()
    known = [option for option in OPTIONS if option in options]
    told = (*known, *sorted(set(options) - set(known)))
    return tuple(option_line(one, options[one]) for one in told if one not in but)


def differences(before: Rules, after: Rules) -> tuple[str, ...]:
    """The changes between two games, an option a line."""
    lines = []
    for option in OPTIONS:
        was, now = getattr(before, option, None), getattr(after, option, None)
        if was == now:
            continue
        if option in ("characters", "uniques") and isinstance(now, tuple):
            lines.append(option_line(option, _exchange(option, tuple(was or ()), now)))
        else:
            lines.append(option_line(option, now))
    return tuple(lines)


def waits(before: Patience | None, after: Patience | None) -> list[str]:
    """The changes between two agreements about waiting, an option a line."""
    if before is None or after is None:
        return []
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in WAITING]
    return [option_line(name, now) for name, was, now in pairs if was != now]


def _exchange(option: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """The members that a list gains and loses."""
    come = [option_value(option, (one,)) for one in after if one not in before]
    gone = [option_value(option, (one,)) for one in before if one not in after]
    parts = [_("in {names}").format(names=listing(come))] if come else []
    parts += [_("out {names}").format(names=listing(gone))] if gone else []
    return "; ".join(parts)
