"""Programs that know nothing of Carpool, with `carpool run` and without it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from command import CARPOOL, carpool, refusal, without

LAUNCH = Path(__file__).resolve().parents[2] / "tools" / "launch"
MPIEXEC = os.environ.get("CARPOOL_MPIEXEC")
PROGRAMS = Path(os.environ["CARPOOL_TEST_INTERPOSED"])
LIBRARY = Path(os.environ["CARPOOL_TEST_PRELOAD"])
RANKS = [str(LAUNCH), "-n", "3", "--timeout", "100"] + (["--mpiexec", MPIEXEC] if MPIEXEC else [])


def run(*options, program="call_patterns", **settings):
    return subprocess.run([CARPOOL, "run", *options, *RANKS, PROGRAMS / f"interposed_{program}"],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, **settings})


def preloaded(library, **settings):
    return subprocess.run([*RANKS, PROGRAMS / "interposed_mistakes"], capture_output=True, text=True,
                          check=False, env={**os.environ, "LD_PRELOAD": str(library), **settings})


def test_the_summary_says_what_is_taken_and_what_is_not():
    done = run("--summary", "--after", "3")
    assert done.returncode == 0, done.stderr
    assert "neighbor_alltoallw on communicator" in done.stderr
    assert "allreduce on communicator MPI_COMM_WORLD" in done.stderr, "the persistent one"
    assert "among the first on a communicator (CARPOOL_AFTER)" in done.stderr


def test_calls_that_are_not_asked_for_are_left_to_the_host():
    done = run("--summary", "--calls", "allreduce")
    # no look at the exit code: on a short torus some hosts exchange blocks, which the program finds
    assert re.search(r"neighbor_alltoallv +60  not in CARPOOL_CALLS", done.stderr), done.stderr
    assert "neighbor_alltoallw on communicator" not in done.stderr


def test_a_report_file_has_the_hosts_calls_too(tmp_path):
    done = run("--report", str(tmp_path / "report.json"), "--calls", "neighbor,persistent")
    assert done.returncode == 0, done.stderr
    calls = json.loads((tmp_path / "report.json").read_text())["host_calls"]
    assert {"operation": "alltoallv", "why": "not in CARPOOL_CALLS", "calls": 30} in calls
    assert carpool("report", str(tmp_path / "report.json")).returncode == 0


def test_it_needs_no_package_of_python(tmp_path):
    done = without(["click"], tmp_path, "run", "--calls", "none", "true")
    assert done.returncode == 0, done.stderr


def test_a_wait_asks_whether_all_ranks_are_loaded():
    on_rank_0 = ('test "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 0 && export LD_PRELOAD=$PRELOAD; '
                 f'exec "{PROGRAMS / "interposed_call_patterns"}"')
    done = subprocess.run([*RANKS, "--timeout", "8", "sh", "-c", on_rank_0],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "PRELOAD": str(LIBRARY), "CARPOOL_AFTER": "0",
                               "CARPOOL_WAIT_REPORT": "1"})
    assert re.search(r"rank 0 waits for .* is it loaded on all ranks\?", done.stderr), done.stderr


def test_off_is_off():
    done = run("--summary", CARPOOL="off", program="mistakes")
    assert done.returncode == 0 and "carpool" not in done.stderr, done.stderr


@pytest.mark.parametrize("settings", [{"CARPOOL": "maybe"}, {"CARPOOL_CALLS": "neighbour"},
                                      {"CARPOOL_AFTER": "ten"}, {"CARPOOL_SUMS": "exact"}])
def test_a_setting_that_is_not_understood_is_one_line(settings):
    done = preloaded(LIBRARY, **settings)
    (name, value), = settings.items()
    lines = [line for line in done.stderr.splitlines() if "Carpool" in line]
    assert done.returncode == 0 and len(lines) == 1, done.stderr
    assert lines[0].startswith(f"Carpool: {name} is '{value}', expected ")


def test_without_a_library_for_the_mpi_the_program_runs_on(tmp_path):
    shutil.copy(LIBRARY, tmp_path)
    done = preloaded(tmp_path / LIBRARY.name)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the program runs without Carpool, on ") == 1, done.stderr


def test_a_graph_whose_ranks_disagree_is_the_hosts_and_the_report_names_the_edge():
    done = run("--summary", program="disagreeing_graph")
    assert done.returncode == 0, done.stderr
    assert "rank 0 has rank 2 once among its targets, but rank 2 has rank 0 not among its sources" \
        in done.stderr, done.stderr
    assert "refused by all ranks before" in done.stderr


def test_mistakes_in_the_command_are_one_line():
    assert "No such file" in refusal("run", "nosuch", status=1)
    assert "COMMAND" in refusal("run")
    assert "number of calls" in refusal("run", "--after", "-1", "true")
    assert "not allowed" in refusal("run", "--summary", "--report", "r.json", "true")
