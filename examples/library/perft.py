"""How many answers follow one another from the beginning of a match: with push and pop.

Prints:

    0 1
    1 5
    2 20
    3 60
    4 120
"""

from citadels_p2p import Game


def perft(game: Game, depth: int) -> int:
    if depth == 0 or game.over:
        return 1
    count = 0
    for answer in game.answers():
        game.push(*answer)
        count += perft(game, depth - 1)
        game.pop()
    return count


def main() -> None:
    game = Game("classic", seats=4, seed=1)
    for depth in range(5):
        print(depth, perft(game, depth))


if __name__ == "__main__":
    main()
