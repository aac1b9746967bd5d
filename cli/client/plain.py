"""The plain table: a stream of sentences, numbered questions, and answers to what is typed.

Append only: no cursor movement, no colour, no spinner. A question that comes early is put after
what it follows. While a question is open, what happens elsewhere is held back and told after
the answer. An answer to the open question goes before a command of the same name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from citadels_p2p import match
from citadels_p2p.match import (
    AdviceNews,
    Anew,
    Ask,
    Bye,
    Chat,
    EventNews,
    LookNews,
    News,
    Notice,
    OverNews,
    Refused,
    StandingNews,
    StateNews,
    TableNews,
)
from citadels_p2p.rules.events import Event
from cli import i18n
from cli.client.answers import Miscounted, Picked, is_plain_number, meanings, understand
from cli.client.client_model import ClientModel
from cli.client.effects import AT_ONCE, PROMPT, Effect, printed
from cli.client.guide import IN_LINES, Guide
from cli.client.plain_words import HOW, LANGUAGES, LOG, LOGGED, URGENT, find, is_question, tell
from cli.i18n import _, counted, layouts
from cli.line import form_lines
from cli.line.arguments import LEVELS, USUAL_LEVEL
from cli.line.command_table import Command
from cli.line.form import Form
from cli.line.picking import Unclear, pick
from cli.text import (
    cards,
    clean,
    ending,
    label,
    listing,
    narrate,
    notice,
    refusal,
)
from cli.text import lobby as lobby_text
from cli.text import scores as scores_text
from cli.text.advice import advice
from cli.text.asking import numbers, pose, prelude
from cli.text.events import goes_without_saying
from cli.text.guess import did_you_mean
from cli.text.reactions import heard
from cli.text.titles import titles, turning_points


class Plain:
    """The client machine of `--ui plain`.

    `linger`: stay at the table after the last score, to talk; otherwise leave by itself.
    `listens`: the end of what is typed means that the person leaves. `on_light`: the terminal
    is a light one. `guide`: what explains the match; to begin with it has nothing to say.
    """

    def __init__(
        self, *, linger: bool = False, listens: bool = True, on_light: bool = False
    ) -> None:
        self._linger = linger
        self._on_light = on_light
        self._listens = listens
        self.model = ClientModel()
        self.guide = Guide()
        self._prelude: tuple[str, ...] = ()
        self._held: list[str] = []
        self._log: deque[str] = deque(maxlen=LOG)
        self._work = ""
        #: a command, or an answer, that asks to be said once more
        self._unsure: str | tuple[str, ...] = ""

    # What is heard

    def greet(self) -> tuple[Effect, ...]:
        return printed(
            _("Citadels. Answer a question with its number, or with a name."),
            _("Ask at any time: hand, table, city anna, card library, log 10, rules, help."),
        )

    def hear(self, news: News) -> tuple[Effect, ...]:
        model = self.model
        table, last, perils, asked = model.lobby, model.last, model.perils(), model.due
        model.hear(news, 0.0)
        match news:
            case TableNews():
                return self._hear_table(table, news)
            case EventNews():
                told = news.event.kind in ("robbed", "confiscated")  # that is the deed itself
                new = () if told else [x for x in model.perils() if x not in perils]
                said = self._hear_event(last, news.event, new)
                return (*said, *self._ask()) if asked is None else said
            case Ask():
                return self._ask()
            case AdviceNews():
                open_ask = model.due
                if open_ask is None or open_ask.id != news.ask:
                    return ()  # it was answered meanwhile
                return self._say(*advice(news, open_ask, model.scene))
            case Refused():
                return self._say(model.refused)
            case Chat():
                return self._hear_chat(news)
            case Notice():
                return self._hear_notice(news)
            case OverNews():
                return self._hear_over(news)
            case StandingNews():
                return self._say(*scores_text.evening(news))
            case Anew():
                self.model, self._prelude, self.guide = ClientModel(), (), Guide()
                self._log.clear()
                return printed("", _("Once more, with the same people."))
            case StateNews() | LookNews():
                self._log += model.sight
                self._held += (*model.sight, *self.guide.tell(model))
            case Bye():
                why = ending(news.reason, news.fields, self.model.scene) if news.reason else ""
                lines = (why, _("Goodbye.")) if why else (_("Goodbye."),)
                return (*self._release(), *printed(*lines))
        return ()  # the rest is told later, seen where it is asked for, or told by others

    def _hear_table(self, before: TableNews | None, news: TableNews) -> tuple[Effect, ...]:
        if self.model.view is not None:
            return ()
        if before is None or before.table != news.table:
            lines = ("", *lobby_text.lobby(news), *lobby_text.advice(news))
        else:
            lines = lobby_text.changes(before, news)
        if news.words and (before is None or before.words != news.words):
            lines += (*lobby_text.safety(news), *lobby_text.carried(news))
        return self._say(*lines) if lines else ()

    def _hear_event(
        self, before: Event | None, event: Event, perils: Sequence[str]
    ) -> tuple[Effect, ...]:
        sentence, seen = narrate(event, self.model.scene), self.model.sight
        self._log += (sentence, *seen)
        if goes_without_saying(event, before, self.model.me, live=self.model.is_live):
            self._held += seen
            return ()
        self._held += ("", sentence) if event.kind == "round_begins" else (sentence,)
        self._held += (*perils, *seen)
        return self._release() if self.model.due is None else ()

    def _hear_chat(self, news: Chat) -> tuple[Effect, ...]:
        who = self.model.scene.speaker(news.seat, news.name)
        said = _("{name} says: {text}").format(name=who, text=heard(news.text))
        self._log.append(said)
        return self._say(said)

    def _hear_notice(self, news: Notice) -> tuple[Effect, ...]:
        work = f"{news.code} {news.fields.get('what', news.fields.get('names', ''))}"
        if news.code in ("progress", "waiting") and work == self._work:
            return ()  # one line for one piece of work
        self._work = work
        sentence = notice(news, self.model.scene)
        if news.code in HOW:
            sentence += " " + _(HOW[news.code])
        if news.code in LOGGED:
            self._log.append(sentence)
        self._held.append(sentence)
        return self._release() if self.model.due is None or news.code in URGENT else ()

    def _hear_over(self, news: OverNews) -> tuple[Effect, ...]:
        options = None if self.model.lobby is None else self.model.lobby.options
        lines = ["", *scores_text.final(news, self.model.scene, options, self.model.revealed)]
        if news.journal:
            lines += scores_text.saved(news.journal)
        events = [entry.event for entry in self.model.journal if entry.event is not None]
        for title, who in titles(events, self.model.scene):
            lines.append(_("{name}: {told}").format(name=title, told=who))
        points = [*turning_points(news, events, self.model.scene)]
        if points:
            lines.append(_("Turning points"))
        for _number, moved, deed in points:
            lines.append(f"  {moved}")
            lines += () if deed is None else (f"    {narrate(deed, self.model.scene)}",)
        lines += self.guide.tell(self.model)
        if not self._linger:
            return (*self._release(), *printed(*lines), match.Leave())
        lines.append(_("Type more to play once more with the same people, or quit to leave."))
        if self.model.is_live:
            lines.append(_("You may still talk: say TEXT."))
        return (*self._release(), *printed(*lines), PROMPT)

    def _ask(self) -> tuple[Effect, ...]:
        """Put the question, unless it has to wait."""
        ask = self.model.due
        return () if ask is None else (*self._release(), *self._put(ask, again=False))

    def _put(self, ask: Ask, *, again: bool) -> tuple[Effect, ...]:
        """Ask. Lines that the last question said too are left out, unless `again`."""
        view, scene, box = self.model.view, self.model.scene, self.model.box
        before = prelude(view, scene, box) if view else ()
        fresh = before if again else tuple(x for x in before if x not in self._prelude)
        self._prelude = before
        done, asked = self.model.done_to_you(), pose(ask, scene, box)
        since = (_("Since your last decision:"), *(f"  {one}" for one in done)) if done else ()
        return (*printed("", *since, *fresh, *self.guide.tell(self.model), *asked), PROMPT)

    def _release(self) -> tuple[Effect, ...]:
        held, self._held = self._held, []
        return printed(*held)

    def _say(self, *lines: str) -> tuple[Effect, ...]:
        return (*printed(*lines), *self._invite())

    def _invite(self) -> tuple[Effect, ...]:
        model = self.model
        in_lobby = model.view is None and model.lobby is not None and model.lobby.address
        return (PROMPT,) if model.due or in_lobby or model.over else ()

    # What is typed

    def read(self, line: str) -> tuple[Effect, ...]:
        typed = clean(line)
        if not typed:
            ask = self.model.due
            return self._send(ask, ask.sole) if ask is not None and ask.sole else self._again()
        unsure, self._unsure = self._unsure, ""
        ask, typed = self.model.due, self._meant(typed)
        command, rest = find(typed)
        if ask is not None:
            ids = {option.id for option in ask.options}
            if typed in ids or is_plain_number(typed):
                return self._answer(ask, typed, unsure)
            if command is not None and not rest and command.name in ids:
                return self._answer(ask, command.name, unsure)
        if command is not None:
            return self._obey(command, rest, sure=unsure == command.name)
        if ask is not None:
            return self._answer(ask, typed, unsure)
        return self._say(_("Nothing is asked of you now. Type help for what you may ask."))

    def _meant(self, typed: str) -> str:
        """The line, or what its keys type on another layout if only that is understood."""
        if self._says_something(typed):
            return typed
        readings = [one for one in layouts.readings(typed) if self._says_something(one)]
        return readings[0] if len(readings) == 1 else typed

    def _says_something(self, typed: str) -> bool:
        ask = self.model.due
        if find(typed)[0] is not None or ask is None:
            return find(typed)[0] is not None
        found = understand(ask, typed, self.model.scene, self.model.box)
        return not isinstance(found, Unclear) or bool(found.among)

    def end(self) -> tuple[Effect, ...]:
        return (match.Leave(),) if self._listens else ()

    def _answer(
        self, ask: Ask, typed: str, unsure: str | tuple[str, ...]
    ) -> tuple[Effect, ...]:
        known = numbers(ask, self.model.box)
        match understand(ask, typed, self.model.scene, self.model.box):
            case Picked(picks) if unsure != picks and self._gives_up(ask, picks):
                self._unsure = picks
                wanted = next(x for x in ask.options if x.id in picks)
                line = _("{wanted}: are you sure? Say it once more to do it.").format(
                    wanted=label(wanted, self.model.scene)
                )
            case Picked(picks):
                return self._send(ask, picks)
            case Miscounted(code, bound):
                bounds = {"low": bound, "high": bound}
                line = refusal(code, bounds, self.model.scene)
            case Unclear(_typed, among) if among:
                meant = [
                    f"{known[index]}. {label(ask.options[index], self.model.scene)}"
                    for index in among
                ]
                line = _("That may mean {choices}. Say it more exactly.").format(
                    choices=listing(meant)
                )
            case _ if is_plain_number(typed) and known != tuple(range(1, len(known) + 1)):
                line = _("Choose one of these numbers: {numbers}.").format(
                    numbers=", ".join(map(str, sorted(known)))
                )
            case _ if is_plain_number(typed):
                line = counted(
                    "There is only {count} choice.",
                    "Choose a number from 1 to {count}.",
                    count=len(ask.options),
                )
            case _:
                line = _("That is none of the choices.") + (
                    did_you_mean(typed, meanings(ask, self.model.scene))
                    or " " + _("Type “again” to have them once more, or “help”.")
                )
        return (*printed(line), PROMPT)

    def _gives_up(self, ask: Ask, picks: tuple[str, ...]) -> bool:
        """Whether an answer gives up something that could be kept."""
        return not ask.sole and any(x.sacrifice for x in ask.options if x.id in picks)

    def _send(self, ask: Ask, picks: tuple[str, ...]) -> tuple[Effect, ...]:
        self.model.answered(ask)
        return (match.Answer(ask.id, picks), *self._release())

    def _again(self) -> tuple[Effect, ...]:
        ask = self.model.due
        return self._invite() if ask is None else self._put(ask, again=True)

    def _obey(self, command: Command, rest: str, sure: bool) -> tuple[Effect, ...]:
        match command.name:
            case name if name in AT_ONCE:
                return (AT_ONCE[name],)
            case "again":
                return self._again() or printed(_("Nothing is asked of you now."))
            case "explain":
                self.guide = Guide(IN_LINES)
                return self._say(lobby_text.coached())
            case "enough":
                self.guide.stop()
                return self._say(_("Nothing more is explained. Play on!"))
            case "say":
                cut = lobby_text.cut(rest)
                return (match.Say(rest), *printed(*cut)) if rest else printed(_("Say what?"))
            case "kick" | "open" | "bot":
                return self._seat(command.name, rest)
            case "rest":
                level = self._level(rest)
                return (match.HandOver(level),) if isinstance(level, str) else level
            case "depart":
                if sure or self.model.view is None:
                    return (match.Depart(),)
                self._unsure = command.name
                once_more = _("Type depart once more to give your seat up.")
                return self._say(lobby_text.giving_up(self.model.lobby), once_more)
            case "change":
                return self._change(rest)
            case "language":
                return self._speak(rest)
            case "quit":
                closes = "" if self.model.has_begun else lobby_text.closing(self.model.lobby)
                waits = self.model.has_begun and not self.model.over
                if sure or not (waits or closes):
                    return (match.Leave(),)
                self._unsure = command.name
                line = lobby_text.leaving_by_word(self.model.lobby)
                if closes:
                    line = closes + " " + _("Type quit once more to close it.")
                return self._say(line)
        assert is_question(command)
        said = tell(command, rest, self.model, self._log, on_light=self._on_light)
        return self._say(*said)

    def _seat(self, verb: str, rest: str) -> tuple[Effect, ...]:
        """`kick`, `open` or `bot` with a seat, named by its number or by who sits there."""
        place, _space, level = rest.partition(" ")
        if verb == "kick":
            place, level = rest, ""
        names = [(name,) for name in self.model.scene.names]
        seat = pick(place, names) if place else None
        if not isinstance(seat, int):
            return self._say(_("Nobody of that name sits here."))
        match verb:
            case "kick":
                return (match.Kick(seat),)
            case "open":
                return (match.OpenSeat(seat),)
        chosen = self._level(level)
        return (match.SetBot(seat, chosen),) if isinstance(chosen, str) else chosen

    def _level(self, level: str) -> str | tuple[Effect, ...]:
        """The level that is meant; for an unknown one, the acts that list the levels."""
        known = [(cards.level(one), one) for one in LEVELS]
        chosen = pick(level, known) if level else LEVELS.index(USUAL_LEVEL)
        if isinstance(chosen, Unclear):
            names = listing([cards.level(one) for one in LEVELS])
            return self._say(_("Bots play like this: {levels}.").format(levels=names))
        return LEVELS[chosen]

    def _change(self, rest: str) -> tuple[Effect, ...]:
        """Propose another game, one option at a time."""
        if self.model.lobby is None or self.model.view is not None:
            return printed(refusal("started", {}, self.model.scene))
        form = now = Form.of_table(self.model.lobby)
        if not rest:
            return self._say(*form_lines.fields(form))
        form, lines = form_lines.change(form, rest)
        why = form_lines.refusal(form)
        if why or form.proposal() == now.proposal():
            return self._say(*(why or lines))
        return (match.Propose(*form.proposal()),)

    def _speak(self, rest: str) -> tuple[Effect, ...]:
        """Go on in another language."""
        called = [
            (i18n.NAMES[code], code, english, _(english)) for code, english in LANGUAGES.items()
        ]
        found = pick(rest, called) if rest else None
        if not isinstance(found, int):
            own = ", ".join(f"{name} ({code})" for code, name in i18n.NAMES.items())
            return self._say(_("Languages: {languages}.").format(languages=own))
        i18n.use(i18n.LANGUAGES[found])
        self._prelude = ()
        now = _("The language is {language} now.").format(language=i18n.NAMES[i18n.current()])
        return (*printed(now), *self._again())
