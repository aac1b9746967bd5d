"""The one table of what a person may say at any time: by a word, by a key, by a click.

It feeds the plain table's words and help, the keys, footer and help of the full screen, and the
manual. Choices of the open question are none of these: they are the engine's.
"""

from __future__ import annotations

from dataclasses import dataclass

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


COMMANDS: tuple[Command, ...] = (
    Command("hand", "", N_("your cards, with their costs"), "match"),
    Command("table", "", N_("everything that lies open"), aliases=("lobby", "seats")),
    Command("city", N_("[NAME]"), N_("your city, or somebody's"), "match"),
    Command("gold", "", N_("everybody's gold and number of cards"), "match"),
    Command("called", "", N_("the characters known in this round"), "match"),
    Command("crown", "", N_("who has the crown"), "match"),
    Command("score", "", N_("what the cities are worth so far"), "match", ("points",)),
    Command(
        "card",
        N_("NAME"),
        N_("what a card or character does"),
        keys=("r",),
        title=N_("cards"),
    ),
    Command("rules", "", N_("the rules in short")),
    Command("why", N_("[NUMBER or NAME]"), N_("why something is not possible now"), "match"),
    Command("again", "", N_("the open question once more"), "match"),
    Command(
        "log",
        N_("[COUNT]"),
        N_("what happened last"),
        keys=("l",),
        title=N_("journal"),
    ),
    Command(
        "words",
        "",
        N_("the safety words of this table"),
        keys=("k",),
        title=N_("safety words"),
    ),
    Command(
        "say",
        N_("TEXT"),
        N_("speak to the table"),
        aliases=("chat",),
        keys=("t",),
        title=N_("talk"),
    ),
    Command("ready", "", N_("agree to the table as it is"), "lobby"),
    Command("start", "", N_("begin the match (the host)"), "lobby"),
    Command("kick", N_("SEAT"), N_("send a guest away (the host)"), "lobby"),
    Command("bot", N_("SEAT [LEVEL]"), N_("let a bot play a seat (the host)"), "lobby"),
    Command("open", N_("SEAT"), N_("send a bot away (the host)"), "lobby"),
    Command("rest", N_("[LEVEL]"), N_("let a bot play your seat"), "match"),
    Command("return", "", N_("play your seat yourself again"), "match"),
    Command("depart", "", N_("give your seat up for good; the others play on"), "match"),
    Command(
        "takeover",
        "",
        N_("go on here instead of your program on another laptop"),
        "match",
        ("take-over",),
        keys=("o",),
        title=N_("take over"),
    ),
    Command(
        "own_seat",
        "",
        N_("let a bot play your seat, play it again, or give it up"),
        "match",
        keys=("b",),
        title=N_("your seat"),
        typed=False,
    ),
    Command("options", "", N_("the game that this table plays")),
    Command("change", N_("[OPTION VALUE]"), N_("propose another game (the host)"), "lobby"),
    Command("language", N_("[LANGUAGE]"), N_("speak another language"), aliases=("lang",)),
    Command(
        "hide",
        "",
        N_("hide your hand and character, or show them again"),
        "match",
        keys=("h",),
        title=N_("hide"),
        typed=False,
    ),
    Command(
        "host", "", N_("host a table"), "nearby", keys=("n",), title=N_("host"), typed=False
    ),
    Command(
        "watch",
        "",
        N_("look on at the chosen table, where spectators are welcome"),
        "nearby",
        keys=("w",),
        title=N_("look on"),
        typed=False,
    ),
    Command(
        "practise",
        "",
        N_("play against bots"),
        "nearby",
        keys=("p",),
        title=N_("practise"),
        typed=False,
    ),
    Command(
        "address",
        "",
        N_("join by address or code"),
        "nearby",
        keys=("a",),
        title=N_("address"),
        typed=False,
    ),
    Command(
        "step",
        "",
        N_("on to what happens next"),
        "replay",
        keys=("right", " ", "enter"),
        title=N_("on"),
        typed=False,
    ),
    Command(
        "step_back",
        "",
        N_("back to what happened before"),
        "replay",
        keys=("left", "backspace"),
        title=N_("back"),
        typed=False,
    ),
    Command(
        "turn_on",
        "",
        N_("on to the next turn"),
        "replay",
        keys=("down",),
        title=N_("turn"),
        typed=False,
    ),
    Command(
        "turn_back",
        "",
        N_("back to where the turn begins, or the one before"),
        "replay",
        keys=("up",),
        typed=False,
    ),
    Command(
        "round_on",
        "",
        N_("on to the next round"),
        "replay",
        keys=("pagedown",),
        title=N_("round"),
        typed=False,
    ),
    Command(
        "round_back",
        "",
        N_("back to where the round begins, or the one before"),
        "replay",
        keys=("pageup",),
        typed=False,
    ),
    Command("beginning", "", N_("to the beginning"), "replay", keys=("home",), typed=False),
    Command("finish", "", N_("to the end and the score"), "replay", keys=("end",), typed=False),
    Command(
        "jump",
        "",
        N_("go to a round, or to the call of a character"),
        "replay",
        keys=("g",),
        title=N_("go to"),
        typed=False,
    ),
    Command(
        "chair",
        "",
        N_("choose whose hand to see"),
        "replay",
        keys=("v",),
        title=N_("hands"),
        typed=False,
    ),
    Command(
        "settings",
        "",
        N_("name, language, colours"),
        keys=("s",),
        title=N_("settings"),
        typed=False,
    ),
    Command(
        "no_hints",
        "",
        N_("no more hints for beginners"),
        "match",
        keys=("x",),
        title=N_("no hints"),
        typed=False,
    ),
    Command("help", "", N_("this list"), aliases=("?",), keys=("?", "f1"), title=N_("help")),
    Command("redraw", "", N_("paint the screen anew"), keys=("c-l",), typed=False),
    Command("suspend", "", N_("put the program aside for a while"), keys=("c-z",), typed=False),
    Command(
        "quit",
        "",
        N_("leave the table"),
        aliases=("leave", "exit"),
        keys=("q", "c-c"),
        title=N_("leave"),
    ),
)

#: command by any of its words
BY_WORD = {
    name: command
    for command in COMMANDS
    if command.typed
    for name in (command.name, *command.aliases)
}

#: command by any of its keys
BY_KEY = {key: command for command in COMMANDS for key in command.keys}

#: command by its name
BY_NAME = {command.name: command for command in COMMANDS}


#: key by its name → what is printed on it
PRINTED = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "enter": "Enter",
    "backspace": "Backspace",
    " ": "Space",
    "f1": "F1",
}


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
    for sign, name in (
        ("↑↓", "Up/Dn"),
        ("↑", "Up"),
        ("↓", "Down"),
        ("←", "Left"),
        ("→", "Right"),
    ):
        keys = keys.replace(sign, name)
    return keys
