"""The cities as a picture, which a notebook shows for a game by itself: python3 picture.py FILE

Prints:

    <svg 15 districts
"""

import sys
from pathlib import Path
from random import Random

from citadels_p2p import Game


def main() -> None:
    game = Game("dark-city", seats=5, seed=1)
    game.play_out(Random(1), decisions=200)
    picture = game._repr_svg_()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(picture, encoding="utf-8")
    print(picture[:4], picture.count("<title>"), "districts")


if __name__ == "__main__":
    main()
