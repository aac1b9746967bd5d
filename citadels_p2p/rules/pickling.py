"""How states are pickled and deeply copied: by what their slots hold, tables, roles and
districts by their rules.

A compiled class keeps its values where pickle does not look, and is made only with what its
`__init__` asks for.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final

from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.hooks import District, Role
from citadels_p2p.rules.rule_tables import RuleTables
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import REST, Frame, Place, State, Turn

#: what each is made with; the rest is put in afterwards
MADE_WITH: Final[dict[type[Any], tuple[str, ...]]] = {
    Frame: ("need", "then"),
    Place: ("gold",),
    State: ("rules", "tables"),
    Turn: ("seat", "rank", "role"),
}


def _held(one: object) -> str | tuple[Callable[..., object], tuple[object, ...]]:
    if one is REST:
        return "REST"  # by its name: it is told apart by `is`
    slots = MemberDescriptorType, GetSetDescriptorType  # of plain and of compiled classes
    kind = type(one)
    names = [name for name, slot in vars(kind).items() if isinstance(slot, slots)]
    return _refilled, (kind, {name: getattr(one, name) for name in names})


def _refilled(kind: type[Any], held: dict[str, object]) -> object:
    one: object = kind(*[held[name] for name in MADE_WITH[kind]])
    for name, value in held.items():
        setattr(one, name, value)
    return one


def _role_of(rules: Rules, id: str) -> Role:
    return tables_of(rules).roles[id]


def _district_of(rules: Rules, id: str) -> District:
    return tables_of(rules).districts[id]


for _kind in MADE_WITH:
    copyreg.pickle(_kind, _held)
copyreg.pickle(RuleTables, lambda tables: (tables_of, (tables.rules,)))
copyreg.pickle(Role, lambda role: (_role_of, (role.rules, role.id)))
copyreg.pickle(District, lambda card: (_district_of, (card.rules, card.id)))
