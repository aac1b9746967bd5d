"""Plays a seat of Citadels: citadels join --bot-command "python3 examples/cautious_bot.py"

On Windows: "py -3 examples/cautious_bot.py".

It reads lines of JSON and answers each question with one (JSON-UI.md). It gathers gold before
cards, takes what it is owed, builds the dearest district that it can, and harms nobody.
"""

import json
import sys

LIKES = ("income", "bonus_gold", "bonus_cards", "gold", "cards", "collect", "homage", "build")
DISLIKES = ("destroy", "murder", "rob", "swap", "seize")


def worth(option):
    verb = option["verb"]
    if verb in LIKES:
        return 100 - LIKES.index(verb) + option.get("cost", 0)
    if verb == "end":
        return 10
    return 0 if verb in DISLIKES else 5


def main():
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] != "ask":
            continue  # "state" and "event" tell what is seen and what happens
        if "subset" in said:
            several = [option["id"] for option in said["subset"]["of"]]
            answer = {"answer": said["id"], "subset": several[: said["subset"]["min"]]}
        else:
            best = max(said["options"], key=worth)
            answer = {"answer": said["id"], "option": best["id"]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
