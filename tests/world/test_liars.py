"""An adversary among honest laptops, a sample; more by `python -m tests.world`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation import test_mutants
from tests.simulation.mutants import MUTANTS
from tests.world.left_out import LEFT_OUT, RULES, Rule
from tests.world.mutants import OURS
from tests.world.run import LYING, Task, play

TESTS = Path(__file__).parents[1]
PROTOCOL = (TESTS.parent / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")

SEEN = [rule for rule in RULES if rule.found.split()[0] in LYING]
"""The rules whose absence a seed of the world shows."""


def evening(found: str, mutant: str = "") -> Task:
    """A scene, its seed, and how many play where they are not three."""
    scene, seed, *seats = found.split()
    return Task(scene, int(seed), int(*seats or "3"), mutant=mutant)


@pytest.mark.parametrize("scene", sorted(LYING))
def test_nobody_gains_by_lying(scene: str) -> None:
    shown = (one.found for one in SEEN if one.found.split()[0] == scene)
    for report in play(map(evening, dict.fromkeys((f"{scene} 0", *shown)))):
        said = "\n".join((*report.tail, report.problem, report.task.command))
        assert not report.problem, said


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_match_begins_whatever_was_said_in_its_lobby(seed: int) -> None:
    (report,) = play([Task("lobby_lies", seed)])
    assert not report.problem, "\n".join((*report.tail, report.problem, report.task.command))


@pytest.mark.parametrize("rule", SEEN, ids=lambda rule: rule.mutant)
def test_what_liars_gained_of_a_rule_left_out_is_seen(rule: Rule) -> None:
    (report,) = play([evening(rule.found, rule.mutant)])
    assert report.problem


@pytest.mark.parametrize(
    "rule",
    [one for one in RULES if one.mutant in LEFT_OUT and " " in one.found and one not in SEEN],
    ids=lambda rule: rule.words.strip("*. |"),
)
def test_the_test_that_holds_a_rule_fails_without_it(rule: Rule) -> None:
    """In a process of its own: pytest within pytest shares what it has imported."""
    file, words = rule.found.split(maxsplit=1)
    (path,) = TESTS.rglob(file)
    planted = (
        "import sys, pytest; from tests.world.left_out import LEFT_OUT; "
        "LEFT_OUT[sys.argv[1]]().__enter__(); sys.exit(pytest.main(sys.argv[2:]))"
    )
    chosen = (str(path), "-q", "-n", "0", "-k", words.replace(" ", "_"))
    run = (sys.executable, "-c", planted, rule.mutant, *chosen)
    done = subprocess.run(run, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout


@pytest.mark.parametrize("name", sorted({**MUTANTS, **OURS, **LEFT_OUT}))
def test_what_is_left_out_is_there_to_be_left_out(name: str) -> None:
    """A run that fails because a mutant names what is gone would pass for one that finds it."""
    with {**MUTANTS, **OURS, **LEFT_OUT}[name]():
        pass


def section(name: str) -> str:
    """A numbered section, with those within it."""
    found = re.search(rf"^(##+) [\d.]+ {name}\n", PROTOCOL, re.MULTILINE)
    assert found is not None
    after = PROTOCOL[found.end() :]
    return re.split(rf"^#{{1,{len(found[1])}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.words.strip("*. |"))
def test_each_rule_stands_in_the_protocol_and_is_found(rule: Rule) -> None:
    assert rule.words in " ".join(section(rule.section).split())
    if rule in SEEN:
        assert rule.mutant in LEFT_OUT or rule.mutant in MUTANTS
    elif rule.found == "test_mutants":
        held = Path(test_mutants.__file__).read_text(encoding="utf-8")
        assert f'"{rule.mutant}"' in held
    else:
        file, words = rule.found.split(maxsplit=1)
        (path,) = TESTS.rglob(file)
        text = path.read_text(encoding="utf-8")
        assert re.search(rf"def test_\w*{words.replace(' ', '_')}", text), rule.found


@pytest.mark.parametrize("name", ["Seams", "Several histories"])
def test_no_rule_of_a_section_is_left_out_of_the_table(name: str) -> None:
    known = [rule.words for rule in RULES if rule.section == name]
    for line in section(name).splitlines():
        begins = re.match(r"- (\*{1,2}[A-Z][^*]*\*{1,2})", line)
        if begins is not None:
            assert begins[1] in known
