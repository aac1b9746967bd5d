"""A whole match by lines of JSON: python3 examples/whole_match.py [COMMAND TO START CITADELS]

It knows what JSON-UI.md and `citadels schema` say, and nothing else of the program. It sits at
a practice table, takes gifts first, then builds the dearest district of its hand that it can
pay, ends its turn, and prints the score.
"""

import json
import subprocess
import sys


def choice(ask, state):
    """The option ids that it picks."""
    if "subset" in ask:
        several = ask["subset"]
        return [option["id"] for option in several["of"][: several["min"]]]
    costs = {card["slot"]: card["cost"] or 0 for card in state["you"]["hand"]}

    def worth(option):
        if option["gift"]:
            return 100
        if option["verb"] == "build":
            return 10 + costs[option["slot"]]
        if option["verb"] == "end":
            return 1  # before a power: one that is begun and left undone would be offered again
        return -1 if option["sacrifice"] or option["harms"] else 0

    return [max(ask["options"], key=worth)["id"]]


def main(command):
    play = [*command, "play", "--ui", "json", "--seats", "4", "--bot-level", "easy"]
    pipe = subprocess.PIPE
    with subprocess.Popen(play, stdin=pipe, stdout=pipe, encoding="utf-8") as program:

        def say(line):
            print(json.dumps(line), file=program.stdin, flush=True)

        state = None
        for line in map(json.loads, program.stdout):
            match line["type"]:
                case "state":
                    state = line
                case "ask":
                    picks = choice(line, state)
                    answer = {"subset": picks} if "subset" in line else {"option": picks[0]}
                    say({"answer": line["id"], **answer})
                case "error":
                    sys.exit(line["message"])
                case "over":
                    names = [seat["name"] for seat in state["seats"]]
                    for score in sorted(line["scores"], key=lambda score: score["rank"]):
                        print(score["rank"], names[score["seat"]], score["total"])
                    say({"do": "leave"})
                case "bye":
                    return line["code"]
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["citadels"]))
