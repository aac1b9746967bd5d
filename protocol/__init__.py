"""Laptops that do not trust each other share a journal and a pack of sealed cards.

Nothing in this wing knows which game is played. The normative text is PROTOCOL.md.
"""
