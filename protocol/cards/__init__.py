"""Sealed cards: shuffled, dealt and shown with proofs over a prime-order group. Pure."""
