"""What may lie over a page: help, journal, card texts, talk, a question before something
final.
"""
