# SPDX-License-Identifier: MIT
"""What the pages say that the command carpool answers."""

import os
import re
import subprocess

import pytest

from in_process import carpool
from page_commands import SOURCE, answers_of, blocks_of, commands_of, entries, pages, question, text_of


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """For what they draw, with the graphs that they name."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").symlink_to(SOURCE / "tests")
    monkeypatch.chdir(tmp_path)


def words_of(lines):
    return [line.strip() for line in lines if line.strip()]


def is_within(part, whole):
    return any(whole[start:start + len(part)] == part for start in range(len(whole) - len(part) + 1))


@pytest.mark.parametrize("page", pages())
def test_questions_on_pages_are_answered_as_they_say(page):
    answers = dict(answers_of(text_of(page)))
    whole = {lines[0][2:] for lines in blocks_of(text_of(page)) if lines[0].startswith("$ ")}  # not a part of it
    for command in dict.fromkeys(commands_of(text_of(page))):
        if question(command) and not entries(command):
            said = carpool(*question(command))
            assert said.returncode == 0, (command, said.stderr)
            answer, words = words_of(answers.get(command, [])), words_of(said.stdout.splitlines())
            assert answer == words if command in whole else is_within(answer, words), command


def test_answers_are_found():
    text = ("    $ carpool explain \"a\"\n\n    b\n\nThat of `carpool plan \"c\"` contains\n\n```text\nd\n...\n```\n")
    assert list(answers_of(text)) == [('carpool explain "a"', ["", "b"]), ('carpool plan "c"', ["d"])]
    assert sum(len(list(answers_of(text_of(page)))) for page in pages()) >= 13
    assert is_within(["b", "c"], ["a", "b", "c"]) and not is_within(["a", "c"], ["a", "b", "c"])


def test_the_readme_starts_the_command_that_make_demo_has_built():
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    steps = subprocess.run(["make", "--dry-run", "demo", "MPI=mpich"], cwd=SOURCE, env=environment,
                           capture_output=True, text=True, check=True).stdout
    (built,) = re.findall(r"cmake --build (\S+) .*carpool_planner", steps)
    prompt = re.search(r"^    \$ (\S+)", text_of("README.md"), re.MULTILINE)
    assert prompt[1] == f"{built}/bin/carpool"
