"""The game: cards, rules, bots, and the match that joins them to the protocol.

Nothing in this wing knows a socket or a screen. `Game` is the way in for programs: a whole
match in one process. It is imported when it is asked for.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citadels_p2p.game import Game

    __version__: str

__all__ = ["Game", "__version__", "compiled"]


def compiled() -> bool:
    """Is the engine of this installation compiled? Else the interpreter runs it."""
    found = find_spec("citadels_p2p.dealer")
    return found is not None and not str(found.origin).endswith(".py")


def __getattr__(name: str) -> object:
    if name == "Game":
        from citadels_p2p.game import Game

        return Game
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("citadels-p2p")
        except PackageNotFoundError:  # sources that nobody has installed
            return "?"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
