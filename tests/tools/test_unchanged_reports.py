# SPDX-License-Identifier: MIT
"""What is reported of programs that know nothing of Carpool."""

import json
import re

import pytest

from command import carpool, without
from interposed import LIBRARY, PROGRAMS, calls_of, preloaded, reported, run


def test_the_summary_says_what_is_taken_and_what_is_not():
    done = run("--summary", "--after", "5")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^neighbor_alltoallv on a graph, 3 ranks: .* of the run$", done.stderr, re.MULTILINE)
    assert "persistent allreduce on MPI_COMM_WORLD, 3 ranks" in done.stderr
    assert "among the first on a communicator (CARPOOL_AFTER)" in done.stderr
    assert max(map(len, done.stderr.splitlines())) <= 80


def test_calls_of_carpool_and_of_the_host_are_compared():
    said = run("--summary", "--after", "5").stderr
    assert re.search(r"^   8 B  MPI +5 +\S+ \(\S+\) [mu]?s ", said, re.MULTILINE), said
    assert re.search(r"^   8 B  Carpool +25  .* \d[\d.]*$", said, re.MULTILINE), said
    assert "they would have taken about" in " ".join(said.split())


def test_calls_that_are_not_asked_for_are_left_to_the_host_and_what_would_change_that_is_said():
    # Open MPI 5.0 crashes in its own persistent collectives where a datatype has been freed
    said = " ".join(run("--summary", "--calls", "allreduce,persistent").stderr.split())
    # no look at the exit code: on a short torus some hosts exchange blocks, which the program finds
    assert re.search(r"neighbor_alltoallv 60 [\d.]+ [mu]?s [<\d.]+ % of the run", said), said
    assert re.search(r"not in CARPOOL_CALLS: try --calls allreduce,persistent,[a-z,_]*neighbor_alltoallw", said), said
    assert "neighbor_alltoallw on a graph" not in said


def test_a_report_file_has_the_hosts_calls_too(tmp_path):
    report, _ = reported(tmp_path, "--calls", "neighbor,persistent")
    (left,) = (one for one in report["host_calls"] if one["operation"] == "alltoallv")
    assert (left["why"], left["calls"]) == ("not in CARPOOL_CALLS", 30)
    assert left["remedy"].startswith("try --calls neighbor,persistent,")
    assert left["seconds"] > 0
    shown = carpool("report", str(tmp_path / "report.json"))
    assert shown.returncode == 0, shown.stderr
    assert "alltoallv" in shown.stdout and "of the run" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80


def test_no_more_time_is_reported_than_passes(tmp_path):
    report, printed = reported(tmp_path, "--calls", "alltoall,persistent", "--after", "4",
                               program="reported")
    passed = float(re.search(r"overlapping: ([\d.]+)", printed)[1])
    starts = [line for line in report["lines"] if line["operation"] == "alltoall"]
    calls = [one for one in report["calls"] if one["operation"] == "alltoall"]
    assert sum(line["starts"] for line in starts if line["persistent"]) == 80
    assert sum(one["calls"] for one in calls) == 80
    assert 0.05 < sum(line["seconds"] for line in starts if line["persistent"]) <= passed
    assert all(line["mean"] > 0.004 for line in starts if line["persistent"])
    # the program computes for 5 ms between the two calls of MPI, which is not time in them
    assert 0 < sum(one["seconds"] for one in calls) <= passed - 0.05
    assert all(one["mean"] > 0.004 for one in calls if one["ended"]), calls
    assert report["run_seconds"] > passed


def test_nonblocking_calls_are_timed_until_they_are_completed_whoever_makes_them(tmp_path):
    report, _ = reported(tmp_path, "--calls", "none", program="reported")
    assert {one["made_by"] for one in report["calls"]} == {"MPI"}
    for one in calls_of(report, "alltoall", "MPI"):
        assert one["ended"] == one["calls"]
        assert one["mean"] > 0.005


def test_calls_that_a_tool_completes_are_counted_though_their_end_is_not_seen(tmp_path):
    file = tmp_path / "report.json"
    done = preloaded(f"{PROGRAMS}/libinterposed_tool.so:{LIBRARY}", program="reported", CARPOOL_REPORT=str(file))
    assert done.returncode == 0, done.stderr
    (gather,) = calls_of(json.loads(file.read_text()), "gather", "MPI")
    assert (gather["calls"], gather["ended"]) == (5, 0)
    assert 0 < gather["seconds"] < 1
    done = preloaded(LIBRARY, program="reported", CARPOOL_REPORT=str(file))
    (gather,) = calls_of(json.loads(file.read_text()), "gather", "MPI")
    assert (gather["calls"], gather["ended"]) == (5, 5)


def test_sizes_are_those_of_the_calls(tmp_path):
    report, _ = reported(tmp_path, "--after", "4", program="reported")
    ours = calls_of(report, "neighbor_alltoallv", "Carpool")
    # from 2 * 3 ints of 4 bytes to 2 * 12 of them; classes are up to 32, 64 and 128 bytes
    assert [(one["least_size"], one["size"]) for one in ours] == [(24, 32), (40, 64), (72, 96)]
    # the first four, of 3 to 6 ints, were MPI's; 60 calls have six of each size
    assert [one["calls"] for one in ours] == [10, 22, 24]
    starts = [line for line in report["lines"] if line["operation"] == "neighbor_alltoallv"]
    assert sum(line["starts"] for line in starts) == 56
    assert {(line["least_size"], line["size"]) for line in starts} == {(24, 32), (40, 64), (72, 96)}


def test_communicators_without_a_name_are_told_apart(tmp_path):
    said = run("--summary", "--after", "0", program="reported").stderr
    of_torus = "the 1st MPI_Cart_create of MPI_COMM_WORLD"
    assert re.search(r"^neighbor_alltoall on torus 3x1|^neighbor_alltoall on grid 3px1", said, re.MULTILINE), said
    assert f"(made by {of_torus})" in said
    assert f"(a duplicate of {of_torus})" in said
    assert re.search(r"^neighbor_alltoall on 20 graphs, 2 ranks each: ", said, re.MULTILINE), said
    assert "(unnamed)" not in said


def test_operations_that_the_program_has_not_called_are_not_listed(tmp_path):
    report, _ = reported(tmp_path, program="reported", arguments=["topologies"])
    assert not report["lines"] and "calls" not in report
    assert "neighbor_alltoall" not in carpool("report", str(tmp_path / "report.json")).stdout


@pytest.mark.parametrize("calls", ["nothing", "messages"])
def test_a_program_whose_collectives_do_not_come_to_carpool_is_told_so(calls):
    done = run("--summary", program="reported", arguments=[calls])
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("nothing to report: no collective of this program has come to Carpool") == 1, done.stderr
    assert "what rank 0 has done" not in done.stderr


def test_a_program_whose_collectives_do_not_come_to_carpool_writes_no_file(tmp_path):
    file = tmp_path / "report.json"
    assert run("--report", str(file), program="reported", arguments=["messages"]).returncode == 0
    assert not file.exists()


def test_of_a_report_that_is_not_understood_nothing_else_is_said():
    said = run("--calls", "none", CARPOOL_REPORT="1", program="reported").stderr
    assert "CARPOOL_REPORT in the environment is 1, expected summary" in said, said
    assert "nothing to report" not in said


def test_a_program_without_carpool_or_a_report_is_told_nothing():
    assert "nothing to report" not in run("--summary", CARPOOL="off", program="reported", arguments=["nothing"]).stderr
    assert "nothing to report" not in run(program="reported", arguments=["nothing"]).stderr


def test_a_report_is_shown_without_packages_of_python(tmp_path):
    reported(tmp_path, "--after", "4", program="reported")
    shown = without(["click", "rich", "scipy", "matplotlib"], tmp_path, "report",
                    str(tmp_path / "report.json"))
    assert shown.returncode == 0, shown.stderr
    assert "neighbor_alltoallv" in shown.stdout and "of MPI's" in shown.stdout


def test_one_rank_has_nothing_to_gain_whatever_is_asked_for(tmp_path):
    report, _ = reported(tmp_path, program="reported")
    why = {one["why"]: one["calls"] for one in report["host_calls"] if one["operation"] == "allreduce"}
    assert why == {"not in CARPOOL_CALLS": 7, "one rank, or an intercommunicator": 1}
