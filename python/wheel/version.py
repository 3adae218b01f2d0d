# SPDX-License-Identifier: MIT
"""The version of the distribution: CMake's, and which MPI a wheel is for, as 1.0.0+mpich."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def dynamic_metadata(field, settings=None, *rest):
    text = (ROOT / "CMakeLists.txt").read_text()
    number = re.search(r"project\(Carpool VERSION ([\d.]+)", text)[1]
    mpi = os.environ.get("CARPOOL_WHEEL_MPI")
    return f"{number}+{mpi}" if mpi else number
