"""Friendly names for people who have not chosen one: the same key gives the same name."""

from __future__ import annotations

import hashlib

from cli.i18n import _

#: `make catalogues` takes the words out of these tables
COLOURS = (
    *("Amber", "Azure", "Copper", "Coral", "Crimson", "Emerald", "Golden", "Hazel"),
    *("Indigo", "Ivory", "Jade", "Mauve", "Ochre", "Pearl", "Ruby", "Silver"),
)
ANIMALS = (
    *("Badger", "Beaver", "Crane", "Falcon", "Fox", "Hare", "Heron", "Jackdaw"),
    *("Lynx", "Magpie", "Marten", "Otter", "Owl", "Raven", "Stoat", "Wren"),
)


def friendly(seed: bytes) -> str:
    """Two words for a public key or any other bytes."""
    digest = hashlib.sha256(b"citadels friendly name\0" + seed).digest()
    colour = _(COLOURS[digest[0] % len(COLOURS)])
    animal = _(ANIMALS[digest[1] % len(ANIMALS)])
    return _("{colour} {animal}").format(colour=colour, animal=animal)
