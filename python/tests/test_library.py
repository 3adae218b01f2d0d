# SPDX-License-Identifier: MIT
"""The package and the library that it stands on say the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import carpool
from carpool import _library
from carpool._declarations import FUNCTIONS
from carpool.settings import Settings

PACKAGE = Path(carpool.__file__).parent
SOURCE = Path(__file__).parents[2]


@pytest.mark.alone
def test_every_function_of_c_is_called():
    code = "".join(path.read_text() for path in PACKAGE.glob("*.py")
                   if path.name != "_declarations.py")
    declared = re.findall(r"int Carpool_(\w+)\(", FUNCTIONS)
    assert len(declared) > 100
    missing = [name for name in declared if not re.search(rf'\bCarpool_{name}\b|"{name}"', code)]
    assert missing == ["Halo_init"]  # of which Halo_init_strided is the general form


def test_settings_are_the_info_keys():
    text = (SOURCE / "src" / "arguments" / "known_keys.cpp").read_text()
    keys = set(re.findall(r'"carpool_(\w+)"', text.split("};")[0]))
    assert set(Settings.__annotations__) == keys - {"sparse_exchange", "shared_memory"}


def test_everything_public_has_a_docstring():
    assert [name for name in carpool.__all__ if not getattr(carpool, name).__doc__] == []


def structures(text):
    """Their fields, each in one line: name, type and name of the field."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return {name: " ".join(fields.split())
            for name, fields in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.DOTALL)}


def fields_by_name(text):
    """Several of one type may be declared together."""
    declared = [one.strip() for one in text.split(";") if one.strip()]
    found = []
    for one in declared:
        first, *others = one.split(", ")
        type_of_all = re.match(r"(.*?)(\w+(\[\d+\])?)$", first)[1]
        found += [first, *(type_of_all + other for other in others)]
    return found


@pytest.mark.alone
def test_structures_are_those_of_the_headers():
    headers = "".join(path.read_text() for path in (SOURCE / "include" / "carpool").glob("*.h"))
    in_c, in_python = structures(headers), structures(_library._TYPES)
    assert in_c.keys() == in_python.keys() == {"Carpool_Halo", "Carpool_Plan"}
    for name, fields in in_c.items():
        assert fields_by_name(in_python[name]) == fields_by_name(fields)
        assert len(_library.ffi.typeof(name).fields) == len(fields_by_name(fields))


def python(code, **variables):
    """Runs it on one rank of its own."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PMI", "PMIX", "PRTE", "OMPI", "HYDI"))}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=False, env={**kept, **variables}, timeout=60)


AFTER_MPI = """
import numpy as np
from mpi4py import MPI
import carpool
comm = MPI.COMM_WORLD
grid = carpool.Neighborhood(comm, offsets="moore 2 1")
halo = carpool.Halo(grid, np.zeros((5, 5)))
delivery = carpool.sparse_exchange(comm, [0], [np.zeros(1)])
MPI.Finalize()
print(repr(halo), repr(grid), repr(delivery), halo._repr_html_(), bool(halo))
with halo, grid:
    halo.free()
"""


@pytest.mark.alone
def test_objects_may_outlive_mpi():
    run = python(AFTER_MPI)
    assert (run.returncode, run.stdout.split()[:2]) == (0, ["<Halo", "freed>"]), run.stderr


@pytest.mark.alone
def test_a_library_that_is_missing_is_told_in_one_line(tmp_path):
    run = python("import carpool", CARPOOL_BUILD=str(tmp_path))
    last = run.stderr.strip().split("\n")[-1]
    assert last.startswith("ImportError: carpool: ") and str(tmp_path) in last
