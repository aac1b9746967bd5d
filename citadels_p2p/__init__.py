"""The game: cards, rules, bots, and the match that joins them to the protocol.

Nothing in this wing knows a socket or a screen.
"""
