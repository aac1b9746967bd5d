"""A contest on a cluster: python3 examples/contest_on_dask.py [GAMES]

It needs `pip install dask.distributed`, which is `citadels-p2p[dask]`. Contests, and
`citadels_p2p.arena.simulate`, are played by any `concurrent.futures.Executor`: Dask's below, a
ProcessPoolExecutor, or one of your own. The games are the same, wherever they are played:
`citadels simulate --levels normal,easy,easy,easy --json` comes to the same digest.

Here all of the cluster is on this laptop. For one of many: Client("tcp://scheduler:8786").
"""

import sys
from hashlib import sha256

from distributed import Client, LocalCluster

from citadels_p2p.contest import contest, standings
from citadels_p2p.rules import Rules


def main(games):
    rules = Rules.make("classic", seats=4)
    levels = ("normal", "easy", "easy", "easy")
    with (
        LocalCluster(n_workers=2, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor(pure=False)
        bouts = list(contest(rules, games, seed=1, levels=levels, jobs=executor))
    for row in standings(bouts):
        print(f"{row.level}: {row.won:.1%} won (95 %: {row.low:.1%} to {row.high:.1%})")
    print(sha256(b"".join(bout.digest for bout in bouts)).hexdigest())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
