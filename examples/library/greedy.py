"""A player that looks one answer ahead: what brings most points, and else anything.

Prints:

    seat 0: 23 points, rank 2
    seat 1: 15 points, rank 3
    seat 2: 29 points, rank 1
"""

from random import Random

from citadels_p2p import Game
from citadels_p2p.rules import Move


def best(game: Game, random: Random) -> tuple[Move, ...]:
    """An answer after which the asked seat has most points."""
    seat = game.seat
    assert seat is not None

    def worth(answer: tuple[Move, ...]) -> tuple[int, float]:
        game.push(*answer)
        points = game.scores.seats[seat].total
        game.pop()
        return points, random.random()

    return max(game.answers(), key=worth)


def main() -> None:
    game, random = Game("classic", seats=3, seed=2), Random(1)
    while not game.over:
        game.play(*best(game, random))
    for row in game.scores.seats:
        print(f"seat {row.seat}: {row.total} points, rank {row.rank}")


if __name__ == "__main__":
    main()
