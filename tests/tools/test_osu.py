# SPDX-License-Identifier: MIT
"""What bench/osu.py reads of OSU's benchmarks, and what it makes of it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import osu_cases
import osu_page
import osu_runs

BLOCKING = """
# OSU MPI Allreduce Latency Test v7.4
# Datatype: MPI_INT.
# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)
4                       5.74              Pass              5.02
8                       6.10              Fail              5.25
"""
NONBLOCKING = """
# OSU MPI Non-blocking Barrier Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)  P50 Tail Lat(us)
       101.71             30.80             28.12             12.50            101.75
"""


def test_a_row_has_the_mean_the_median_and_whether_the_result_is_right():
    assert osu_cases.read(BLOCKING) == [{"bytes": 4, "median_us": 5.02, "mean_us": 5.74, "valid": True},
                                        {"bytes": 8, "median_us": 5.25, "mean_us": 6.10, "valid": False}]
    assert osu_cases.version_in(BLOCKING) == "7.4"


def test_a_barrier_has_no_size_and_a_nonblocking_collective_an_overlap():
    assert osu_cases.read(NONBLOCKING) == [{"bytes": 0, "median_us": 101.75, "mean_us": 101.71,
                                            "overlap_percent": 12.5, "valid": True}]


def test_what_is_no_row_is_not_read():
    assert osu_cases.read("# Size\nDATA VALIDATION ERROR: 8\nlaunch: exit code 1\n") == []


def case(kind, name):
    return osu_cases.Case(kind, Path(name), 4, 1)


def test_all_forms_of_a_collective_have_one_name():
    assert case("non_blocking", "osu_iallreduce").collective == "allreduce"
    assert case("persistent", "osu_allreduce_persistent").collective == "allreduce"
    assert case("neighborhood", "osu_ineighbor_alltoallv").collective == "neighbor_alltoallv"
    assert case("blocking", "osu_scatter").collective == "scatter"


def test_sums_are_of_a_type_that_has_sums():
    assert "mpi_int" in case("blocking", "osu_reduce_scatter").arguments()
    assert "mpi_int" not in case("blocking", "osu_scatter").arguments()


def run(turn, way, median, **more):
    return {"turn": turn, "way": way, "rows": [{"bytes": 8, "median_us": median}], **more}


def test_a_ratio_is_the_median_of_those_of_the_turns():
    turns = [run(0, "bare", 2.0), run(0, "default", 1.0), run(1, "bare", 4.0), run(1, "default", 1.0),
             run(2, "bare", 1.0), run(2, "default", 9.0)]
    assert osu_page.ratio({"runs": turns}, "default", 8) == 0.5
    assert osu_page.ratio({"runs": turns}, "collective", 8) is None
    failed = [run(0, "bare", 2.0), run(0, "default", 1.0, failure="ended by a signal")]
    assert osu_page.ratio({"runs": failed}, "default", 8) is None


def test_a_page_names_all_machines_and_numbers_of_runs():
    def of_machine(processor, turns):
        return {"machine": {"processor": processor, "cores": 2}, "commit": "a", "date": "2026-11-30T10:00:00",
                "runs": [run(turn, "bare", 1.0, osu="7.4") for turn in range(turns)]}
    about = osu_page.about({"cases": [of_machine("A", 3), of_machine("B", 9)], "version": "mpich 5",
                            "settings": {"realtime": True, "build": "release"}})
    assert "2 cores (A) or 2 cores (B), " in about
    assert "2026-11-30, " in about
    assert about.endswith("of 3 to 9 runs per way.")


def test_a_file_that_was_written_is_gone_on_from(tmp_path):
    class Options:
        realtime = False
    file = tmp_path / "osu.json"
    one = case("blocking", "osu_scatter")
    osu_runs.Measured(file, "mpich", Options).add(one, {"runs": [run(0, "bare", 1.0, failure="it has hung")]})
    later = osu_runs.Measured(file, "mpich", Options)
    assert later.has(one) and not later.has(case("blocking", "osu_gather"))
    assert later.failures() == ["blocking/scatter/4, bare: it has hung"]
