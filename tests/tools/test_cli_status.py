# SPDX-License-Identifier: MIT
"""With which status the command ends: 0, 1 where what was asked for has failed, 2 where the question is wrong or a file
that it names."""

import subprocess

import pytest

from command import CARPOOL
from in_process import carpool, refusal

from carpool_cli import app, planner

RING = ("explain", "ring 4")
BY_MPI = ("--mpi", "mpich")
ON_MACHINE = ("simulate", "ring 4", "--machine", "laptop")
NEVER = ("--launch", "no-such-launcher")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("bad.txt", "bad.mtx", "bad.json", "bad.xml"):
        (tmp_path / name).write_text("neither this nor that")
    for name in ("empty.json", "costs.json"):
        (tmp_path / name).write_text("{}")


WRONG = [(command, file) for file in ("bad.txt", "bad.mtx", "no.txt", "folder")
         for command in ("explain", "plan", "verify", "simulate")]


def test_words_split_by_the_shell_have_to_be_quoted():
    assert "in quotes" in refusal("explain", "torus", "4x4", "moore", "2", "1")


@pytest.mark.parametrize(("command", "file"), WRONG)
def test_an_unreadable_graph_is_a_usage_error(command, file):
    on = ("--machine", "laptop") if command == "simulate" else ()
    assert file in refusal(command, file, *on)


@pytest.mark.parametrize("file", ["bad.json", "empty.json", "no/such.json", "folder"])
@pytest.mark.parametrize("asked", [
    ("report",), ("tune", *NEVER), (*RING, *BY_MPI, "--tuning"), ("plan", "ring 4", *BY_MPI, "--tuning"),
    (*RING, "--platform", "cluster:2x2", "--machine"), ("simulate", "ring 4", "--platform", "cluster:2x2", "--machine")])
def test_an_unreadable_json_file_is_a_usage_error(asked, file):
    if asked[-1] == "--machine" and file == "folder":
        file = "./folder"
    assert file in refusal(*asked, file)


@pytest.mark.parametrize("file", ["bad.xml", "no.xml"])
@pytest.mark.parametrize("command", ["explain", "plan", "simulate"])
def test_an_unreadable_platform_is_a_usage_error(command, file):
    assert file in refusal(command, "ring 4", "--platform", file)


@pytest.mark.parametrize("asked", [
    ("plan", "ring 4", "--schedules"), ("explain", "ring 4", "--plot"), (*ON_MACHINE, "--plot"),
    ("tune", "new.json", *NEVER, "--plot"), ("tune", *NEVER)])
def test_an_unwritable_file_is_a_usage_error(asked):
    done = carpool(*asked, "no/such/a.svg")
    assert done.returncode == 2, done
    assert done.stderr.startswith("carpool: no/such/a.svg: "), done


@pytest.mark.parametrize("name", app.main.commands)
def test_an_unknown_option_is_a_usage_error(name):
    assert carpool(name, "--no-such-option").returncode == 2


@pytest.mark.parametrize("asked", [
    ("explain",), ("plan",), ("verify",), ("simulate",), ("run",), ("report",), ("help", "nothing"), ("nothing",),
    ("run", "no-such-program"), ("tune", "new.json", *NEVER)])
def test_a_missing_argument_is_a_usage_error(asked, monkeypatch, tmp_path):
    monkeypatch.setenv("CARPOOL_PRELOAD", str(tmp_path / "bad.txt"))  # a library, for all that is looked at
    assert carpool(*asked).returncode == 2


def test_a_failure_has_another_status_than_a_usage_error(monkeypatch, tmp_path):
    assert carpool("verify", "torus 4", "moore 1 1").returncode == 0
    assert "ended with 1" in refusal("tune", "new.json", "--launch", "false", status=1)
    monkeypatch.setenv("CARPOOL_PRELOAD", str(tmp_path / "none"))
    assert "there is no libcarpool_mpi.so beside this command" in refusal("run", "true", status=1)
    monkeypatch.setenv("CARPOOL_PLANNER", str(tmp_path / "none"))
    assert "is it built?" in refusal("stencils", status=1)


def test_complaints_of_verify_are_a_failure(monkeypatch):
    found = {"ranks": 4, "rules": [{"complaints": ["rank 1: recv[0] is empty"]}]}
    monkeypatch.setattr(planner, "ask", lambda command, real=planner.ask, **asked: (
        found if command == "verify" else real(command, **asked)))
    assert carpool("verify", "torus 4", "moore 1 1", "--algorithm", "direct").returncode == 1


def test_the_command_ends_with_these_statuses():
    for asked, status in ((["report", "no.json"], 2), (["explain", "ring 4"], 0), (["run"], 2)):
        assert subprocess.run([CARPOOL, *asked], capture_output=True, check=False).returncode == status
