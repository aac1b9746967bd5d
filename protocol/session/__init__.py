"""Tables on real connections: lobby, match, spectators."""
