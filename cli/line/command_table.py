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


def _typed(name: str, argument: str, about: str, where: str, *aliases: str) -> Command:
    """A command with a word and no key."""
    return Command(name, argument, about, where, aliases)


def _both(
    where: str, name: str, keys: Sequence[str], title: str, about: str, *aliases: str
) -> Command:
    """A command with a word that nothing follows, and with keys."""
    return Command(name, "", about, where, aliases, tuple(keys), title)


def _pressed(where: str, name: str, keys: Sequence[str], title: str, about: str) -> Command:
    """A command with keys and no word."""
    return replace(_both(where, name, keys, title, about), typed=False)


_ANY, _NEARBY, _LOBBY, _MATCH, _REPLAY = "anywhere", "nearby", "lobby", "match", "replay"

COMMANDS: tuple[Command, ...] = (
    _typed("hand", "", N_("your cards, with their costs"), _MATCH),
    _typed("table", "", N_("everything that lies open"), _ANY, "lobby", "seats"),
    _typed("city", N_("[NAME]"), N_("your city, or somebody's"), _MATCH),
    _typed("gold", "", N_("everybody's gold and number of cards"), _MATCH),
    _typed("called", "", N_("the characters known in this round"), _MATCH),
    _typed("crown", "", N_("who has the crown"), _MATCH),
    _typed("score", "", N_("what the cities are worth so far"), _MATCH, "points"),
    Command(
        "card", N_("NAME"), N_("what a card or character does"), keys=("r",), title=N_("cards")
    ),
    _typed("rules", "", N_("the rules in short"), _ANY),
    _typed("why", N_("[NUMBER or NAME]"), N_("why something is not possible now"), _MATCH),
    _both(
        _MATCH,
        "advise",
        "w",
        N_("advice"),
        N_("what a bot would do here, and why"),
        "advice",
        "hint",
    ),
    _typed("again", "", N_("the open question once more"), _MATCH),
    Command("log", N_("[COUNT]"), N_("what happened last"), keys=("l",), title=N_("journal")),
    _both(_ANY, "words", "k", N_("safety words"), N_("the safety words of this table")),
    Command("say", N_("TEXT"), N_("speak to the table"), _ANY, ("chat",), ("t",), N_("talk")),
    _both(_LOBBY, "code", "c", N_("join code"), N_("the join code, in words and as a QR code")),
    _typed("ready", "", N_("agree to the table as it is"), _LOBBY),
    _typed("unready", "", N_("take back that you agree"), _LOBBY),
    _both(
        _LOBBY,
        "explain",
        "f",
        N_("I am new"),
        N_("have every step of the match explained, or no more"),
    ),
    _typed("start", "", N_("begin the match (the host)"), _LOBBY),
    _typed("reopen", "", N_("open a table whose host is gone once more"), _LOBBY),
    _typed("kick", N_("SEAT"), N_("send a guest away (the host)"), _LOBBY),
    _typed("readmit", "", N_("let in again whoever was sent away (the host)"), _LOBBY),
    _typed("welcome", "", N_("let others look on at this table (the host)"), _LOBBY),
    _typed("bot", N_("SEAT [LEVEL]"), N_("let a bot play a seat (the host)"), _LOBBY),
    _typed("open", N_("SEAT"), N_("send a bot away (the host)"), _LOBBY),
    _typed("rest", N_("[LEVEL]"), N_("let a bot play your seat"), _MATCH),
    _typed("return", "", N_("play your seat yourself again"), _MATCH),
    _typed("hurry", "", N_("say that whoever decides has thought for long enough"), _MATCH),
    _typed("depart", "", N_("give your seat up for good; of two, it ends the match"), _MATCH),
    _both(
        _MATCH,
        "takeover",
        "o",
        N_("take over"),
        N_("go on here instead of your program on another laptop"),
        "take-over",
    ),
    _both(
        _MATCH,
        "more",
        "m",
        N_("once more"),
        N_("once more with the same people, when the match is over"),
        "rematch",
    ),
    _pressed(
        _MATCH,
        "own_seat",
        "b",
        N_("your seat"),
        N_("let a bot play your seat, play it again, or give it up"),
    ),
    _typed("options", "", N_("the game that this table plays"), _ANY),
    _typed("change", N_("[OPTION VALUE]"), N_("propose another game (the host)"), _LOBBY),
    _typed("language", N_("[LANGUAGE]"), N_("speak another language"), _ANY, "lang"),
    _pressed(
        _MATCH, "hide", "h", N_("hide"), N_("hide your hand and character, or show them again")
    ),
    _pressed(_NEARBY, "host", "n", N_("host"), N_("host a table")),
    _pressed(
        _NEARBY,
        "watch",
        "w",
        N_("look on"),
        N_("look on at the chosen table, where spectators are welcome"),
    ),
    _pressed(
        _NEARBY,
        "find",
        "/",
        N_("find"),
        N_("find a table by a part of its name, or of its host's"),
    ),
    _pressed(
        _NEARBY,
        "put_away",
        "u",
        N_("put away"),
        N_("put the chosen unfinished match away, until it is named again"),
    ),
    _pressed(_NEARBY, "guide", "f", N_("first game"), N_("a first game with a guide")),
    _pressed(_NEARBY, "practise", "p", N_("practise"), N_("play against bots")),
    _pressed(_NEARBY, "address", "a", N_("address"), N_("join by address or code")),
    _pressed(
        _NEARBY, "past", "y", N_("played"), N_("the matches that are over: see one again")
    ),
    _pressed(_NEARBY, "share", "d", N_("give"), N_("give the program to a friend")),
    _pressed(_REPLAY, "step", ("right", " ", "enter"), N_("on"), N_("on to what happens next")),
    _pressed(
        _REPLAY,
        "step_back",
        ("left", "backspace"),
        N_("back"),
        N_("back to what happened before"),
    ),
    _pressed(_REPLAY, "turn_on", ("down",), N_("turn"), N_("on to the next turn")),
    _pressed(
        _REPLAY,
        "turn_back",
        ("up",),
        "",
        N_("back to where the turn begins, or the one before"),
    ),
    _pressed(_REPLAY, "round_on", ("pagedown",), N_("round"), N_("on to the next round")),
    _pressed(
        _REPLAY,
        "round_back",
        ("pageup",),
        "",
        N_("back to where the round begins, or the one before"),
    ),
    _pressed(_REPLAY, "beginning", ("home",), "", N_("to the beginning")),
    _pressed(_REPLAY, "finish", ("end",), "", N_("to the end and the score")),
    _pressed(
        _REPLAY, "jump", "g", N_("go to"), N_("go to a round, or to the call of a character")
    ),
    _pressed(_REPLAY, "turned", "e", N_("turning points"), N_("the rounds that decided it")),
    _pressed(
        _REPLAY, "ponder", "w", N_("advice"), N_("what a bot would have done here, and why")
    ),
    _pressed(_REPLAY, "chair", "v", N_("hands"), N_("choose whose hand to see")),
    _pressed(
        _MATCH, "react", "e", N_("say"), N_("say something short: the digit behind it says it")
    ),
    _pressed(_MATCH, "nudge", "n", N_("nudge"), N_("remind whoever is waited for")),
    _pressed(_ANY, "settings", "s", N_("settings"), N_("name, language, colours")),
    _both(_MATCH, "enough", "x", N_("end the guide"), N_("no more explanations for beginners")),
    _both(_ANY, "help", ("?", "f1"), N_("help"), N_("this list"), "?"),
    _pressed(_ANY, "redraw", ("c-l",), "", N_("paint the screen anew")),
    _pressed(_ANY, "suspend", ("c-z",), "", N_("put the program aside for a while")),
    _both(_ANY, "quit", ("q", "c-c"), N_("leave"), N_("leave the table"), "leave", "exit"),
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
