"""Positions and records as text, and back. NOTATION.md has the grammar.

For questions, studies and reports of faults: a position is one line, a record is a file that a
person can read.
"""

from citadels_p2p.notation.reading import Position, read_position
from citadels_p2p.notation.record import (
    LONGEST,
    TITLE,
    Line,
    Record,
    Rest,
    read_record,
    record_of,
    record_of_facts,
    replay,
    resumed,
    write_record,
)
from citadels_p2p.notation.words import Unreadable
from citadels_p2p.notation.writing import write_position

__all__ = [
    "LONGEST",
    "TITLE",
    "Line",
    "Position",
    "Record",
    "Rest",
    "Unreadable",
    "read_position",
    "read_record",
    "record_of",
    "record_of_facts",
    "replay",
    "resumed",
    "write_position",
    "write_record",
]
