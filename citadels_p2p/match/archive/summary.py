"""What is remembered of a match once it has been verified: who, with what, and how it ended.

Read from the fold, so that nothing in it rests on anybody's word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from citadels_p2p.rules import view
from citadels_p2p.rules.events import Event
from protocol.identity.keys import fingerprint

if TYPE_CHECKING:
    from citadels_p2p.match.archive.audit import Verdict
    from citadels_p2p.match.fold.match import Match

Standing: TypeAlias = Literal["finished", "unfinished", "unsound"]


class Place(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One seat of a finished match.

    `key` is the fingerprint of who sat here, '' for a bot of the `level` named; of persons who
    shared a laptop, its fingerprint and the name: "ABCD-EFGH-IJKL-MNOP/Anna". `turns` counts by
    character, `built` by district; `city` is what stood at the end. `murdered`: in how many
    rounds its character was.
    """

    name: str
    key: str
    level: str
    total: int
    rank: int
    won: bool
    turns: dict[str, int]
    built: dict[str, int]
    city: tuple[str, ...]
    murdered: int = 0


class Summary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One match.

    `file` lies in the data directory; `ended` is when its journal was last written, in seconds
    since 1970. A match that is unsound or unfinished has no places and counts for nothing:
    `fault` then is the code of what does not hold, after `entries` entries that do.
    `operators` are the fingerprints of all laptops, those without a seat included.
    """

    file: str
    ended: int
    standing: Standing
    table: str = ""
    edition: str = ""
    rounds: int = 0
    entries: int = 0
    opened: bool = False
    fault: str = ""
    operators: tuple[str, ...] = ()
    resigned: str = ""  #: who has ended the match by leaving for good, by name
    claimed: str = ""  #: who did not come back, as the owner of this file says
    places: tuple[Place, ...] = ()


def summarise(file: str, ended: int, verdict: Verdict, match: Match | None) -> Summary:
    """A match as it is remembered, by the verdict on its journal."""
    standing: Standing = "unfinished"
    if not verdict.sound:
        standing = "unsound"
    elif verdict.finished or verdict.claimed:
        standing = "finished"
    return Summary(
        file=file,
        ended=ended,
        standing=standing,
        table=verdict.table,
        edition="" if match is None else match.rules.edition,
        rounds=0 if match is None else match.state.round,
        entries=verdict.entries,
        opened=verdict.opened,
        fault=verdict.faults[0].code if verdict.faults else "",
        operators=()
        if match is None
        else tuple(fingerprint(operator.identity) for operator in match.genesis.operators),
        resigned=""
        if match is None or match.resigned is None
        else match.genesis.operators[match.resigned].name,
        claimed=verdict.claimed,
        places=_places(verdict, match) if standing == "finished" and match else (),
    )


def murdered(events: Iterable[Event]) -> Counter[int]:
    """In how many rounds each seat's character was murdered, as the round's end has shown."""
    victims: Counter[int] = Counter()
    named: object = None
    for event in events:
        fields = event.fields()
        if event.kind == "round_begins":
            named = None
        elif event.kind == "named" and fields["purpose"] == "murder":
            named = fields["character"]
        elif event.kind in ("exposed", "heir") and fields["character"] == named is not None:
            seat = fields["seat"]
            assert isinstance(seat, int)
            victims[seat] += 1
            named = None
    return victims


def keys_of_seats(match: Match) -> tuple[str, ...]:
    """Who sits at each seat, as `Place.key` says it."""
    genesis = match.genesis
    persons = Counter(
        keeper
        for keeper, seat in zip(match.keepers, genesis.seats, strict=True)
        if seat.kind != "bot"
    )
    keys = []
    for seat, keeper in zip(genesis.seats, match.keepers, strict=True):
        key = fingerprint(genesis.operators[keeper].identity)
        key += f"/{seat.name}" if persons[keeper] > 1 else ""
        keys.append("" if seat.kind == "bot" else key)
    return tuple(keys)


def _places(verdict: Verdict, match: Match) -> tuple[Place, ...]:
    assert verdict.result is not None
    genesis, seats = match.genesis, range(match.rules.seats)
    turns: list[Counter[str]] = [Counter() for _ in seats]
    built: list[Counter[str]] = [Counter() for _ in seats]
    for event in match.events:
        fields = event.fields()
        seat = fields.get("seat")
        if not isinstance(seat, int):
            continue
        if event.kind == "turn_begins":
            turns[seat][str(fields["character"])] += 1
        elif event.kind == "built":
            built[seat][str(fields["card"])] += 1
    victims = murdered(match.events)
    keys = keys_of_seats(match)
    cities = view(match.state, None, {}).seats
    scores = {score.seat: score for score in verdict.result.scores}
    places = []
    for index in seats:
        seated = genesis.seats[index]
        places.append(
            Place(
                name=seated.name,
                key=keys[index],
                level=seated.level,
                total=scores[index].total,
                rank=scores[index].rank,
                won=index in verdict.result.winners,
                turns=dict(turns[index]),
                built=dict(built[index]),
                city=tuple(card.card for card in cities[index].city),
                murdered=victims[index],
            )
        )
    return tuple(places)
