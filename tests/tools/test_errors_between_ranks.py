# SPDX-License-Identifier: MIT
"""Calls that one rank makes otherwise than the others end the job, with a text that says why."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCH = Path(__file__).resolve().parents[2] / "tools" / "launch"
MPIEXEC = os.environ.get("CARPOOL_MPIEXEC")
PROGRAM = os.environ["CARPOOL_TEST_MISTAKEN"]
HANGS = 124


def command(mistake, calls_before):
    launch = [sys.executable, LAUNCH, "-n", "4", "--timeout", "180"]
    if MPIEXEC:
        launch += ["--mpiexec", MPIEXEC]
    return [*launch, PROGRAM, mistake, str(calls_before)]


def run(mistake, calls_before, **settings):
    return subprocess.run(command(mistake, calls_before), capture_output=True, text=True,
                          env={**os.environ, **settings})


def expect_end(mistake, calls_before, text, **settings):
    result = run(mistake, calls_before, **settings)
    assert result.returncode not in (0, HANGS), result.stderr
    assert re.search(text, result.stdout + result.stderr), result.stdout + result.stderr


SEEN = {
    "negative count": "count is -1, expected 0 or more|count.* -1",
    "operator of allreduce": "is in allreduce with MPI_(SUM|MAX) meanwhile",
    "count of allreduce": "which expects|is in allreduce",
    "no element of allgather": "which expects|is in allgather",
    "counts of allgatherv": "which expects|is in allgather",
    "count of scatterv": "which expects",
    "exscan for scan": "is in (ex)?scan with MPI_SUM meanwhile",
    "barrier for bcast": "is in (barrier|bcast) meanwhile",
    "count of neighbor_alltoall": "which expects",
    "counts of neighbor_alltoallv": "which expects",
    "neighbor_allgather for neighbor_alltoall": "is in neighbor_all(gather|toall) meanwhile",
    "sparse_alltoallv for alltoall": "is in (alltoall|sparse_alltoallv) meanwhile",
    "sparse_exchange for alltoall": "is in alltoall meanwhile",
}


@pytest.mark.parametrize("mistake", SEEN)
def test_a_mismatch_that_a_message_reveals_is_an_error(mistake):
    expect_end(mistake, 5, SEEN[mistake])


@pytest.mark.parametrize("call", ["barrier", "ibarrier", "barrier_init"])
@pytest.mark.parametrize("calls_before", [0, 5])
def test_a_call_on_a_freed_communicator_names_its_argument(call, calls_before):
    expect_end(f"{call} on a freed communicator", calls_before,
               f"Carpool_{call.capitalize()}: comm is no communicator, or has been freed")


def test_a_mismatched_length_in_a_length_header_is_an_error():
    expect_end("counts of neighbor_alltoallv", 5, "which expects", CARPOOL_ALGORITHM="hypercube")


@pytest.mark.parametrize("mistake", ["neighbor_alltoall for alltoall", "sparse_alltoallv for alltoall"])
def test_a_mismatch_in_the_very_first_call_is_an_error(mistake):
    expect_end(mistake, 0, "expected the same")


@pytest.mark.parametrize("mistake", ["no allreduce", "root of gather"])
def test_a_wait_may_not_last_longer_than_is_set(mistake):
    expect_end(mistake, 5, r"rank \d waits for ranks? .* in Carpool_.*, expected less than CARPOOL_TIMEOUT=2 s",
               CARPOOL_TIMEOUT="2")


def said_until_waits_end(how, calls_before, folder, **settings):
    """What is said by a program in which ranks wait until one of them has said so."""
    end = folder / "end"
    settings["CARPOOL_TEST_LATE_UNTIL"] = str(end)
    with subprocess.Popen(command(how, calls_before), stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **settings}) as job:
        said = ""
        for line in job.stderr:
            said += line
            if "waits for" in line:
                end.touch()
    assert job.returncode == 0, said
    return said


@pytest.mark.parametrize("how", ["late", "nonblocking late"])
def test_a_long_wait_names_the_missing_ranks_and_completes(how, tmp_path):
    said = said_until_waits_end(how, 3, tmp_path, CARPOOL_WAIT_REPORT="0.5")
    assert re.search(r"carpool: rank \d waits for ranks? .* in Carpool_(All|Iall)reduce, call \d", said)


def test_no_wait_report_says_nothing():
    result = run("late", 3, CARPOOL_WAIT_REPORT="0")
    assert result.returncode == 0 and "waits for" not in result.stderr, result.stderr
