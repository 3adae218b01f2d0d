# SPDX-License-Identifier: MIT
"""The recipes in packaging/: as much as can be told without Debian, Spack and conda."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "wheel"))
sys.path.insert(0, str(ROOT / "cli"))

from carpool_cli.plain import COMMANDS  # noqa: E402
from version import dynamic_metadata  # noqa: E402

SPACK = ROOT / "packaging" / "spack" / "package.py"
CONDA = ROOT / "packaging" / "conda" / "recipe.yaml"
DEBIAN = ROOT / "packaging" / "debian"


def options():
    """The options that CMake offers."""
    text = "".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
    return set(re.findall(r"^(?:option\(|set\((?=[^\n]* CACHE ))(\w+) ", text, re.MULTILINE)) | {"MPI_C_COMPILER"}


def test_the_spack_recipe_is_a_cmake_package_of_python():
    tree = ast.parse(SPACK.read_text())
    package = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    assert package.name == "Carpool"
    assert [base.id for base in package.bases] == ["CMakePackage"]
    called = {node.func.id for node in ast.walk(package)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert {"version", "variant", "depends_on", "license"} <= called


def test_the_conda_recipe_has_all_required_fields():
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


def test_each_file_of_debian_is_for_a_package_that_there_is():
    packages = set(re.findall(r"^Package: (\S+)$", (DEBIAN / "control").read_text(), re.MULTILINE))
    major = dynamic_metadata("version").split(".")[0]
    assert packages == {f"libcarpool{major}", "libcarpool-dev", "carpool"}
    for kind in ("install", "lintian-overrides", "symbols", "triggers", "manpages"):
        assert {path.stem for path in DEBIAN.glob(f"*.{kind}")} <= packages


def test_the_symbols_of_debian_have_each_version_of_symbols():
    nodes = re.findall(r"^(CARPOOL_([\d.]+)) ", (ROOT / "src" / "carpool.map").read_text(), re.MULTILINE)
    symbols = next(DEBIAN.glob("libcarpool*.symbols")).read_text()
    assert re.findall(r"^ \(symver\)(\S+) ([\d.]+)\.0$", symbols, re.MULTILINE) == nodes


def test_the_manual_page_has_all_commands():
    page = (DEBIAN / "carpool.1").read_text().split(".SH COMMANDS\n")[1].split(".PP\n")[0]
    assert page == "".join(f".TP\n.B {name}\n{what}\n" for name, what in COMMANDS.items())
