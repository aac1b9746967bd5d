"""Games for libraries of learning: PettingZoo and OpenSpiel.

`aec.py` and `open_spiel.py` are the adapters and need those libraries; `speech.py` says what an
action is, and `sight.py` what a seat sees, as numbers.
"""
