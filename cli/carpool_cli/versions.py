# SPDX-License-Identifier: MIT
"""Which Carpool this is and, for who reports a mistake, on which MPI and machine. Needs no third-party package."""

import json
import platform
import re
import subprocess

from carpool_cli.built import VERSION
from carpool_cli.printable import shown
from carpool_cli.programs import program

TEXT = f"carpool {VERSION}"


def asked(arguments):
    """Whether the command line asks for versions alone."""
    return "--version" in arguments and set(arguments) <= {"--version", "--mpi"}


def text(arguments):
    return "\n".join([TEXT, *map(shown, in_full())]) if "--mpi" in arguments else TEXT


def in_full():
    yield from of_mpi()
    yield f"  Python    {platform.python_version()}"
    yield f"  system    {platform.system()} {platform.release()} {platform.machine()} {' '.join(platform.libc_ver())}"


def of_mpi():
    """What the program that is linked with MPI says of it, or why it does not run."""
    try:
        run = subprocess.run([program("carpool-tune"), "versions"], capture_output=True, text=True, timeout=60,
                             check=True)
        found = json.loads(run.stdout)
    except FileNotFoundError:
        yield "  MPI       none: this command was built without"
    except subprocess.CalledProcessError as error:
        yield f"  MPI       cannot be loaded: {' '.join(error.stderr.split())}"
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        yield f"  MPI       unknown: {error}"
    else:
        yield f"  library   {found['library']}"
        yield f"  MPI       {'; '.join(telling(found['mpi']))}; MPI {found['standard']}"
        yield f"  compiler  {found['compiler']}"


def telling(version):
    """Of the lines in which an MPI tells its version: the first, and its device."""
    lines = [" ".join(line.split()) for line in version.splitlines() if line.strip()]
    return lines[:1] + [line for line in lines[1:] if re.match("MPICH Device", line)]
