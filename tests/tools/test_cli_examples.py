# SPDX-License-Identifier: MIT
"""What the pages say that the command carpool answers."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from command import carpool

SOURCE = Path(__file__).parents[2]


def examples(page):
    """(command, its answer) of a page: an indented part that begins with a prompt."""
    lines = (SOURCE / page).read_text().splitlines()
    for start, line in enumerate(lines):
        words = shlex.split(line) if line.startswith("    $ ") else []
        if len(words) > 1 and Path(words[1]).name == "carpool":
            end = next(i for i in range(start + 1, len(lines)) if lines[i] and lines[i][0] != " ")
            yield words[2:], lines[start + 1:end]


def words_of(lines):
    return [line.strip() for line in lines if line.strip()]


@pytest.mark.parametrize(("page", "count"), [
    ("README.md", 1), ("cli/README.md", 6), ("docs/tutorial/halo.md", 1),
    ("docs/tutorial/conjugate_gradients.md", 1)])
def test_examples_are_what_the_command_says(page, count, monkeypatch):
    monkeypatch.chdir(SOURCE)  # where the files are that they name
    found = list(examples(page))
    assert len(found) == count
    for command, answer in found:
        assert words_of(carpool(*command).stdout.splitlines()) == words_of(answer)


def test_the_readme_starts_the_command_that_make_demo_has_built():
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    steps = subprocess.run(["make", "--dry-run", "demo", "MPI=mpich"], cwd=SOURCE, env=environment,
                           capture_output=True, text=True, check=True).stdout
    (built,) = re.findall(r"cmake --build (\S+) .*carpool_planner", steps)
    prompt = re.search(r"^    \$ (\S+)", (SOURCE / "README.md").read_text(), re.MULTILINE)
    assert prompt[1] == f"{built}/bin/carpool"
