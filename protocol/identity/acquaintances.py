"""Shell: the keys that an operator met before, and the names that came with them.

A name is only a name: whoever comes with a known name and another key may be an impostor.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from protocol.disk_errors import unwritable
from protocol.errors import Unavailable
from protocol.identity.keys import write_private
from protocol.identity.names import skeleton

ACQUAINTANCES_FILE = "acquaintances.json"

MAX_ACQUAINTANCES = 1_000
"""Keys that only sat down at a table; beyond these the one met longest ago is forgotten."""

MAX_PINNED = 10_000
"""Keys that a person compared or played a match with; no stranger can add one."""

Acquaintance = Literal["new", "known", "changed"]
"""What is known of a name with a key; "changed": the name came with another key before."""


class Acquaintances:
    """Which key came with which name before: one small file, rewritten as a whole.

    Anybody may sit down at a table of ours, under any name, with any number of keys. So a key
    that only did that is kept for a while, and a *pinned* one for good: strangers push out each
    other, never a pinned key. Names are compared by their looks
    (`skeleton`).

    Raises `Unavailable`: "acquaintances_unreadable" or "acquaintances_damaged" when it is made,
    "acquaintances_unwritable", "disk_full" or "disk_read_only" when something changes.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / ACQUAINTANCES_FILE
        self._keys, self._pinned = _read_acquaintances(self._path)

    def greet(self, name: str, public: bytes) -> Acquaintance:
        """What is known of `name` with this key. A new one is kept, a changed one is not."""
        known = self.recall(name, public)
        if skeleton(name) not in self._keys:
            self._keep(skeleton(name), public, pinned=False)
        return known

    def recall(self, name: str, public: bytes) -> Acquaintance:
        """What is known of `name` with this key. Nothing is kept."""
        held = self._keys.get(skeleton(name))
        if held is not None:
            return "known" if held == public else "changed"
        return "known" if public in self._keys.values() else "new"

    def pin(self, name: str, public: bytes) -> None:
        """Pin this key: its safety words were compared, or a match was played with it.

        A key that is pinned to the name already stays, until `forget`.
        """
        name = skeleton(name)
        held = self._keys.get(name)
        if name not in self._pinned or held is None:
            self._keep(name, public, pinned=True)

    def forget(self, name: str) -> bool:
        """Forget the key of this name. Returns whether there was one."""
        name = skeleton(name)
        if self._keys.pop(name, None) is None:
            return False
        self._pinned.discard(name)
        self._write()
        return True

    def trust(self, name: str, public: bytes) -> None:
        """Pin this key in place of any other: a person has checked it."""
        self._keep(skeleton(name), public, pinned=True)

    def _keep(self, name: str, public: bytes, *, pinned: bool) -> None:
        self._keys.pop(name, None)
        self._keys[name] = public
        if pinned:
            self._pinned.add(name)
        strangers = [name for name in self._keys if name not in self._pinned]
        friends = [name for name in self._keys if name in self._pinned]
        # In each the ones met longest ago come first.
        for gone in (*strangers[:-MAX_ACQUAINTANCES], *friends[:-MAX_PINNED]):
            del self._keys[gone]
            self._pinned.discard(gone)
        self._write()

    def _write(self) -> None:
        kept = {name: [key.hex(), name in self._pinned] for name, key in self._keys.items()}
        text = json.dumps(kept, ensure_ascii=False)
        try:
            write_private(self._path, text.encode(), replace=True)
        except OSError as problem:
            raise unwritable(problem, self._path, "acquaintances_unwritable") from problem


def _read_acquaintances(path: Path) -> tuple[dict[str, bytes], set[str]]:
    """Keys by name, and the names that are pinned."""
    try:
        keys: dict[str, bytes] = {}
        pinned: set[str] = set()
        for written, kept in json.loads(path.read_bytes()).items():
            name = skeleton(written)  # an older file tells names apart that look alike
            # Older files have no such mark: their keys count as pinned, so that no stranger
            # can push one out.
            key, is_pinned = (kept, True) if isinstance(kept, str) else kept
            public = bytes.fromhex(key)
            if is_pinned or name not in pinned:
                keys[name] = public
            if is_pinned:
                pinned.add(name)
        return keys, pinned
    except FileNotFoundError:
        return {}, set()
    except OSError as problem:
        raise Unavailable(
            "acquaintances_unreadable", f"{path}: {problem.strerror}"
        ) from problem
    except (ValueError, TypeError, AttributeError, RecursionError):
        # An empty list in its place would let every impostor in as new.
        raise Unavailable("acquaintances_damaged", str(path)) from None
