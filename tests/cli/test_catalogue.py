r"""The template that translators work from is current.

Make it anew with:
pybabel extract --no-location --omit-header --sort-output -k N_ -k NN_:1,2 \
    -o cli/locale/citadels.pot cli
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

CLI = Path(__file__).parents[2] / "cli"
KEYWORDS = {"_": None, "N_": None, "NN_": (1, 2), "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def test_template_holds_every_sentence_and_no_other() -> None:
    found = extract_from_dir(CLI, method_map=[("**.py", "python")], keywords=KEYWORDS)
    used = {message for _file, _line, message, _comments, _context in found}
    with (CLI / "locale" / "citadels.pot").open(encoding="utf-8") as template:
        written = {message.id for message in read_po(template) if message.id}
    assert written == used
