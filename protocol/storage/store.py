"""Shell: a match on this operator's disk, in one SQLite file that can be copied.

The file holds the entries as they were received, our own submissions, the refusals and the
newest quorum certificate. Secrets are in a second file, `<table>.secrets` (`secrets_file`),
which `forget` deletes once the match is over; so the first file can be given to anybody.

The rules of this module:

- One thread writes, off the event loop; what has piled up meanwhile is one transaction.
- Something is reported as stored only after `synchronous=FULL` has it on the disk.
- Secrets are on the disk before the submission that depends on them.
- A damaged file gives `Malformed`, whatever the damage, and never an error of SQLite's.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from protocol import chance, threads
from protocol.application import Contribution
from protocol.errors import Malformed, Unavailable
from protocol.identity.owner_only import make_folder
from protocol.journal.chain import Entry, Journal
from protocol.journal.statements import MAX_STATEMENT, Signed
from protocol.journal.stop_reason import StopReason, write_cases, write_stop_reason
from protocol.replication.ballot import Ballot
from protocol.replication.outbox import Submission
from protocol.storage import untrusted_file
from protocol.storage.database import (
    READING,
    allowance,
    connect,
    is_busy,
    is_damaged,
    selected,
    unavailable,
)
from protocol.storage.match_files import SECRETS, TABLES, discard, forget, is_made, read_cover
from protocol.storage.secrets_file import SecretsFile, Statement, named
from protocol.storage.untrusted_file import as_bytes, as_int, as_malformed, meta_in
from protocol.wire.codec import decode, encode


@dataclass(frozen=True, slots=True)
class _Work:
    """Statements for one transaction; the `secret` ones go to the second file, and first."""

    public: tuple[Statement, ...]
    secret: tuple[Statement, ...] = ()
    done: Callable[[Unavailable | None], None] | None = None
    lazy: bool = False  #: waits for the next work that is not


@dataclass(frozen=True, slots=True)
class Saved:
    """What a store held when it was opened."""

    journal: Journal
    submissions: tuple[Submission, ...]
    refusals: dict[tuple[int, int], Signed]
    me: int | None
    ballot: Ballot | None = None
    lost: Unavailable | None = None  #: secrets of `submissions` are lost; see `Store.mend`


class Store:
    """One match's file, open for this process alone.

    `done` callbacks run on the writer's thread, in order, with None or with the failure. After
    a failure nothing more is written, and every callback reports it.
    """

    def __init__(
        self,
        path: Path,
        *,
        may_mend: bool = False,
    ) -> None:
        """Open or create. `may_mend`: without our secrets too, until `mend` begins them anew.

        Raises `Unavailable`: "journal_busy", "disk_full", "disk_read_only",
        "journal_unwritable", "journal_malformed", "journal_version", "secrets_damaged", or
        "match_over" if the match has ended, "secrets_lost" if it has not and they are gone. A
        new file that could not be completed is deleted.
        """
        self.path = path
        self._waiting: deque[_Work] = deque()
        self._line: threads.Line | None = None  # from `start` to `close`
        self._failure: Unavailable | None = None
        self._has_written = False
        self._is_new = not is_made(path)
        is_lost = not self._is_new and not path.with_suffix(SECRETS).exists()
        if is_lost and read_cover(path).is_over:
            raise Unavailable("match_over", str(path))
        try:
            make_folder(path.parent)
            # Secrets come first: a match without them would count as over.
            self._secret = SecretsFile(path, is_new=self._is_new, may_mend=may_mend)
            try:
                self._public = self._connect(path)
            except BaseException:
                self._secret.close()
                raise
        except (sqlite3.DatabaseError, OSError) as problem:
            if self._is_new and not is_busy(problem):
                discard(path)
            raise unavailable(path, problem) from None
        try:
            is_over = not self._is_new and self._is_over()
        except BaseException:
            self.close()
            raise
        if is_over:
            self.close(finished=True)  # its secrets could not be deleted then
            raise Unavailable("match_over", str(path))

    def load(self) -> Saved:
        """Everything in the file; called before `start`.

        Raises `Malformed`, or `Unavailable("secrets_damaged")`.
        """
        with as_malformed():
            return self._load()

    def mend(self) -> None:
        """Begin our secrets anew with what is left of them, before `start`.

        Raises `Unavailable` where the disk does not take it.
        """
        try:
            self._secret.mend(self._public)
        except (sqlite3.Error, OSError) as problem:
            raise unavailable(self.path, problem) from None

    def start(self) -> None:
        self._line = threads.Line("journal")
        self._line.put(self._write)

    def entry(
        self, entry: Entry, done: Callable[[Unavailable | None], None], *, lazy: bool = False
    ) -> None:
        """Store an entry; a `lazy` one in the transaction of the next that is not."""
        row = (entry.seq, entry.signed.content, entry.signed.signature)
        work = (("INSERT INTO entry VALUES (?,?,?)", row),)
        self._put(_Work(work, done=done, lazy=lazy))

    def submissions(
        self, submissions: Iterable[Submission], done: Callable[[Unavailable | None], None]
    ) -> None:
        """Store our submissions and their secrets before they are sent."""
        public: list[Statement] = []
        secret: list[Statement] = []
        for submission in submissions:
            said = submission.contribution
            row = (
                submission.counter,
                said.key,
                said.body,
                submission.authored.content,
                submission.authored.signature,
            )
            public.append(("INSERT INTO outbox VALUES (?,?,?,?,?)", row))
            if said.keep:
                kept, told = self._secret.store(submission.counter, said.keep)
                secret.append(kept)
                public += told
        self._put(_Work(tuple(public), tuple(secret), done))

    def refusal(self, author: int, counter: int, refusal: Signed) -> None:
        """Store a refusal, with the next work that is not lazy."""
        row = (author, counter, refusal.content, refusal.signature)
        self._put_lazily(("INSERT OR REPLACE INTO refusal VALUES (?,?,?,?)", row))

    def truncate(self, seq: int, certificate: tuple[Signed, ...]) -> None:
        """Delete every entry after `seq`, with the next work that is not lazy."""
        forget = ("DELETE FROM entry WHERE seq > ?", (seq,))
        self._put_lazily(forget, named("certificate", encode(certificate)))

    def ballot(self, ballot: Ballot, done: Callable[[Unavailable | None], None]) -> None:
        given = named("ballot", encode((ballot.term, ballot.candidate)))
        self._put(_Work((given,), done=done))

    def certificate(self, acks: tuple[Signed, ...]) -> None:
        """Store the newest quorum certificate, with the next work that is not lazy."""
        self._put_lazily(named("certificate", encode(acks)))

    def seat(self, me: int) -> None:
        self._put_lazily(named("me", encode(me)))

    def fault(self, code: str, culprit: bytes | None, evidence: tuple[bytes, ...]) -> None:
        """Store why the match is stopped, if its entries do not show it.

        `code`, `culprit` and `evidence` are those of the `RemoteError`, for
        `evidence.prove_alone`. A later call replaces an earlier one; `close` writes it at the
        latest.
        """
        reason = StopReason(code, culprit, evidence)
        self._put_lazily(named("fault", write_stop_reason(reason)))

    def cases(self, reasons: Iterable[StopReason]) -> None:
        """Store the evidence that is looked into, with the next work that is not lazy."""
        self._put_lazily(named("cases", write_cases(reasons)))

    def close(self, *, finished: bool = False) -> None:
        """Write what waits, and merge SQLite's logs; blocks. A second call is harmless.

        A `finished` match also deletes its secrets and its outbox, unless something of it could
        not be written: then it may be resumed, and the others have what is missing.
        """
        if self._line is not None:
            self._line.put(partial(self._write, lazily=False))
            self._line.shutdown()
            self._line = None
        finished = finished and self._failure is None
        date = self._has_written and self._failure is None
        for connection in (self._public, self._secret.connection):
            if connection is None:
                continue
            with contextlib.suppress(sqlite3.Error):
                if date and connection is self._public:
                    now = encode(chance.now_ns() // 10**9)
                    connection.execute(*named("written", now))
                if finished and connection is self._public:
                    # Our submissions are entries by now, or refused.
                    connection.execute("BEGIN")
                    connection.execute("DELETE FROM outbox")
                    connection.execute("DELETE FROM meta WHERE name IN ('kept', 'secrets')")
                    connection.execute(*named("over", b""))
                    connection.execute("COMMIT")
                    connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                # A file in this mode needs no log beside it, and can be copied.
                connection.execute("PRAGMA journal_mode=DELETE")
            connection.close()
        if finished:
            with contextlib.suppress(OSError):  # the next `Store` of it tries again
                forget(self.path)

    def discard(self) -> None:
        """Close, and delete files that are new: the match has not begun."""
        self.close()
        if self._is_new:
            discard(self.path)

    def _put_lazily(self, *statements: Statement) -> None:
        self._put(_Work(statements, lazy=True))

    def _put(self, work: _Work) -> None:
        self._waiting.append(work)
        if self._line is not None and not work.lazy:
            self._line.put(self._write)

    def _connect(self, path: Path) -> sqlite3.Connection:
        try:
            return connect(path, TABLES, may_be_new=self._is_new)
        except (sqlite3.DatabaseError, Malformed) as problem:
            if not is_damaged(problem):
                raise
            raise Unavailable("journal_malformed", f"{path}: {problem}") from None

    def _is_over(self) -> bool:
        """Whether this match was finished here. `load` reports a damaged file."""
        try:
            with as_malformed():
                return "over" in meta_in(self._public)
        except Malformed:
            return False

    def _load(self) -> Saved:
        public = self._public
        journal = untrusted_file.journal_in(
            public, self.path.stat().st_size + untrusted_file.MAX_FILE
        )
        values = meta_in(public)
        kept = self._secret.load(values)
        me = decode(values["me"], int, limit=MAX_STATEMENT) if "me" in values else None
        every = "SELECT author, counter, content, signature FROM refusal"
        with allowance(public, READING), selected(public, every) as said_no:
            refusals = {
                (as_int(author), as_int(counter)): Signed(
                    as_bytes(content), as_bytes(signature)
                )
                for author, counter, content, signature in said_no
            }
            rows = public.execute(
                "SELECT counter, key, body, authored, signature FROM outbox ORDER BY counter"
            ).fetchall()
        submissions = []
        for counter, key, body, authored, signature in rows:
            keep = kept.get(as_int(counter), b"")
            said = Contribution(key=as_bytes(key), body=as_bytes(body), keep=keep)
            refusal = None if me is None else refusals.get((me, counter))
            signed = Signed(as_bytes(authored), as_bytes(signature))
            submissions.append(Submission(counter, said, signed, refusal))
        return Saved(
            journal, tuple(submissions), refusals, me, _ballot(values), self._secret.lost
        )

    def _write(self, *, lazily: bool = True) -> None:
        """Write what waits in one transaction. Lazy work alone goes on waiting, if it may."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if lazily and all(item.lazy for item in batch):
            self._waiting.extendleft(reversed(batch))  # a crash loses it as if it had not been
            return
        if self._failure is None:
            try:
                self._commit(batch)
            except (sqlite3.Error, OSError, MemoryError) as problem:
                self._failure = unavailable(self.path, problem)
        for item in batch:
            if item.done is not None:
                item.done(self._failure)

    def _commit(self, batch: list[_Work]) -> None:
        for connection, statements in (
            (self._secret.connection, [s for item in batch for s in item.secret]),
            (self._public, [s for item in batch for s in item.public]),
        ):
            if statements and connection is not None:
                self._has_written = True
                with connection:
                    connection.execute("BEGIN")
                    for sql, row in statements:
                        connection.execute(sql, row)


def _ballot(values: Mapping[str, bytes]) -> Ballot | None:
    if "ballot" not in values:
        return None
    return Ballot(*decode(values["ballot"], tuple[int, int | None], limit=MAX_STATEMENT))
