# SPDX-License-Identifier: MIT
"""What inits measure is kept in the tuning file, and later runs take it without measuring again."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["CARPOOL_TEST_REMEMBERED"]


def run(tuning, folder):
    """The algorithms in the program's report, and what it says."""
    report = folder / "report.json"
    command = [f"{ROOT}/tools/launch", "-n", "4", "--timeout", "180", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False,
                          env={**os.environ, "CARPOOL_TUNING": str(tuning),
                               "CARPOOL_REPORT": str(report)})
    assert done.returncode == 0, done.stderr
    return {line["algorithm"] for line in json.loads(report.read_text())["lines"]}, done.stderr


def choices(tuning):
    content = json.loads(tuning.read_text())
    assert content["carpool_tuning"] == 1
    return {one["problem"]: one["taken"]
            for machine in content["machines"] for one in machine.get("choices", [])}


def test_a_second_run_takes_what_the_file_says(tmp_path):
    tuning = tmp_path / "tuning.json"
    first, _ = run(tuning, tmp_path)
    found = choices(tuning)
    assert found
    assert first >= set(found.values())
    content = json.loads(tuning.read_text())
    for machine in content["machines"]:
        for one in machine["choices"]:
            one["taken"] = "host" if one["taken"] != "host" else "direct"
    tuning.write_text(json.dumps(content))
    said = choices(tuning)
    second, _ = run(tuning, tmp_path)
    assert second >= set(said.values())
    assert choices(tuning) == said


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


def test_what_the_file_has_on_other_mpis_is_kept(tmp_path):
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
def test_an_invalid_file_breaks_no_run_and_is_not_changed(tmp_path, text):
    tuning = tmp_path / "tuning.json"
    tuning.write_text(text)
    _, told = run(tuning, tmp_path)
    assert "CARPOOL_TUNING" in told
    assert tuning.read_text() == text
