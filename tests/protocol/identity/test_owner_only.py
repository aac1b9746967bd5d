"""Files and folders that their owner alone may read, by POSIX' modes or by Windows' lists."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from protocol.identity.keys import KEY_FILE, load_or_create
from protocol.identity.owner_only import is_exposed, make_folder, others, restrict

ANNA = "S-1-5-21-1004336348-1177238915-682003330-1001"
BERT = "S-1-5-21-1004336348-1177238915-682003330-1002"
#: what a folder in a Windows user's profile inherits, as `icacls /save` writes it
PROFILE = f"D:(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;{ANNA})"
#: … and one that was made on drive D
DRIVE = (
    "D:AI(A;ID;FA;;;BA)(A;OICIIOID;GA;;;BA)(A;ID;FA;;;SY)(A;OICIIOID;GA;;;SY)"
    "(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)(A;ID;0x1200a9;;;BU)"
)


def open_to_all(path: Path) -> None:
    """As careless as a file can be."""
    if sys.platform == "win32":
        from protocol.identity import windows_rights

        windows_rights.write(path, "D:P(A;;FA;;;WD)")
    else:
        path.chmod(0o644)


@pytest.mark.parametrize(
    ("rights", "found"),
    [
        (PROFILE, set()),
        (DRIVE, {"AU", "BU"}),
        (f"D:PAI(A;;FA;;;OW)(A;;FA;;;{ANNA})", set()),
        (f"D:P(A;;FA;;;{BERT})", {BERT}),
        (f"D:P(D;;FA;;;{BERT})(A;;FA;;;{ANNA})", set()),  # a denial lets nobody in
        ("D:P(A;OICIIO;FA;;;WD)", set()),  # what lies inside has its own list
        ("D:P(A;OICI;FA;;;WD)", {"WD"}),
        ("D:P", set()),
        ("D:NO_ACCESS_CONTROL", {"WD"}),
        ("", {"WD"}),
    ],
)
def test_whom_a_list_lets_in(rights: str, found: set[str]) -> None:
    assert others(rights, ANNA) == found


def test_a_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    key = tmp_path / "home" / KEY_FILE
    load_or_create(key.parent)
    assert not is_exposed(key)
    assert not is_exposed(key.parent)
    open_to_all(key)
    assert is_exposed(key)
    load_or_create(key.parent)
    assert not is_exposed(key)


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    open_to_all(tmp_path)
    if sys.platform != "win32":
        tmp_path.chmod(0o755)
    make_folder(tmp_path)
    assert is_exposed(tmp_path)


def test_a_file_stays_readable_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"mine")
    open_to_all(file)
    restrict(file)
    assert file.read_bytes() == b"mine"
    file.write_bytes(b"still")
