"""The full screen as a machine: news and keys in, acts and frames out. No terminal, no
tasks.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from citadels_p2p.match import (
    Anew,
    Ask,
    Bye,
    Chat,
    EventNews,
    Leave,
    News,
    OnceMore,
    OverNews,
    PassOn,
    RecordNews,
    StateNews,
    TakeOver,
    TakeSeat,
)
from citadels_p2p.rules.events import Event
from cli import i18n
from cli.client.client_model import ClientModel
from cli.client.guide import HINTS, ON_SCREEN, Guide
from cli.client.hot_seat import told
from cli.i18n import _
from cli.line.command_table import meant_by
from cli.screen import frame
from cli.screen.counting import TEMPO
from cli.screen.keys import meant
from cli.screen.look import Look
from cli.screen.moments import Moments, frames
from cli.screen.overlays.answers import Confirm, OwnSeat
from cli.screen.overlays.cards import CardTexts
from cli.screen.overlays.help import Help
from cli.screen.overlays.join_code import JoinCode
from cli.screen.overlays.journal import Journal, Talk
from cli.screen.overlays.reading import SafetyWords
from cli.screen.overlays.settings import SettingsOverlay
from cli.screen.page import (
    Base,
    Obey,
    Open,
    Overlay,
    Page,
    Quit,
    Repaint,
    ScreenEffect,
    ScreenEffects,
    Shut,
    Sit,
    Suspend,
)
from cli.screen.pages import KINDS
from cli.screen.pages.big import Big
from cli.screen.pages.first_minute import FirstMinute
from cli.screen.pages.primer import Primer
from cli.screen.pages.replay import Replay
from cli.screen.pages.score import Score
from cli.screen.pages.table import Table
from cli.settings import UNSETTLED, Settings, for_terminal
from cli.text import ending
from cli.text import scores as scores_text
from cli.text import screen as phrases
from cli.text.cells import Block, wrap
from cli.text.lobby import closing, coached, leaving, sharing
from cli.text.reactions import PATIENCE, is_nudge
from cli.text.screen import time_left
from protocol.errors import ProtocolError

#: seconds from which the time left is urgent
URGENT = 10


#: keys that are no text and mean the same whatever lies over the page
ALWAYS = ("c-l", "c-z")


class Screen:
    """Pages over what was heard. `base` stands while there is no session (the lobby).

    Where several persons share the laptop, each has a model, and so has nobody; the one of who
    sits is shown.
    """

    def __init__(
        self,
        base: Base | None = None,
        settled: Settings | None = None,
        *,
        big: bool = False,
        guided: bool = False,
    ) -> None:
        """`big`: for a room that looks on; `guided`: every step of the match is explained."""
        self.settings = UNSETTLED if settled is None else for_terminal(settled)
        self.guided = guided
        self._hints = Guide(HINTS if self.settings.hints else ())
        self.base = base
        self.settled = settled
        self._unseen = False  #: the window is too small to show anything
        self._now = 0.0  #: when something was heard or painted last
        self._reminded = -inf  #: when somebody last reminded the viewer
        self._begin(big=big)
        self.seated = base is None

    # What is heard

    def sit(self) -> None:
        """A session is being opened: what was heard before is another table's."""
        self._begin(big=self.model.is_big)
        self.seated = True

    def _begin(self, *, big: bool) -> None:
        """Nothing has been heard of a table yet."""
        self.model = ClientModel(self.settings, big=big)
        self.guide = self._guide()
        self.overlays: list[Overlay] = []
        self._sits: int | None = None
        self._shared: dict[int | None, ClientModel] = {}  #: by seat, where persons share
        self._pages: dict[tuple[int | None, str], Page] = {}
        self._primer = Primer(self.model, self._prime)
        self._primed = False  #: the page before a guided game is read
        self._scored: float | None = None  #: since when the score stands
        self._counts = False  #: its points are being counted
        self.moments = Moments()  #: what has happened at the table, and is still shown
        self._events: list[Event] = []  #: those since the view that stands

    def rise(self) -> None:
        """The session is over; the base page stands again and says why if it ended badly."""
        self.seated = self.base is None
        self.overlays.clear()
        bye = self.model.bye
        if self.base is not None and bye is not None and bye.reason:
            self.base.complain(ending(bye.reason, bye.fields, self.model.scene))

    def fail(self, problem: ProtocolError) -> ScreenEffects:
        """A session could not be opened; the base page says why or asks for what it needs."""
        self.rise()
        return self._do(self.base.fail(problem)) if self.base is not None else ()

    def say(self, told: str) -> None:
        """What came of something that the page wanted."""
        page = self.page
        if isinstance(page, Score):
            page.said = told

    def settle(self, key: str, value: str | bool | None) -> None:
        if key == "lang":
            i18n.use(str(value or i18n.preferred()))
        if key == "ascii":
            i18n.only_ascii(bool(value))
        changed = {key: value}
        self.settings = replace(self.settings, **changed)  # type: ignore[arg-type]
        for model in (self.model, *self._shared.values()):
            model.settings = self.settings
        if self.settled is not None:
            self.settled = replace(self.settled, **changed)  # type: ignore[arg-type]
        if key == "hints":
            self._hints = Guide(HINTS if value else ())
            self.guide = self.guide if self.guided else self._hints
            self.guide.notice(self.model)
        for page in self._pages.values():
            if isinstance(page, Table):
                page.settle(key, value)
        if self.base is not None:
            self.base.settle(key, value)

    def hear(self, news: News, now: float) -> None:
        """The session says something; `now` on the same clock as `Look.now`."""
        self._now = now
        if isinstance(news, Anew):
            self.guided = False  # who has seen one match knows how the next one goes
            self.sit()
        if isinstance(news, EventNews | StateNews) and not self._shared:
            self._part()
        self._happen(news, now)
        for seat, model in self._shared.items():
            said = told(news, seat, self._sits)
            if said is not None:
                model.hear(said, now)
        if not self._shared:
            self.model.hear(news, now)
        elif isinstance(news, PassOn | OverNews):
            self._give(None)
        if isinstance(news, Bye):
            self.overlays.clear()
        if isinstance(news, StateNews | Ask | OverNews):  # between them not all is told
            self.guide.notice(self.model)

    def is_reminded(self, news: News, now: float) -> bool:
        """Whether somebody reminds the viewer who has something to do, and not once more."""
        if not isinstance(news, Chat) or not is_nudge(news.text):
            return False
        mine = self.model.ask is not None and news.seat != self.model.me
        if not mine or now - self._reminded < PATIENCE:
            return False
        self._reminded = now
        return True

    def _happen(self, news: News, now: float) -> None:
        """Note what is to be seen of the news, before it is heard."""
        before = self.model.view
        match news:
            case EventNews(event):
                self._events.append(event)
            case StateNews(view) if before is not None and view.n > before.n:
                seen = frames(self._events, before, view, self.model.box.ranks)
                self._events.clear()
                self.moments.hear(seen, TEMPO[self.settings.pace], now)
            case StateNews() | OverNews() | RecordNews():
                self._events.clear()

    def _guide(self) -> Guide:
        """What is to be told in a match that begins: all, or those hints that are left."""
        if self.guided:
            self._hints = Guide()  # they are part of it
        return Guide(ON_SCREEN) if self.guided else self._hints

    def _part(self) -> None:
        """The match begins, and what is told from now on may be for one person's eyes."""
        lobby = self.model.lobby
        persons = () if lobby is None or self.model.view is not None else sharing(lobby)
        if persons:
            self._shared = {seat: self.model.of_person(seat) for seat in (None, *persons)}
            self._pages.clear()
            self._give(None)

    def _give(self, seat: int | None) -> None:
        """The laptop is before the person of `seat` now; None: on its way."""
        self._sits, self.model = seat, self._shared[seat]
        self.moments.skip()
        self.overlays.clear()

    @property
    def page(self) -> Page:
        if not self.seated and self.base is not None:
            return self.base
        if self._primes:
            return self._primer
        kind = next(kind for kind in KINDS if kind.applies(self.model))
        if kind.name == "lookback" and self._is_shown:
            kind = next(kind for kind in KINDS if kind.name == "table")
        place = (self._sits, kind.name)
        if place not in self._pages:
            self._pages[place] = kind.make(self.model)
        return self._pages[place]

    @property
    def _is_shown(self) -> bool:
        """Whether something that has just happened is still to be seen."""
        return self.moments.left(self._now) > 0

    @property
    def told(self) -> ClientModel:
        """What the page that stands tells of: the table, or a saved match at one moment."""
        page = self.page
        return page.model if isinstance(page, Replay) else self.model

    # What is shown

    def paint(self, look: Look, columns: int, rows: int) -> Block:
        """The frame, exactly as large as asked for."""
        self._unseen, self._now = frame.is_too_small(columns, rows), look.now
        moment = self.moments.at(look.now) if isinstance(self.page, Table | Big) else None
        look = replace(look, since=self._count(look.now), moment=moment)
        seconds = self.model.seconds_left(look.now)
        return frame.frame(
            self.page,
            self.overlays[-1] if self.overlays else None,
            look,
            columns,
            rows,
            left=self._left(look, seconds),
            urgent=seconds is not None and seconds <= URGENT,
            unread=self.model.unread,
            told=self.explained,
            guided=self.guided,
            trouble=self.model.trouble(look.now) if self.seated else "",
        )

    def _count(self, now: float) -> float | None:
        """The seconds that the score has stood; None where it is counted."""
        page = self.page
        if isinstance(page, Score):
            self._scored = now if self._scored is None else self._scored
            passed = now - self._scored
            if page.counting.next(passed) is not None:
                self._counts = True
                return passed
        self._counts = False
        return None

    def due(self, now: float) -> float | None:
        """The seconds after which a frame shows something else, by itself; None: none does."""
        page = self.page
        if isinstance(page, Score) and self._scored is not None:
            return page.counting.next(now - self._scored)
        return self.moments.next(now)

    def _left(self, look: Look, seconds: int | None) -> str:
        """The time left; while nothing is asked, how far long work has come."""
        if seconds is not None:
            return time_left(seconds)
        work = self.model.work if self.model.ask is None else None
        return phrases.bar(work, look.signs.full, look.signs.empty)

    @property
    def explains(self) -> bool:
        """Whether something is explained that is to be read before anything else happens; where
        others play, nothing waits for that.
        """
        waits = self.model.ask is None and not self.model.is_live
        return self._primes or (self.guided and waits and bool(self.guide.text(self.model)))

    @property
    def tour_taken(self) -> bool:
        """Whether a beginner has had the hints: all of them, or a whole match."""
        wanted = self.guided or self.settings.hints
        return wanted and (self.guide.over or self.model.over is not None)

    def farewell(self, columns: int = 80) -> tuple[str, ...]:
        """What stays on the ordinary terminal: the result, or why it ended; paths whole."""
        model = self.told
        lines: list[str] = []
        if model.over is not None:
            options = None if model.lobby is None else model.lobby.options
            for said in scores_text.final(model.over, model.scene, options, model.revealed):
                lines += wrap(said, columns, "   ")
            lines += scores_text.saved(model.over.journal) if model.over.journal else ()
        elif model.bye is not None and model.bye.reason:
            lines += wrap(ending(model.bye.reason, model.bye.fields, model.scene), columns)
        return tuple(lines)

    # What is pressed

    def press(self, key: str) -> ScreenEffects:
        """A key was pressed; what is left for the shell and the session to do."""
        held = self.model.recap is not None and self._is_shown and not self.overlays
        self.moments.skip()
        if held and key not in (*ALWAYS, "c-c"):
            return ()  # it was for what was seen, and not for what comes now
        if key in ALWAYS:
            done: ScreenEffects | None = self._command(key)
        elif self._unseen and key != "c-c":
            done = ()  # nobody chooses what cannot be seen
        elif self._counts and key != "c-c" and not self.overlays:
            self._scored, done = -inf, ()  # all of it is counted
        elif key == "c-c" and not (self.overlays and isinstance(self.overlays[-1], Confirm)):
            done = (Obey("quit"),)
        elif key == "enter" and not self.overlays and self.guided and self.explained:
            done = self._read()
        elif self.overlays:
            over = self.overlays[-1]
            done = over.press(key if over.writes else meant(key))
        else:
            page = self.page
            known = key if isinstance(page, FirstMinute) and page.writes else meant(key)
            done = page.press(known)
            if done is None:
                done = self._command(known)
        left = self._do(done or ())
        self.guide.notice(self.model)
        return left

    def _command(self, key: str) -> ScreenEffects:
        command = meant_by(key, self.place)
        return () if command is None else (Obey(command.name),)

    @property
    def place(self) -> str:
        """Where the page stands, as the command table has it: "nearby", "lobby", "match", …"""
        if isinstance(self.page, Replay):
            return "replay"
        if not self.seated or self.model.lobby is None:
            return "nearby"
        return "lobby" if self.model.view is None else "match"

    @property
    def explained(self) -> str:
        """What the guide says on the page that stands; where all is guided, Enter reads it."""
        return self.guide.text(self.model) if self.seated and not self._primes else ""

    @property
    def _primes(self) -> bool:
        """Whether the page stands that comes before a guided game."""
        alone = self.seated and not self.model.is_live and self.model.view is not None
        return self.guided and not self._primed and alone

    def _prime(self) -> None:
        self._primed = True

    def _read(self) -> ScreenEffects:
        self.guide.go_on(self.model)
        return ()

    def obey(self, command: str) -> ScreenEffects:
        """Do what a command says, as if its key had been pressed."""
        return self._do((Obey(command),))

    def click(self, target: str) -> ScreenEffects:
        if self._unseen:
            return ()
        where, _colon, name = target.partition(":")
        if where == "command":
            return self.obey(name)
        if target == "told":
            return self._read()
        if self.overlays:
            return self._do(self.overlays[-1].click(target))
        return self._do(self.page.click(target) or ())

    def _do(self, effects: ScreenEffects) -> ScreenEffects:
        left: list[ScreenEffect] = []
        for effect in effects:
            match effect:
                case Open(overlay):
                    self.overlays.append(overlay)
                case Shut():
                    if self.overlays:
                        self.overlays.pop()
                case Obey(command):
                    done = self.page.obey(command)
                    left += self._do(self._obey(command) if done is None else done)
                case Leave() if self.model.record is not None and self.model.over is not None:
                    self.model.record = None  # back to the score of what was just played
                    self._pages.pop((self._sits, "replay"), None)
                case TakeSeat(seat):
                    self.model.passing = None
                    self._give(seat)
                    left.append(effect)
                case Sit():
                    self.guided = effect.guided
                    left.append(effect)
                case _:
                    left.append(effect)
        return tuple(left)

    def _obey(self, command: str) -> ScreenEffects:
        match command:
            case "help":
                return (Open(Help(self.told if self.seated else ClientModel(), self.place)),)
            case "log":
                return (Open(Journal(self.told)),)
            case "say" if self.seated and self.model.may_talk and self.model.record is None:
                return (Open(Talk(self.model)),)
            case "card":
                return (Open(CardTexts(self.told)),)
            case "words" if self.seated:
                return (Open(SafetyWords(self.told)),)
            case "code" if command in self.page.commands():
                return (Open(JoinCode(self.told, self.settled)),)
            case "takeover" if self.model.is_elsewhere:
                question = _(
                    "The program on the other laptop stops, and the match goes on here."
                )
                return (Open(Confirm(question, _("Yes, go on here"), (TakeOver(),))),)
            case "more" if isinstance(self.page, Score):
                return (OnceMore(),)
            case "own_seat" if command in self.page.commands():
                return (Open(OwnSeat(self.model)),)
            case "enough":
                self.guide.stop()
            case "explain" if command in self.page.commands():
                self.guided = not self.guided
                self.guide = self._guide()
                self.model.say(coached() if self.guided else _("Nothing more is explained."))
            case "redraw":
                return (Repaint(),)
            case "settings" if self.settled is not None:
                return (Open(SettingsOverlay(self.settled)),)
            case "suspend":
                return (Suspend(),)
            case "quit":
                return self._quit()
        return ()

    def _quit(self) -> ScreenEffects:
        if not self.seated:
            return (Quit(),)
        if self.model.over is not None:
            return (Leave(),)
        if not self.model.has_begun:
            question = closing(self.model.lobby)
            yes = _("Yes, close the table")
            return (Open(Confirm(question, yes, (Leave(),))),) if question else (Leave(),)
        question = leaving(self.model.lobby)
        return (Open(Confirm(question, _("Yes, leave the match"), (Leave(),))),)
