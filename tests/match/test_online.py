"""Laptops in one process: one match over TLS on loopback, SQLite on disk and in the real group;
the others in virtual time.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from citadels_p2p.match.acts import Leave, SetBot
from citadels_p2p.match.archive.audit import Verdict, verify
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.news import Ask, Bye, Notice, OverNews, Refused, StateNews, TableNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.online import Online
from protocol import Refused as NodeRefused
from protocol.application import Contribution
from tests.match import laptops
from tests.match.laptops import Listener, Maker, honest, played
from tests.world import indoors


class FalseShares(SealedDealer):
    """Deals a card with a share that is not made from its key."""

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        made = super()._make(duty, key)
        if duty.kind != "deal":
            return made
        body = bodies.read(made.body)
        assert isinstance(body, bodies.Shared)
        own = self.match.keys.publics[self.me]
        forged = msgspec.structs.replace(body, shares=own + body.shares[32:])
        return Contribution(key=made.key, body=bodies.write(forged))


class SilentHolder(SealedDealer):
    """Denies its character whenever it is called."""

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        if duty.kind != "answer":
            return super()._make(duty, key)
        body = bodies.Answered(self.match.step, -1, -1, b"", b"")
        return Contribution(key=key, body=bodies.write(body))


class IllegalBuilder(SealedDealer):
    """Builds before gathering, as the first thing it does in a turn."""

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        made = super()._make(duty, key)
        if duty.kind != "act" or self.match.state.turn is None:
            return made
        slot = next(iter(self.faces(duty.seat)))
        shares = self.contributor.card_holder().make_shares((slot,), b"open")
        act = bodies.Acted(self.match.step, duty.seat, (f"build:{slot}",), b"", shares)
        return Contribution(key=made.key, body=bodies.write(act))


def table(home: Path, *makers: Maker) -> list[Listener]:
    """These laptops and a bot, or the third of them, play to the end, in virtual time."""
    homes = [home / str(number) for number in range(len(makers))]
    return indoors.play(laptops.play(homes, bots=3 - len(makers), makers=makers))


def journals(home: Path) -> list[Path]:
    return sorted(home.glob("*/matches/*.citadels"))


def test_two_laptops_play_a_match_that_anybody_can_check(tmp_path: Path) -> None:
    homes = [tmp_path / "0", tmp_path / "1"]
    listeners = asyncio.run(laptops.play(homes, bots=1))
    overs = [listener.last(OverNews) for listener in listeners]
    assert len({over.digest for over in overs}) == 1
    views = [listener.last(StateNews) for listener in listeners]
    assert {view.view.phase for view in views} == {"over"}
    words = [listener.last(TableNews) for listener in listeners]
    said = {news.words for news in words}
    assert len(said) == 1
    assert () not in said
    assert [listener.last(Bye) for listener in listeners] == [Bye(0), Bye(0)]
    for path in journals(tmp_path):
        verdict = verify(path)
        assert (verdict.sound, verdict.finished, verdict.opened) == (True, True, True)
        assert verdict.words in said


def test_where_nothing_goes_wrong_nothing_is_said_to_have(tmp_path: Path) -> None:
    for listener in table(tmp_path, honest, honest):
        codes = {news.code for news in listener.heard if isinstance(news, Notice)}
        assert codes <= {"progress", "waiting"}


@pytest.mark.parametrize(
    ("kind", "code"),
    [(FalseShares, "proof"), (SilentHolder, "illegal"), (IllegalBuilder, "illegal")],
)
def test_a_cheating_guest_is_named_and_the_journal_proves_it(
    tmp_path: Path, kind: type[SealedDealer], code: str
) -> None:
    listeners = table(tmp_path, honest, played(kind=kind), honest)
    for listener in listeners:
        notice, bye = listener.last(Notice), listener.last(Bye)
        assert (notice.code, notice.fields) == ("cheat", {"name": "Bert", "what": code})
        assert bye.code == 5
    verdicts = [indoors.verified(path) for path in journals(tmp_path)]
    assert len(verdicts) == 3
    for verdict in verdicts:
        assert named(verdict) == ("Bert", code)


def test_a_cheating_host_is_named_by_its_guests(tmp_path: Path) -> None:
    """A host whose own program accepts its false shares puts them in order.

    Nobody else does.
    """

    class Lenient(FalseShares):
        def fold(self, seq: int, author: int, body: bytes) -> str | None:
            code = super().fold(seq, author, body)
            return code if author != self.me else None

    listeners = table(tmp_path, played(kind=Lenient), honest, honest)
    for listener in listeners[1:]:
        notice = listener.last(Notice)
        assert (notice.code, notice.fields["name"]) == ("cheat", "Anna")
    for path in journals(tmp_path)[1:]:
        # Who has the entry sees the proof; who was only told, that she orders what is refused.
        assert named(indoors.verified(path)) in {("Anna", "proof"), ("Anna", "illegal")}


def named(verdict: Verdict) -> tuple[str, str]:
    assert not verdict.sound
    (fault,) = verdict.faults
    return fault.author, fault.code


def test_a_refusal_that_comes_late_leaves_the_question_open_that_was_put_again(
    tmp_path: Path,
) -> None:
    """Answered while we were away, refused when we are back, and asked anew between the two."""

    async def run() -> tuple[Ask, Refused]:
        table = await laptops.host(tmp_path, make=laptops.unplayed_but_bots)
        session = Online(table, autostart=True)
        await session.do(SetBot(1, "easy"))
        while not isinstance(asked := await session.next(), Ask):
            pass
        await session._hear(NodeRefused(b"act/1", "stale"))
        while not isinstance(refused := await session.next(), Refused):
            pass
        await session.do(Leave())
        return asked, refused

    asked, refused = indoors.play(run())
    assert (refused.reason, refused.ask) == ("ask_closed", asked.id)
