"""An address as a QR code of letters: half blocks, or ASCII where there are none."""

from __future__ import annotations

from itertools import zip_longest

#: the light rim without which a camera does not see it
RIM = 2
_BLOCKS = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}


def rows(text: str, *, ascii_only: bool = False, on_light: bool = False) -> tuple[str, ...]:
    """Rows of cells. What is light is painted, or on a light screen what is dark."""
    import segno  # 45 ms, which nobody waits for who looks at no code

    code = segno.make(text, error="l", micro=False, boost_error=False)
    dark = [[bool(cell) != on_light for cell in row] for row in code.matrix_iter(border=RIM)]
    if ascii_only:
        return tuple("".join("  " if cell else "##" for cell in row) for row in dark)
    pairs = zip_longest(dark[::2], dark[1::2], fillvalue=[True] * len(dark[0]))
    return tuple(
        "".join(_BLOCKS[cell] for cell in zip(upper, lower, strict=True))
        for upper, lower in pairs
    )
