# SPDX-License-Identifier: MIT
"""Ranks that share memory are killed or abort: the others are ended, and nothing is left behind."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

LAUNCH = Path(__file__).resolve().parents[2] / "tools" / "launch"
MPIEXEC = os.environ.get("CARPOOL_MPIEXEC")
PROGRAM = os.environ["CARPOOL_TEST_KILLED"]
RANKS = 4
LIMIT = 180


def run(how):
    command = [sys.executable, LAUNCH, "-n", str(RANKS), "--timeout", str(LIMIT)]
    if MPIEXEC:
        command += ["--mpiexec", MPIEXEC]
    mark = f"{how}.{os.getpid()}"
    result = subprocess.run([*command, PROGRAM, how, mark], capture_output=True, text=True)
    return result, mark


def running(argument):
    """The processes with that argument which have not ended."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if argument.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                yield folder.name
        except OSError:
            pass


def all_end(argument):
    end = time.monotonic() + LIMIT  # a process that has been told to end may take a moment
    while list(running(argument)):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def names_of_memories(result):
    return re.findall(r"memory of rank \d+ has (-?\d+) names", result.stdout)


def test_a_program_that_ends_well_shares_memory_without_a_name():
    result, mark = run("well")
    assert result.returncode == 0, result.stderr
    assert names_of_memories(result) == ["0"] * RANKS
    assert all_end(mark)


@pytest.mark.parametrize("how", ["kill", "abort"])
def test_a_rank_that_is_killed_during_an_exchange_leaves_nothing_behind(how):
    result, mark = run(how)
    assert result.returncode not in (0, 124), result.stderr  # 124: they were waiting for ever
    assert set(names_of_memories(result)) <= {"0"}
    assert all_end(mark)
