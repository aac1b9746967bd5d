"""The plain table: a stream of sentences, numbered questions, and answers to what is typed.

Append only: no cursor movement, no colour, no spinner. While a question is open, what happens
elsewhere is held back and told after the answer. An answer to the open question goes before a
command of the same name.
"""

from __future__ import annotations

from collections import deque

from citadels_p2p.match.acts import (
    Answer,
    Depart,
    HandOver,
    Kick,
    Leave,
    OpenSeat,
    Propose,
    Ready,
    Say,
    SetBot,
    Start,
    TakeOver,
)
from citadels_p2p.match.news import (
    CLOSING,
    Ask,
    Bye,
    Chat,
    EventNews,
    News,
    Notice,
    OverNews,
    Refused,
    StateNews,
    StoryNews,
    TableNews,
)
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import View
from cli import i18n
from cli.client.answers import Miscounted, Picked, is_plain_number, understand
from cli.client.effects import Effect, Print, Prompt
from cli.client.plain_words import Situation, find, is_question, tell
from cli.i18n import _, layouts, ngettext
from cli.line import form_lines
from cli.line.arguments import LEVELS, USUAL_LEVEL
from cli.line.command_table import Command
from cli.line.form import Form
from cli.line.picking import Nameable, Unclear, pick
from cli.text import (
    Scene,
    cards,
    clean,
    ending,
    label,
    languages,
    listing,
    narrate,
    notice,
    refusal,
)
from cli.text import lobby as lobby_text
from cli.text import scores as scores_text
from cli.text.asking import in_order, pose, prelude
from cli.text.events import goes_without_saying
from cli.text.scene import shown
from cli.text.table import Box, box_of

#: sentences remembered for `log`
LOG = 500
PROMPT = Prompt("> ")

#: notices that are in the log too
LOGGED = frozenset({"suspected", "cleared", "hosting", "elsewhere", "taking_over"})
#: notices that do not wait for an answer to the open question: it might lead nowhere
URGENT = frozenset({"elsewhere", "taking_over"})


class Plain:
    """The client machine of `--ui plain`.

    `linger`: stay at the table after the last score, to talk; otherwise leave by itself.
    `listens`: the end of what is typed means that the person leaves.
    """

    def __init__(self, *, linger: bool = False, listens: bool = True) -> None:
        self._linger = linger
        self._listens = listens
        self._scene = Scene()
        self._box = Box.of("classic")
        self._lobby: TableNews | None = None
        self._view: View | None = None
        self._ask: Ask | None = None
        self._sent: Ask | None = None
        self._prelude: tuple[str, ...] = ()
        self._held: list[str] = []
        self._log: deque[str] = deque(maxlen=LOG)
        self._last: Event | None = None
        self._work = ""
        self._over = False
        self._unsure = ""  #: a command that asks to be said once more

    # What is heard

    def greet(self) -> tuple[Effect, ...]:
        return _print(
            _("Citadels. Answer a question with its number, or with a name."),
            _("Ask at any time: hand, table, city anna, card library, log 10, rules, help."),
        )

    def hear(self, news: News) -> tuple[Effect, ...]:
        match news:
            case TableNews():
                return self._hear_table(news)
            case StateNews():
                self._view, you = news.view, news.view.you
                if self._lobby is not None:
                    self._box = Box.of(self._lobby.edition, news.view.roster)
                self._scene = Scene.of(news.names, you.seat if you else None, self._box.ranks)
                return ()
            case EventNews():
                return self._hear_event(news.event)
            case Ask():
                self._ask = in_order(news, self._box)
                return (*self._release(), *self._put(self._ask, again=False))
            case Refused():
                return self._hear_refusal(news)
            case Chat():
                return self._hear_chat(news)
            case Notice():
                return self._hear_notice(news)
            case OverNews():
                return self._hear_over(news)
            case StoryNews():
                return ()  # it is asked for by the full screen alone
            case Bye():
                why = ending(news.reason, news.fields, self._scene) if news.reason else ""
                lines = (why, _("Goodbye.")) if why else (_("Goodbye."),)
                self._ask = None
                return (*self._release(), *_print(*lines))

    def _hear_table(self, news: TableNews) -> tuple[Effect, ...]:
        before, self._lobby = self._lobby, news
        self._box = box_of(news)
        if self._view is not None:
            return ()
        self._scene = Scene.of([seat.name for seat in news.seats], news.you, self._box.ranks)
        if before is None:
            lines = ("", *lobby_text.lobby(news), *lobby_text.advice(news))
        else:
            lines = lobby_text.changes(before, news)
        if news.words and (before is None or before.words != news.words):
            lines += lobby_text.safety(news)
        return (*_print(*lines), *self._invite()) if lines else ()

    def _hear_event(self, event: Event) -> tuple[Effect, ...]:
        before, self._last = self._last, event
        if event.kind == "timed_out" and event.fields()["seat"] == self._scene.you:
            self._ask = None
        sentence = narrate(event, self._scene)
        self._log.append(sentence)
        if goes_without_saying(event, before, self._scene.you):
            return ()
        self._held += ("", sentence) if event.kind == "round_begins" else (sentence,)
        return self._release() if self._ask is None else ()

    def _hear_refusal(self, news: Refused) -> tuple[Effect, ...]:
        if news.ask is not None and self._sent is not None and self._sent.id == news.ask:
            self._ask = self._sent
        told = _print(refusal(news.reason, news.fields, self._scene))
        return (*told, *self._invite())

    def _hear_chat(self, news: Chat) -> tuple[Effect, ...]:
        who = self._scene.speaker(news.seat, news.name)
        said = _("{name} says: {text}").format(name=who, text=shown(news.text))
        self._log.append(said)
        return (*_print(said), *self._invite())

    def _hear_notice(self, news: Notice) -> tuple[Effect, ...]:
        work = f"{news.code} {news.fields.get('what', news.fields.get('names', ''))}"
        if news.code in ("progress", "waiting") and work == self._work:
            return ()  # one line for one piece of work
        self._work = work
        if news.code in CLOSING:
            self._ask = None
        sentence = notice(news, self._scene)
        if news.code in LOGGED:
            self._log.append(sentence)
        self._held.append(sentence)
        return self._release() if self._ask is None or news.code in URGENT else ()

    def _hear_over(self, news: OverNews) -> tuple[Effect, ...]:
        self._over, self._ask = True, None
        options = None if self._lobby is None else self._lobby.options
        lines = ["", *scores_text.final(news, self._scene, options)]
        if news.journal:
            lines += scores_text.saved(news.journal)
        if not self._linger:
            return (*self._release(), *_print(*lines), Leave())
        lines.append(_("You may still talk: say TEXT. Type quit to leave."))
        return (*self._release(), *_print(*lines), PROMPT)

    def _put(self, ask: Ask, *, again: bool) -> tuple[Effect, ...]:
        """Ask the person; what has not changed since the last question is not said again."""
        before = prelude(self._view, self._scene, self._box) if self._view else ()
        fresh = before if again else tuple(x for x in before if x not in self._prelude)
        self._prelude = before
        asked = pose(ask, self._scene, self._box)
        return (*_print("", *fresh, *asked), PROMPT)

    def _release(self) -> tuple[Effect, ...]:
        held, self._held = self._held, []
        return _print(*held)

    def _invite(self) -> tuple[Effect, ...]:
        in_lobby = self._view is None and self._lobby is not None and self._lobby.address
        return (PROMPT,) if self._ask is not None or in_lobby or self._over else ()

    # What is typed

    def read(self, line: str) -> tuple[Effect, ...]:
        typed = clean(line)
        if not typed:
            return self._again()
        unsure, self._unsure = self._unsure, ""
        ask, typed = self._ask, self._meant(typed)
        command, rest = find(typed)
        if ask is not None:
            ids = {option.id for option in ask.options}
            if typed in ids or is_plain_number(typed):
                return self._answer(ask, typed)
            if command is not None and not rest and command.name in ids:
                return self._answer(ask, command.name)
        if command is not None:
            return self._obey(command, rest, sure=unsure == command.name)
        if ask is not None:
            return self._answer(ask, typed)
        lines = _print(_("Nothing is asked of you now. Type help for what you may ask."))
        return (*lines, *self._invite())

    def _meant(self, typed: str) -> str:
        """The line; if it says nothing, the one thing that its keys say on another layout."""
        if self._says_something(typed):
            return typed
        readings = [one for one in layouts.readings(typed) if self._says_something(one)]
        return readings[0] if len(readings) == 1 else typed

    def _says_something(self, typed: str) -> bool:
        if find(typed)[0] is not None or self._ask is None:
            return find(typed)[0] is not None
        found = understand(self._ask, typed, self._scene)
        return not isinstance(found, Unclear) or bool(found.among)

    def end(self) -> tuple[Effect, ...]:
        return (Leave(),) if self._listens else ()

    def _answer(self, ask: Ask, typed: str) -> tuple[Effect, ...]:
        match understand(ask, typed, self._scene):
            case Picked(picks):
                self._ask, self._sent = None, ask
                return (Answer(ask.id, picks), *self._release())
            case Miscounted(code, bound):
                bounds = {"low": bound, "high": bound}
                line = refusal(code, bounds, self._scene)
            case Unclear(_typed, among) if among:
                meant = [
                    f"{index + 1}. {label(ask.options[index], self._scene)}" for index in among
                ]
                line = _("That may mean {choices}. Say it more exactly.").format(
                    choices=listing(meant)
                )
            case _ if is_plain_number(typed):
                line = ngettext(
                    "There is only {count} choice.",
                    "Choose a number from 1 to {count}.",
                    len(ask.options),
                ).format(count=len(ask.options))
            case _:
                line = _("That is none of the choices. Type again to hear them, or help.")
        return (*_print(line), PROMPT)

    def _again(self) -> tuple[Effect, ...]:
        if self._ask is not None:
            return self._put(self._ask, again=True)
        return self._invite()

    def _obey(self, command: Command, rest: str, sure: bool) -> tuple[Effect, ...]:
        match command.name:
            case "again":
                return self._again() or _print(_("Nothing is asked of you now."))
            case "say":
                return (Say(rest),) if rest else _print(_("Say what?"))
            case "ready":
                return (Ready(),)
            case "start":
                return (Start(),)
            case "kick" | "open" | "bot":
                return self._seat(command.name, rest)
            case "rest":
                return self._rest(rest)
            case "return":
                return (HandOver(""),)
            case "depart":
                if sure or self._view is None:
                    return (Depart(),)
                self._unsure = command.name
                line = _(
                    "Your seat will never be yours again; the others play on, and your cards"
                    " stay sealed. Type depart once more to give it up."
                )
                return (*_print(line), *self._invite())
            case "takeover":
                return (TakeOver(),)
            case "change":
                return self._change(rest)
            case "language":
                return self._speak(rest)
            case "quit":
                if self._view is None or self._over or sure:
                    return (Leave(),)
                self._unsure = command.name
                line = _("The match is not over. Type quit once more to leave it.")
                return (*_print(line), *self._invite())
        assert is_question(command)
        situation = Situation(
            self._scene, self._box, self._view, self._lobby, self._ask, tuple(self._log)
        )
        return (*_print(*tell(command, rest, situation)), *self._invite())

    def _seat(self, verb: str, rest: str) -> tuple[Effect, ...]:
        """Something about a seat of the lobby, named by its number or by who sits there."""
        place, _space, level = rest.partition(" ")
        if verb == "kick":
            place, level = rest, ""
        seat = pick(place, [Nameable((name,)) for name in self._scene.names]) if place else None
        if not isinstance(seat, int):
            return (*_print(_("Nobody of that name sits here.")), *self._invite())
        match verb:
            case "kick":
                return (Kick(seat),)
            case "open":
                return (OpenSeat(seat),)
        chosen = self._level(level)
        return (SetBot(seat, chosen),) if isinstance(chosen, str) else chosen

    def _rest(self, rest: str) -> tuple[Effect, ...]:
        """A bot of this level plays our seat."""
        chosen = self._level(rest)
        return (HandOver(chosen),) if isinstance(chosen, str) else chosen

    def _level(self, level: str) -> str | tuple[Effect, ...]:
        """The level that is meant; else which ones there are."""
        known = [Nameable((cards.level(one), one)) for one in LEVELS]
        chosen = pick(level, known) if level else LEVELS.index(USUAL_LEVEL)
        if isinstance(chosen, Unclear):
            names = listing([cards.level(one) for one in LEVELS])
            line = _("Bots play so: {levels}.").format(levels=names)
            return (*_print(line), *self._invite())
        return LEVELS[chosen]

    def _change(self, rest: str) -> tuple[Effect, ...]:
        """Propose another game, one option at a time."""
        if self._lobby is None or self._view is not None:
            return _print(refusal("started", {}, self._scene))
        form = now = Form.of_table(self._lobby)
        if not rest:
            return (*_print(*form_lines.fields(form)), *self._invite())
        form, lines = form_lines.change(form, rest)
        why = form_lines.refusal(form)
        if why or form.proposal() == now.proposal():
            return (*_print(*(why or lines)), *self._invite())
        return (Propose(*form.proposal()),)

    def _speak(self, rest: str) -> tuple[Effect, ...]:
        """Go on in another language."""
        found = (
            pick(rest, [Nameable(called) for called in languages.called()]) if rest else None
        )
        if not isinstance(found, int):
            return (*_print(languages.listed()), *self._invite())
        i18n.use(i18n.LANGUAGES[found])
        self._prelude = ()
        return (*_print(languages.chosen()), *self._again())


def _print(*lines: str) -> tuple[Effect, ...]:
    return tuple(Print(line) for line in lines)
