# SPDX-License-Identifier: MIT
"""The check of exported functions passes what is right and finds each fault that it claims to find."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_GIT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
MAP = "/* what is exported */\nCARPOOL_1.0 {\n    global: Carpool_*;\n    local: *;\n};\n"
MAP_1_1 = MAP + "CARPOOL_1.1 {\n    global: Carpool_Late;\n} CARPOOL_1.0;\n"
HEADER = "/* Carpool_Gone() was here. */\nint Carpool_Early(int n);\nconst char *Carpool_Name(void);\n"
LIST = "Carpool_Early CARPOOL_1.0\nCarpool_Name CARPOOL_1.0\nCarpool_who_waits CARPOOL_1.0\n"
LATE = "Carpool_Late CARPOOL_1.1\n"


def tree(root, files):
    given = {"CMakeLists.txt": "project(Carpool VERSION 1.0.0\n", "src/carpool.map": MAP, "src/exports.txt": LIST,
             "include/carpool/carpool.h": HEADER, **files}
    for name, text in given.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "tools").mkdir(exist_ok=True)
    shutil.copy(ROOT / "tools/check_exports", root / "tools")


def check(root, *arguments):
    return subprocess.run([sys.executable, root / "tools/check_exports", *arguments], cwd=root, env=WITHOUT_GIT,
                          capture_output=True, text=True, check=False)


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *arguments], cwd=root,
                   env=WITHOUT_GIT, check=True, capture_output=True)


@pytest.mark.parametrize("files", [
    {}, {"src/carpool.map": MAP_1_1, "src/exports.txt": LIST + LATE,
         "include/carpool/late.h": "int Carpool_Late(void);\n"}])
def test_correct_input_passes(tmp_path, files):
    tree(tmp_path, files)
    result = check(tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(("files", "fault"), [
    ({"include/carpool/late.h": "int Carpool_Late(void);\n"}, "src/exports.txt: Carpool_Late is missing"),
    ({"src/exports.txt": LIST + "Carpool_Other CARPOOL_1.0\n"}, "Carpool_Other is declared by no header"),
    ({"src/carpool.map": MAP_1_1, "src/exports.txt": LIST + "Carpool_Late CARPOOL_1.0\n",
      "include/carpool/late.h": "int Carpool_Late(void);\n"},
     "Carpool_Late is of CARPOOL_1.0, but src/carpool.map has it in CARPOOL_1.1")])
def test_each_kind_of_difference_is_found(tmp_path, files, fault):
    tree(tmp_path, files)
    result = check(tmp_path)
    assert result.returncode == 1
    assert fault in result.stdout


def test_writes_what_headers_declare_under_the_version_of_the_map(tmp_path):
    tree(tmp_path, {"src/carpool.map": MAP_1_1, "include/carpool/late.h": "int Carpool_Late(void);\n"})
    assert check(tmp_path, "--write").returncode == 0
    assert LATE in (tmp_path / "src/exports.txt").read_text()


@pytest.mark.skipif(shutil.which("git") is None, reason="releases are tags of git")
@pytest.mark.parametrize(("version", "status"), [("1.1.0", 1), ("2.0.0", 0)])
def test_an_exported_function_goes_only_with_a_new_major_version(tmp_path, version, status):
    tree(tmp_path, {})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "a release")
    git(tmp_path, "tag", "-a", "v1.0.0", "-m", "1.0.0")
    tree(tmp_path, {"CMakeLists.txt": f"project(Carpool VERSION {version}\n",
                    "include/carpool/carpool.h": "int Carpool_Early(int n);\n",
                    "src/exports.txt": "Carpool_Early CARPOOL_1.0\nCarpool_who_waits CARPOOL_1.0\n"})
    result = check(tmp_path)
    assert result.returncode == status
    assert ("Carpool_Name of CARPOOL_1.0 was in 1.0.0, and is gone" in result.stdout) == bool(status)


@pytest.mark.skipif(not os.path.exists(os.environ.get("CARPOOL_TEST_LIBRARY", "")), reason="no shared library here")
def test_the_library_exports_what_the_list_has(tmp_path):
    command = [sys.executable, ROOT / "tools/check_exports", os.environ["CARPOOL_TEST_LIBRARY"]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    tree(tmp_path, {})
    other = check(tmp_path, os.environ["CARPOOL_TEST_LIBRARY"])
    assert other.returncode == 1
    assert "Carpool_Early is not exported, expected CARPOOL_1.0" in other.stdout
