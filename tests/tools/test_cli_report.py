# SPDX-License-Identifier: MIT
"""CARPOOL_REPORT and `carpool report`, on an example as users have it."""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import pytest

from command import NESTED, without
from in_process import answer, carpool, refusal

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["CARPOOL_TEST_REPORTED"]
MANY_STARTS = os.environ["CARPOOL_TEST_MANY_STARTS"]


def run(how, folder, ranks=6, program=(PROGRAM,)):
    command = [f"{ROOT}/tools/launch", "-n", str(ranks), "--timeout", "180", *program]
    done = subprocess.run(command, env={**os.environ, "CARPOOL_REPORT": str(how)}, cwd=folder,
                          capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_a_program_says_what_it_has_done(tmp_path):
    said = run("summary", tmp_path).stderr
    assert "what rank 0 has done" in said
    assert re.search(r"^(persistent )?neighbor_\w+ on .*, 6 ranks: .* of the run$", said, re.MULTILINE)
    assert re.search(r"^\(made by the 1st \w+_create\w* of MPI_COMM_WORLD\)$", said, re.MULTILINE)
    assert re.search(r"^ +size +algorithm +starts +messages +mean \(quartiles\) +in all$", said,
                     re.MULTILINE)
    assert max(map(len, said.splitlines())) <= 80
    assert run("", tmp_path).stderr.count("rank 0 has done") == 0


@pytest.mark.parametrize("how", ["Summary", "SUMMARY"])
def test_the_summary_may_be_asked_for_in_letters_of_any_case(how, tmp_path):
    assert "rank 0 has done" in run(how, tmp_path).stderr
    assert list(tmp_path.iterdir()) == []


def test_a_word_that_is_neither_the_summary_nor_a_file_is_told(tmp_path):
    said = run("sumary", tmp_path).stderr
    assert said.count("CARPOOL_REPORT in the environment is sumary, expected summary, or a file") == 1
    assert list(tmp_path.iterdir()) == []
    run("./report", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["report"]


def test_a_report_file_is_shown(tmp_path):
    file, picture = tmp_path / "report.json", tmp_path / "report.svg"
    run(file, tmp_path)
    lines = json.loads(file.read_text())["lines"]
    assert lines
    for line in lines:
        assert line["ranks"] == 6
        assert line["messages_within"] > 0
        assert line["starts"] > 0
        assert 0 < line["median"] <= line["seconds"] * 1.2
        assert 0 < line["first_quartile"] <= line["median"] <= line["third_quartile"]
        assert math.isclose(line["mean"] * line["starts"], line["seconds"], rel_tol=0.5)
    shown = carpool("report", str(file), "--plot", str(picture))
    assert shown.returncode == 0, shown.stderr
    assert lines[0]["algorithm"] in shown.stdout
    assert "Where the time went" in picture.read_text()


def test_a_line_has_the_messages_and_bytes_of_the_plan(tmp_path):
    file = tmp_path / "report.json"
    run(file, tmp_path)
    (line,) = json.loads(file.read_text())["lines"]
    (rule,) = answer("plan", "torus 3x2", "von_neumann 2 1", "--op", "allgather", "--block", "4", "--rank", "0",
                     "--algorithm", line["algorithm"])["rules"]
    assert line["messages_within"] + line["messages_between"] == rule["at_rank"]["messages"]
    assert line["bytes_within"] + line["bytes_between"] == rule["at_rank"]["bytes"]


def test_making_a_map_of_ghosts_is_no_exchange(tmp_path):
    file = tmp_path / "report.json"
    run(file, tmp_path, ranks=4, program=(Path(PROGRAM).with_name("spmv"),))
    lines = json.loads(file.read_text())["lines"]
    assert {line["operation"] for line in lines} == {"ghosts_update"}


def test_all_starts_count_though_few_of_the_short_ones_are_timed(tmp_path):
    file = tmp_path / "report.json"
    run(file, tmp_path, ranks=1, program=(MANY_STARTS, "20000"))
    lines = json.loads(file.read_text())["lines"]
    assert sum(line["starts"] for line in lines) == 20000
    assert sum(line["timed"] for line in lines) < 10000
    for line in lines:  # all but the first start take as long as those that were timed
        assert 0 < line["mean"] * (line["starts"] - 1) <= 1.001 * line["seconds"]
    shown = carpool("report", str(file))
    assert "~" in shown.stdout
    assert "~" in run("summary", tmp_path, ranks=1, program=(MANY_STARTS, "20000")).stderr


def test_no_more_time_is_reported_than_passes_though_many_are_under_way_at_once(tmp_path):
    file = tmp_path / "report.json"
    passed = float(run(file, tmp_path, ranks=1, program=(MANY_STARTS, "2000", "16")).stdout)
    lines = json.loads(file.read_text())["lines"]
    assert sum(line["starts"] for line in lines) == 32000
    assert 0.2 * passed < sum(line["seconds"] for line in lines) <= passed


def test_a_file_that_cannot_be_written_stops_no_program(tmp_path):
    assert "cannot be written" in run("/no/such/folder/report.json", tmp_path).stderr


def test_a_file_that_is_not_a_report_is_refused(tmp_path):
    file = tmp_path / "some.json"
    file.write_text("{}")
    assert "no report" in refusal("report", str(file))
    assert "No such file" in refusal("report", str(tmp_path / "none"))
    file.write_text(NESTED)
    assert "nested too deep" in refusal("report", str(file))


def test_it_is_shown_without_packages_of_python(tmp_path):
    shown = without(["click", "rich", "scipy", "matplotlib"], tmp_path, "report",
                    write(tmp_path / "some.json", [LINE]))
    assert shown.returncode == 0, shown.stderr
    assert "b on a, 1 rank: 1 ms" in shown.stdout
    lacking = without(["matplotlib"], tmp_path, "report", write(tmp_path / "some.json", [LINE]),
                      "--plot", "x.svg")
    assert lacking.stderr == "carpool: --plot needs matplotlib; try: pip install click matplotlib rich scipy\n"


def test_a_report_without_lines_is_shown(tmp_path):
    file = tmp_path / "some.json"
    file.write_text(json.dumps({"carpool_report": 1, "lines": None, "host_calls": [
        {"operation": "bcast", "why": "not asked", "calls": 1234, "seconds": 2, "remedy": "try it"}],
        "run_seconds": 20}))
    shown = carpool("report", str(file))
    assert shown.returncode == 0, shown.stderr
    assert "  not asked: try it\n    bcast  1,234  2 s  10 % of the run\n" in shown.stdout


LINE = {"communicator": "a", "operation": "b", "algorithm": "c", "ranks": 1, "starts": 1,
        "messages_within": 1, "messages_between": 0, "bytes_within": 8, "bytes_between": 0,
        "guess": 0, "median": 1e-6, "seconds": 1e-3}


def write(file, lines):
    file.write_text(json.dumps({"carpool_report": 1, "lines": lines}))
    return str(file)


def test_the_lines_of_an_operation_stand_together_by_size_the_last_choice_first(tmp_path):
    def line(operation, size, algorithm, chosen, seconds):
        return {**LINE, "operation": operation, "size": size, "algorithm": algorithm,
                "chosen": chosen, "seconds": seconds}

    file = write(tmp_path / "some.json", [
        line("bcast", 8, "binomial", 1, 1), line("alltoallw", 8, "direct", 4, 7),
        line("bcast", 4, "chain", 5, 1), line("bcast", 8, "linear", 2, 1)])
    shown = carpool("report", file).stdout
    places = [shown.index(word) for word in ("alltoallw", "bcast", "chain", "linear", "binomial")]
    assert places == sorted(places)


def test_seven_digits_fit_into_80_columns(tmp_path):
    long = {**LINE, "operation": "neighbor_alltoallw", "algorithm": "node-scatter-allgather",
            "starts": 1234567, "timed": 9, "size": 1048576, "mean": 123.4e-6,
            "first_quartile": 101.1e-6, "third_quartile": 144.2e-6, "saved": -12.5, "guess": 1e-4}
    shown = carpool("report", write(tmp_path / "some.json", [long, {**long, "chosen": 3}])).stdout
    assert "1,234,567" in shown and "123 (101–144) µs" in shown and "lost 12.5 s" in shown
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(("lines", "words"), [
    (7, "lines, expected a list"), ([7], "lines[0]: expected an object"),
    ([LINE, {**LINE, "seconds": "1"}], "lines[1]: seconds, expected a number"),
    ([{**LINE, "median": math.nan}], "median, expected"), ([{**LINE, "saved": None}], "saved"),
    ([{**LINE, "timed": "1"}], "timed"),
    ([{**LINE, "ranks": 10**400}], "ranks, expected"), ([{**LINE, "operation": 1}], "a text")])
def test_what_a_line_lacks_is_named(lines, words, tmp_path):
    assert words in refusal("report", write(tmp_path / "some.json", lines))


def test_a_picture_that_cannot_be_written_costs_one_line(tmp_path):
    file = write(tmp_path / "some.json", [LINE])
    assert "x.svg: No such file" in refusal("report", file, "--plot", f"{tmp_path}/none/x.svg")
