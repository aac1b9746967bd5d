"""Which character to take: each is tried in worlds that the seat cannot tell from the true one.

Prints:

    architect: 17 of 60
    magician: 13 of 60
    bishop: 10 of 60
    merchant: 16 of 60
    king: 10 of 60
"""

from collections import Counter
from random import Random

from citadels_p2p import Game

WORLDS = 60


def wins(game: Game, random: Random) -> Counter[str]:
    """How many of so many matches each option wins, the rest played at random."""
    seat = game.seat
    assert seat is not None
    won: Counter[str] = Counter()
    for _ in range(WORLDS):
        world = game.determinized(seat, random)
        for option in game.options:
            world.push(option.id)
            world.play_out(random)
            won[option.id] += seat in world.scores.winners
            world.pop()
    return won


def main() -> None:
    game = Game("2016", seats=4, seed=3)
    won = wins(game, Random(1))
    for option in game.options:
        character = game.about(option).fields()["card"]
        print(f"{character}: {won[option.id]} of {WORLDS}")


if __name__ == "__main__":
    main()
