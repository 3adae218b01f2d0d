"""The package and the library that it stands on say the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import carpool
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
    text = (SOURCE / "src" / "call" / "known_keys.cpp").read_text()
    keys = set(re.findall(r'"carpool_(\w+)"', text.split("};")[0]))
    assert set(Settings.__annotations__) == keys - {"sparse_exchange", "shared_memory"}


def test_everything_public_has_a_docstring():
    assert [name for name in carpool.__all__ if not getattr(carpool, name).__doc__] == []


@pytest.mark.alone
def test_a_library_that_is_missing_is_told_in_one_line(tmp_path):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PMI", "PMIX", "PRTE", "OMPI", "HYDI"))}
    run = subprocess.run([sys.executable, "-c", "import carpool"], capture_output=True, text=True,
                         check=False, env={**kept, "CARPOOL_BUILD": str(tmp_path)})
    last = run.stderr.strip().split("\n")[-1]
    assert last.startswith("ImportError: carpool: ") and str(tmp_path) in last
