"""Runs a program whose MPI calls Carpool makes, though it knows nothing of Carpool. Needs no
third-party package."""

import os
import sys
from pathlib import Path

LIBRARY = "libcarpool_mpi.so"
# Open MPI's mpiexec passes these on to other hosts only if it is told so; others pass on all.
PASSED_ON = ("LD_PRELOAD", "CARPOOL", "CARPOOL_CALLS", "CARPOOL_AFTER", "CARPOOL_SUMS",
             "CARPOOL_REPORT")


def library():
    """The library of MPI's names: that which CARPOOL_PRELOAD names, or that of the wheel."""
    named = os.environ.get("CARPOOL_PRELOAD")
    candidates = [Path(named)] if named else [Path(__file__).parents[1] / "carpool" / "lib" / LIBRARY]
    return next((str(path.resolve()) for path in candidates if path.exists()), None)


def paths(variable):
    return [path for path in os.environ.get(variable, "").split(":") if path]


def environment(settings):
    """The environment of the program: this one without what is the command's own, and the settings
    that are given."""
    own = str(Path(__file__).resolve().parents[1])
    changed = {**os.environ, "LD_PRELOAD": ":".join([library(), *paths("LD_PRELOAD")]),
               "PYTHONPATH": ":".join(path for path in paths("PYTHONPATH")
                                      if os.path.realpath(path) != own)}
    if not changed["PYTHONPATH"]:
        del changed["PYTHONPATH"]
    changed |= {name: value for name, value in settings.items() if value is not None}
    passed = [name for name in PASSED_ON if name in changed]
    changed.setdefault("OMPI_MCA_mca_base_env_list", ";".join(passed))
    return changed


def run(command, settings=None):
    """Becomes the command; returns only why that is not possible."""
    if library() is None:
        return f"there is no {LIBRARY} here; it is built on Linux, with an MPI"
    sys.stdout.flush()
    try:
        os.execvpe(command[0], list(command), environment(settings or {}))
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
