"""What requests find out while they work is kept in the tuning file, and later runs begin with it."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["CARPOOL_TEST_REMEMBERED"]
MANY_STARTS = os.environ["CARPOOL_TEST_MANY_STARTS"]


def run(tuning, folder, program=(PROGRAM,)):
    """The program's report, with what was done for each problem, and what it says."""
    report = folder / "report.json"
    command = [f"{ROOT}/tools/launch", "-n", "4", "--timeout", "60", *program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False,
                          env={**os.environ, "CARPOOL_TUNING": str(tuning),
                               "CARPOOL_REPORT": str(report)})
    assert done.returncode == 0, done.stderr
    return json.loads(report.read_text())["lines"], done.stderr


def ways(lines):
    """How many there were for each problem that is not a sum."""
    return Counter((line["operation"], line["size_class"]) for line in lines
                   if "reduce" not in line["operation"])


def choices(tuning):
    content = json.loads(tuning.read_text())
    assert content["carpool_tuning"] == 1
    return {one["problem"]: one["taken"]
            for machine in content["machines"] for one in machine.get("choices", [])}


def test_a_second_run_begins_with_what_the_first_has_found(tmp_path):
    tuning = tmp_path / "tuning.json"
    first, _ = run(tuning, tmp_path)
    assert max(ways(first).values()) > 1
    found = choices(tuning)
    assert found
    second, _ = run(tuning, tmp_path)
    assert set(ways(second).values()) == {1}
    assert {line["algorithm"] for line in second} >= set(found.values())
    assert choices(tuning) == found


def test_what_was_found_is_tried_again_after_a_thousand_starts(tmp_path):
    tuning = tmp_path / "tuning.json"
    run(tuning, tmp_path, (MANY_STARTS, "100"))
    few, _ = run(tuning, tmp_path, (MANY_STARTS, "1000"))
    assert set(ways(few).values()) == {1}
    many, _ = run(tuning, tmp_path, (MANY_STARTS, "1002"))
    assert max(ways(many).values()) > 1


def test_the_file_keeps_its_mode_and_links_to_it_stay(tmp_path):
    tuning, link = tmp_path / "tuning.json", tmp_path / "link.json"
    link.symlink_to("tuning.json")
    run(link, tmp_path)
    assert link.is_symlink()
    tuning.chmod(0o600)
    tuning.write_text('{"carpool_tuning": 1, "machines": []}')
    run(link, tmp_path)
    assert choices(tuning)
    assert tuning.stat().st_mode & 0o777 == 0o600


def test_what_the_file_says_of_others_is_kept(tmp_path):
    tuning = tmp_path / "tuning.json"
    other = {"mpi": "Some MPI 1.0", "neighborhoods": {"by_mpi": {"alpha": 1, "beta": 2, "sigma": 3}}}
    tuning.write_text(json.dumps({"carpool_tuning": 1, "machines": [other]}))
    run(tuning, tmp_path)
    assert json.loads(tuning.read_text())["machines"][0] == other
    assert choices(tuning)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("tuning")] == [
        "tuning.json"]


@pytest.mark.parametrize("text", ["", "{", '{"carpool_tuning": 7, "machines": []}',
                                  '{"carpool_tuning": 1, "machines": [5]}',
                                  '{"carpool_tuning": 1, "machines": [{"mpi": 1, "choices": 5}]}'])
def test_a_file_that_is_none_breaks_no_run_and_is_left_as_it_is(tmp_path, text):
    tuning = tmp_path / "tuning.json"
    tuning.write_text(text)
    _, told = run(tuning, tmp_path)
    assert "CARPOOL_TUNING" in told
    assert tuning.read_text() == text
