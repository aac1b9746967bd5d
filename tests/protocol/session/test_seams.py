"""What is said outside the journal describes its speaker's own link, and nothing else.

Each attack is what a changed program does to unmodified ones, over real connections.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol import Failed
from protocol.errors import Seatless
from protocol.identity.keys import Identity
from protocol.journal.statements import Operator
from protocol.session.lobby import HostedLobby, _Guest
from protocol.session.lobby_host import LobbyHost
from tests.protocol.gathering import HighCardNode, company, operator, play, until


def lobby_of(node: HighCardNode) -> LobbyHost:
    lobby = operator(node).lobby
    assert isinstance(lobby, LobbyHost)
    return lobby


def let_in(room: HostedLobby, ghost: Identity, name: str = "Carla") -> None:
    """A changed host counts an operator of its own, at whose laptop nobody sits."""
    room._guests.append(_Guest(Operator(ghost.public, name)))


# R1: ghosts.


def test_a_guest_goes_from_a_table_with_a_laptop_at_which_nobody_sits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.session.lobby.open_terms", lambda content: None)

    async def test() -> None:
        async with company(tmp_path, 2) as table:
            host, guest = table.nodes
            lobby = lobby_of(host)
            let_in(lobby.room, Identity.fresh())
            lobby.room._changed()
            lobby.changed()
            problem = (await until(guest, Failed)).problem
            assert isinstance(problem, Seatless)
            assert problem.culprit == table.identities[0].public

    play(test())


def test_a_host_makes_no_such_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2) as table:
            room = lobby_of(table.nodes[0]).room
            before = room.terms
            let_in(room, Identity.fresh())
            assert room._changed() == "too_large"
            assert room.terms == before

    play(test())
