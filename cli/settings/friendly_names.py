"""Friendly names for people who have not chosen one: the same key gives the same name."""

from __future__ import annotations

import hashlib

from cli.i18n import N_, _

COLOURS = (
    N_("Amber"),
    N_("Azure"),
    N_("Copper"),
    N_("Coral"),
    N_("Crimson"),
    N_("Emerald"),
    N_("Golden"),
    N_("Hazel"),
    N_("Indigo"),
    N_("Ivory"),
    N_("Jade"),
    N_("Mauve"),
    N_("Ochre"),
    N_("Pearl"),
    N_("Ruby"),
    N_("Silver"),
)
ANIMALS = (
    N_("Badger"),
    N_("Beaver"),
    N_("Crane"),
    N_("Falcon"),
    N_("Fox"),
    N_("Hare"),
    N_("Heron"),
    N_("Jackdaw"),
    N_("Lynx"),
    N_("Magpie"),
    N_("Marten"),
    N_("Otter"),
    N_("Owl"),
    N_("Raven"),
    N_("Stoat"),
    N_("Wren"),
)


def friendly(seed: bytes) -> str:
    """Two words for a public key or any other bytes."""
    digest = hashlib.sha256(b"citadels friendly name\0" + seed).digest()
    colour = _(COLOURS[digest[0] % len(COLOURS)])
    animal = _(ANIMALS[digest[1] % len(ANIMALS)])
    return _("{colour} {animal}").format(colour=colour, animal=animal)
