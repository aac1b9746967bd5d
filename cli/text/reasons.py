"""Sentences for codes: refusals, errors, notices, and why a session ended.

Codes come from the engine, the table and this wing itself; a code without a sentence is shown
as its own words, so that a newer peer never leaves us speechless.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from citadels_p2p.match import Notice
from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, Message, _, worded
from cli.text import cards, doubts
from cli.text.declined import Person
from cli.text.endings import ENDINGS
from cli.text.scene import Scene, called, clean, listing

#: the engine's and the table's refusals of something this seat wanted
REFUSALS: dict[str, Message] = {
    "not_needed": N_("That is not asked now."),
    "not_your_turn": N_("It is not your turn."),
    "not_an_option": N_("That cannot be chosen here."),
    "ask_closed": N_("That question is closed."),
    "too_few": NN_("Choose at least {low}."),
    "too_many": NN_("Choose no more than {high}."),
    "no_such_card": N_("There is no such card to choose."),
    "not_shown": N_("The card has to be shown."),
    "false_face": N_("The card shown cannot be a {card}."),
    "gather_first": N_("First take gold or cards."),
    "already_gathered": N_("You have taken gold or cards already."),
    "deck_empty": N_("The deck is empty."),
    "already_used": N_("You have already used it this turn."),
    "build_limit": NN_(
        "You may build only {limit} district in this turn.",
        "You may build only {limit} districts in this turn.",
    ),
    "quarter_only": N_("Only {quarter} districts may still be built in this turn."),
    "already_built": N_("{card} already stands in your city."),
    "stands_there": N_("{card} already stands in the city of {seat}."),
    "too_dear": NN_("It costs {cost} gold; you have {gold}."),
    "no_income": N_("None of your districts brings income now."),
    "out_of_reach": N_("There is no target for it now."),
    "past": N_("That is over for this turn."),
    "not_held": N_("You do not hold it any more."),
    "not_yourself": N_("Not against yourself."),
    "not_that_character": N_("The {character} cannot be named here."),
    "hand_empty": N_("Your hand is empty."),
    "no_cards": N_("{seat} has no cards."),
    "nobody_has_cards": N_("Nobody else has a card."),
    "too_few_cards": N_("You hold too few cards for that."),
    "protected": N_("The city of {seat} is protected."),
    "untouchable": N_("The power of rank 8 does not work on {card}."),
    "city_complete": N_("The city of {seat} is complete, and safe."),
    "not_present": N_("{seat} is away."),
    "already_so": N_("It is so already."),
    "not_spared": N_("The others could not play on without you."),
    "wrong_rank": N_("That character has another rank."),
    "silent_holder": N_("{seat} kept silent with a living character: {character}."),
    "match_over": N_("The match is over."),
    "no_building": N_("This character builds nothing."),
    "turn_closing": N_("The turn is closing: only what comes last is left."),
    "duty_first": N_("There is something that must be done before."),
    "step_over": N_("This table plays with fixed steps, and that step of the turn is past."),
    "not_richest": N_("{seat} is not the richest."),
    "is_richest": N_("Nobody is richer than you."),
    "equally_rich": N_("Several are equally rich, so nobody gives anything."),
    "holds_crown": N_("{seat} has the crown."),
    "no_gold": N_("{seat} has no gold."),
    "not_exact": N_("Choose exactly as many as are asked for."),
    "already_gilded": N_("Gold lies on it already."),
    "not_buildable": N_("{card} cannot be built."),
    "too_many_districts": N_("It is too late for that: {limit} districts stand there."),
    "not_itself": N_("Not itself."),
    "dearer_than": N_("It costs more than {limit}."),
    # the lobby
    "seat_open": N_("A seat is still open: wait for a guest, or put a bot there."),
    "not_ready": N_("Somebody has not said that they are ready."),
    "not_host": N_("Only the host can do that."),
    "host": N_("The host need not say ready."),
    "host_here": N_("The host of this table is here."),
    "not_connected": N_("The host cannot be reached at the moment."),
    "no_such_seat": N_("There is no such seat."),
    "own_seat": N_("That is the host's own seat."),
    "taken": N_("Somebody sits there."),
    "seats_taken": N_("More people sit here than that game has seats for."),
    "unknown_level": N_("There are no bots of that level."),
    "name": N_("That name cannot be used."),
    "not_over": N_("This match is not over yet."),
    "started": N_("The match has already begun."),
    "table_changed": N_("The table has just changed: look at it, and say it once more."),
    "no_advice": N_("Where other people play, no bot advises you."),
    "not_asked": N_("Nothing is asked of you now."),
    "only_bots": N_("Only bots sit here: nobody waits for you."),
    "full": N_("Every seat is taken."),
    "too_few_seats": N_("There are not enough seats for so many."),
    "no_screen": N_("To share a laptop you need a terminal that can be wiped."),
    "kicked": N_("The host has sent you away from the table."),
    "own_table": N_(
        "Two programs have the same key here: the table, or the place at it, is your own "
        "already. Close one of them, or give it another CITADELS_HOME."
    ),
    "too_large": N_("That is too much for one table: choose shorter names or fewer options."),
    "spectator": N_("You only watch here."),
    "locked": N_("The table is locked: it wants a password (--locked asks you for it)."),
    "password": N_("That is not the table's password."),
    "guesses": N_("Too many wrong passwords were tried. Wait a minute, then try again."),
    "not_spoken": N_(
        "Whoever answers there does not know these join words. Ask the host for them again: "
        "they may have changed, or somebody else answers in the host's place."
    ),
    "no_spoken": N_("That table cannot be joined by words; its join code works."),
    "password_length": N_("A password has 1 to 128 visible characters."),
    "password_line": N_("No password was given."),
    "unlocked": N_("No password was given, so the table was not opened."),
    "too_often": N_("Too many came to this table from your laptop. Wait a little."),
    "no_spectators": N_(
        "Nobody may look on here. Until the match begins the host can change that: with “Let "
        "others look on”, or by the word “welcome”. `citadels host --spectators` opens a table "
        "to spectators from the start."
    ),
    "gallery_full": N_("As many watch this table already as may."),
    "other_table": N_("The match at that address is another one."),
    "not_passed": N_("The laptop is not to be passed to that seat."),
    "not_elsewhere": N_("No other program with your key is at this table."),
    "chat": N_("Too much talk at once; wait a moment."),
    # a saved match
    "hands_stay_hidden": N_(
        "The hands of this match stay hidden: not everybody gave their key away at its end."
    ),
}

NOTICES: dict[str, Message] = {
    "waiting": N_("Waiting for {names}."),
    "not_opened": N_("{names} has not opened the next table yet. You may wait, or leave."),
    "progress": N_("{what}: {done} of {of}."),
    "back_at": N_("Back at moment {moment} of {of}."),
    "slow": NN_(
        "Nothing is heard of {name}. In {seconds} second {name} counts as away.",
        "Nothing is heard of {name}. In {seconds} seconds {name} counts as away.",
    ),
    "left": N_("{name} leaves the table, and may come back."),
    "away": N_("{name} is away. The game goes on; the seat decides as the rules have it."),
    "given_up": N_("{name} has left for good. The seat decides as the rules have it."),
    "may_claim": N_(
        "{name} has been away for as long as this table waits for anybody. Type depart to end"
        " the match with the score as it stands, or go on waiting."
    ),
    "seat_lost": N_("The others play on without you for good. You may look on to the end."),
    "held_off": N_(
        "Your laptop came and went too often: the next round is yours again. Until then the "
        "seat decides as the rules have it."
    ),
    "paused": N_("The game waits for {names}. It can be left and resumed another day."),
    "resting": N_("A bot plays your seat until you play it yourself again."),
    "handed_over": N_("{name} rests; a bot plays this seat."),
    "taken_back": N_("{name} plays this seat again."),
    "key_asked": N_(
        "Your laptop's secrets of this match are lost or damaged. The others are asked for "
        "your share key; until enough of them have answered ({count}) you do not see your hand."
    ),
    "key_back": N_("The others have given your share key back: you see your hand again."),
    "key_wanted": N_(
        "{name}'s laptop has lost its secrets of this match. The others give its share key "
        "back; nobody else can read it."
    ),
    "hurries": N_("{name} thinks that {other} has had long enough."),
    "hurried": NN_(
        "Most of you agree. {name} has {seconds} second to decide; then chance does.",
        "Most of you agree. {name} has {seconds} seconds to decide; then chance does.",
    ),
    "time_up": N_("Your time is up: chance has decided for you."),
    "back": N_("{name} is back."),
    "cheat": N_("{name} broke the rules of the table: {what}. The evidence is saved."),
    "diverged": N_("The laptops disagree from entry {seq} on. The match stops here."),
    "host_gone": N_("The host does not answer. Trying to reach it again."),
    "hosting": N_("{name} is the host from here on."),
    "cleared": N_("Nothing is amiss with {name}'s laptop any more."),
    "elsewhere": N_(
        "{name}'s laptop says that another program with your key is at this table, and lets "
        "this one wait. If there is one, close it on the other laptop."
    ),
    "taking_over": N_("The match goes on here; the program on the other laptop stops."),
    "reconnected": N_("The host answers again."),
    "bot_ended": N_("Your program has ended; a bot plays your seat from here on."),
    "bot_silent": N_("Your program does not answer; a bot plays your seat from here on."),
    "bot_wrong": N_(
        "Your program keeps answering what is no answer; a bot plays your seat from here on."
    ),
    "not_announced": N_(
        "The table is not announced on this network. Others can join by its address."
    ),
    "code_guessed": N_("Somebody tried wrong join words here. They are others now."),
    "code_spent": N_(
        "Too many wrong join words were tried here: this table has none any more. Its join "
        "code still works."
    ),
    "not_remembered": N_(
        "The list of people you met cannot be used: "
        "look at acquaintances.json among your files."
    ),
    "watching": NN_("{count} spectator watches now.", "{count} spectators watch now."),
    "gallery_full": NN_(
        "Somebody wanted to look on and was turned away: there is {count} place "
        "(host --gallery).",
        "Somebody wanted to look on and was turned away: there are {count} places "
        "(host --gallery).",
    ),
    "key_changed": N_(
        "Careful: {name} is a name you know, with another key than before. "
        "Ask in person whether it is really them."
    ),
}

#: what long work is about
WORKS: dict[str, str] = {
    "connect": N_("Connecting"),
    "keys": N_("Making keys together"),
    "shuffle": N_("Shuffling"),
    "deal": N_("Dealing"),
    "catch_up": N_("Catching up"),
    "verify": N_("Checking"),
}


def refusal(code: str, fields: Mapping[str, Value], scene: Scene) -> str:
    """Why the last act was refused, or why something is impossible now."""
    return _fill(REFUSALS.get(code) or ENDINGS.get(code), code, fields, scene)


def notice(news: Notice, scene: Scene) -> str:
    """A notice of the table or of this laptop."""
    if news.code == "suspected":
        return doubts.suspected(news.fields, scene)
    if news.code == "hosting" and "instead_of" in news.fields:
        return doubts.replaced(news.fields, scene)
    if news.code == "hosting" and doubts.is_you(called(str(news.fields.get("name"))), scene):
        return _("You are the host from here on.")
    if news.code == "watching" and not news.fields.get("count"):
        return _("Nobody watches any more.")
    return _fill(NOTICES.get(news.code), news.code, news.fields, scene)


def ending(reason: str, fields: Mapping[str, Value], scene: Scene) -> str:
    """Why a session ended or never began; a refusal's code will do as well."""
    sentence: Message | None = ENDINGS.get(reason) or REFUSALS.get(reason)
    told = _fill(sentence, reason, fields, scene)
    if by := fields.get("by"):
        who = Person(clean(str(by), 120))
        told = _("{name}'s laptop says: {told}").format(name=who, told=told)
    return f"{told} {_(ENDINGS['unfinished'])}" if fields.get("saved") else told


def _fill(
    sentence: Message | None, code: str, fields: Mapping[str, Value], scene: Scene
) -> str:
    if sentence is None:
        return f"{cards.spell(clean(code, 60))}."
    # A field that nobody sent leaves a question mark, never an exception.
    words: dict[str, str] = defaultdict(lambda: "?")
    words.update((name, _word(name, value, scene)) for name, value in fields.items())
    return worded(sentence, fields).format_map(words)


def _word(name: str, value: Value, scene: Scene) -> str:
    """A field as it stands in a sentence."""
    match name, value:
        case (("seat" | "owner" | "victim" | "other" | "names"), int()):
            return scene.name(value)
        case "card", str():
            return cards.district(value)
        case "character", str():
            return cards.character(value)
        case "quarter", str():
            return cards.quarter(value)
        case "what", str() if value in WORKS:
            return _(WORKS[value])
        case _, tuple():
            return listing([_word(name, part, scene) for part in value])
        case "names", str():
            return listing([Person(one) for one in clean(value, 120).split(", ")])
        case (("name" | "other"), str()):
            return Person(clean(value, 120))
        case _:
            return clean(str(value), 120)


#: refusals of a typed line, before anybody else hears of it
ERRORS: dict[str, str] = {
    "too_long": N_("The line is too long."),
    "not_json": N_("The line is not JSON."),
    "not_an_object": N_("The line is not a JSON object."),
    "unknown_line": N_('A line has exactly one of "answer", "say" and "do".'),
    "closed_ask": N_("There is no open question with that number."),
    "unknown_option": N_("That is not one of the options."),
    "wrong_count": N_("Too few or too many are chosen."),
    "nothing_said": N_("There is nothing to say in it."),
    "unknown_seat": N_("That is not a seat."),
    "unknown_act": N_("There is nothing of that name to do."),
}


def error(code: str) -> str:
    """The sentence for a code; its own words where it has none."""
    return _(ERRORS[code]) if code in ERRORS else f"{cards.spell(clean(code, 60))}."
