"""Which program speaks for each operator: two that run under one key are told apart here.

Every program draws a session of its own and says it with `Meet`. While one speaks for an
operator, another with the same key has to wait ("elsewhere"), unless its person says that it
takes the place of the first, which is then told so ("replaced") and ends.
"""

from __future__ import annotations

from protocol import chance
from protocol.journal.statements import quorum
from protocol.messages import Meet


class Programs:
    """Our own session, the sessions of the others, and who has turned us away."""

    def __init__(self) -> None:
        self.session = chance.source.randbytes(8)  #: this program, not another one with our key
        self.replaces = False  #: whether we take the place of another one
        self._speaking: dict[int, bytes] = {}
        self._retired: dict[int, set[bytes]] = {}  # those that another has replaced
        self._turned_away: dict[str, set[int]] = {"elsewhere": set(), "replaced": set()}

    def take_over(self) -> None:
        """Take the place of another program with our key, wherever it still runs."""
        self.replaces = True
        self._turned_away["elsewhere"].clear()

    def refuse(self, index: int, meet: Meet, *, is_linked: bool) -> str:
        """Why the program that says this has to wait, or to end; "" where it has not.

        `is_linked`: another link of this operator is alive.
        """
        speaking = self._speaking.get(index)
        if speaking is None or speaking == meet.session:
            return ""
        retired = self._retired.setdefault(index, set())
        if meet.session in retired and not meet.replaces:
            return "replaced"
        if is_linked and not meet.replaces:
            return "elsewhere"
        retired.discard(meet.session)
        retired.add(speaking)
        return ""

    def replaced(self, index: int, meet: Meet) -> bool:
        """Whether this program takes the place of another one."""
        return self._speaking.get(index, meet.session) != meet.session

    def speaks(self, index: int, session: bytes) -> None:
        """This program speaks for the operator from now on."""
        self._speaking[index] = session

    def turned_away(self, index: int, code: str, members: frozenset[int]) -> str:
        """This operator would not be linked with us: "elsewhere" where our person has to hear
        of it, "replaced" where we have to end, else "". `members` count in the majority.
        """
        told = self._turned_away.get(code)
        if told is None:
            return ""
        told.add(index)
        if code == "elsewhere":
            return code if len(told) == 1 else ""
        # No liar's word alone ends a program.
        liars = len(members) - quorum(len(members))
        return code if len(told & members) > liars else ""

    def let_in(self, index: int) -> bool:
        """It is linked with us: whether it had made us wait."""
        waited = self._turned_away["elsewhere"]
        if index not in waited:
            return False
        waited.clear()
        return True
