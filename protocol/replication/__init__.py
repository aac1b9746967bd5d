"""One journal on every laptop: Raft's rules, with operators that may lie. Pure."""
