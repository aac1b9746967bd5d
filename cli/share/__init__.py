"""Whoever is in the room gets the program: what is offered, how it is checked, and the shell
that hands it out (`citadels share`).
"""
