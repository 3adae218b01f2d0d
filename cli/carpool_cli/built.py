# SPDX-License-Identifier: MIT
"""Which version this is, and for which MPI: its launcher says so, or the wheel in which it came."""

import os
from pathlib import Path

WHEELS = Path(__file__).with_name("libexec") / "assumed_mpi"


def _version():
    from importlib import metadata  # takes an eighth of the time of all imports, and launchers know their version

    try:
        return metadata.version("carpool")
    except metadata.PackageNotFoundError:
        return "unknown"


VERSION = os.environ.get("CARPOOL_COMMAND_VERSION") or _version()
ASSUMED_MPI = (os.environ.get("CARPOOL_ASSUMED_MPI")
               or (WHEELS.read_text(encoding="utf-8") if WHEELS.exists() else "mpich"))
