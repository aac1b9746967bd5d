"""Writes all vectors of this folder anew: `python -m tests.vectors`.

They follow from seeds, so the same version gives the same bytes; where it does not, the version
has changed. Those of `tests/protocol/*/vectors` have commands of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.match.signed_table import write_file
from tests.vectors import bad, engine, exchanges, matches, proofs
from tests.vectors.writing import FOLDER, drawn_from, to_text


def _seeded(name: str, make: Callable[[], object]) -> None:
    with drawn_from(name):
        (FOLDER / name).write_text(to_text(make()), encoding="utf-8")


def main() -> None:
    """Every file, in the order in which they rest on each other."""
    _seeded("proofs.json", proofs.vectors)
    _seeded("exchanges.json", exchanges.vectors)
    _seeded("editions.json", engine.editions)
    _seeded("games.json", engine.games)
    (FOLDER / "matches").mkdir(exist_ok=True)
    for name in matches.MATCHES:
        journal = matches.made(name).journal_here()
        write_file(FOLDER / "matches" / f"{name}.citadels", journal)
        _seeded(f"matches/{name}.json", lambda journal=journal: matches.told(journal))
    _seeded("bad.json", bad.vectors)
    engine.renew_page()


if __name__ == "__main__":
    main()
