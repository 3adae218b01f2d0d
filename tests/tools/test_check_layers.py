# SPDX-License-Identifier: MIT
"""The layer check passes what is right and finds each breach that it claims to find."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_layers"


def check(root, file, text):
    path = root / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)


@pytest.mark.parametrize("file, text", [
    ("topology/grid.hpp", "#include <vector>\n"),
    ("routing/torus.cpp", '#include "topology/grid.hpp"\nint torus();\n'),
    ("routing/torus.cpp", "// off a mesh: MPI_PROC_NULL at the edge\n"),
    ("engine/exchange.cpp", "/* the direct rule\n   costs nothing */ int redirected();\n"),
    ("engine/exchange.cpp", '#include <mpi.h>\n#include "schedule/schedule.hpp"\n'),
    ("api/carpool.cpp", '#include "engine/exchange.hpp"\n#include <carpool/carpool.h>\n'),
])
def test_correct_input_passes(tmp_path, file, text):
    result = check(tmp_path, file, text)
    assert (result.returncode, result.stdout) == (0, "layers: every include runs downward\n")


@pytest.mark.parametrize("file, text, breach", [
    ("topology/grid.hpp", "#include <mpi.h>", "includes mpi.h"),
    ("choose/cost.hpp", '#include "mpi.h"', "includes mpi.h"),
    ("schedule/slot.hpp", "#include <carpool/carpool.h>", "includes carpool/carpool.h"),
    ("topology/grid.hpp", '#include "routing/plan.hpp"', "a layer above"),
    ("engine/exchange.hpp", '  #  include "api/guarded.hpp"', "a layer above"),
    ("routing/plan.cpp", "int x = MPI_PROC_NULL;", "says MPI_"),
    ("engine/exchange.cpp", 'if (rule == "torus") {}', "says torus"),
    ("engine/exchange.cpp", "bool is_direct;", "says direct"),
    ("engine/exchange.cpp", "struct CartesianPlan;", "says cartesian"),
])
def test_an_include_upwards_is_found(tmp_path, file, text, breach):
    result = check(tmp_path, file, "\n" + text + "\n")
    assert result.returncode == 1
    assert f"{file}:2: " in result.stdout and breach in result.stdout


def test_a_cycle_through_sources_is_found(tmp_path):
    for file, included in [("mpi/a.hpp", "mpi/b.hpp"), ("mpi/b.cpp", "mpi/a.hpp"),
                           ("mpi/c.hpp", "mpi/a.hpp")]:
        (tmp_path / "mpi").mkdir(exist_ok=True)
        (tmp_path / file).write_text(f'#include "{included}"\n')
    (tmp_path / "mpi/b.hpp").touch()
    result = check(tmp_path, "engine/d.hpp", "")
    assert result.returncode == 1
    assert "a circle of includes: mpi/a -> mpi/b -> mpi/a" in result.stdout


def test_a_missing_folder_is_an_error(tmp_path):
    result = subprocess.run([sys.executable, CHECK, tmp_path / "none"], capture_output=True)
    assert result.returncode != 0
