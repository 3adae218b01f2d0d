# SPDX-License-Identifier: MIT
"""The recipes in packaging/: as much as can be told without Spack and conda."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "wheel"))

from version import dynamic_metadata  # noqa: E402

SPACK = ROOT / "packaging" / "spack" / "package.py"
CONDA = ROOT / "packaging" / "conda" / "recipe.yaml"


def options():
    """Those that CMakeLists.txt offers."""
    text = (ROOT / "CMakeLists.txt").read_text()
    return set(re.findall(r"^(?:option\(|set\()(\w+) ", text, re.MULTILINE)) | {"MPI_C_COMPILER"}


def test_the_spack_recipe_is_a_cmake_package_of_python():
    tree = ast.parse(SPACK.read_text())
    package = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    assert package.name == "Carpool"
    assert [base.id for base in package.bases] == ["CMakePackage"]
    called = {node.func.id for node in ast.walk(package)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert {"version", "variant", "depends_on", "license"} <= called


def test_the_conda_recipe_has_the_fields_of_one():
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load(CONDA.read_text())
    assert {"package", "source", "build", "requirements", "tests", "about"} <= recipe.keys()
    assert (CONDA.parent / recipe["source"]["path"] / "CMakeLists.txt").exists()
    assert (ROOT / recipe["about"]["license_file"]).exists()


def test_the_recipes_name_options_that_there_are():
    spack = set(re.findall(r'define(?:_from_variant)?\("(\w+)"', SPACK.read_text()))
    conda = set(re.findall(r"-D(\w+)=", CONDA.read_text()))
    assert spack and conda
    assert spack - options() == set()
    assert conda - options() == set()


def test_each_version_is_the_project_s(monkeypatch):
    monkeypatch.delenv("CARPOOL_WHEEL_MPI", raising=False)
    assert f"\n  version: {dynamic_metadata('version')}\n" in CONDA.read_text()
