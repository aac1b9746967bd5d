"""The game: cards, rules, bots, and the match that joins them to the protocol.

Nothing in this wing knows a socket or a screen.
"""

from importlib.util import find_spec


def compiled() -> bool:
    """Is the engine of this installation compiled? Else the interpreter runs it."""
    found = find_spec("citadels_p2p.dealer")
    return found is not None and not str(found.origin).endswith(".py")
