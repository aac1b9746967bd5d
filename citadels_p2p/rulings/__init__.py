"""Rulings written down by people who know the game and not this program, and their proof.

A file of rulings is plain text: for each a scene, acts and an outcome. `check` plays every one
on the engine and tells what comes out otherwise. The form is described where the project's own
rulings are kept, in `tests/rules/rulings/README.md`.
"""

from citadels_p2p.rulings.playing import check
from citadels_p2p.rulings.reading import Fault, Ruling, Unreadable, read

__all__ = ["Fault", "Ruling", "Unreadable", "check", "read"]
