"""Shell: what a session tells its person, and the tasks that it has under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine

from protocol.errors import LocalError, ProtocolError, Unavailable
from protocol.memory import is_out_of_memory
from protocol.session.events import Began, Closed, Failed, Hosted, LobbyChanged, NodeEvent


def now() -> float:
    """The event loop's time, in seconds."""
    return asyncio.get_running_loop().time()


def typed(problem: BaseException, what: str) -> ProtocolError:
    """What comes out of a boundary: what is not raised on purpose is a bug, in `what`.

    A laptop that has no memory left is `Unavailable`: "no_memory".
    """
    if isinstance(problem, ProtocolError):
        return problem
    failure: ProtocolError = LocalError(f"{what} failed: {type(problem).__name__}")
    if is_out_of_memory(problem):
        failure = Unavailable("no_memory", f"{what} failed: {problem}")
    failure.__cause__ = problem
    return failure


CALM = 4
"""Events of one kind that a person is told between two beats."""


class EventStream:
    """The events of one session, in order. `over` once the table is gone, or we are."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.on_change: Callable[[], None] = lambda: None  #: what strangers see has changed
        self.trouble: ProtocolError | None = None  #: the last failure that was told
        self.over = False
        self._told: Counter[type[NodeEvent]] = Counter()  # since the last beat
        self._due: dict[type[NodeEvent], NodeEvent] = {}

    def tell(self, event: NodeEvent) -> None:
        if isinstance(event, Failed):
            self.trouble = event.problem
        self.queue.put_nowait(event)
        if isinstance(event, LobbyChanged | Began | Hosted):
            self.on_change()

    def tell_calmly(self, event: NodeEvent) -> None:
        """The same for what somebody else may say without end: at once, and after some of its
        kind the newest with the next beat.
        """
        self._told[type(event)] += 1
        if self._told[type(event)] > CALM:
            self._due[type(event)] = event
        else:
            self.tell(event)

    def beat(self) -> None:
        """Another beat: tell what has waited for it."""
        due, self._due = self._due, {}
        self._told = Counter(due.keys())
        for event in due.values():
            self.tell(event)

    def end(self, reason: str, by: str = "") -> None:
        """The table is closed to us; told once. `by`: who says so, if nothing else shows it."""
        if not self.over:
            self.over = True
            self.tell(Closed(reason, by))


class Tasks:
    """The background tasks of one session; what one raises is told as `Failed`."""

    def __init__(self, events: EventStream) -> None:
        self._events = events
        self._tasks: dict[asyncio.Task[None], None] = {}  # in their order

    def spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        """Run `work` until it ends or the session does."""
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._ended)

    async def end(self) -> None:
        """Cancel all of them, and wait until they have ended."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        problem = None if task.cancelled() else task.exception()
        if problem is not None:
            self.report(problem, "a table's task")

    def report(self, problem: BaseException, what: str, *, stops: bool = True) -> None:
        """`what` failed: a bug goes to the loop's exception handler too. `stops`: our person is
        told, since the table cannot go on as if nothing had been.
        """
        failure = typed(problem, what)
        if isinstance(failure, LocalError):
            context = {"message": str(failure), "exception": problem}
            asyncio.get_running_loop().call_exception_handler(context)
        if stops:
            self._events.tell(Failed(failure))
