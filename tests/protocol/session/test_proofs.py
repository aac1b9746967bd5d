"""A proof is a debt: its teller stays until it was judged, and brings it another evening."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from protocol import Failed
from protocol.errors import Equivocation, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.evidence import exhibit
from protocol.journal.judgement import court
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    Authored,
    Ordered,
    Refusal,
    authored_hash,
    sign,
)
from protocol.messages import Entries, Fault, Leave
from protocol.session.finished_matches import FinishedMatches
from protocol.session.reporting import now
from protocol.storage.match_files import match_path, read_journal
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    match_of,
    play,
    until,
)
from tests.protocol.session.test_handing_over import another_table, heard_of, own_address

pytestmark = pytest.mark.played(by=play)

ROUNDS = 40


def two_orders(chain: Chain, host: Identity) -> Equivocation:
    """The host has signed two orders for one place, far from here."""
    shown = []
    for body in (b"one", b"two"):
        said = Authored(chain.genesis.digest, 0, 900, chain.hash_at(0), body)
        authored = sign(host, DOMAIN_AUTHORED, said)
        order = Ordered(1, 900, bytes(32), authored.content, authored.signature)
        shown.append(exhibit("ordered", sign(host, DOMAIN_ORDERED, order)))
    return Equivocation("two orders", culprit=host.public, evidence=tuple(shown))


def failed(node: HighCardNode) -> bool:
    return match_of(node).runtime.driver.failed


async def leave(node: HighCardNode) -> None:
    """Go, whatever has stopped the match."""
    with contextlib.suppress(RemoteError):
        await node.leave()


@contextlib.asynccontextmanager
async def begun(home: Path, count: int) -> AsyncIterator[Company]:
    """A match under way."""
    async with company(home, count, rounds=ROUNDS) as table:
        await table.begin()
        yield table
        for node in table.nodes:
            await leave(node)


async def stopped(node: HighCardNode) -> RemoteError:
    problem = (await until(node, Failed)).problem
    assert isinstance(problem, RemoteError)
    return problem


async def test_who_exposes_stays_until_all_who_are_linked_have_judged_it(
    tmp_path: Path,
) -> None:
    async with begun(tmp_path, 4) as table:
        _, finder, *others = table.nodes
        proof = two_orders(match_of(finder).runtime.chain, table.identities[0])
        match_of(finder).runtime.driver.fail(proof)
        await leave(finder)
        assert all(map(failed, others))


async def test_a_hosts_goodbye_does_not_end_the_review_of_a_proof(tmp_path: Path) -> None:
    """Row 3: who is caught says that the match is over, and goes."""
    async with begun(tmp_path, 3) as table:
        host, finder, other = table.nodes
        proof = two_orders(match_of(finder).runtime.chain, table.identities[0])
        match_of(finder).runtime.driver.fail(proof)
        match_of(host).mesh.links.broadcast(Leave("finished"))
        assert (await stopped(other)).culprit == table.identities[0].public


async def waits_alone(table: Company, index: int) -> HighCardNode:
    """One is gone while the others find somebody out; then it looks for them."""
    await table.nodes[index].leave()
    finder = table.nodes[1]
    match_of(finder).runtime.driver.fail(
        two_orders(match_of(finder).runtime.chain, table.identities[0])
    )
    for node in table.nodes:
        await leave(node)
    return await table.resume(index)


async def test_who_was_away_is_brought_the_proof_another_evening(tmp_path: Path) -> None:
    async with begun(tmp_path, 3) as table:
        waiting = await waits_alone(table, 2)
        await another_table(table, 1)
        finished = FinishedMatches(table.homes[1], table.identities[1])
        key = table.identities[2].public
        await finished.visit([heard_of(waiting, key, own_address(waiting))])
        assert (await stopped(waiting)).culprit == table.identities[0].public


async def test_who_starts_again_judges_again_what_stopped_it(tmp_path: Path) -> None:
    """Else it would go on with somebody whom it has exposed."""
    async with begun(tmp_path, 3) as table:
        await waits_alone(table, 2)
        again = await table.resume(1)
        assert (await stopped(again)).culprit == table.identities[0].public


async def test_who_starts_again_stays_until_who_waits_alone_has_judged_it(
    tmp_path: Path,
) -> None:
    """It was found out while nobody else was linked, and its program went again at once."""
    async with begun(tmp_path, 3) as table:
        waiting = await waits_alone(table, 2)
        again = await table.resume(1)
        await stopped(again)
        await leave(again)
        assert failed(waiting)


async def orders(table: Company, body: bytes) -> None:
    """The host puts these words of its own next, whatever its table says, and shows them to one
    guest; the other has gone to bed.
    """
    runtime = match_of(table.nodes[1]).runtime
    await runtime.quiet()
    host, chain = table.identities[0], court(runtime.chain, runtime.chain.head)
    counter, seen = chain.last_counter(0) + 1, chain.hash_at(chain.head)
    said = Authored(chain.genesis.digest, 0, counter, seen, body)
    entry = chain.extend(host, sign(host, DOMAIN_AUTHORED, said))
    runtime.driver.hear(now(), 0, Entries((entry.signed,)))


def an_accusation(table: Company) -> bytes:
    """Of words of the guest who hears it that no honest program says."""
    chain, guest = match_of(table.nodes[1]).runtime.chain, table.identities[2]
    counter = chain.last_counter(2) + 1
    said = Authored(chain.genesis.digest, 2, counter, chain.hash_at(0), b"!")
    return make_accusation(sign(guest, DOMAIN_AUTHORED, said))


@pytest.mark.parametrize(
    ("body", "culprit"), [(lambda _: b"nonsense", 0), (an_accusation, 2)], ids=["words", "host"]
)
async def test_a_match_that_an_entry_has_stopped_is_opened_as_it_stopped(
    tmp_path: Path, body: Callable[[Company], bytes], culprit: int
) -> None:
    """Its file holds what its own table refuses. Whoever was away then hears of it from who
    comes back, and not from the host.
    """
    async with begun(tmp_path, 4) as table:
        await table.nodes[3].leave()
        await orders(table, body(table))
        assert (await stopped(table.nodes[1])).culprit == table.identities[culprit].public
        for node in table.nodes:
            await leave(node)
        waiting = await table.resume(3)
        for _ in range(2):  # and however often
            again = await table.resume(1)
            assert (await stopped(again)).culprit == table.identities[culprit].public
            await leave(again)
        assert failed(waiting)


async def test_a_case_that_is_open_is_looked_into_again_after_a_restart(tmp_path: Path) -> None:
    """Its evidence is about a place that nobody who is here has."""
    async with begun(tmp_path, 3) as table:
        runtime = match_of(table.nodes[2]).runtime
        chain = runtime.chain
        there = Authored(chain.genesis.digest, 1, 900, chain.hash_at(0), b"body")
        said = sign(table.identities[1], DOMAIN_AUTHORED, there)
        hashed = authored_hash(said.content)
        told = Refusal(chain.genesis.digest, 1, 1, 900, hashed, 900, bytes(32), "no")
        refusal = sign(table.identities[0], DOMAIN_REFUSAL, told)
        evidence = exhibit("refusal", refusal), exhibit("authored", said)
        fault = Fault("illegal", table.identities[0].public, evidence)
        runtime.driver.hear(now(), 1, fault)
        await table.nodes[2].leave()
        path = match_path(table.homes[2], chain.genesis.table)
        (case,) = read_journal(path).cases
        assert case.evidence == evidence
        again = await table.resume(2)
        assert match_of(again).runtime.driver._review.reasons == (case,)
