"""Bytes that another program can be held against: `python -m tests.vectors` writes them.

README.md says what is in each file, and the steps by which it is verified.
"""
