"""A whole match at random, and the table at its end.

Prints:

    2016, round 15: the match is over. 25 cards in the deck; cities of 7.
    seat        gold  hand  points  characters  city
      0            1    12      11  architect   tavern 1, palace 5, keep 3, prison 2
      1            0     4      25  magician    manor 3, docks 3, cathedral 5, watchtower 1,
                                                market 2, barracks 3, harbor 4
      2            0     8       9  merchant    thieves den 6, church 2, tavern 1
      3  crown     0     2       6  king        monastery 3, temple 1, trading post 2
    (won by seat 1)
"""

from random import Random

from citadels_p2p import Game


def main() -> None:
    random = Random(1)
    game = Game("2016", seats=4, seed=1)
    while not game.over:
        options, bounds = game.options, game.bounds
        if bounds is None:
            game.play(random.choice(options))
        else:
            game.play(*random.sample(options, bounds[0]))
    print(game)


if __name__ == "__main__":
    main()
