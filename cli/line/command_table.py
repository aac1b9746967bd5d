"""The one table of what a person may say at any time: by a word, by a key, by a click.

It feeds the plain table's words and help, the keys, footer and help of the full screen, and the
manual. Choices of the open question are none of these: they are the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cli.i18n import N_, pgettext


@dataclass(frozen=True, slots=True)
class Command:
    """Something that may be said.

    `argument` is what follows the word; `where`: "anywhere", "nearby" (there is no table yet),
    "lobby", "match" or "replay"; `aliases`: other words. `keys` are those of the full screen
    (`title` goes with them into its footer); a command whose `typed` is False has a key and no
    word.
    """

    name: str
    argument: str
    help: str
    where: str = "anywhere"
    aliases: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    title: str = ""
    typed: bool = True


def _by_word(name: str, argument: str, about: str, where: str, *aliases: str) -> Command:
    """A command with a word and no key."""
    return Command(name, argument, about, where, aliases)


def _by_both(
    where: str, name: str, keys: Sequence[str], title: str, about: str, *aliases: str
) -> Command:
    """A command with a word that nothing follows, and with keys."""
    return Command(name, "", about, where, aliases, tuple(keys), title)


def _by_key(where: str, name: str, keys: Sequence[str], title: str, about: str) -> Command:
    """A command with keys and no word."""
    return replace(_by_both(where, name, keys, title, about), typed=False)


_ANY, _NEARBY, _LOBBY, _MATCH, _REPLAY = "anywhere", "nearby", "lobby", "match", "replay"

COMMANDS: tuple[Command, ...] = (
    _by_word("hand", "", "your cards, with their costs", _MATCH),
    _by_word("table", "", "everything that lies open", _ANY, "lobby", "seats"),
    _by_word("city", "[NAME]", "your city, or somebody's", _MATCH),
    _by_word("gold", "", "everybody's gold and number of cards", _MATCH),
    _by_word("called", "", "the characters known in this round", _MATCH),
    _by_word("crown", "", "who has the crown", _MATCH),
    _by_word("score", "", "what the cities are worth so far", _MATCH, "points"),
    Command("card", "NAME", "what a card or character does", keys=("r",), title=N_("cards")),
    _by_word("rules", "", "the rules in short", _ANY),
    _by_word("why", "[NUMBER or NAME]", "why something is not possible now", _MATCH),
    _by_both(
        _MATCH, "advise", "w", "advice", "what a bot would do here, and why", "advice", "hint"
    ),
    _by_word("again", "", "the open question once more", _MATCH),
    Command("log", "[COUNT]", "what happened last", keys=("l",), title=N_("journal")),
    _by_both(_ANY, "words", "k", "safety words", "the safety words of this table"),
    Command("say", "TEXT", "speak to the table", _ANY, ("chat",), ("t",), "talk"),
    _by_both(_LOBBY, "code", "c", "join code", "the join code, in words and as a QR code"),
    _by_word("ready", "", "agree to the table as it is", _LOBBY),
    _by_word("unready", "", "take back that you agree", _LOBBY),
    _by_both(
        _LOBBY, "explain", "f", "I am new", "have every step of the match explained, or no more"
    ),
    _by_word("start", "", "begin the match (the host)", _LOBBY),
    _by_word("reopen", "", "open a table whose host is gone once more", _LOBBY),
    _by_word("kick", "SEAT", "send a guest away (the host)", _LOBBY),
    _by_word("readmit", "", "let in again whoever was sent away (the host)", _LOBBY),
    _by_word("welcome", "", "let others look on at this table (the host)", _LOBBY),
    _by_word("bot", "SEAT [LEVEL]", "let a bot play a seat (the host)", _LOBBY),
    _by_word("open", "SEAT", "send a bot away (the host)", _LOBBY),
    _by_word("rest", "[LEVEL]", "let a bot play your seat", _MATCH),
    _by_word("return", "", "play your seat yourself again", _MATCH),
    _by_word("hurry", "", "say that whoever decides has thought for long enough", _MATCH),
    _by_word("depart", "", "give your seat up for good; of two, it ends the match", _MATCH),
    _by_both(
        _MATCH,
        "takeover",
        "o",
        "take over",
        "go on here instead of your program on another laptop",
        "take-over",
    ),
    _by_both(
        _MATCH,
        "more",
        "m",
        "once more",
        "once more with the same people, when the match is over",
        "rematch",
    ),
    _by_key(
        _MATCH,
        "own_seat",
        "b",
        "your seat",
        "let a bot play your seat, play it again, or give it up",
    ),
    _by_word("options", "", "the game that this table plays", _ANY),
    _by_word("change", "[OPTION VALUE]", "propose another game (the host)", _LOBBY),
    _by_word("language", "[LANGUAGE]", "speak another language", _ANY, "lang"),
    _by_key(_MATCH, "hide", "h", "hide", "hide your hand and character, or show them again"),
    _by_key(_NEARBY, "host", "n", "host", "host a table"),
    _by_key(
        _NEARBY,
        "watch",
        "w",
        "look on",
        "look on at the chosen table, where spectators are welcome",
    ),
    _by_key(
        _NEARBY, "find", "/", "find", "find a table by a part of its name, or of its host's"
    ),
    _by_key(
        _NEARBY,
        "put_away",
        "u",
        "put away",
        "put the chosen unfinished match away, until it is named again",
    ),
    _by_key(_NEARBY, "guide", "f", "first game", "a first game with a guide"),
    _by_key(_NEARBY, "practise", "p", "practise", "play against bots"),
    _by_key(_NEARBY, "address", "a", "address", "join by address or code"),
    _by_key(_NEARBY, "past", "y", "played", "the matches that are over: see one again"),
    _by_key(_NEARBY, "share", "d", "give", "give the program to a friend"),
    _by_key(_REPLAY, "step", ("right", " ", "enter"), "on", "on to what happens next"),
    _by_key(
        _REPLAY, "step_back", ("left", "backspace"), "back", "back to what happened before"
    ),
    _by_key(_REPLAY, "turn_on", ("down",), "turn", "on to the next turn"),
    _by_key(
        _REPLAY, "turn_back", ("up",), "", "back to where the turn begins, or the one before"
    ),
    _by_key(_REPLAY, "round_on", ("pagedown",), "round", "on to the next round"),
    _by_key(
        _REPLAY,
        "round_back",
        ("pageup",),
        "",
        "back to where the round begins, or the one before",
    ),
    _by_key(_REPLAY, "beginning", ("home",), "", "to the beginning"),
    _by_key(_REPLAY, "finish", ("end",), "", "to the end and the score"),
    _by_key(_REPLAY, "jump", "g", "go to", "go to a round, or to the call of a character"),
    _by_key(_REPLAY, "turned", "e", "turning points", "the rounds that decided it"),
    _by_key(_REPLAY, "ponder", "w", "advice", "what a bot would have done here, and why"),
    _by_key(_REPLAY, "chair", "v", "hands", "choose whose hand to see"),
    _by_key(_MATCH, "react", "e", "say", "say something short: the digit behind it says it"),
    _by_key(_MATCH, "nudge", "n", "nudge", "remind whoever is waited for"),
    _by_key(_ANY, "settings", "s", "settings", "name, language, colours"),
    _by_both(_MATCH, "enough", "x", "end the guide", "no more explanations for beginners"),
    _by_both(_ANY, "help", ("?", "f1"), "help", "this list", "?"),
    _by_key(_ANY, "redraw", ("c-l",), "", "paint the screen anew"),
    _by_key(_ANY, "suspend", ("c-z",), "", "put the program aside for a while"),
    _by_both(_ANY, "quit", ("q", "c-c"), "leave", "leave the table", "leave", "exit"),
)

#: command by any of its words
BY_WORD = {
    name: command
    for command in COMMANDS
    if command.typed
    for name in (command.name, *command.aliases)
}


def by_key(commands: Sequence[Command]) -> dict[str, dict[str, Command]]:
    """Key → place → command. ValueError where two have one key, and one place: a footer would
    promise what another command does.
    """
    found: dict[str, dict[str, Command]] = {}
    for command in commands:
        for key in command.keys:
            others = found.setdefault(key, {})
            for place, other in others.items():
                if place == command.where or "anywhere" in (place, command.where):
                    raise ValueError(f"{other.name} and {command.name} have one key: {key}")
            others[command.where] = command
    return found


#: key → place → command
BY_KEY = by_key(COMMANDS)


def meant_by(key: str, place: str) -> Command | None:
    """The command of a key: that of this place, of all places, or of another one."""
    at = BY_KEY.get(key, {})
    return at.get(place) or next(iter(at.values()), None)


#: command by its name
BY_NAME = {command.name: command for command in COMMANDS}


#: key by its name → what is printed on it
PRINTED = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn",
    "home": "Home", "end": "End", "enter": "Enter", "backspace": "Backspace", " ": "Space",
    "f1": "F1",
}  # fmt: skip


def shown_key(key: str) -> str:
    """A key as it is printed on the keyboard."""
    if key.startswith("c-"):
        return f"Ctrl-{key[2:].upper()}"
    return PRINTED.get(key, key)


def in_words(keys: str) -> str:
    """Names of keys in the language that is spoken, where keyboards there print another."""
    return pgettext("printed on a key", "Enter") if keys == "Enter" else keys


def plain_arrows(keys: str) -> str:
    """Names of keys without arrows, for terminals that have none."""
    named = (("↑↓", "Up/Dn"), ("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right"))
    for sign, name in named:
        keys = keys.replace(sign, name)
    return keys
