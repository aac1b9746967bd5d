"""A host that examines what somebody said goes on with its own match meanwhile."""

from __future__ import annotations

from protocol.application import FORBIDDEN
from protocol.messages import Follow, Refused, Submit
from protocol.replication.accuser import MAX_EXAMINED
from protocol.replication.effects import Ask, Examine, Fold
from tests.protocol.journal.signing import said
from tests.protocol.replication.test_raft_rules import HEAD, machine, messages
from tests.protocol.tabletop import TABLE


def test_words_that_wait_for_a_judgement_do_not_keep_our_own_game_from_its_turn() -> None:
    """A suspect's words waited, and the host was never asked what it owed."""
    raft = machine(0, confirmed=HEAD)
    chain = raft.replica.chain
    raft.hear(0.1, 3, Follow(TABLE, 1, HEAD, chain.hash_at(HEAD), 0))
    forbidden = f"{FORBIDDEN}illegal: no"
    first = chain.last_counter(3) + 1
    told = [
        effect
        for counter in range(first, first + 3)
        for effect in raft.hear(0.1, 3, Submit(said(chain, 3, counter)))
    ]
    assert [type(e) for e in told if isinstance(e, Ask | Fold)] == [Ask, Fold]
    assert not raft.is_settled
    effects = raft.folded(HEAD + 1, forbidden, None)
    (examine,) = [e for e in effects if isinstance(e, Examine)]
    assert raft.is_settled
    effects = raft.examined(examine.key, "stale")
    for _ in range(2):  # what has waited is answered at once
        assert [type(e) for e in effects if isinstance(e, Ask | Fold)] == [Ask, Fold]
        effects = raft.folded(HEAD + 1, forbidden, None)
        assert not [e for e in effects if isinstance(e, Examine)]
        assert messages(effects, Refused) == [3]
    assert raft.is_settled


def test_an_author_is_examined_a_few_times_only() -> None:
    raft = machine(0)
    chain = raft.replica.chain
    raft.hear(0.1, 3, Follow(TABLE, 1, HEAD, chain.hash_at(HEAD), 0))
    first = chain.last_counter(3) + 1
    examined = 0
    for counter in range(first, first + MAX_EXAMINED + 3):
        raft.hear(0.1, 3, Submit(said(chain, 3, counter)))
        effects = raft.folded(HEAD + 1, f"{FORBIDDEN}illegal: no", None)
        assert messages(effects, Refused) == [3]
        for effect in effects:
            if isinstance(effect, Examine):
                examined += 1
                raft.examined(effect.key, "stale")
    assert examined == MAX_EXAMINED
