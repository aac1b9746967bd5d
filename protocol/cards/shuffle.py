"""Verifiable shuffle: a secret permutation and re-encryption, proven to keep the cards.

The proof is Terelius and Wikström's, non-interactive, after the pseudo-code of Haenni, Locher,
Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-encryption Mix-Nets" (2017),
written additively. In prose: the prover commits to its permutation, input by input, against
independent generators. A hash of everything so far gives each input a weight. A chain of
commitments, each made from the one before by the next weight in the new order, shows that
exactly these weights were used, each once; the same weights then tie the outputs to the inputs.
The formulas stand in PROTOCOL.md, 1.6.

Secrets (permutation, randomisers, what is drawn) meet only the group's own constant-time
operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from protocol import chance
from protocol.cards.elgamal import Ciphertext, seal_anew
from protocol.cards.group import (
    WIDTH,
    Group,
    Point,
    Scalar,
    combine,
    generator,
    generators,
    scalar_product,
    total,
)
from protocol.cards.transcript import Binding, Transcript
from protocol.errors import BadProof, LocalError, Malformed


def proof_bytes(count: int) -> int:
    """The size of a shuffle proof for so many cards."""
    return WIDTH * (5 + 4 * count)


def random_order(count: int) -> tuple[int, ...]:
    """A uniform permutation from the system's randomness."""
    order = list(range(count))
    chance.source.shuffle(order)
    return tuple(order)


def shuffle(
    group: Group, joint: Point, inputs: Sequence[Ciphertext], order: Sequence[int]
) -> tuple[tuple[Ciphertext, ...], tuple[Scalar, ...]]:
    """The re-encrypted cards, output i holding input order[i]; and the randomisers."""
    if not inputs or sorted(order) != list(range(len(inputs))):
        raise LocalError("not an order of these cards")
    randomisers = tuple(group.random_scalar() for _ in inputs)
    outputs = tuple(
        seal_anew(group, joint, inputs[source], randomiser)
        for source, randomiser in zip(order, randomisers, strict=True)
    )
    return outputs, randomisers


def prove_shuffle(
    group: Group,
    binding: Binding,
    joint: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    order: Sequence[int],
    randomisers: Sequence[Scalar],
) -> bytes:
    """A proof that `outputs` are `inputs`, permuted and re-encrypted: `proof_bytes` bytes."""
    count = len(inputs)
    add, multiply, base = group.add, group.multiply, group.base
    plus, times, draw = group.scalar_add, group.scalar_multiply, group.random_scalar
    positions, _ = generators(group, count)
    chain_base = generator(group, 0)

    openings = [draw() for _ in inputs]
    commitments = [group.identity] * count
    for position, source in enumerate(order):
        commitments[source] = add(base(openings[source]), positions[position])

    transcript = _statement(group, binding, joint, inputs, outputs, commitments)
    weights = transcript.weights(group, count)
    ordered = [weights[source] for source in order]

    # A link is known as over·G + along·H, so the prover never multiplies a link itself.
    links, chain_draws, weight_draws, link_draws = [], [], [], []
    over, along = _ZERO, _ONE
    for weight in ordered:
        chain_draw, weight_draw, blind = draw(), draw(), draw()
        link_draws.append(
            add(
                base(plus(chain_draw, times(weight_draw, over))),
                multiply(times(weight_draw, along), chain_base),
            )
        )
        chain_draws.append((chain_draw, blind))
        weight_draws.append(weight_draw)
        over = plus(blind, times(weight, over))
        along = times(weight, along)
        links.append(add(base(over), multiply(along, chain_base)))

    of_sum, of_chain, of_weighted, of_masks = draw(), draw(), draw(), draw()
    drawn = _Drawn(
        of_sum=base(of_sum),
        of_chain=base(of_chain),
        of_weighted=add(base(of_weighted), combine(group, weight_draws, positions)),
        of_bodies=group.subtract(
            combine(group, weight_draws, (one.body for one in outputs)),
            multiply(of_masks, joint),
        ),
        of_masks=group.subtract(
            combine(group, weight_draws, (one.mask for one in outputs)), base(of_masks)
        ),
        of_links=tuple(link_draws),
    )
    challenge = _challenge(group, transcript, links, drawn)

    def respond(drawn_scalar: Scalar, secret: Scalar) -> Scalar:
        return plus(drawn_scalar, times(challenge, secret))

    return b"".join(
        (
            *commitments,
            *links,
            challenge,
            respond(of_sum, reduce(plus, openings)),
            respond(of_chain, over),
            respond(of_weighted, scalar_product(group, openings, weights)),
            respond(of_masks, scalar_product(group, randomisers, ordered)),
            *(respond(chain_draw, blind) for chain_draw, blind in chain_draws),
            *map(respond, weight_draws, ordered),
        )
    )


def check_shuffle(
    group: Group,
    binding: Binding,
    joint: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    raw: bytes,
) -> None:
    """Raise BadProof unless `raw` proves `outputs` to be `inputs`, permuted, re-encrypted."""
    count = len(inputs)
    if not count or len(outputs) != count:
        raise Malformed("a shuffle keeps the number of its cards")
    proof = _Proof.from_bytes(group, raw, count)
    add, subtract, multiply, base = group.add, group.subtract, group.multiply, group.base
    positions, position_total = generators(group, count)
    chain_base = generator(group, 0)

    transcript = _statement(group, binding, joint, inputs, outputs, proof.commitments)
    weights = transcript.weights(group, count)
    along = _ONE
    for weight in weights:
        along = group.scalar_multiply(along, weight)

    challenge = proof.challenge
    commitment_rest = subtract(total(group, proof.commitments), position_total)
    chain_rest = subtract(proof.links[-1], multiply(along, chain_base))
    against = [group.scalar_multiply(challenge, weight) for weight in weights]
    drawn = _Drawn(
        of_sum=subtract(base(proof.of_sum), multiply(challenge, commitment_rest)),
        of_chain=subtract(base(proof.of_chain), multiply(challenge, chain_rest)),
        of_weighted=subtract(
            add(base(proof.of_weighted), combine(group, proof.of_weights, positions)),
            combine(group, against, proof.commitments),
        ),
        of_bodies=subtract(
            combine(group, proof.of_weights, (one.body for one in outputs)),
            add(
                multiply(proof.of_masks, joint),
                combine(group, against, (one.body for one in inputs)),
            ),
        ),
        of_masks=subtract(
            combine(group, proof.of_weights, (one.mask for one in outputs)),
            add(
                base(proof.of_masks),
                combine(group, against, (one.mask for one in inputs)),
            ),
        ),
        of_links=tuple(
            subtract(add(base(of_link), multiply(of_weight, before)), multiply(challenge, link))
            for of_link, of_weight, before, link in zip(
                proof.of_links,
                proof.of_weights,
                (chain_base, *proof.links[:-1]),
                proof.links,
                strict=True,
            )
        ),
    )
    if _challenge(group, transcript, proof.links, drawn) != challenge:
        raise BadProof("shuffle")


_ZERO = Scalar(bytes(WIDTH))
_ONE = Scalar(bytes([1]) + bytes(WIDTH - 1))


class _Drawn(NamedTuple):
    """The prover's first message, which the checker recomputes, in the order of the hash."""

    of_sum: Point
    of_chain: Point
    of_weighted: Point
    of_bodies: Point
    of_masks: Point
    of_links: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proof:
    commitments: tuple[Point, ...]
    links: tuple[Point, ...]
    challenge: Scalar
    of_sum: Scalar
    of_chain: Scalar
    of_weighted: Scalar
    of_masks: Scalar
    of_links: tuple[Scalar, ...]
    of_weights: tuple[Scalar, ...]

    @classmethod
    def from_bytes(cls, group: Group, raw: bytes, count: int) -> _Proof:
        if len(raw) != proof_bytes(count):
            raise Malformed("a shuffle proof of another length")
        pieces = [raw[start : start + WIDTH] for start in range(0, len(raw), WIDTH)]
        points = tuple(map(group.claim_point, pieces[: 2 * count]))
        scalars = tuple(map(group.decode_scalar, pieces[2 * count :]))
        return cls(
            commitments=points[:count],
            links=points[count:],
            challenge=scalars[0],
            of_sum=scalars[1],
            of_chain=scalars[2],
            of_weighted=scalars[3],
            of_masks=scalars[4],
            of_links=scalars[5 : 5 + count],
            of_weights=scalars[5 + count :],
        )


def _statement(
    group: Group,
    binding: Binding,
    joint: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    commitments: Sequence[Point],
) -> Transcript:
    transcript = binding.transcript(group, b"shuffle")
    transcript.absorb(b"joint", (joint,))
    transcript.absorb(b"inputs", (one.to_bytes() for one in inputs))
    transcript.absorb(b"outputs", (one.to_bytes() for one in outputs))
    transcript.absorb(b"commitments", commitments)
    return transcript


def _challenge(
    group: Group, transcript: Transcript, links: Sequence[Point], drawn: _Drawn
) -> Scalar:
    transcript.absorb(b"links", links)
    *points, of_links = drawn
    return transcript.challenge(group, (*points, *of_links))
