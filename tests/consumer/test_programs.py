# SPDX-License-Identifier: MIT
"""Every program of an installation starts there, by what lies beside it alone."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

PREFIX = Path(os.environ["CARPOOL_TEST_PREFIX"])
CARPOOL = PREFIX / os.environ["CARPOOL_TEST_BIN"] / "carpool"
PLANNER = PREFIX / os.environ["CARPOOL_TEST_LIBEXEC"] / "carpool" / "carpool-planner"
TUNE = PREFIX / os.environ["CARPOOL_TEST_LIBEXEC"] / "carpool" / "carpool-tune"
LAUNCH = os.environ["CARPOOL_TEST_LAUNCH"]

# As a user has it who has the Python packages: nothing else leads to parts of Carpool.
OURS = ("CARPOOL_", "LD_LIBRARY_PATH", "PYTHONPATH")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=120, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_program(file):
    """A file that a user or the command can start, and no library."""
    return file.is_file() and os.access(file, os.X_OK) and not re.search(r"\.so\b|\.dylib$", file.name)


def test_these_are_all_programs_that_are_installed():
    assert {file for file in PREFIX.rglob("*") if is_program(file)} == {CARPOOL, PLANNER, TUNE}


def test_the_command_says_what_it_knows(tmp_path):
    assert "Commands:" in run(CARPOOL, "--help", cwd=tmp_path)
    assert run(CARPOOL, "--version").startswith("carpool ")
    assert "threads" in run(CARPOOL, "help")
    assert "◀" in run(CARPOOL, "explain", "torus 4x4", "moore 2 1", cwd=tmp_path)


def test_the_planner_answers():
    assert "stencils" in json.loads(run(PLANNER, input='{"command": "stencils"}'))


def test_the_command_tunes(tmp_path):
    file = tmp_path / "tuning.json"
    told = run(CARPOOL, "tune", file, "--launch", f"{LAUNCH} -n 3 --timeout 100", "--rounds", "1",
               "--no-algorithms")
    (machine,) = json.loads(file.read_text())["machines"]
    assert machine["mpi"].split()[-1] in told
    assert machine["ranks"] == 3
    assert "choices" not in machine

