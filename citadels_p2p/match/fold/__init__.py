"""From the journal's entries to the state of a match: the same on every laptop. Pure."""
