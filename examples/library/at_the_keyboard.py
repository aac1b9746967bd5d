"""You against three bots, in a terminal: type an option's number, or nothing for the first.

Prints:

    <Game classic, 4 seats, over after 6 rounds: seat 3 with 28 points>
"""

import sys

from citadels_p2p import Game
from citadels_p2p.bots import make_bot
from citadels_p2p.game import Refused

YOU = 0


def main() -> None:
    game, bot = Game("classic", seats=4, seed=4), make_bot("normal")
    while not game.over:
        if game.seat != YOU:
            game.play(*bot.choose(game.observation, game.random))
            continue
        if sys.stdin.isatty():
            print(game)
        typed = input() if sys.stdin.isatty() else ""
        low = 1 if game.bounds is None else game.bounds[0]
        picked = [int(word) for word in typed.split()] or range(low)
        try:
            game.play(*[game.options[number] for number in picked])
        except (Refused, IndexError) as fault:
            print(fault)
    print(repr(game))


if __name__ == "__main__":
    main()
