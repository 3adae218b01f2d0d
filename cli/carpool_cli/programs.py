# SPDX-License-Identifier: MIT
"""Where the programs are that do the work."""

import os
from pathlib import Path

WHEEL = Path(__file__).with_name("libexec")  # a wheel has them here


def program(name):
    """carpool-planner: the one that CARPOOL_PLANNER names, that of the wheel, or one on the PATH."""
    beside = WHEEL / name
    variable = name.replace("-", "_").upper()
    return os.environ.get(variable) or (str(beside) if beside.exists() else name)
