"""Shell: how far a match had come when it was left, by its journal on our disk."""

from __future__ import annotations

import contextlib
from pathlib import Path

from citadels_p2p import rules
from citadels_p2p.match.fold.match import Match
from citadels_p2p.rules.view import View
from protocol.errors import ProtocolError
from protocol.journal.accusation import is_accusation
from protocol.journal.chain import check_journal
from protocol.storage.match_files import read_journal


def left_off(path: Path) -> View | None:
    """The table as everybody saw it last in a match of our own; None where nothing had been
    played, or the file cannot be read. May block, for some tenths of a second.

    No proof is checked: that was done as the match was played, and is once it goes on.
    """
    with contextlib.suppress(ProtocolError):
        chain = check_journal(read_journal(path))
        match = Match(chain.genesis)
        for entry in chain.entries[1:]:
            if entry.election is not None or is_accusation(entry.body):
                continue  # the rules know neither
            if match.words:  # there are cards
                match.cards.vouched = True
            match.fold(entry.seq, entry.author, entry.body)
        if match.stage == "play":
            return rules.view(match.state, None, {})
    return None
