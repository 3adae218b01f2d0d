# SPDX-License-Identifier: MIT
"""Exchanges on this machine, timed by an MPI program, and the tuning file that keeps costs."""

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import click

from carpool_cli import json_files
from carpool_cli.programs import program

VERSION = 1
WORKS = ("neighborhoods", "collectives")  # which have costs of their own
KEPT = ("CARPOOL_NODE", "CARPOOL_PROGRESS", "CARPOOL_SHARED_MEMORY")  # of CARPOOL_* variables


def told(launch, words, advance, tuning=None):
    """What the program prints, by lines, first what runs; `advance` hears how much is done.

    @param words   what it is to do
    @param tuning  a file of which it knows, and to which it writes what requests find"""
    command = [*words_of(launch), program("carpool-tune"), *map(str, words)]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CARPOOL_") or name in KEPT}
    if tuning:
        environment["CARPOOL_TUNING"] = str(Path(tuning).resolve())
    try:
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
            lines = list(heard(run.stdout, advance))
    except OSError as error:
        raise click.UsageError(f"{command[0]}: {error.strerror}; say --launch") from None
    if run.returncode != 0 or not lines:
        raise click.ClickException(f"'{shlex.join(command)}' ended with {run.returncode}")
    return lines[0], lines[1:]


def measured(lines):
    """Equations for costs, messages for cut-offs, and the costs of copies and sums."""
    (blocks,) = (one for one in lines if "copy_per_byte" in one)
    return ([one for one in lines if "work" in one], [one for one in lines if "way" in one], blocks)


def words_of(launch):
    try:
        return shlex.split(launch)
    except ValueError as error:
        raise click.UsageError(f"--launch {launch}: {error}") from None


def heard(stdout, advance):
    for text in stdout:
        try:
            line = json.loads(text)
        except ValueError:  # what a launcher says
            continue
        if not isinstance(line, dict):
            continue
        if "done" in line:
            advance(line["done"])
        else:
            yield line


def entry(machine, found, cut_offs, blocks):
    """A machine's, as a tuning file has it."""
    result = {name: value for name, value in machine.items() if name != "usual_cut_offs"}
    for one in found:
        result.setdefault(one.work, {})[one.level] = one.costs
    return result | {"cut_offs": cut_offs.lengths, "blocks": blocks}


def known(file):
    """What the file holds already."""
    content = json_files.read(file, missing={"carpool_tuning": VERSION, "machines": []})
    if not isinstance(content, dict) or content.get("carpool_tuning") != VERSION:
        raise click.UsageError(f"{file}: no tuning file of version {VERSION}")
    machines = content.get("machines")
    if not isinstance(machines, list) or not all(map(is_machine, machines)):
        raise click.UsageError(f"{file}: machines, expected a list of objects with a text "
                               "\"mpi\", and a list \"choices\" if any")
    return content


def is_machine(one):
    return (isinstance(one, dict) and isinstance(one.get("mpi"), str)
            and isinstance(one.get("choices", []), list))


def costs_of(machine):
    return [machine.get(work) for work in WORKS]


def keep(file, machine):
    """Puts the machine into the file, in place of the costs that it has of the same MPI; the file's
    mode stays, and links to it. What requests have found stays where costs do: it is remembered by
    them, and nobody would find it by others. What a program reads meanwhile is the old file or the
    new one."""
    content = known(file)
    choices = [choice for one in content["machines"]
               if one["mpi"] == machine["mpi"] and costs_of(one) == costs_of(machine)
               for choice in one.get("choices", [])]
    content["machines"] = [one for one in content["machines"] if one["mpi"] != machine["mpi"]]
    content["machines"].append(machine | ({"choices": choices} if choices else {}))
    target = Path(file).resolve()
    mode = target.stat().st_mode if target.exists() else 0o644
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent,
                                         delete=False) as new:
            json.dump(content, new, indent=1)
            new.write("\n")
        os.chmod(new.name, mode)
        os.replace(new.name, target)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None
