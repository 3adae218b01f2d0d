# SPDX-License-Identifier: MIT
"""Where numbers come from: each file of results names the machine, the versions, the command and the commit."""

import datetime
import os
import platform
import re
import shlex
import subprocess
from importlib import metadata
from pathlib import Path

import programs

# What is compiled into a bench. Pages and scripts may change after a run without making it one of another commit.
COMPILED = ("src", "include", "bench/support", "bench/*.cpp", "examples", "cmake", "CMakeLists.txt", "CMakePresets.json")


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=programs.ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    """The last commit that has changed what is compiled."""
    name = git("log", "-1", "--format=%h", "--abbrev=8", "--", *COMPILED) or "none"
    return name + ("-dirty" if git("status", "--porcelain", "--", *COMPILED) else "")


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def machine():
    return {"processor": processor(), "cores": os.cpu_count(), "system": platform.platform()}


def version_of(mpi):
    """The version of its package in this environment; of an MPI of the system, by which mpicc it was found."""
    try:
        return f"{mpi} {metadata.version(mpi)}"
    except metadata.PackageNotFoundError:
        return f"{mpi}, {os.environ.get('MPICC', 'mpicc')}"


def compiler():
    """Name and version, as CMake has found them for the build folder."""
    for file in programs.build_folder().glob("CMakeFiles/*/CMakeCXXCompiler.cmake"):
        found = dict(re.findall(r'^set\(CMAKE_CXX_COMPILER_(ID|VERSION) "(.*)"\)', file.read_text(encoding="utf-8"),
                                re.MULTILINE))
        return f"{found['ID']} {found['VERSION']}"
    return "unknown"


def settings_around():
    """What of the environment changes what Carpool does."""
    return {name: value for name, value in sorted(os.environ.items())
            if name.startswith("CARPOOL_") and name not in ("CARPOOL_MPI", "CARPOOL_BUILD")}


def command(script, arguments, environment=None):
    """What a reader types, but for where its results go and the priority, which is a setting."""
    words = list(arguments)
    if "--out" in words:
        del words[words.index("--out"):words.index("--out") + 2]
    around = settings_around() if environment is None else environment
    before = [f"{name}={value}" for name, value in around.items()]
    return shlex.join([*before, f"bench/{script}", *(word for word in words if word != "--realtime")])


def origin(what, mpi, command, settings):
    """The first members of a file of results."""
    return {"what": what, "mpi": mpi, "version": version_of(mpi), "compiler": compiler(),
            "machine": machine(),
            "settings": settings | {"build": programs.build_folder().name},
            "commit": commit(), "date": datetime.datetime.now().isoformat(timespec="minutes"),
            "load": round(os.getloadavg()[0], 1), "command": command}


MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}


def named(found):
    """MPICH 5.0.2"""
    return found["version"].replace(found["mpi"], MPIS.get(found["mpi"], found["mpi"]), 1)


def machine_name(of):
    return f"{of['cores']} cores ({of['processor']})"


def priority(settings):
    return "at real-time priority" if settings["realtime"] else "at usual priority"


def machine_and_day(found):
    """What a reader of its tables needs to know."""
    settings = found["settings"]
    return (f"{named(found)}, {machine_name(found['machine'])}, {found['compiler']}, "
            f"{settings['build'].rsplit('-')[-1]} build, {priority(settings)}; commit {found['commit']}, "
            f"{found['date'].partition('T')[0]}")


def sentence(found):
    """The same with the time of day."""
    return f"{machine_and_day(found)} {found['date'].partition('T')[2]}"
