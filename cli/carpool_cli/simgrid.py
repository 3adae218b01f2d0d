# SPDX-License-Identifier: MIT
"""Replays traces with SimGrid's smpirun, where it is installed."""

import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from carpool_cli import planner

DETACHED_BELOW = 65536  # a sender of this many bytes or more waits for its receiver
MISSING = ("SimGrid's smpirun is not on the PATH; on Debian or Ubuntu: "
           "apt-get install --no-install-recommends libsimgrid-dev")


def is_here():
    return shutil.which("smpirun") is not None


def check():
    if not is_here():
        raise click.ClickException(MISSING)


@functools.cache
def precision():
    """The option of that name, which changed with 3.33."""
    version = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)\.(\d+)", version.stdout)
    old = found and (int(found[1]), int(found[2])) < (3, 33)
    return "surf/precision" if old else "precision/timing"


def settings(machine, selector):
    """SMPI's own factors were fitted to an old cluster, and its overheads are 0."""
    sends, receives = (f"0:{seconds:.9g}:0" for seconds in (machine.send_overhead, machine.receive_overhead))
    chosen = {"smpi/display-timing": "yes", "smpi/host-speed": "1000000000f", precision(): "1e-12",
              "smpi/bw-factor": "0:1.0", "smpi/lat-factor": "0:1.0", "network/weight-S": "0",
              "network/crosstraffic": "0", "smpi/send-is-detached-thresh": DETACHED_BELOW,
              "smpi/os": sends, "smpi/ois": sends, "smpi/or": receives}
    if selector:
        chosen["smpi/coll-selector"] = selector
    return [f"--cfg={name}:{value}" for name, value in chosen.items()]


def replayed(asked, machine, platform, limit):
    """Seconds that a question's method takes; None if the replay takes longer than the limit."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "ranks.txt"
        nodes = planner.ask("trace", **asked, costs=machine.costs(),
                            detached_below=DETACHED_BELOW, file=str(trace))["nodes"]
        return replay(Path(folder), machine, platform, nodes, limit)


def collective(action, machine, platform, ranks, limit, selector):
    """Seconds that a collective of SimGrid takes, by the algorithms of one MPI; None also where SimGrid
    aborts, as 3.32 does in some. @param action: such as "alltoall 76 76", in bytes"""
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"{rank} {what}\n" for what in ("init", action, "finalize") for rank in range(ranks)]
        (Path(folder) / "ranks.txt").write_text("".join(lines), encoding="utf-8")
        with contextlib.suppress(click.ClickException):
            nodes = [rank // platform.per_node for rank in range(ranks)]
            return replay(Path(folder), machine, platform, nodes, limit, selector)
        return None


def replay(folder, machine, platform, nodes, limit, selector=None):
    """Runs the trace that lies in the folder. @param nodes: per rank"""
    (folder / "list.txt").write_text(f"{folder / 'ranks.txt'}\n", encoding="utf-8")
    hosts = [f"{platform.host(node)}\n" for node in nodes]
    (folder / "hosts.txt").write_text("".join(hosts), encoding="utf-8")
    command = ["smpirun", "-np", str(len(nodes)), "-hostfile", "hosts.txt",
               "-platform", platform_file(folder, machine, platform),
               "-replay", "list.txt", "-no-privatize", *settings(machine, selector)]
    said = output(command, folder, limit)
    if said is None:
        return None
    found = re.search(r"Simulated time: (\S+) seconds", said)
    if not found:
        raise click.ClickException(f"smpirun failed on {platform.text}: {cause(said)}")
    return float(found[1])


def platform_file(folder, machine, platform):
    """A user's file stays where it is, beside files that it may name."""
    if platform.is_file:
        return str(Path(platform.text).resolve())
    (folder / "platform.xml").write_bytes(platform.xml(machine))
    return "platform.xml"


def cause(said):
    """SimGrid's own reason: its first error, or else its last line that is none of smpirun's."""
    found = re.search(r"/(?:ERROR|CRITICAL)\] *(.+)", said)
    if found:
        return found[1]
    lines = [line for line in said.splitlines()
             if line and not re.match(r"Execution failed|/\S*smpi\w*main |Aborted| *-> ", line)]
    return lines[-1] if lines else "it said nothing"


def output(command, folder, limit):
    """What a program says; None if it takes longer. It is a script, whose child ends with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # through `finally`
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, errors="replace", start_new_session=True)
    try:
        return run.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
