"""Words that a host leaves lying, held by everybody who has heard them."""

from __future__ import annotations

from protocol.journal.chain import Chain
from protocol.journal.statements import Refusal, Signed
from protocol.replication.unanswered import MAX_BYTES, MAX_HEARD, MAX_WORDS, Unanswered
from protocol.wire.codec import decode
from tests.protocol.journal.signing import ANNA, chain_of, refuse, said


def hear(held: Unanswered, chain: Chain, signed: Signed, now: float = 0.0) -> None:
    held.hear(now, chain.check_authored(signed), signed)


def refusal(chain: Chain, signed: Signed, **changes: object) -> Refusal:
    content = refuse(chain, signed, **changes).content  # type: ignore[arg-type]
    return decode(content, Refusal, limit=1024)


def test_a_word_is_held_once_while_it_may_have_a_place() -> None:
    chain = chain_of(2)
    held = Unanswered(chain)
    word = said(chain, 1, 3)
    for signed in (word, word, said(chain, 1, 2), said(chain, 1, 1)):
        hear(held, chain, signed)
    assert len(held) == 1
    assert held.newest_of(1) == word
    assert held.newest_of(2) is None
    hear(held, chain, said(chain, 1, 9))
    hear(held, chain, said(chain, 1, 7))
    assert held.newest_of(1) == said(chain, 1, 9)
    assert held.take() == (word, said(chain, 1, 9), said(chain, 1, 7))
    assert len(held) == 0


def test_an_entry_answers_its_author_up_to_its_counter() -> None:
    chain = chain_of()
    held = Unanswered(chain)
    for author, counter in ((1, 1), (1, 2), (1, 3), (2, 1)):
        hear(held, chain, said(chain, author, counter))
    held.ordered(chain.extend(ANNA, said(chain, 1, 2)))
    assert held.take() == (said(chain, 1, 3), said(chain, 2, 1))


def test_a_refusal_answers_where_it_was_judged_in_our_history_after_the_ancestor() -> None:
    chain = chain_of(3)
    word = said(chain, 2, 1, ancestor=chain.hash_at(2))
    for changes, answers in (
        ({"place": 4, "hashed": b"\1" * 32}, False),  # where we have not been
        ({"place": 3, "hashed": b"\1" * 32}, False),  # in another history
        ({"place": 1}, False),  # before what its author had seen
        ({"refused": b"\1" * 32}, False),  # something else
        ({"place": 2}, True),
        ({"place": 3}, True),
    ):
        held = Unanswered(chain)
        hear(held, chain, word)
        found = held.refused(refusal(chain, word, **changes))
        assert found == (word if answers else None), changes
        assert len(held) == (not answers)


def test_a_word_of_an_unknown_ancestor_is_answered_by_any_refusal_here() -> None:
    chain = chain_of(1)
    held = Unanswered(chain)
    word = said(chain, 2, 1, ancestor=b"\1" * 32)
    hear(held, chain, word)
    assert held.refused(refusal(chain, word, place=0)) == word


def test_a_word_is_brought_at_once_and_then_now_and_again() -> None:
    chain = chain_of()
    held = Unanswered(chain)
    word = said(chain, 2, 1)
    hear(held, chain, word, 1.0)
    assert held.overdue(99.0, 5.0) == ()  # it was never brought
    assert list(held.bring(2.0, 1.5)) == [word]
    assert list(held.bring(3.4, 1.5)) == []
    assert list(held.bring(3.5, 1.5)) == [word]
    # The host could know it since it was first brought.
    assert held.overdue(6.9, 5.0) == ()
    assert held.overdue(7.0, 5.0) == (2,)
    held.renew(8.0)
    assert held.overdue(99.0, 5.0) == ()
    assert list(held.bring(8.1, 1.5)) == [word]
    assert held.overdue(13.0, 5.0) == ()
    assert held.overdue(13.1, 5.0) == (2,)


def test_the_late_are_named_once_oldest_first() -> None:
    chain = chain_of()
    held = Unanswered(chain)
    for author, counter in ((3, 1), (2, 1), (3, 2)):
        hear(held, chain, said(chain, author, counter))
    assert len(list(held.bring(0.0, 1.5))) == 3
    assert held.overdue(5.0, 5.0) == (3, 2)


def test_a_hosts_own_words_are_its_own_affair() -> None:
    chain = chain_of()
    held = Unanswered(chain)
    for author in (2, 3):
        hear(held, chain, said(chain, author, 1))
    held.leave_to(3)
    assert held.take() == (said(chain, 2, 1),)


def test_so_much_of_one_author_is_held() -> None:
    chain = chain_of()
    held = Unanswered(chain)
    for counter in range(1, MAX_WORDS + 2):
        hear(held, chain, said(chain, 1, counter))
    hear(held, chain, said(chain, 2, 1))
    assert len(held) == MAX_WORDS + 1
    large = Unanswered(chain)
    size = len(said(chain, 1, 1, bytes(99_999)).content) - 99_999
    for counter in range(1, 5):
        hear(large, chain, said(chain, 1, counter, bytes(MAX_BYTES // 4 - size)))
    assert sum(len(one.content) for one in large.take()) == MAX_BYTES
    for counter in range(1, 5):
        hear(large, chain, said(chain, 1, counter, bytes(MAX_BYTES // 4 - size + 1)))
    assert len(large) == 3


def test_what_comes_to_nothing_is_heard_so_often_under_one_host() -> None:
    """A liar could have an entry pass over what its teller had brought, and go on."""
    chain = chain_of()
    held = Unanswered(chain)
    first = said(chain, 1, 1)
    hear(held, chain, first)
    held.ordered(chain.extend(ANNA, first))  # has its place, and is not counted
    for counter in range(2, MAX_HEARD + 2):
        hear(held, chain, said(chain, 1, counter))
    assert len(held) == MAX_HEARD
    held.ordered(chain.extend(ANNA, said(chain, 1, MAX_HEARD + 2)))
    assert len(held) == 0
    hear(held, chain, said(chain, 1, MAX_HEARD + 3))
    hear(held, chain, said(chain, 2, 1))
    assert len(held) == 1
    held.leave_to(3)
    hear(held, chain, said(chain, 1, MAX_HEARD + 3))
    assert len(held) == 2
