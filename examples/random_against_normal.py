"""Random against normal, 100 games: pip install 'citadels-p2p[pettingzoo]', then run this.

Seats 0 and 2 play any word that their mask allows; seats 1 and 3 are bots of the level normal.
"""

import random
import sys

from citadels_p2p.bots import make_bot
from citadels_p2p.environments.aec import CitadelsEnv


def play(env, seed):
    """One match; gives each agent's reward."""
    env.reset(seed=seed)
    chance, normal, plan = random.Random(seed), make_bot("normal"), []
    earned = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        earned[agent] += reward
        if over:
            env.step(None)
        elif agent in ("seat_0", "seat_2"):
            env.step(chance.choice(seen["action_mask"].nonzero()[0]))
        else:  # a decision takes several words
            plan = plan or env.speech.words(normal.choose(env.game.observation, chance))
            env.step(plan.pop(0))
    return earned


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    env = CitadelsEnv("2016", seats=4, characters=["random"], uniques=["random"])
    results = [play(env, seed) for seed in range(games)]
    won = sum(earned["seat_1"] + earned["seat_3"] for earned in results)
    print(f"normal wins {won:g} of {games}")
