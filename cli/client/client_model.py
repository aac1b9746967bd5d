"""The state that clients show, folded from a session's news. No terminal, no keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from citadels_p2p.match import (
    CLOSING,
    AdviceNews,
    Ask,
    Awaited,
    Bye,
    Chat,
    EventNews,
    LookNews,
    News,
    Notice,
    OverNews,
    PassOn,
    RecordNews,
    Refused,
    StandingNews,
    StateNews,
    TableNews,
)
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import CharacterCard, HandCard, View
from cli.client.deeds import Deeds, told
from cli.client.rounds import STILL, TOLD_AGAIN, Known, RoundSummary
from cli.i18n import _
from cli.settings import UNSETTLED, Settings
from cli.text import Scene, narrate, notice, refusal
from cli.text.asking import in_order
from cli.text.events import goes_without_saying
from cli.text.lobby import changes, fallen, in_front, standing
from cli.text.reactions import heard
from cli.text.stakes import Stakes, peril
from cli.text.table import Box, box_of, my_role, sight

#: the trouble that the viewer has with a program of their own
ELSEWHERE = "elsewhere"
#: notices that stay in sight → what they are about
TROUBLES = {
    "slow": "silence of {name}",
    "left": "silence of {name}",
    "away": "silence of {name}",
    "suspected": "doubt of {name}: {why}",
    "elsewhere": ELSEWHERE,
    "paused": "paused",
    "host_gone": "host",
    "cheat": "cheat",
    "diverged": "diverged",
    "key_changed": "key",
}
#: notices that mean nothing any more once the match is over
COMING_AND_GOING = frozenset(
    {"slow", "left", "away", "paused", "back", "host_gone", "reconnected"}
)
#: notices that end a trouble → what that was about
ENDED = {
    "back": ("silence of {name}", "paused"),
    "reconnected": ("host", ELSEWHERE),
    "taking_over": (ELSEWHERE,),
    "hosting": ("host",),
}


#: seconds of thinking from which it is said how long somebody has thought, and in what steps
LONG, STEP = 10, 5
#: seconds for which what somebody has said stands at the seat
SPOKEN = 5.0
#: sentences remembered
JOURNAL = 2000


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One sentence of the journal.

    `kind`: "event", "round" (it begins), "chat" or "notice". `mine`: it is about the viewer.
    `event`: what it tells of, where that is one.
    """

    text: str
    kind: str = "event"
    mine: bool = False
    event: Event | None = None


class ClientModel:
    """What one person knows of a table and its match, whichever way it is shown."""

    def __init__(self, settings: Settings = UNSETTLED, *, big: bool = False) -> None:
        """`big`: it is shown to a room that looks on, where nobody presses a key."""
        self.settings = settings
        self.is_big = big
        self.lobby: TableNews | None = None
        self.given_at = ""  #: where the program is given away: the address of a page
        self.view: View | None = None
        self.awaited: Awaited | None = None
        self.awaited_at = 0.0
        self.scene = Scene()
        self.box = Box.of("classic")
        self._drawn: tuple[str, ...] = ()  #: the characters, where lots have drawn them
        self.ask: Ask | None = None
        self.passing: PassOn | None = None  #: to whom the laptop is to be passed now
        self.advice: AdviceNews | None = None  #: what a bot would do in the open question
        self.asked_at = 0.0
        self.sent: Ask | None = None
        self.fallen = ""  #: why the viewer's word that it is ready no longer holds
        self.refused = ""  #: why the last act was refused; empty once something else happens
        self.work: Notice | None = None  #: long work that goes on
        #: who or what is amiss → the notice about it, and when it was heard
        self.troubles: dict[str, tuple[Notice, float]] = {}
        self.over: OverNews | None = None
        self.standing: StandingNews | None = None  #: how this evening has gone
        self.record: RecordNews | None = None  #: a saved match, told as a whole
        self.bye: Bye | None = None
        self.journal: deque[JournalEntry] = deque(maxlen=JOURNAL)
        self.spoken: dict[int, tuple[str, float]] = {}  #: seat → what it said last, and when
        self.unread = 0  #: words of others since the chat was last looked at
        self.fresh = 0  #: entries since the viewer last decided something
        self.rank: int | None = None  #: the rank called last in this round
        self.stakes = Stakes()  #: what lies on the characters of this round
        self.deeds = Deeds()  #: what others did to the viewer since the last decision
        self.rounds: list[RoundSummary] = []
        self.recap: RoundSummary | None = None  #: what is over and not yet looked back on
        self.last: Event | None = None  #: the event that was heard last
        self.sight: tuple[str, ...] = ()  #: what the newest news lets one look at, in words
        self.known = Known()  #: what nobody else knows
        self._seen: frozenset[HandCard | CharacterCard] = frozenset()
        self._dealt = False  #: a character came to the viewer that nobody has told yet

    @property
    def me(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        return self.scene.you

    @property
    def is_live(self) -> bool:
        """Whether this is a match of laptops as it is played: notices say who is away."""
        return self.lobby is not None and self.lobby.patience is not None

    @property
    def has_begun(self) -> bool:
        """Whether a match is on: from its safety words on, before there is anything to see."""
        return self.view is not None or (self.lobby is not None and bool(self.lobby.words))

    @property
    def may_talk(self) -> bool:
        """Whether the table hears what the viewer says; who only watches is not heard."""
        return self.lobby is None or not self.lobby.spectator

    @property
    def is_ahead(self) -> bool:
        """Whether the table shows what is not told yet: so it comes over a slow network."""
        told = 0 if self.last is None else self.last.n
        return self.view is not None and self.view.n > told

    @property
    def due(self) -> Ask | None:
        """The open question, once what it follows is told."""
        return None if self.is_ahead else self.ask

    def seconds_left(self, now: float) -> int | None:
        """Seconds until the open question closes; None where it has no deadline."""
        waits = self.ask or self.passing
        if waits is None or waits.deadline is None:
            return None
        return max(0, round(waits.deadline - (now - self.asked_at)))

    def fade(self, now: float) -> bool:
        """Forget what was said long enough ago; whether anything stood at a seat until now."""
        before = self.spoken
        self.spoken = {seat: one for seat, one in before.items() if now < one[1] + SPOKEN}
        return bool(before)

    def seconds_waited(self, now: float) -> int | None:
        """For how many seconds a table of laptops has waited for one decision, in steps; None
        where that is not long.
        """
        waited = int(now - self.awaited_at)
        if not self.is_live or self.awaited is None or self.over is not None or waited < LONG:
            return None
        return waited - waited % STEP

    @property
    def is_paced(self) -> bool:
        """Whether the acts of others come one by one: in practice, unless settled otherwise."""
        practice = self.lobby is not None and not self.is_live and self.record is None
        return practice and self.settings.pace != "none"

    @property
    def revealed(self) -> Mapping[int, Sequence[str]]:
        """Seat → the characters that it has answered for in the newest round."""
        return self.rounds[-1].revealed if self.rounds else {}

    @property
    def may_be_advised(self) -> bool:
        """Whether a bot may say what it would do: no other person plays, here or elsewhere."""
        seats = () if self.lobby is None else self.lobby.seats
        alone = sum(seat.kind == "human" for seat in seats) == 1
        return alone and self.me is not None and not self.is_live and self.record is None

    @property
    def is_elsewhere(self) -> bool:
        """Whether another program with the viewer's key is at the table, and this one waits."""
        return ELSEWHERE in self.troubles

    def perils(self) -> tuple[str, ...]:
        """What befalls the viewer in this round, or is going to."""
        you = None if self.view is None else self.view.you
        if you is None:
            return ()
        return tuple(
            said
            for role in you.characters
            for mark in self.stakes.of(role)
            if (said := peril(role, mark, self.scene))
        )

    def done_to_you(self) -> tuple[str, ...]:
        """What others did to the viewer since the last decision, a sentence each."""
        if self.record is not None or (self.ask is not None and self.ask.kind == "moment"):
            return ()  # in a saved match nothing is decided
        return told(self.deeds.done, self.view, self.scene, self.box)

    def doubt(self, seat: int) -> str:
        """Why the laptop of this seat is suspected; '' where it is not."""
        seats = () if self.lobby is None else self.lobby.seats
        return next((one.suspected for one in seats if one.seat == seat), "")

    def trouble(self, now: float) -> str:
        """A sentence about the trouble that matters most: one that only the viewer can end,
        else the newest. Its seconds count down. '' where nothing is amiss.
        """
        if not self.troubles:
            return ""
        newest = list(self.troubles.values())[-1]
        news, heard_at = self.troubles.get(ELSEWHERE, newest)
        seconds = news.fields.get("seconds")
        if isinstance(seconds, int):
            left = max(0, seconds - int(now - heard_at))
            news = Notice(news.code, {**news.fields, "seconds": left})
        return notice(news, self.scene)

    def hear(self, news: News, now: float) -> None:
        """Take in one piece of news; `now` in seconds of the shell's clock."""
        self.sight = ()
        match news:
            case TableNews():
                self._hear_table(news)
            case StateNews():
                self._hear_state(news, now)
            case LookNews():
                self._look(news.view)
            case EventNews():
                was_ahead = self.is_ahead
                self._hear_event(news.event)
                if was_ahead and self.view is not None and not self.is_ahead:
                    self._look(self.view)
            case AdviceNews():
                self.advice = news
            case Ask():
                self.ask, self.asked_at = in_order(news, self.box), now
                self.advice = None
                self.work = None
            case PassOn():
                self.passing, self.asked_at = news, now
            case Refused():
                self._hear_refusal(news)
            case Chat():
                self._hear_chat(news, now)
            case Notice():
                self._hear_notice(news, now)
            case OverNews():
                self.over, self.ask, self.work, self.passing = news, None, None, None
                self.troubles.clear()
                self._standings()
            case StandingNews():
                self.standing = news
            case RecordNews():
                self.record, self.work = news, None
            case Bye():
                self.bye, self.ask, self.work = news, None, None

    def of_person(self, seat: int | None) -> ClientModel:
        """What was heard of a table before its match, for one of several persons at this
        laptop; None: for nobody.
        """
        assert self.lobby is not None
        other = deepcopy(self)
        other.lobby = in_front(self.lobby, seat)
        other.scene = Scene.of([one.name for one in self.lobby.seats], seat, self.box.ranks)
        return other

    def answered(self, ask: Ask, picks: tuple[str, ...] = ()) -> None:
        """The viewer has answered this ask; entries from now on count as fresh."""
        self.ask, self.sent, self.refused, self.advice = None, ask, "", None
        self.deeds.decided(ask)
        self.known.decide(ask, picks)
        self.fresh = 0

    def _hear_table(self, news: TableNews) -> None:
        before, self.lobby = self.lobby, news
        self.refused = "" if news != before else self.refused
        self.box = box_of(news, self._drawn)
        if self.view is not None:
            return
        self.scene = Scene.of([seat.name for seat in news.seats], news.you, self.box.ranks)
        if before is not None:
            is_ready = news.you is not None and news.seats[news.you].ready
            self.fallen = "" if is_ready else fallen(before, news) or self.fallen
            told = set(standing(news))
            for line in changes(before, news):
                if line not in told:
                    self._note(line, "notice")

    def _hear_state(self, news: StateNews, now: float) -> None:
        before, self.view = self.view, news.view
        self.deeds.see(news.view)
        if news.awaited != self.awaited or before is None or before.n != news.view.n:
            self.awaited_at = now
        self.awaited, self.work = news.awaited, None
        you = news.view.you
        if not news.awaits_you:
            self.ask = None  # a refusal that was heard late may have left it open
        if self.lobby is not None:
            self._drawn = news.view.roster or self._drawn
            self.box = box_of(self.lobby, self._drawn)
        self.scene = Scene.of(news.names, you.seat if you else None, self.box.ranks)
        if before is None or news.view.round != before.round:
            self._standings()
        if not self.is_ahead:
            self._look(news.view)

    def _look(self, view: View) -> None:
        """Note what the viewer has been let look at since the last time."""
        you, last = view.you, self.last
        if you is not None and self._dealt and you.characters:
            self._dealt = len(you.characters) < len(view.seats[you.seat].characters)
            acts = view.turn is not None and view.turn.seat == you.seat
            if not (self._dealt or acts):  # who acts is told at the decision
                self._show(my_role(view, self.box))
        before, self._seen = self._seen, frozenset(you.seen if you is not None else ())
        if self._seen <= before:
            return
        fields = last.fields() if last is not None and last.kind == "hand_seen" else {}
        other = fields.get("other")
        name = self.scene.name(other) if isinstance(other, int) else ""
        if said := sight(view, name, self.box):
            self._show(said)

    def _show(self, said: str) -> None:
        """Tell the viewer of a card that nobody else sees."""
        self.sight = (*self.sight, said)
        self._note(said, "event", True)

    def _standings(self) -> None:
        """Note how everything lay at the end of the last round, for the look back.

        Gold and cities stand still from there until somebody acts in the next one; who hears of
        several rounds at once has no look back on those before.
        """
        view, last = self.view, self.over is not None
        if view is None or len(self.rounds) < (1 if last else 2):
            return
        ended = self.rounds[-1 if last else -2]
        untouched = self.rounds[-1].still and not self.is_ahead
        stands_still = view.phase == "selection" or untouched
        if ended.gold or not (last or stands_still):
            return
        ended.gold = tuple(seat.gold for seat in view.seats)
        ended.worth = tuple(sum(card.cost for card in seat.city) for seat in view.seats)
        ended.table, ended.last = view, last
        self.recap = None if self.is_big else ended

    def _hear_event(self, event: Event) -> None:
        before, self.last = self.last, event
        self.refused = ""
        fields = event.fields()
        drawn = fields["characters"] if event.kind == "characters_drawn" else ()
        if self.lobby is not None and isinstance(drawn, tuple) and drawn:
            self._drawn = tuple(str(role) for role in drawn)
            self.box = box_of(self.lobby, self._drawn)
            self.scene = replace(self.scene, ranks=self.box.ranks)
        if event.kind == "timed_out" and fields["seat"] == self.me:
            self.ask = None
        if event.kind in ("character_dealt", "picks_swapped") and self.me is not None:
            self._dealt |= self.me in (fields["seat"], fields.get("other"))
        sentence = narrate(event, self.scene)
        if event.kind == "round_begins":
            self.known.forget()
            if self.rounds:
                self.rounds[-1].stakes = self.stakes.on
        self.stakes.hear(event)
        self.deeds.hear(event, self.me)
        self._follow(event, sentence)
        if goes_without_saying(event, before, self.me, live=self.is_live):
            return
        mine = self.me is not None and self.me in (
            fields.get(name) for name in ("seat", "owner", "victim", "other", "to")
        )
        kind = "round" if event.kind == "round_begins" else "event"
        self._note(sentence, kind, mine, event)

    def _follow(self, event: Event, sentence: str) -> None:
        fields = event.fields()
        if event.kind == "round_begins":
            number = fields["round"]
            assert isinstance(number, int)
            self.rounds.append(RoundSummary(number))
            self.rank = None
            return
        if event.kind in ("rank_called", "rank_silent"):
            rank = fields["rank"]
            self.rank = rank if isinstance(rank, int) else None
        if not self.rounds:
            return
        self.rounds[-1].still = self.rounds[-1].still and event.kind in STILL
        if event.kind == "rank_called" and isinstance(fields["seat"], int):
            self.rounds[-1].revealed.setdefault(fields["seat"], []).append(
                str(fields["character"])
            )
        if event.kind in ("turn_begins", "turn_resumed", "exposed", "heir"):
            seat, role = fields["seat"], fields["character"]
            if isinstance(seat, int) and isinstance(role, str):
                shown = self.rounds[-1].characters.setdefault(seat, [])
                if role not in shown:
                    shown.append(role)
        if event.kind in TOLD_AGAIN:
            self.rounds[-1].told.append(sentence)

    def _hear_refusal(self, news: Refused) -> None:
        self.refused = refusal(news.reason, news.fields, self.scene)
        if news.ask is None:
            self.ask = None
        elif self.sent is not None and self.sent.id == news.ask:
            self.ask = self.sent
            self.deeds.undecided()
        self._note(self.refused, "notice")

    def _hear_chat(self, news: Chat, now: float) -> None:
        who = self.scene.speaker(news.seat, news.name)
        text = heard(news.text)
        said = _("{name} says: {text}").format(name=who, text=text)
        if news.seat is not None:
            self.spoken.pop(news.seat, None)  # the newest comes last
            self.spoken[news.seat] = text, now
        mine = news.seat is not None and news.seat == self.me
        self.unread += 0 if mine else 1
        self._note(said, "chat", mine)

    def _hear_notice(self, news: Notice, now: float) -> None:
        if news.code in CLOSING:
            self.ask = None
        if news.code in ("progress", "waiting", "not_opened"):
            self.work = news
            return
        self.work = None
        if self.over is not None and news.code in COMING_AND_GOING:
            return  # the match is over: nobody is waited for
        sentence = notice(news, self.scene)
        about = TROUBLES.get(news.code)
        name = str(news.fields.get("name", ""))
        if about is not None:
            about = about.format(name=name, why=news.fields.get("why"))
            self.troubles.pop(about, None)  # what is new comes last
            self.troubles[about] = (news, now)
        for gone in ENDED.get(news.code, ()):
            self.troubles.pop(gone.format(name=name), None)
        if news.code in ("hosting", "cleared"):
            self._end_doubts(news.code, name)
        self._note(sentence, "notice")

    def _end_doubts(self, code: str, name: str) -> None:
        """Forget suspicions that `name` ended, by answering again or by becoming the host."""
        for about, (news, _at) in tuple(self.troubles.items()):
            named = news.fields.get("name") == name
            kept = news.fields.get("why") == "withholds" and not named
            if news.code == "suspected" and (named if code == "cleared" else kept):
                del self.troubles[about]

    def say(self, text: str) -> None:
        """Something that the program itself tells the viewer."""
        self._note(text, "notice")

    def _note(
        self, text: str, kind: str, mine: bool = False, event: Event | None = None
    ) -> None:
        self.journal.append(JournalEntry(text, kind, mine, event))
        self.fresh = min(self.fresh + 1, JOURNAL)
