# SPDX-License-Identifier: MIT
"""Runs a program whose MPI calls Carpool makes, though it knows nothing of Carpool. Needs no
third-party package."""

import argparse
import os
import sys
from pathlib import Path

from carpool_cli.parsers import Parser
from carpool_cli.printable import complaint

DESCRIPTION = """Runs an MPI program, whose collectives Carpool makes. The program is not changed. COMMAND
is the whole command: carpool run --summary mpiexec -n 64 ./app input"""
LIBRARY = "libcarpool_mpi.so"
PASSED_ON = "OMPI_MCA_mca_base_env_list"

def library():
    """The library of MPI's names: that which CARPOOL_PRELOAD names, or that of the wheel."""
    named = os.environ.get("CARPOOL_PRELOAD")
    path = Path(named) if named else Path(__file__).parents[1] / "carpool" / "lib" / LIBRARY
    return str(path.resolve()) if path.exists() else None


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
    # Open MPI's mpiexec passes on to other hosts only what it is told to; others pass on all.
    passed = [name for name in changed if name == "LD_PRELOAD" or name.startswith("CARPOOL")]
    told = os.environ.get(PASSED_ON)
    changed[PASSED_ON] = ";".join([*([told] if told else []), *passed])
    return changed


def run(command, settings=None):
    """Becomes the command; returns only why that is not possible."""
    sys.stdout.flush()
    try:
        os.execvpe(command[0], list(command), environment(settings or {}))
    except OSError as error:
        return f"{command[0]}: {error.strerror}"


def number(text):
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of calls")
    return text


def parser():
    options = Parser("carpool run", description=DESCRIPTION, allow_abbrev=False,
                     usage="carpool run [OPTIONS] COMMAND...")
    options.add_argument("--calls", metavar="LIST", help="which collectives: neighbor, alltoall, persistent, names "
                         "such as allreduce, all, none  [default: neighbor,alltoall,persistent; on Open MPI "
                         "neighbor,persistent]")
    options.add_argument("--after", metavar="N", type=number,
                         help="let MPI make the first N calls of each on a communicator  [default: 20 of "
                         "neighborhoods, 10 of others; on Open MPI 200]")
    told = options.add_mutually_exclusive_group()
    told.add_argument("--summary", action="store_true", help="print at the end what has been done")
    told.add_argument("--report", metavar="FILE", help="write it to FILE, for `carpool report`")
    options.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER)
    return options


def main(arguments):
    """The command `carpool run`. Ends the program."""
    options = parser()
    given = options.parse_args(arguments)
    if not given.command:
        options.error("Missing argument 'COMMAND...'.")
    if library() is None:
        sys.exit(complaint(f"there is no {LIBRARY} beside this command; make install makes it, on Linux with an MPI"))
    # ./ ahead: for CARPOOL_REPORT a name without a dot or slash is no file
    report = "summary" if given.summary else given.report and os.path.join(os.curdir, given.report)
    options.error(run(given.command, {
        "CARPOOL_CALLS": given.calls, "CARPOOL_AFTER": given.after, "CARPOOL_REPORT": report}))
