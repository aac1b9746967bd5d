"""One operator's private side of a match: its secrets, and what it owes."""
