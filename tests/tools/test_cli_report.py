"""CARPOOL_REPORT and `carpool report`, on an example as users have it."""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest

from command import NESTED, carpool, refusal

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["CARPOOL_TEST_REPORTED"]
MANY_STARTS = os.environ["CARPOOL_TEST_MANY_STARTS"]


def run(how, folder, ranks=6, program=(PROGRAM,)):
    command = [f"{ROOT}/tools/launch", "-n", str(ranks), "--timeout", "60", *program]
    done = subprocess.run(command, env={**os.environ, "CARPOOL_REPORT": str(how)}, cwd=folder,
                          capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_a_program_says_what_it_has_done(tmp_path):
    said = run("summary", tmp_path).stderr
    assert "what rank 0 has done" in said
    lines = said[said.index("communicator"):].splitlines()
    assert "done by" in lines[0]
    assert any("neighbor_" in line for line in lines[1:])
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


def test_what_it_has_written_is_shown(tmp_path):
    file, picture = tmp_path / "report.json", tmp_path / "report.svg"
    run(file, tmp_path)
    lines = json.loads(file.read_text())["lines"]
    assert lines
    for line in lines:
        assert line["ranks"] == 6
        assert line["messages_within"] > 0
        assert line["starts"] > 0
        assert 0 < line["median"] <= line["seconds"] * 1.2
    shown = carpool("report", str(file), "--plot", str(picture))
    assert shown.returncode == 0, shown.stderr
    assert lines[0]["algorithm"] in shown.stdout
    assert "Where the time went" in picture.read_text()


def test_all_starts_count_though_few_of_the_short_ones_are_timed(tmp_path):
    file = tmp_path / "report.json"
    run(file, tmp_path, ranks=1, program=(MANY_STARTS, "20000"))
    lines = json.loads(file.read_text())["lines"]
    assert sum(line["starts"] for line in lines) == 20000
    assert sum(line["timed"] for line in lines) < 10000
    assert 0 < sum(line["seconds"] for line in lines) < 20
    shown = carpool("report", str(file))
    assert "~" in shown.stdout
    assert "~" in run("summary", tmp_path, ranks=1, program=(MANY_STARTS, "20000")).stderr


def test_a_file_that_cannot_be_written_stops_no_program(tmp_path):
    assert "cannot be written" in run("/no/such/folder/report.json", tmp_path).stderr


def test_what_is_no_report_is_refused(tmp_path):
    file = tmp_path / "some.json"
    file.write_text("{}")
    assert "no report" in refusal("report", str(file), status=1)
    assert "No such file" in refusal("report", str(tmp_path / "none"), status=1)
    file.write_text(NESTED)
    assert "nested too deep" in refusal("report", str(file), status=1)


LINE = {"communicator": "a", "operation": "b", "algorithm": "c", "ranks": 1, "starts": 1,
        "messages_within": 1, "messages_between": 0, "bytes_within": 8, "bytes_between": 0,
        "guess": 0, "median": 1e-6, "seconds": 1e-3}


def write(file, lines):
    file.write_text(json.dumps({"carpool_report": 1, "lines": lines}))
    return str(file)


@pytest.mark.parametrize(("lines", "words"), [
    (7, "lines, expected a list"), ([7], "lines[0]: expected an object"),
    ([LINE, {**LINE, "seconds": "1"}], "lines[1]: seconds, expected a number"),
    ([{**LINE, "median": math.nan}], "median, expected"), ([{**LINE, "saved": None}], "saved"),
    ([{**LINE, "timed": "1"}], "timed"),
    ([{**LINE, "ranks": 10**400}], "ranks, expected"), ([{**LINE, "operation": 1}], "a text")])
def test_what_a_line_lacks_is_named(lines, words, tmp_path):
    assert words in refusal("report", write(tmp_path / "some.json", lines), status=1)


def test_a_picture_that_cannot_be_written_costs_one_line(tmp_path):
    file = write(tmp_path / "some.json", [LINE])
    assert "x.svg: No such file" in refusal("report", file, "--plot", f"{tmp_path}/none/x.svg",
                                            status=1)
