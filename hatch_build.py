"""A wheel whose engine is compiled to machine code, for who asks for it.

HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 asks, whatever builds the wheel (`make compiled` does it so);
without it this file is not even read. A C compiler and Python's headers must be there.

Why so: docs/decisions, 3.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

WING = Path("citadels_p2p")

#: what is compiled: everything that a game between bots passes through
ROOMS = ("rules", "cards", "bots")
MODULES = ("arena.py", "dealer.py", "game.py", "inspection.py", "mixing.py", "rosters.py")

#: left to the interpreter: its views are made once and kept, which compiled classes cannot
LEFT = WING / "bots" / "observation.py"


#: the one library that holds all of it; it has to lie above the wing, where no name is taken
LIBRARY = "citadels_engine"


#: looking for faults in made C costs GCC a minute; the others were worth six games in a hundred
FLAGS = ("-Wno-all", "-fno-plt", "-fno-semantic-interposition")


class CompiledEngine(BuildHookInterface[Any]):
    """Compiles in a temporary folder; nothing is ever written beside the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules to the wheel; an editable install stays as it is."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="citadels-compiled-")
        found = compile_engine(Path(self.root), Path(self._folder.name))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(file): place for file, place in found.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel is written: the temporary folder may go."""
        if version != "editable":
            self._folder.cleanup()


def compile_engine(root: Path, folder: Path) -> dict[Path, str]:
    """Compile the sources below `root` in `folder`; file → its place in the wheel.

    MYPYC_OPT_LEVEL, 0 to 3, is how hard the C compiler tries; 3 unless given.
    """
    before = Path.cwd()
    os.chdir(root)  # modules are named by their paths from here, and mypy reads its settings
    try:
        rooms = (path for room in ROOMS for path in (WING / room).rglob("*.py"))
        sources = sorted({*rooms, *(WING / name for name in MODULES)} - {LEFT})
        extensions = mypycify(
            [f"--cache-dir={folder / 'mypy'}", *map(str, sources)],
            opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"),
            debug_level="0",
            target_dir=str(folder / "c"),
            group_name=LIBRARY,
        )
        if os.name != "nt":
            for extension in extensions:
                # one list for all of them, so nothing is added to it
                extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
        builder = build_ext(Distribution({"ext_modules": extensions}))
        builder.build_lib, builder.build_temp = str(folder / "made"), str(folder / "objects")
        builder.ensure_finalized()
        builder.run()
    finally:
        os.chdir(before)
    made = folder / "made"
    return {
        Path(file): Path(file).relative_to(made).as_posix() for file in builder.get_outputs()
    }
