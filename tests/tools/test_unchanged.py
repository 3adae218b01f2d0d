# SPDX-License-Identifier: MIT
"""Programs that know nothing of Carpool, with `carpool run` and without it."""

import os
import re
import shutil
import subprocess

import pytest

from command import refusal, without
from interposed import LIBRARY, PROGRAMS, RANKS, preloaded, run


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


def test_carpool_off_changes_nothing():
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
    done = run("--summary", "--after", "20", program="disagreeing_graph")
    assert done.returncode == 0, done.stderr
    assert "rank 0 has rank 2 once among its targets, but rank 2 has rank 0 not among its sources" \
        in " ".join(done.stderr.split()), done.stderr
    assert "refused by all ranks before" in done.stderr


def test_mistakes_in_the_command_are_one_line():
    assert "No such file" in refusal("run", "nosuch")
    assert "COMMAND" in refusal("run")
    assert "number of calls" in refusal("run", "--after", "-1", "true")
    assert "not allowed" in refusal("run", "--summary", "--report", "r.json", "true")
