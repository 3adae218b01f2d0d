# SPDX-License-Identifier: MIT
"""What the command carpool draws of plans on grids."""

import shlex
from pathlib import Path

import pytest

from in_process import carpool


@pytest.mark.parametrize(("grid", "stencil"), [
    ("torus 6x6", "moore 2 1"), ("torus 6x6x6", "moore 3 1"), ("torus 6x6x6x6", "moore 4 1"),
    ("torus 6", "moore 1 2"), ("mesh 6x6", "offsets 0,0"), ("torus 3x3", "moore 2 2"),
    ("torus 60x60", "moore 2 12")])
def test_plots_are_made_for_any_dimension_and_are_the_same_each_time(tmp_path, grid, stencil):
    pictures = []
    for name in ("a.svg", "b.svg"):
        run = carpool("plan", grid, stencil, "--plot", str(tmp_path / name))
        assert run.returncode == 0, run.stderr
        pictures.append(Path(tmp_path / name).read_bytes())
    assert pictures[0].startswith(b"<?xml")
    assert pictures[0] == pictures[1]


def test_the_readme_opens_with_what_its_command_draws(tmp_path):
    source = Path(__file__).parents[2]
    line = next(line for line in (source / "README.md").read_text().splitlines()
                if "--plot docs/combining.svg" in line)
    command = shlex.split(line[line.index("carpool ") + len("carpool "):].split("`")[0])
    command[-1] = str(tmp_path / "combining.svg")
    assert carpool(*command).returncode == 0
    assert (tmp_path / "combining.svg").read_bytes() == (source / "docs/combining.svg").read_bytes()


def test_plots_for_reading_are_also_png(tmp_path):
    file = tmp_path / "picture.png"
    assert carpool("explain", "torus 6x6", "moore 2 1", "--plot", str(file)).returncode == 0
    assert file.read_bytes().startswith(b"\x89PNG")
