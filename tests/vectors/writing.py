"""What all vectors have in common: their place, chance out of a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from protocol import chance

FOLDER = Path(__file__).parent


@contextmanager
def drawn_from(seed: str | Random) -> Iterator[None]:
    """All chance of `protocol` follows from a seed: the same bytes, whenever they are made."""
    source = Random(seed) if isinstance(seed, str) else seed
    usual, chance.source = chance.source, source
    try:
        yield
    finally:
        chance.source = usual


def to_text(content: object) -> str:
    """A vector file as JSON: what holds no list of lists stands in one line."""
    return _laid_out(content, "") + "\n"


def _laid_out(content: object, inset: str) -> str:
    inner = [*content.values()] if isinstance(content, dict) else content
    if not isinstance(inner, list) or not any(isinstance(one, dict | list) for one in inner):
        return json.dumps(content, ensure_ascii=False)
    deeper = f"{inset} "
    if isinstance(content, dict):
        rows = [f"{json.dumps(key)}: {_laid_out(one, deeper)}" for key, one in content.items()]
        return f"{{\n{deeper}" + f",\n{deeper}".join(rows) + f"\n{inset}}}"
    rows = [_laid_out(one, deeper) for one in inner]
    return f"[\n{deeper}" + f",\n{deeper}".join(rows) + f"\n{inset}]"


def read(name: str) -> dict[str, object]:
    """A vector file as it lies here."""
    found = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found
