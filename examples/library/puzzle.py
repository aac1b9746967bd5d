"""A position out of a question: who is asked, for what, and what each answer leads to.

Prints:

    classic, round 1: characters are called. 60 cards in the deck; cities of 8.
    seat        gold  hand  points  characters    city
      0            1     3       3  ?, assassin   manor 3
    > 1  crown     2     3       4  king, bishop  observatory 4
    hand: church 2, market 2, dragon gate 6
    Seat 1 is asked (act): build:4 church, build:6 market, end
    build:4 -> built
    build:6 -> built
    end -> turn_ends, rank_called, rank_silent
"""

from citadels_p2p import Game

POSITION = (
    "citadels-position/1 city=8 edition=classic seats=2 round=1 called=5 cursor=8"
    " fresh_slot=78 n=29 crown=1 phase=turns"
    " seat0=gold:1;hand:0,1,3;city:manor@2;picks:71,assassin@76;revealed:assassin"
    " seat1=gold:2;hand:(church)@4,(market)@6,(dragon_gate)@7;city:observatory@5;"
    "picks:king@77,bishop@75;revealed:king,bishop"
    " turn=seat:1;rank:5;character:bishop;gathered deck=67..8 aside=70,72..74"
    " raised=manor@2,observatory@5 builders=0,1 guarded=1 silenced=architect"
    " named=murder:architect:0 stack=decide:act:1"
)


def main() -> None:
    game = Game.at(POSITION, seed=1)
    print(game)
    for answer in game.answers():
        happened = game.push(*answer)
        print(answer[0].id, "->", ", ".join(event.kind for event in happened[:3]))
        game.pop()


if __name__ == "__main__":
    main()
