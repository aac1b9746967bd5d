"""A form as lines: its fields numbered, and one field changed by a typed line."""

from __future__ import annotations

from cli.i18n import _
from cli.line.form import Form
from cli.line.picking import Unclear, pick
from cli.text import listing
from cli.text.game import field_name, member_name, option_value


def fields(form: Form) -> tuple[str, ...]:
    """Every field with its number and value."""
    return tuple(
        _("{number}. {option}: {value}").format(
            number=number, option=field_name(field.name), value=value_of(form, field.name)
        )
        for number, field in enumerate(form.fields, 1)
    )


def value_of(form: Form, name: str) -> str:
    return form.shown(name) or _("as usual")


def change(form: Form, typed: str) -> tuple[Form, tuple[str, ...]]:
    """The form after a line such as "seats 5" or "3 5", and what to say to it.

    A field alone says what it may be.
    """
    first, _space, rest = typed.strip().partition(" ")
    names = [field.name for field in form.fields]
    found = pick(first, [(field_name(name), name) for name in names])
    if isinstance(found, Unclear):
        return form, (which(found, [field_name(name) for name in names]),)
    name = names[found]
    if not rest.strip() and form.field(name).kind != "switch":
        return form, _possible(form, name)
    return _changed(form, name, rest.strip())


def which(unclear: Unclear, names: list[str]) -> str:
    """The question back to somebody whose choice was unclear."""
    if unclear.among:
        meant = listing([names[place] for place in unclear.among])
        return _("That may mean {choices}. Say it more exactly.").format(choices=meant)
    return _("That is none of the choices. Press Enter to see them again.")


def _changed(form: Form, name: str, text: str) -> tuple[Form, tuple[str, ...]]:
    asked = form.field(name)
    if asked.kind == "switch":
        form = form.stepped(name, 1)
    elif asked.kind == "several":
        codes = [str(choice) for choice in asked.choices]
        found = pick(text, [(member_name(code), code) for code in codes])
        if isinstance(found, Unclear):
            return form, (which(found, [member_name(code) for code in codes]),)
        form = form.toggled(name, codes[found])
    else:
        try:
            form = form.typed(name, text)
        except ValueError as problem:
            return form, (str(problem),)
    shown = _("{option}: {value}").format(option=field_name(name), value=value_of(form, name))
    return form, (shown, *refusal(form))


def refusal(form: Form) -> tuple[str, ...]:
    """Why there is no such game, beginning with the field to change; nothing where there is."""
    option, why = form.refusal()
    if not why:
        return ()
    if not option:
        return (why,)
    return (_("{option}: {value}").format(option=field_name(option), value=why),)


def _possible(form: Form, name: str) -> tuple[str, ...]:
    """What a field may be."""
    asked = form.field(name)
    if asked.kind == "several":
        chosen = set(form.picked(name))
        marked = [
            _("{name} (chosen)").format(name=member_name(str(code)))
            if code in chosen
            else member_name(str(code))
            for code in asked.choices
        ]
        return (asked.help, listing(marked))
    known = [option_value(name, choice) for choice in asked.choices if choice is not None]
    return (asked.help, ", ".join(known)) if known else (asked.help,)
