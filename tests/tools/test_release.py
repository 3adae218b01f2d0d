# SPDX-License-Identifier: MIT
"""The check of a release passes what is right and finds each fault that it claims to find."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_GIT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
FILES = {"CMakeLists.txt": "project(Carpool VERSION 1.2.0 LANGUAGES C CXX\n",
         "CITATION.cff": "version: 1.2.0\ndate-released: 2027-01-31\n",
         "packaging/conda/recipe.yaml": "package:\n  version: 1.2.0\n",
         "packaging/spack/package.py": '    git = "a"\n    version("main", branch="main")\n    version("1.2.0", tag="v1.2.0")\n',
         "packaging/debian/control": "Maintainer: a <a@b.org>\n",
         "packaging/debian/changelog": "carpool (1.2.0-1) unstable; urgency=medium\n",
         "src/carpool.map": "CARPOOL_1.0 {\n};\nCARPOOL_1.2 {\n} CARPOOL_1.0;\n",
         "CHANGELOG.md": "# Changes\n\n## 1.2 (2027-01-31)\n\n## 1.1.3 (2026-12-01)\n"}


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *arguments], cwd=root,
                   env=WITHOUT_GIT, check=True, capture_output=True)


def release(root, files, *arguments):
    for name, text in {**FILES, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "tools").mkdir(exist_ok=True)
    shutil.copy(ROOT / "tools/release", root / "tools")
    return subprocess.run([sys.executable, root / "tools/release", *arguments], cwd=root, env=WITHOUT_GIT,
                          capture_output=True, text=True, check=False)


def test_all_files_of_the_project_have_its_version():
    result = subprocess.run([sys.executable, ROOT / "tools/release", "--check"], capture_output=True, text=True,
                            check=False)
    version = re.search(r"project\(Carpool VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert (result.returncode, result.stdout) == (0, f"release: all files are of version {version}\n")


@pytest.mark.parametrize("files", [{}, {"CHANGELOG.md": "# Changes\n\n## 1.2.0 (not released yet)\n"}])
def test_correct_input_passes(tmp_path, files):
    result = release(tmp_path, files, "--check")
    assert (result.returncode, result.stdout) == (0, "release: all files are of version 1.2.0\n")


@pytest.mark.parametrize(("files", "fault"), [
    ({"CITATION.cff": "version: 1.1.0\n"}, "CITATION.cff: the version is 1.1.0, and CMakeLists.txt has 1.2.0"),
    ({"packaging/conda/recipe.yaml": "package:\n"}, "packaging/conda/recipe.yaml: the version is not there"),
    ({"packaging/spack/package.py": '    version("1.2.0", tag="v1.1.0")\n'},
     "packaging/spack/package.py: the version is not there"),
    ({"packaging/debian/changelog": "carpool (1.1.0-1) unstable\n"}, "packaging/debian/changelog: the version is 1.1.0"),
    ({"CHANGELOG.md": "# Changes\n\n## 1.1 (2027-01-31)\n"}, "CHANGELOG.md: begins with ## 1.1 (2027-01-31)"),
    ({"src/carpool.map": "CARPOOL_1.3 {\n};\n"}, "src/carpool.map: CARPOOL_1.3 is later than 1.2.0")])
def test_each_version_that_differs_is_found(tmp_path, files, fault):
    result = release(tmp_path, files, "--check")
    assert result.returncode == 1
    assert fault in result.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="a release is a tag of git")
@pytest.mark.parametrize(("files", "fault"), [
    ({"CHANGELOG.md": "# Changes\n\n## 1.2 (not released yet)\n"}, "has (not released yet) in place of a date"),
    ({"CITATION.cff": "version: 1.2.0\n"}, "has no line date-released: 2027-01-31"),
    ({"packaging/debian/changelog": "carpool (1.2.0-1) UNRELEASED; urgency=medium\n"}, "is UNRELEASED"),
    ({"packaging/debian/control": "Maintainer: a <a@b.invalid>\n"}, "control: the address of the maintainers ends with .invalid"),
    ({"packaging/debian/changelog": "carpool (1.2.0-1) unstable\n\n -- a <a@b.invalid>\n"}, "changelog: the address of"),
    ({"packaging/spack/package.py": '    version("1.2.0", tag="v1.2.0")\n'}, 'has no line git = "…"'),
    ({}, "there is a tag v1.2.0 already")])
def test_nothing_is_built_where_a_release_is_not_ready(tmp_path, files, fault):
    git(tmp_path, "init", "-q")
    release(tmp_path, files, "--check")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "all")
    if not files:
        git(tmp_path, "tag", "v1.2.0")
    result = release(tmp_path, files)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [line for line in result.stdout.splitlines() if fault in line] != []
    assert not (tmp_path / "dist").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="a release is a tag of git")
def test_a_release_has_no_uncommitted_files(tmp_path):
    git(tmp_path, "init", "-q")
    assert "uncommitted changes:\n?? CHANGELOG.md" in release(tmp_path, {}).stdout
