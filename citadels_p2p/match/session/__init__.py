"""A match as a person's client drives it."""
