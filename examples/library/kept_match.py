"""A match as text: written down in the middle, read back, played on, and stepped through.

Prints:

    True club night
    classic, round 6: the match is over. 49 cards in the deck; cities of 8.
    seat        gold  hand  points  characters     city
      0  crown     1     5       0  king, warlord
      1            3     6      28  thief, bishop  castle 4, church 2, barracks 3, market 2,
                                                   keep 3, manor 3, tavern 1, monastery 3
    (won by seat 1)
    228 events, 0 districts built
"""

from random import Random

from citadels_p2p import Game
from citadels_p2p.notation import read_record, replay, resumed


def main() -> None:
    game = Game("classic", seats=2, seed="club night")
    game.play_out(Random(1), decisions=30)
    text = game.record()
    again = resumed(read_record(text))
    print(again == game, again.seed)
    again.play_out(Random(2))
    print(again)
    kinds = [
        event.kind for rest in replay(read_record(again.record())) for event in rest.events
    ]
    print(f"{len(kinds)} events, {kinds.count('district_built')} districts built")


if __name__ == "__main__":
    main()
