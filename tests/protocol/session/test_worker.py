"""A thread that works for the loop, and what comes back from it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from protocol.threads import Returns, Worker, opened
from tests.protocol.company import run, until

pytestmark = pytest.mark.played(by=run)


async def test_returns_of_several_threads_come_in_the_order_of_each() -> None:
    returns, heard = Returns(), list[tuple[int, int]]()

    def bring(thread: int) -> None:
        for number in range(200):
            returns.post(lambda *one: heard.append(one), thread, number)

    threads = [threading.Thread(target=bring, args=(one,)) for one in range(4)]
    for thread in threads:
        thread.start()
    await until(lambda: len(heard) == 800)
    for thread in threads:
        thread.join()
    for one in range(4):
        assert [number for thread, number in heard if thread == one] == list(range(200))


async def test_one_return_that_fails_is_told_and_the_others_still_come() -> None:
    returns, heard, complaints = Returns(), list[int](), list[object]()
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: complaints.append(context["exception"])
    )

    def stumble() -> None:
        raise KeyError("a bug")

    returns.post(heard.append, 1)
    returns.post(stumble)
    returns.post(heard.append, 2)
    await until(lambda: len(heard) == 2)
    assert heard == [1, 2]
    assert [type(one) for one in complaints] == [KeyError]


async def test_jobs_are_done_in_order_and_their_results_told() -> None:
    worker = Worker(Returns(), "work")
    heard: list[object] = []
    for number in range(10):
        worker.submit(lambda n=number: 10 // (5 - n), heard.append, heard.append)  # type: ignore[misc] # the lambda is typed by its default
    assert await worker.run(lambda: threading.current_thread().name) == "work"
    assert heard[:5] == [2, 2, 3, 5, 10]
    assert isinstance(heard[5], ZeroDivisionError)
    assert heard[6:] == [-10, -5, -4, -3]
    worker.shutdown()


async def test_what_is_run_raises_here() -> None:
    worker = Worker(Returns(), "work")
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 // 0)
    worker.shutdown()


async def test_whoever_waits_no_more_harms_nobody() -> None:
    worker, gate = Worker(Returns(), "work"), threading.Event()
    waiting = [asyncio.create_task(worker.run(gate.wait)) for _ in range(2)]
    waiting.append(asyncio.create_task(worker.run(lambda: 1 // 0 == 1)))
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    gate.set()
    assert await worker.run(lambda: 5) == 5
    worker.shutdown()


async def test_what_was_submitted_before_the_end_is_done() -> None:
    worker, heard = Worker(Returns(), "work"), list[int]()
    for number in range(5):
        worker.submit(lambda: None, lambda _, n=number: heard.append(n), pytest.fail)  # type: ignore[misc] # as above
    worker.shutdown()
    await until(lambda: len(heard) == 5)
    assert heard == [0, 1, 2, 3, 4]


def test_what_is_opened_too_late_is_closed_though_the_loop_has_ended() -> None:
    """Whoever leaves while a match begins leaves no file open."""
    may_open, closed = threading.Event(), list[str]()

    def open_late() -> str:
        assert may_open.wait(60)
        return "a file"

    async def scene() -> None:
        opening = asyncio.create_task(opened(open_late, closed.append))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        # The loop's end cancels what is left, and waits for the thread.
        asyncio.get_running_loop().call_soon(may_open.set)

    asyncio.run(scene())
    assert closed == ["a file"]


async def test_what_comes_as_its_wish_is_cancelled_is_closed() -> None:
    closed, is_made = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def close(_: None) -> None:
        loop.call_soon_threadsafe(closed.set)

    opening = asyncio.create_task(opened(is_made.set, close))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert is_made.wait(60)  # the loop stands still, and what is made waits to be told
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await closed.wait()


def test_what_is_opened_in_time_is_not_closed() -> None:
    closed = list[str]()
    assert asyncio.run(opened(lambda: "a file", closed.append)) == "a file"
    assert closed == []
