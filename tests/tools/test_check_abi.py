# SPDX-License-Identifier: MIT
"""The check of the binary interface passes what is right and finds each fault that it claims to find."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAP = "CARPOOL_1.0 {\n    global: Carpool_*;\n    local: *;\n};\n"
HEADER = """\
#include <mpi.h>
typedef struct Carpool_Plan {
    char algorithm[32];
    MPI_Count rounds; /* of messages */
} Carpool_Plan;
int Carpool_Plan_of(
    MPI_Comm comm, const char *operation, Carpool_Plan *plan);
const char *Carpool_Name(void);
"""
LATE = "int Carpool_Late(MPI_Op op);\n"
WORKS = "abi: programs that were linked with 1.0 still run\n"

pytestmark = pytest.mark.skipif(shutil.which("abidiff") is None, reason="no abidiff of abigail-tools here")


def tree(root, header=HEADER, version="1.0.0"):
    for name, text in {"CMakeLists.txt": f"project(Carpool VERSION {version}\n", "src/carpool.map": MAP,
                       "include/carpool/carpool.h": header}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for folder in ("tools", "interface"):
        (root / folder).mkdir(exist_ok=True)
    shutil.copy(ROOT / "tools/check_abi", root / "tools")


def check(root, *arguments, **variables):
    return subprocess.run([sys.executable, root / "tools/check_abi", *arguments], env={**os.environ, **variables},
                          capture_output=True, text=True, check=False)


@pytest.fixture
def recorded(tmp_path):
    tree(tmp_path)
    assert check(tmp_path, "--write").stdout == WORKS
    return tmp_path


@pytest.mark.parametrize("header", [HEADER, HEADER.replace("operation", "name"), HEADER.replace("    MPI_Comm", "MPI_Comm")])
def test_the_same_interface_passes(recorded, header):
    tree(recorded, header)
    assert check(recorded).stdout == WORKS


@pytest.mark.parametrize(("changed", "to", "fault"), [
    ("} Carpool_Plan", "    int more;\n} Carpool_Plan", "'int more'"),
    ("[32]", "[33]", "'char algorithm[32]'"),
    ("const char *operation", "int operation", "from 'const char*' to 'int'"),
    ("MPI_Comm comm", "MPI_Info comm", "parameter 1 of type 'typedef MPI_Comm' changed"),
    ("const char *Carpool_Name(void);\n", "", "[D] 'function const char* Carpool_Name()'"),
    ("const char *Carpool_Name", LATE + "const char *Carpool_Name", "[A] 'function int Carpool_Late(MPI_Op)'")])
def test_each_change_is_found(recorded, changed, to, fault):
    tree(recorded, HEADER.replace(changed, to))
    result = check(recorded)
    assert result.returncode == 1
    assert result.stdout.startswith("interface/abi/1.0.xml: the headers have another binary interface:\n")
    assert fault in result.stdout


def test_a_later_minor_version_may_have_more_functions_and_not_fewer(recorded):
    tree(recorded, HEADER + LATE, "1.1.0")
    assert check(recorded).stdout == "interface/abi/1.1.xml is missing; tools/check_abi --write writes it\n"
    assert check(recorded, "--write").stdout == "abi: programs that were linked with 1.0, 1.1 still run\n"
    tree(recorded, HEADER, "1.1.0")
    result = check(recorded)
    assert result.returncode == 1
    assert "1.1.xml" in result.stdout and "1.0.xml" not in result.stdout
    assert "[D] 'function int Carpool_Late(MPI_Op)'" in result.stdout


def test_another_major_version_begins_anew(recorded):
    tree(recorded, LATE.replace("MPI_Op", "int"), "2.0.0")
    assert check(recorded, "--write").stdout == "abi: programs that were linked with 2.0 still run\n"


def test_without_abidiff_nothing_is_compared_and_nothing_fails(recorded):
    tree(recorded, LATE)
    result = check(recorded, PATH="")
    assert (result.returncode, result.stdout.split(",")[0]) == (0, "abi: there is no abidiff here")


def test_the_project_s_headers_have_the_recorded_interface():
    result = subprocess.run([sys.executable, ROOT / "tools/check_abi"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
