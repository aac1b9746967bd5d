"""Dishonest provers: the shuffle proof, run as well as it can be over something untrue."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards.elgamal import Ciphertext, to_bytes
from protocol.cards.group import Group, Point, Scalar, combine, generator, generators, total
from protocol.cards.shuffle import _challenge, _Drawn, _statement
from protocol.cards.transcript import Binding
from tests.protocol.slow_group import SlowEdwards25519, decode, encode, is_zero, times

Matrix = Sequence[Sequence[Scalar]]
"""Row i says what output i is made of, input by input; honest ones are permutations."""


class BlindEdwards25519(SlowEdwards25519):
    """Arithmetic without a subgroup check, for a cheater who computes with marked points."""

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        operand = decode(point)
        assert operand is not None
        assert not is_zero(operand)
        return Point(encode(times(int.from_bytes(scalar, "little"), operand)))


def number(group: Group, value: int) -> Scalar:
    """A small or negative number, or a fraction's numerator, as a scalar."""
    return Scalar((value % group.order).to_bytes(32, "little"))


def forge(
    group: Group,
    binding: Binding,
    joint: Point,
    inputs: Sequence[Ciphertext],
    made_of: Matrix,
    weighed_by: Matrix,
) -> bytes:
    """A step with outputs `made_of` · `inputs`, and a proof that weighs by `weighed_by`.

    The tie between outputs and inputs holds where one matrix is the other's inverse transposed;
    then only the two checks on the matrix itself stand in the way: its rows' sums, and the
    weights' product.
    """
    count = len(inputs)
    plus, times_, draw = group.scalar_add, group.scalar_multiply, group.random_scalar
    zero = number(group, 0)

    def dot(left: Sequence[Scalar], right: Sequence[Scalar]) -> Scalar:
        result = zero
        for one, other in zip(left, right, strict=True):
            result = plus(result, times_(one, other))
        return result

    def mixed(row: Sequence[Scalar], points: Sequence[Point], blind: Point) -> Point:
        used = [
            (factor, point) for factor, point in zip(row, points, strict=True) if any(factor)
        ]
        if not used:
            return blind
        return group.add(combine(group, *zip(*used, strict=True)), blind)

    randomisers = [draw() for _ in inputs]
    outputs = [
        Ciphertext(
            mixed(row, [one.mask for one in inputs], group.base(randomiser)),
            mixed(row, [one.body for one in inputs], group.multiply(randomiser, joint)),
        )
        for row, randomiser in zip(made_of, randomisers, strict=True)
    ]
    positions, _ = generators(group, count)
    openings = [draw() for _ in inputs]
    commitments = [
        mixed([row[column] for row in weighed_by], positions, group.base(openings[column]))
        for column in range(count)
    ]
    transcript = _statement(group, binding, joint, inputs, outputs, commitments)
    weights = transcript.weights(group, count)
    ordered = [dot(row, weights) for row in weighed_by]

    links, blinds, before, over = [], [], [generator(group, 0)], zero
    for weight in ordered:
        blind = draw()
        link = group.add(group.base(blind), group.multiply(weight, before[-1]))
        over = plus(blind, times_(weight, over))
        links.append(link)
        before.append(link)
        blinds.append(blind)
    sums, chain, weighted, masks = draw(), draw(), draw(), draw()
    link_draws = [draw() for _ in inputs]
    weight_draws = [draw() for _ in inputs]
    drawn = _Drawn(
        of_sum=group.base(sums),
        of_chain=group.base(chain),
        of_weighted=group.add(group.base(weighted), combine(group, weight_draws, positions)),
        of_bodies=group.subtract(
            combine(group, weight_draws, [one.body for one in outputs]),
            group.multiply(masks, joint),
        ),
        of_masks=group.subtract(
            combine(group, weight_draws, [one.mask for one in outputs]), group.base(masks)
        ),
        of_links=tuple(
            total(group, (group.base(blind), group.multiply(weight, link)))
            for blind, weight, link in zip(link_draws, weight_draws, before, strict=False)
        ),
    )
    z = _challenge(group, transcript, links, drawn)
    ones = [number(group, 1)] * count
    responses = (
        plus(sums, times_(z, dot(openings, ones))),
        plus(chain, times_(z, over)),
        plus(weighted, times_(z, dot(openings, weights))),
        plus(masks, times_(z, dot(randomisers, ordered))),
        *(plus(one, times_(z, other)) for one, other in zip(link_draws, blinds, strict=True)),
        *(
            plus(one, times_(z, other))
            for one, other in zip(weight_draws, ordered, strict=True)
        ),
    )
    return to_bytes(outputs) + b"".join((*commitments, *links, z, *responses))
