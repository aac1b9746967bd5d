"""Whole laptops in virtual time: one world, and all that follows from a seed.

The program runs as it is, from a typed line to the score and once more: parser, settings,
discovery, lobby, handshakes, links, Raft, sealed cards, SQLite, the next evening. Only the
world below it is ours. Nothing waits: a match of minutes takes a second or two, and the same
seed is the same evening, byte for byte, in every process.

A scene is a few lines:

    def the_host_dies(table: Evening) -> None:
        table.sit_down()                       # Anna hosts, the others join and agree
        table.some_way()                       # some questions are answered
        table["Anna"].laptop.kill(power=True)  # no goodbye, no `finally`
        table.wait(12)
        table.come_back(table["Anna"])         # types `resume`
        ended_well(table)                      # one score, every file verifies to it

`run.act(the_host_dies, seats=3)` plays it in a process of its own, and raises what is wrong. By
thousands: `python -m tests.world --scene storm --seeds 0-999 --keep-going`; every fault at each
event of a small match: `--every 1-1511`, or `1-1511/30` at some. What fails prints the command
that repeats it; `--trace` shows everything that every program told and every person typed.

Where to look:

- `loop.py`: the event loop of a laptop, and why there is one for each; its clock.
- `net.py`: TCP and what TLS adds: delay, cuts, one way, resets. `hall.py`: announcements.
- `disk.py`: SQLite that lags, fills, fails at a statement, is copied and put back; threads.
- `laptop.py`: kill, boot, lid, another address, a wrong clock. `person.py`: who types there.
- `world.py`: the order of all events. `doors.py`: where a laptop would see this machine.
- `evening.py`: the verbs of scenes. `scenes.py`: those that are played by seed; `moments.py`:
  those that drive to one moment, which a storm meets once in thousands of seeds.
- `weather.py`: faults by name. `oracles.py`: what must be true.
- `adversary.py`: laptops that lie, and all they know; `policies.py`: what they do in several
  words; `liars.py`: the scenes with them.
- `inquest.py`: what must be true of honest laptops then; `ledger.py`: who can read what.
- `mutants.py`: faults of the program, planted on purpose, which must be found.
- `branches.py`: a match that branches at each of its events.
- `run.py`: a process for each evening; `__main__.py`: the command.

Made once an evening, whichever laptop asks: checks that know nothing but their arguments
(`tests/simulation/once.py`), the signatures that somebody here has made or found good, and the
verifier's judgement of equal journals; a keyed hash stands for a signature. In every seed that
50 divides each laptop signs and makes every check itself. A transcript and its digests are
written out when somebody wants to read them.

What it does not show: TLS, multicast, terminals, real threads, and writes torn in the middle of
a page. Those have tests of their own over the real thing.
"""
