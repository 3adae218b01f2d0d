"""CARPOOL_REPORT and `carpool report`, on an example as users have it."""

import json
import os
import subprocess
from pathlib import Path

from command import carpool, refusal

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["CARPOOL_TEST_REPORTED"]


def run(how, folder):
    command = [f"{ROOT}/tools/launch", "-n", "6", "--timeout", "60", PROGRAM]
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


def test_a_file_that_cannot_be_written_stops_no_program(tmp_path):
    assert "cannot be written" in run("/no/such/folder/report.json", tmp_path).stderr


def test_what_is_no_report_is_refused(tmp_path):
    file = tmp_path / "some.json"
    file.write_text("{}")
    assert "no report" in refusal("report", str(file), status=1)
    assert "No such file" in refusal("report", str(tmp_path / "none"), status=1)
