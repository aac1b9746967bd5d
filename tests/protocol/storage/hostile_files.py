"""Files that somebody made to hurt whoever looks at a match, each by a name.

    python -m tests.protocol.storage.hostile_files PATH

reads one in a process of its own and says what came of it, and how much memory it took.
"""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from protocol.errors import ProtocolError, Unavailable
from protocol.storage import untrusted_file
from protocol.storage.match_files import read_journal

ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i AS seq, x'00' AS ordered, zeroblob(64) AS signature FROM n"
)
SILENT = (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i AS seq, x'00' AS ordered, x'00' AS signature FROM n WHERE i < 0"
)
GREEDY = "SELECT 0 AS seq, zeroblob(900000000) AS ordered, zeroblob(64) AS signature"


def by_sql(*statements: str) -> Callable[[Path], None]:
    """A sound file after these statements."""

    def make(path: Path) -> None:
        with sqlite3.connect(path) as file:
            for statement in statements:
                file.execute(statement)
        file.close()

    return make


def in_place_of(table: str, statement: str) -> Callable[[Path], None]:
    return by_sql(f"DROP TABLE {table}", statement)


def by_schema(change: str, *values: str) -> Callable[[Path], None]:
    """A sound file whose own account of its tables was changed in place."""

    def make(path: Path) -> None:
        file = sqlite3.connect(path)
        file.execute("PRAGMA writable_schema=ON")
        file.execute(change, values)
        file.commit()
        file.close()

    return make


def many_tables(path: Path) -> None:
    file = sqlite3.connect(path)
    file.execute("PRAGMA writable_schema=ON")
    file.executemany(
        "INSERT INTO sqlite_schema VALUES ('table', ?, ?, 2, ?)",
        ((f"t{i}", f"t{i}", f"CREATE TABLE t{i}(x)") for i in range(200_000)),
    )
    file.commit()
    file.close()


def many_rows(table: str, values: str) -> Callable[[Path], None]:
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000)"
    return by_sql(f"INSERT INTO {table} {count} SELECT {values} FROM n")


def many_entries(path: Path) -> None:
    """As many rows as the file may have bytes for."""
    by_sql("DELETE FROM entry")(path)
    many_rows("entry", "i - 1, x'00', zeroblob(64)")(path)


def one_value_many_times(path: Path) -> None:
    """Every entry has the same bytes: a file of 260 kB that says it holds some megabytes."""
    file = sqlite3.connect(path)
    tables = [sql for (sql,) in file.execute("SELECT sql FROM sqlite_schema WHERE sql <> ''")]
    (form,) = file.execute("PRAGMA user_version").fetchone()
    file.close()
    path.unlink()
    file = sqlite3.connect(path)
    file.execute("PRAGMA page_size=1024")
    for sql in tables:
        file.execute(sql)
    file.execute(f"PRAGMA user_version={form}")
    body = 103 + 1020 * 250 - 7 - 64  # as little as can be lies in the table's own page
    file.execute("INSERT INTO entry VALUES (1, zeroblob(?), zeroblob(64))", (body,))
    (root,) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name='entry'").fetchone()
    file.commit()
    file.close()
    raw = bytearray(path.read_bytes())
    start = (root - 1) * 1024
    at = start + int.from_bytes(raw[start + 8 : start + 10], "big")
    cell = bytes(raw[at : at + 3 + 1 + 103 + 4])
    cells = [cell[:3] + bytes([seq]) + cell[4:] for seq in range(8)]
    page = bytearray(1024)
    page[0], page[4] = 0x0D, len(cells)
    place = 1024
    for index, one in enumerate(cells):
        place -= len(one)
        page[place : place + len(one)] = one
        page[8 + 2 * index : 10 + 2 * index] = place.to_bytes(2, "big")
    page[5:7] = place.to_bytes(2, "big")
    raw[start : start + 1024] = page
    path.write_bytes(bytes(raw))


def a_loop(path: Path) -> None:
    """The entries' first page says that what it holds lies in itself."""
    file = sqlite3.connect(path)
    (root,) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name='entry'").fetchone()
    (size,) = file.execute("PRAGMA page_size").fetchone()
    file.close()
    raw = bytearray(path.read_bytes())
    page = bytearray(size)
    page[0], page[4] = 0x05, 1
    page[8:12] = root.to_bytes(4, "big")
    page[5:7] = (size - 5).to_bytes(2, "big")
    page[12:14] = (size - 5).to_bytes(2, "big")
    page[size - 5 : size - 1] = root.to_bytes(4, "big")
    raw[(root - 1) * size : root * size] = page
    path.write_bytes(bytes(raw))


def header(at: int, value: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        raw = bytearray(path.read_bytes())
        raw[at : at + len(value)] = value
        path.write_bytes(bytes(raw))

    return make


def with_log(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """All of the change is in the log beside the file."""

    def log(path: Path) -> None:
        before = path.read_bytes()
        file = sqlite3.connect(path)
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("BEGIN")
        file.execute("SELECT * FROM meta").fetchall()  # who reads keeps the log where it is
        marked = path.read_bytes()
        make(path)
        kept = Path(f"{path}-wal").read_bytes()
        file.close()
        path.write_bytes(marked)
        Path(f"{path}-wal").write_bytes(kept)
        assert len(marked) == len(before)

    return log


def far_page_in_log(path: Path) -> None:
    """A log, in order in itself, that wants the file to have eight terabytes."""
    file = sqlite3.connect(path)
    file.execute("PRAGMA journal_mode=WAL")
    (size,) = file.execute("PRAGMA page_size").fetchone()
    file.execute("BEGIN")
    file.execute("SELECT * FROM meta").fetchall()
    marked = path.read_bytes()
    file.close()
    path.write_bytes(marked)
    pages = 0x7FFFFFFF
    start = struct.pack(">8I", 0x377F0682, 3007000, size, 0, 1, 2, 0, 0)[:24]
    sums = _sums(start, (0, 0))
    log = start + struct.pack(">2I", *sums)
    for number, page in ((1, marked[:size]), (pages, bytes(size))):
        frame = struct.pack(">2I", number, pages)
        sums = _sums(page, _sums(frame, sums))
        log += frame + struct.pack(">4I", 1, 2, *sums) + page
    Path(f"{path}-wal").write_bytes(log)


def _sums(content: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """The checksums of SQLite's log, over words with their lowest byte first."""
    first, second = before
    for one, other in struct.iter_unpack("<2I", content):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def instead(content: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(content)

    return make


def half_a_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2000])


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def pipe_as_log(path: Path) -> None:
    os.mkfifo(f"{path}-wal")


def link_to(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return make


def link_as_log(path: Path) -> None:
    Path(f"{path}-wal").symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def large(path: Path) -> None:
    """Mostly a hole: it takes no room on the disk."""
    with path.open("r+b") as file:
        file.truncate(40_000_000_000)


def large_log(path: Path) -> None:
    with Path(f"{path}-wal").open("wb") as file:
        file.truncate(40_000_000_000)


VIRTUAL = "CREATE VIRTUAL TABLE entry USING fts5(seq, ordered, signature)"

HOSTILE: dict[str, Callable[[Path], None]] = {
    "a view that has no end": in_place_of("entry", f"CREATE VIEW entry AS {ENDLESS}"),
    "a view that never says a row": in_place_of("entry", f"CREATE VIEW entry AS {SILENT}"),
    "a view of a gigabyte": in_place_of("entry", f"CREATE VIEW entry AS {GREEDY}"),
    "a view of the names": in_place_of(
        "meta", f"CREATE VIEW meta AS SELECT seq AS name, ordered AS value FROM ({ENDLESS})"
    ),
    "a virtual table": in_place_of("entry", VIRTUAL),
    "a generated column": in_place_of(
        "entry",
        "CREATE TABLE entry (seq INTEGER PRIMARY KEY, signature BLOB NOT NULL, "
        "ordered BLOB GENERATED ALWAYS AS (zeroblob(900000000)))",
    ),
    "a trigger": by_sql("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END"),
    "one table more": by_sql("CREATE TABLE more (x)"),
    "one view more": by_sql(f"CREATE VIEW more AS {ENDLESS}"),
    "an index over an expression": by_sql("CREATE INDEX i ON entry (abs(seq))"),
    "one column more": by_sql("ALTER TABLE entry ADD COLUMN more DEFAULT (1)"),
    "a table that is none": by_schema(
        "UPDATE sqlite_schema SET sql = ? WHERE name = 'entry'",
        "CREATE TABLE entry (seq, ordered, signature, CHECK (randomblob(900000000)))",
    ),
    "a table of another form": in_place_of(
        "entry",
        "CREATE TABLE entry (seq INTEGER PRIMARY KEY, ordered BLOB NOT NULL, "
        "signature BLOB NOT NULL) WITHOUT ROWID",
    ),
    "tables without number": many_tables,
    "a table whose words have no end": by_schema(
        "UPDATE sqlite_schema SET sql = sql || ? WHERE name = 'entry'",
        "/*" + "x" * 20_000_000 + "*/",
    ),
    "a value of twenty megabytes": by_sql(
        "UPDATE entry SET ordered = zeroblob(20000000) WHERE seq = 2"
    ),
    "a number in the place of bytes": by_sql("UPDATE entry SET ordered = 7 WHERE seq = 2"),
    "a name that is none": by_sql("INSERT INTO meta VALUES (x'ff00', x'90')"),
    "four hundred thousand names": many_rows("meta", "'name' || i, x'00'"),
    "four hundred thousand entries": many_entries,
    "a certificate of twenty megabytes": by_sql(
        "INSERT OR REPLACE INTO meta VALUES ('certificate', zeroblob(20000000))"
    ),
    "evidence that is none": by_sql("INSERT INTO meta VALUES ('fault', x'93a0c091')"),
    "one value many times": one_value_many_times,
    "a loop": a_loop,
    "no size of a page": header(16, b"\0\3"),
    "another size of a page": header(16, b"\x02\0"),
    "texts in another form": header(56, b"\0\0\0\2"),
    "noise behind the first bytes": header(16, os.urandom(4000)),
    "half a page at the end": half_a_page,
    "a view in the log": with_log(in_place_of("entry", f"CREATE VIEW entry AS {ENDLESS}")),
    "a log that reaches far": far_page_in_log,
    "a log that is a pipe": pipe_as_log,
    "a log that has no end": link_as_log,
    "a large log": large_log,
    "a large file": large,
    "a pipe": pipe,
    "a folder": folder,
    "a device": link_to("/dev/zero"),
    "a link to nothing": link_to("/nowhere/at/all"),
    "a link to itself": link_to("match.citadels"),
    "not SQLite at all": instead(b"{}" * 5000),
    "nothing": instead(b""),
}


def main(path: str) -> None:
    """Read this file, in memory and in a folder; one line of JSON about it."""
    outcomes = []
    for here in {untrusted_file.IN_MEMORY, False}:
        untrusted_file.IN_MEMORY = here
        outcomes.append(_outcome(Path(path)))
    print(json.dumps({"outcomes": outcomes, "kilobytes": _most_memory()}))


def _outcome(path: Path) -> str:
    try:
        read_journal(path)
    except Unavailable as problem:
        return problem.hint
    except ProtocolError as problem:
        return type(problem).__name__
    return "taken"


def _most_memory() -> int:
    """The most kilobytes that this process has had at once; 0 where the system keeps no count.

    What `getrusage` says begins with the parent's.
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


if __name__ == "__main__":
    main(sys.argv[1])
