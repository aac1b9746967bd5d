"""A saved match is told as it was played, and from any seat once all keys were given away."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from citadels_p2p.match.archive.record import MatchRecord, record_of
from protocol.journal.chain import Journal


def test_every_event_is_told_once_and_in_order(record: MatchRecord) -> None:
    numbers = [event.n for moment in record.moments for event in moment.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert record.moments[-1].events[-1].kind == "match_over"
    assert record.verdict.sound
    assert record.verdict.result is not None


def test_each_seat_sees_exactly_the_cards_that_everybody_counts(record: MatchRecord) -> None:
    assert record.seats == (0, 1, 2)
    for moment in record.moments:
        public = moment.views[None]
        assert public.you is None
        for seat in record.seats:
            view = moment.views[seat]
            assert view.you is not None
            assert len(view.you.hand) == public.seats[seat].hand
            assert view.seats == public.seats


def test_a_district_was_in_the_hand_before_it_stood_in_the_city(record: MatchRecord) -> None:
    """The hands are the true ones: what is built was held the moment before."""
    built = 0
    for before, after in zip(record.moments, record.moments[1:], strict=False):
        for event in after.events:
            if event.kind != "built":
                continue
            fields = event.fields()
            seat, card = fields["seat"], fields["card"]
            assert isinstance(seat, int)
            you = before.views[seat].you
            assert you is not None
            assert card in [held.card for held in you.hand]
            built += 1
    assert built >= record.moments[0].views[None].city_size  # somebody has completed a city


def test_a_match_whose_keys_were_kept_is_told_without_its_hands(journal: Journal) -> None:
    cut = replace(journal, records=journal.records[:-2], quorum_certificate=())
    told = record_of(cut)
    assert told.verdict.sound
    assert not told.verdict.opened
    assert told.seats == ()
    assert told.moments[-1].views[None].you is None


def test_a_damaged_journal_is_told_up_to_the_fault(journal: Journal) -> None:
    middle = len(journal.records) // 2
    hurt = msgspec.structs.replace(journal.records[middle], signature=bytes(64))
    records = (*journal.records[:middle], hurt, *journal.records[middle + 1 :])
    told = record_of(replace(journal, records=records))
    assert not told.verdict.sound
    assert 0 < len(told.moments) < len(record_of(journal).moments)
