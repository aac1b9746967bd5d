"""Cards by their ids, as the sealed pack labels them."""

from __future__ import annotations


def label_of(pile: str, card: str) -> bytes:
    """The sealed-cards label of a card: copies share one."""
    return f"{pile}/{card}".encode()


def face_of(label: bytes) -> str:
    """The card id in a label."""
    return label.decode().partition("/")[2]
