"""The command of somebody who has changed it: `python -m tests.lan.changed ARGUMENTS…`.

Into the file `CHANGED_ORDERS` it writes how each shuffle of its own went, a line with the step
and the order; what it says is what the real one says. `CHANGED_WITHOUT` names rules that it
leaves out, by their mutants, with commas.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from cli.__main__ import main
from protocol.cards.holder import CardHolder


def note_orders(file: Path) -> contextlib.AbstractContextManager[object]:
    make = CardHolder.make_shuffle

    def noted(
        self: CardHolder, slots: Sequence[int], *given: object, **named: object
    ) -> object:
        step, order = make(self, slots, *given, **named)  # type: ignore[arg-type]
        with file.open("a", encoding="ascii") as notes:
            print(step.hex(), *order, file=notes)
        return step, order

    return mock.patch.object(CardHolder, "make_shuffle", noted)


if __name__ == "__main__":
    with contextlib.ExitStack() as changes:
        if rules := os.environ.get("CHANGED_WITHOUT"):
            from tests.world.left_out import LEFT_OUT

            for rule in rules.split(","):
                changes.enter_context(LEFT_OUT[rule]())
        if notes := os.environ.get("CHANGED_ORDERS"):
            changes.enter_context(note_orders(Path(notes)))
        sys.exit(main())
