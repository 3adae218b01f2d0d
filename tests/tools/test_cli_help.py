# SPDX-License-Identifier: MIT
"""Help, version and the guide, by the command carpool."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import carpool, refusal, said, without


@pytest.mark.parametrize("package", ["rich", "click"])
def test_help_and_version_need_no_package(package, tmp_path):
    version = carpool("--version").stdout
    assert version.startswith("carpool ") and version.count(".") == 2
    assert without([package], tmp_path, "--version").stdout == version
    said = without([package], tmp_path, "--help")
    assert said.returncode == 0 and said.stderr == ""
    assert "pip install" in said.stdout
    in_full = carpool("--help").stdout
    for command in re.findall(r"^  (\w+)  ", in_full[in_full.index("Commands:"):], re.MULTILINE):
        assert f"\n  {command} " in said.stdout


@pytest.mark.parametrize("package", [None, "click"])
def test_a_report_has_the_versions_of_all_that_takes_part(package, tmp_path):
    run = without([package] if package else [], tmp_path, "--version", "--mpi")
    assert run.returncode == 0 and run.stderr == ""
    first, *others = run.stdout.splitlines()
    assert f"{first}\n" == carpool("--version").stdout
    told = dict(line.split(maxsplit=1) for line in others)
    assert {"MPI", "Python", "system"} <= told.keys()
    if os.environ["CARPOOL_MPI"] == "OFF":
        assert told["MPI"].startswith("none")
    else:
        assert told["library"] == first.removeprefix("carpool ")
        assert re.search(r"MPI.* \d+\.\d+", told["MPI"])


def test_mpi_alone_is_refused():
    assert refusal("--mpi") == "carpool: --mpi goes with --version.\n"


@pytest.mark.parametrize("missing", [["rich"], ["click", "scipy"],
                                     ["click", "matplotlib", "rich", "scipy"]])
def test_all_packages_that_are_missing_are_named_in_one_line(missing, tmp_path):
    run = without(missing, tmp_path, "algorithms")
    assert run.returncode == 1
    assert run.stderr.endswith(f"; try: pip install {' '.join(missing)}\n")
    assert len(run.stderr.splitlines()) == 1


def test_what_one_option_needs_comes_with_all_that_others_need(tmp_path):
    run = without(["matplotlib", "scipy"], tmp_path, "plan", "torus 4x4", "moore 2 1", "--plot", "x.svg")
    assert run.stderr == "carpool: --plot needs matplotlib; try: pip install matplotlib scipy\n"


def test_the_guide_is_there_to_read():
    topics = carpool("help").stdout
    assert "threads" in topics
    assert "pkg-config" in said("help", "troubleshooting")
    assert carpool("help", "trouble").stdout == carpool("help", "troubleshooting").stdout
    assert "troubleshooting" in refusal("help", "no such page")


def test_help_on_run_names_the_defaults_of_the_library():
    defaults = (Path(__file__).parents[2] / "src/interpose/settings.cpp").read_text()
    help_text = " ".join(carpool("run", "--help").stdout.split())
    open_mpi, others = re.search(r'is_open_mpi\(\) \? "(\S+)" : "(\S+)";', defaults).groups()
    assert f"[default: {others}; on Open MPI {open_mpi}]" in help_text
    open_mpi, near, others = re.findall(r"\d+", re.search(r"int usual_after.*?\n}", defaults, re.DOTALL)[0])
    assert f"[default: {near} of neighborhoods, {others} of others; on Open MPI {open_mpi}]" in help_text


def test_installed_pages_are_whole(tmp_path):
    script = Path(os.environ["CARPOOL_COMMAND"]).parents[1] / "cli/cmake_install.cmake"
    subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={tmp_path}", "-P", script], check=True, capture_output=True)
    pages = sorted(tmp_path.glob("share/carpool/pages/*/*.md"))
    assert len(pages) > 15
    for page in pages:
        assert "# " in page.read_text() and "{include}" not in page.read_text(), page
    installed = subprocess.run([tmp_path / "bin/carpool", "help", "command"], capture_output=True, text=True,
                               env={**os.environ, "CARPOOL_PYTHON": sys.executable}, check=True).stdout
    assert installed == carpool("help", "command").stdout
    assert "The command has two parts" in installed


def test_topics_are_plain_text():
    topics = re.findall(r"^  (\S+) ", carpool("help").stdout, re.MULTILINE)
    assert len(topics) > 10
    for topic in topics:
        page = carpool("help", topic).stdout
        assert page and not re.search(r":::|\{[a-z:]+\}`|\{c:|literalinclude|:language:", page), topic
    started = carpool("help", "getting-started").stdout
    assert "pkg-config" in started and "See examples/hello_neighbors.c" in started
