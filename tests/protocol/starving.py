"""Readings while one allocation fails: `python -m tests.protocol.starving READING FOLDER FROM`.

A process of its own, since interpreters and libraries may crash where memory ends; that is no
verdict on anybody. Its lines say which turn begins, that it fell short of memory, or what it
said wrongly. CPython's own test module lets an allocation fail.
"""

from __future__ import annotations

import _testcapi
import random
import sys
from collections.abc import Callable
from pathlib import Path

from protocol.application import Contribution
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import identity_from, load_or_create
from protocol.journal.chain import check_journal
from protocol.journal.genesis import open_genesis
from protocol.messages import Entries
from protocol.storage.match_files import TABLES
from protocol.storage.store import Store
from protocol.storage.untrusted_file import read_journal
from protocol.wire.codec import decode, encode
from tests.protocol.storage.test_store import Disk
from tests.protocol.tabletop import genesis, operators

EARLY = 300  #: every allocation up to this one fails once
LATE = 100  #: and so many of those after it
LATEST = 20_000
FALSE, SHORT = "false", "short"

Reading = Callable[[], object]


def message(folder: Path) -> Reading:
    """What a peer sent."""
    sent = encode(Entries((genesis(operators(3)),) * 3))
    return lambda: decode(sent, Entries, limit=len(sent))


def statements(folder: Path) -> Reading:
    """What peers signed."""
    signed = genesis(operators(4))
    return lambda: open_genesis(signed)[1:]


def identity(folder: Path) -> Reading:
    """Who we are."""
    load_or_create(folder)
    (path,) = folder.glob("*.pem")
    pem = path.read_bytes()
    return lambda: identity_from(pem).public


def journal(folder: Path) -> Reading:
    """A match in a file."""
    path = saved(folder)
    return lambda: check_journal(read_journal(path, TABLES)).hash_at(3)


def secrets(folder: Path) -> Reading:
    """A match on our disk, which may be mended: lost secrets are begun anew without them."""
    path = saved(folder)

    def read() -> object:
        store = Store(path, may_mend=True)
        try:
            found = store.load()
            return found.submissions, found.journal, found.lost
        finally:
            _testcapi.remove_mem_hooks()  # or whoever reads it next would find it open
            store.close()

    return read


READINGS = {make.__name__: make for make in (message, statements, identity, journal, secrets)}


def saved(folder: Path) -> Path:
    """A match with secrets, made once."""
    path = Disk(folder).path
    if not path.exists():
        disk = Disk(folder)
        store = disk.begin()
        for _ in range(3):
            disk.add(store)
        disk.write(store, Contribution(key=b"k", body=b"said", keep=b"secret"))
        store.close()
    return path


def is_verdict(problem: BaseException) -> bool:
    """Whether it blames a peer or a file. CPython and its libraries may put it in other words,
    but such words are about nobody.
    """
    if isinstance(problem, Unavailable):
        return problem.hint != "no_memory"
    return isinstance(problem, RemoteError)


def starve(read: Reading, first: int) -> None:
    """Do it again and again, while one allocation fails each time."""
    right = read()
    chance = random.Random(7)
    allocations = [*range(EARLY), *(chance.randrange(EARLY, LATEST) for _ in range(LATE))]
    for turn, allocation in enumerate(allocations[first:], first):
        print(turn, flush=True)
        wrong = ""
        _testcapi.set_nomemory(allocation, allocation + 1)
        try:
            found = read()
        except BaseException as problem:
            _testcapi.remove_mem_hooks()
            print(SHORT, flush=True)
            if is_verdict(problem):
                wrong = repr(problem)
        else:
            _testcapi.remove_mem_hooks()
            if found != right:
                wrong = repr(found)
        finally:
            _testcapi.remove_mem_hooks()
        if wrong:
            print(FALSE, allocation, wrong, flush=True)


if __name__ == "__main__":
    starve(READINGS[sys.argv[1]](Path(sys.argv[2])), int(sys.argv[3]))
