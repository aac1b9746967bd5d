"""House boxes: cards of one's own beside those of the books. `examples/house_box.py` is one.

A box is a Python file that calls `add`. Everybody at a table needs the same file: its edition
is an unknown one to all others. It needs an engine that is not compiled, since compiled classes
are not to be refined.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TypeVar

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, Character, District, Edition
from citadels_p2p.rules import asks, effects, flow, move_ids
from citadels_p2p.rules.hooks import Act, Ask, CharacterEffect, DistrictEffect, Step, Way

Row = TypeVar("Row")

_MODULE = "house_box_"


def add(
    box: Edition,
    characters: Mapping[Character, CharacterEffect],
    districts: Mapping[District, DistrictEffect],
    *,
    verbs: Mapping[str, tuple[str, ...]] | None = None,
    interruptions: Mapping[str, Ask] | None = None,
    steps: Mapping[str, Step] | None = None,
) -> None:
    """Let matches be played with this box.

    `verbs`: those of its new moves, with their arguments (`move_ids.VERBS`); bots weigh them by
    their `outlay` where `bots.weights.WEIGHTS` has no row for them. `interruptions`
    and `steps` by the words that frames carry. ValueError where an id or a word is taken, or
    where something that may be chosen does not say what it costs (`outlay`).
    """
    kinds: list[Act | Way | Ask] = [*(interruptions or {}).values()]
    for character in characters.values():
        kinds += character.acts
    for district in districts.values():
        kinds += (*district.acts, *district.ways, *district.own_ways)
    for kind in kinds:
        if not hasattr(kind, "outlay"):
            raise ValueError(f"no outlay: {type(kind).__name__}")
    _join(EDITIONS, {box.id: box})
    _join(CHARACTERS, {row.id: row for row in characters})
    _join(DISTRICTS, {row.id: row for row in districts})
    _join(effects.CHARACTERS, {row.id: effect for row, effect in characters.items()})
    _join(effects.DISTRICTS, {row.id: effect for row, effect in districts.items()})
    _join(move_ids.VERBS, verbs or {})
    _join(asks.ASKS, interruptions or {})
    _join(flow.STEPS, steps or {})


def _join(table: dict[str, Row], rows: Mapping[str, Row]) -> None:
    taken = table.keys() & rows
    if taken:
        raise ValueError(f"taken: {min(taken)}")
    table.update(rows)


def loaded() -> tuple[Path, ...]:
    """The files of the boxes that this process has, in the order in which they came."""
    boxes = [module for name, module in sys.modules.items() if name.startswith(_MODULE)]
    return tuple([Path(box.__file__) for box in boxes if box.__file__ is not None])


def load(file: Path) -> None:
    """Run the file of a box, once in a process. OSError where it cannot be read."""
    name = _MODULE + file.stem
    if name not in sys.modules:
        spec = spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise OSError(f"not a Python file: {file}")
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
