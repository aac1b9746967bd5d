"""Shell: calling the person: the window's title, and a bell for who looks elsewhere."""

from __future__ import annotations

from prompt_toolkit.output import Output

TITLE = "Citadels"
#: the terminal keeps its window's title aside, and has it back at the end
KEEP_TITLE, RESTORE_TITLE = "\x1b[22;0t", "\x1b[23;0t"
#: seconds without a key after which a bell is welcome
ABSENT = 3.0


class Caller:
    """What reaches a person who does not look at the screen."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def begin(self) -> None:
        """Put our title in the place of the one that is there."""
        self._output.write_raw(KEEP_TITLE)
        self.calm()

    def end(self) -> None:
        """Leave the terminal as it was."""
        self._output.write_raw(RESTORE_TITLE)
        self._output.flush()

    def calm(self) -> None:
        """Nothing is asked of the person now."""
        self._entitle(TITLE)

    def call(self, sign: str, *, idle: float, bell: bool) -> None:
        """The person must decide: the title says so with a `sign`.

        `idle`: seconds since the last key; `bell`: it may ring for who was waiting.
        """
        self._entitle(f"{sign} {TITLE}")
        if bell and idle > ABSENT:
            self._output.bell()
            self._output.flush()

    def _entitle(self, title: str) -> None:
        self._output.set_title(title)
        self._output.flush()
