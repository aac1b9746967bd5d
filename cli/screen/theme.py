"""Colours by what they mean. A theme maps style classes to the styles of prompt_toolkit.

A class that begins with `on-` is a *field*: what text stands on, with the colour that text has
there unless a second class says otherwise. All colours are among the 256 of a terminal, so that
nothing shifts between depths. Every theme also reads without colours: what matters is bold,
reversed or marked by a sign besides.
"""

from __future__ import annotations

from cli.drawing.pen import KINDS

#: class → number of its colour among the 256 on a dark and on a light terminal, and attributes
_INKS: dict[str, tuple[int | None, int | None, str]] = {
    "title": (None, None, "bold"),
    "status": (None, None, "bold"),
    "must": (221, 130, "bold"),
    "urgent": (209, 124, "bold"),
    "dim": (247, 240, ""),
    "strong": (231, 16, "bold"),
    "plot": (243, 244, ""),
    "rule": (240, 248, ""),
    "key": (117, 25, "bold"),
    "you": (None, None, "bold"),
    "turn": (117, 25, "bold"),
    "gold": (187, 236, ""),
    "gilded": (228, 130, ""),
    "crown": (228, 130, "bold"),
    "away": (247, 240, "italic"),
    "warn": (209, 124, "bold"),
    "bad": (209, 124, "bold"),
    "dust": (137, 137, ""),
    "good": (114, 22, ""),
    "new": (None, None, ""),
    "mine": (None, None, "bold"),
    "heading": (None, None, "bold"),
    "fresh": (231, 16, ""),
    "lit": (229, 229, ""),
    "low-me": (238, 252, ""),
    "crown-me": (94, 230, "bold"),
}
#: field → its colour and that of text on it, dark and light
_FIELDS: dict[str, tuple[tuple[int | None, int | None], tuple[int | None, int | None]]] = {
    "must": ((221, 16), (214, 16)),
    "me": ((252, 16), (236, 231)),
    "acts": ((24, 231), (25, 231)),
    "near": ((209, 16), (124, 231)),
    "focus": ((253, 16), (238, 231)),
    "bad": ((88, 231), (124, 231)),
    "told": ((237, None), (251, None)),
    "badge": ((231, 16), (16, 231)),
    "key": ((117, 16), (25, 231)),
    "bar": ((236, None), (253, None)),
    "sky": ((234, None), (255, None)),
    "mine": ((236, None), (230, None)),
    "ground": ((237, None), (254, None)),
    "ground-mine": ((238, None), (229, None)),
}
#: kind → body, roof, name and dark windows, dark and light; a plate is white on the body
_KINDS: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "noble": ((94, 179, 179, 58), (94, 136, 94, 58)),
    "religious": ((26, 111, 111, 18), (25, 67, 25, 18)),
    "trade": ((29, 79, 79, 22), (29, 35, 22, 22)),
    "military": ((131, 217, 217, 52), (124, 167, 124, 88)),
    "unique": ((97, 183, 183, 54), (97, 140, 91, 54)),
}


def _shade(number: int | None) -> str:
    """One of the 256 colours from the sixteenth on, as a hexadecimal one."""
    if number is None:
        return ""
    if number >= 232:
        return "#" + f"{8 + (number - 232) * 10:02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    place = number - 16
    red, green, blue = levels[place // 36], levels[place // 6 % 6], levels[place % 6]
    return f"#{red:02x}{green:02x}{blue:02x}"


def _painted(light: bool) -> dict[str, str]:
    """The theme of a dark or of a light terminal."""
    side = 1 if light else 0
    theme = {
        name: f"{attributes} {_shade(light_one if light else dark)}".strip()
        for name, (dark, light_one, attributes) in _INKS.items()
    }
    theme["bold"] = "bold"
    theme["struck"] = "strike"
    for name, shades in _FIELDS.items():
        field, text = shades[side]
        theme[f"on-{name}"] = f"bg:{_shade(field)} {_shade(text)}".strip()
    for kind, colours in _KINDS.items():
        body, roof, name, panes = map(_shade, colours[side])
        theme[kind], theme[f"{kind}-roof"] = name, roof
        theme[f"{kind}-body"], theme[f"{kind}-dark"] = body, panes
        theme[f"on-{kind}"] = f"bg:{body} #ffffff"
    theme["focus"] = theme["on-focus"]
    theme["plate"] = "reverse"
    return theme


def _sixteen(
    inks: dict[str, str], fields: dict[str, str], kinds: dict[str, tuple[str, str, str]]
) -> dict[str, str]:
    """A theme of the sixteen colours that every terminal has, by their names.

    `kinds`: body, text on it, and what roof and name are drawn in.
    """
    theme = {**dict.fromkeys(_INKS, ""), "bold": "bold", "struck": "strike", "plate": "reverse"}
    theme |= {name: attributes for name, (_d, _l, attributes) in _INKS.items() if attributes}
    theme |= _ALIKE | inks | {f"on-{name}": "" for name in _FIELDS}
    theme |= {f"on-{name}": style for name, style in (_FIELDS_ALIKE | fields).items()}
    for kind, (body, text, bright) in kinds.items():
        theme[kind] = theme[f"{kind}-roof"] = bright
        theme[f"{kind}-body"] = body
        theme[f"{kind}-dark"] = "ansiblack"
        theme[f"on-{kind}"] = f"bg:{body} {text}"
    theme["focus"] = theme["on-focus"]
    return theme


#: what is alike wherever there are sixteen
_ALIKE = {
    "urgent": "bold ansibrightred", "warn": "bold ansibrightred", "bad": "bold ansibrightred",
    "key": "bold ansibrightcyan", "turn": "bold ansibrightcyan", "strong": "bold ansiwhite",
    "fresh": "ansiwhite", "gilded": "ansibrightyellow", "crown": "bold ansibrightyellow",
    "low-me": "ansiblack", "crown-me": "bold ansiblack",
}  # fmt: skip
_FIELDS_ALIKE = {
    "acts": "bg:ansiblue ansiwhite", "near": "bg:ansibrightred ansiblack",
    "bad": "bg:ansired ansiwhite", "badge": "bg:ansiwhite ansiblack",
    "key": "bg:ansibrightcyan ansiblack",
}  # fmt: skip

_HIGH = _sixteen(
    {
        "must": "bold ansibrightyellow", "good": "bold ansibrightgreen", "lit": "ansiblack",
        "dim": "ansiwhite", "plot": "ansiwhite", "rule": "ansiwhite", "gold": "ansiwhite",
        "away": "ansiwhite", "dust": "ansiwhite", "you": "bold underline",
    },
    {
        "must": "bg:ansibrightyellow ansiblack", "me": "bg:ansiwhite ansiblack",
        "focus": "bg:ansiwhite ansiblack",
    },
    {
        "noble": ("ansibrightyellow", "ansiblack", "ansibrightyellow"),
        "religious": ("ansibrightcyan", "ansiblack", "ansibrightcyan"),
        "trade": ("ansibrightgreen", "ansiblack", "ansibrightgreen"),
        "military": ("ansibrightred", "ansiblack", "ansibrightred"),
        "unique": ("ansibrightmagenta", "ansiblack", "ansibrightmagenta"),
    },
)  # fmt: skip

#: where a terminal has but sixteen colours: those of the library's choosing make noble red
SIXTEEN = _sixteen(
    {
        "must": "bold ansiyellow", "good": "ansibrightgreen", "lit": "ansiwhite",
        "dim": "ansigray", "plot": "ansibrightblack", "rule": "ansibrightblack",
        "gold": "ansigray", "away": "ansigray", "dust": "ansiyellow",
    },
    {
        "must": "bg:ansiyellow ansiblack", "me": "bg:ansigray ansiblack",
        "focus": "bg:ansicyan ansiblack",
    },
    {
        "noble": ("ansiyellow", "ansiblack", "ansibrightyellow"),
        "religious": ("ansiblue", "ansiwhite", "ansibrightblue"),
        "trade": ("ansigreen", "ansiblack", "ansibrightgreen"),
        "military": ("ansired", "ansiwhite", "ansibrightred"),
        "unique": ("ansimagenta", "ansiwhite", "ansibrightmagenta"),
    },
)  # fmt: skip

_MONOCHROME = {
    **{name: attributes for name, (_dark, _light, attributes) in _INKS.items()},
    **dict.fromkeys(
        [*KINDS, *(f"{kind}-{part}" for kind in KINDS for part in ("roof", "body", "dark"))], ""
    ),
    **{f"on-{name}": "" for name in (*_FIELDS, *KINDS)},
    **{f"on-{name}": "reverse" for name in ("me", "bad", "focus", "badge", "near", "key")},
    "focus": "reverse",
    "plate": "reverse",
    "on-acts": "bold underline",
    "on-must": "bold",
    "bold": "bold",
    "struck": "strike",
    "urgent": "bold underline",
    "warn": "bold underline",
    "heading": "bold",
    "away": "italic",
}

THEMES: dict[str, dict[str, str]] = {
    "dark": _painted(light=False),
    "light": _painted(light=True),
    "high-contrast": _HIGH,
    "monochrome": _MONOCHROME,
}
