"""Whole matches as files, and what anybody must come to who folds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from citadels_p2p.match.archive.assurance import hidden_faces
from citadels_p2p.match.archive.audit import Verdict, examine
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.notation import write_record
from citadels_p2p.notation.record import record_of_facts
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from protocol.journal.chain import Journal
from tests.match.signed_table import Setting, SignedTable
from tests.vectors.writing import drawn_from

SHORT = 16
"""Hexadecimal digits of a digest, where there is one for each entry."""


PLAIN = Setting(Rules.make("classic", 2, 6), 2, "plain 33", level="normal")


def plain() -> SignedTable:
    """Two laptops, from the keys to the last score and the keys given away."""
    chairs = SignedTable(PLAIN)
    chairs.play()
    return chairs


def absence() -> SignedTable:
    """One of three is gone, the others play on; it comes back and has lost its secrets."""
    chairs = SignedTable(Setting(Rules.make("classic", 3, 6), 3, "absence"))
    match = chairs.dealers[0].match
    chairs.until(lambda: match.stage == "play" and match.state.phase == "turns")
    chairs.vanish(2)
    chairs.until(lambda: has(chairs, bodies.TimedOut) and match.state.round == 2)
    chairs.until(lambda: has(chairs, bodies.Recovered) and match.at_rest)
    chairs.come_back(2, robbed=True)
    chairs.until(lambda: has(chairs, bodies.GaveBack) and 2 not in match.absence.gone)
    chairs.until(lambda: match.at_rest)
    return chairs


def departure() -> SignedTable:
    """One of three leaves for good and is taken out, another hosts; then one of the last two
    leaves.
    """
    chairs = SignedTable(Setting(Rules.make("classic", 3, 6), 3, "departure"))
    match = chairs.dealers[0].match
    chairs.until(lambda: match.state.phase == "turns" and match.at_rest)
    chairs.elect(1, (0, 1))
    chairs.leave(2)
    chairs.until(lambda: 2 in match.absence.departed)
    chairs.remove(2)
    chairs.until(lambda: match.at_rest)
    word = chairs.dealers[0].depart()
    assert isinstance(word, Contribution)
    chairs.order(0, word)
    chairs.play()
    return chairs


def lots() -> SignedTable:
    """Characters and unique districts by lots, with bots beside; a seat is handed over, a
    decision hurried.
    """
    chosen = Rules.make("2016", 3, 6, characters=["random"], uniques=["random"])
    chairs = SignedTable(Setting(chosen, 2, "lots"))
    match = chairs.dealers[0].match
    chairs.until(lambda: match.state.phase == "turns" and match.at_rest)
    for level in ("normal", ""):
        body = bodies.write(bodies.HandedOver(1, level))
        chairs.order(1, Contribution(key=f"handed {level}".encode(), body=body))
    chairs.until(lambda: match.state.phase == "turns" and match.at_rest)
    (duty,) = match.duties
    word = chairs.dealers[1 - duty.operator].hurry()
    assert isinstance(word, Contribution)
    chairs.order(1 - duty.operator, word)
    return chairs


MATCHES: dict[str, Callable[[], SignedTable]] = {
    "plain": plain,
    "absence": absence,
    "departure": departure,
    "lots": lots,
}


def has(chairs: SignedTable, kind: type[object]) -> bool:
    """Whether somebody has said such a thing."""
    return any(body and isinstance(bodies.read(body), kind) for _, body in chairs.journal)


def made(name: str) -> SignedTable:
    """A match, the same each time."""
    with drawn_from(name):
        return MATCHES[name]()


def told(journal: Journal) -> dict[str, Any]:
    """What a checker must come to: after each entry, and in the end."""
    digests: list[str] = []
    steps: list[int] = []
    owed: list[str] = []
    faces: list[list[object]] = []
    seen: set[tuple[int, int]] = set()

    def watch(match: Match) -> None:
        digests.append(match.digest().hex()[:SHORT])
        steps.append(match.step)
        owed.append("; ".join(map(shown, match.duties)))
        if match.stage not in ("commit", "key", "escrow"):
            faces.extend(_newly_open(match, seen))

    verdict, match = examine(journal, watch=watch)
    assert match is not None
    return {
        "operators": [one.name for one in match.genesis.operators],
        "keepers": list(match.keepers),
        "match": match.genesis.digest.hex(),
        "context": match.keys.context().hex(),
        "words": " ".join(match.words),
        "verdict": judged(verdict),
        "record": write_record(record_of_facts(match.rules, match.facts)),
        "digests": " ".join(digests),
        "steps": steps,
        "owed": owed,
        "faces": faces,
        "hidden": _hidden(match, verdict),
    }


def judged(verdict: Verdict) -> dict[str, Any]:
    """A verdict: what `citadels verify --json` says of the same file."""
    return {
        "sound": verdict.sound,
        "entries": verdict.entries,
        "finished": verdict.finished,
        "opened": verdict.opened,
        "confirmed": verdict.confirmed,
        "faults": [[one.seq, one.author, one.code] for one in verdict.faults],
    }


def shown(duty: Duty) -> str:
    """A duty in one word after the other; what it has not is left out."""
    said = [duty.kind, f"by {duty.operator}"]
    said += [f"seat {duty.seat}"] if duty.seat != -1 else []
    said += [f"for {duty.absent}"] if duty.absent >= 0 else []
    said += [f"slots {spans(duty.slots)}"] if duty.slots else []
    return " ".join(said)


def spans(slots: Sequence[int]) -> str:
    """Numbers with their runs drawn together: 4-7,9."""
    runs: list[list[int]] = []
    for slot in slots:
        if runs and runs[-1][-1] == slot - 1:
            runs[-1].append(slot)
        else:
            runs.append([slot])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _newly_open(match: Match, seen: set[tuple[int, int]]) -> list[list[object]]:
    found: list[list[object]] = []
    for slot in sorted(match.zones):
        if not match.is_card(slot) or match.face(slot) is None:
            continue
        version = match.cards.version(slot)
        if (slot, version) not in seen:
            seen.add((slot, version))
            found.append([match.seq, slot, version, match.face(slot)])
    return found


def _hidden(match: Match, verdict: Verdict) -> dict[str, str]:
    """What lies in deck, hands and cities in the end, as the keys show it."""
    if not verdict.opened:
        return {}
    kinds = ("deck", "hand", "drawn", "city", "tucked")
    placed = sorted(slot for slot, zone in match.zones.items() if zone.kind in kinds)
    return {str(slot): face for slot, face in hidden_faces(match, placed).items()}
