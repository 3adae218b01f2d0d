"""Costs of this machine: timed by an MPI program, fitted, and kept in a tuning file."""

import json
import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from carpool_cli.programs import program

VERSION = 1
COSTS = ("alpha", "beta", "sigma")  # seconds per message, byte and phase
KEPT = ("CARPOOL_NODE", "CARPOOL_PROGRESS", "CARPOOL_SHARED_MEMORY")  # of CARPOOL_* variables


@dataclass(frozen=True)
class Fit:
    """A level's costs, and the equations to which they are fitted."""

    work: str
    level: str
    costs: dict
    equations: list

    def ratios(self):
        """Fitted over measured times, ascending."""
        return sorted(fitted(self.costs, one) / one["seconds"] for one in self.equations)


def fitted(costs, equation):
    """What the model says of an exchange."""
    return (equation["messages"] * costs["alpha"] + equation["bytes"] * costs["beta"]
            + equation["phases"] * costs["sigma"])


def fit(work, level, equations):
    """The costs of least relative error; none is negative."""
    import numpy as np  # it takes a while to load
    from scipy.optimize import nnls

    rows = np.array([[one["messages"], one["bytes"], one["phases"]] for one in equations], float)
    seconds = np.array([one["seconds"] for one in equations])
    rows /= seconds[:, np.newaxis]
    scale = rows.max(axis=0)  # a byte costs a thousandth of a message
    scale[scale == 0] = 1
    found, _ = nnls(rows / scale, np.ones(len(equations)))
    return Fit(work, level, dict(zip(COSTS, (float(x) for x in found / scale), strict=True)),
               equations)


def fits(equations):
    """One of each level of each kind of work."""
    groups = {}
    for one in equations:
        groups.setdefault((one["work"], one["level"]), []).append(one)
    return [fit(work, level, members) for (work, level), members in groups.items()]


def timed(launch, rounds, advance):
    """What the program prints, by lines; `advance` is called after each round."""
    command = [*shlex.split(launch), program("carpool-tune"), str(rounds)]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CARPOOL_") or name in KEPT}
    try:
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
            lines = list(heard(run.stdout, advance))
    except OSError as error:
        raise click.ClickException(f"{command[0]}: {error.strerror}; say --launch") from None
    if run.returncode != 0 or len(lines) < 2:
        raise click.ClickException(f"'{shlex.join(command)}' ended with {run.returncode}")
    return lines[0], lines[1:]


def heard(stdout, advance):
    for text in stdout:
        if not text.startswith("{"):
            continue
        line = json.loads(text)
        if "round" in line:
            advance()
        else:
            yield line


def entry(machine, found):
    """A machine's, as a tuning file has it."""
    result = dict(machine)
    for one in found:
        result.setdefault(one.work, {})[one.level] = one.costs
    return result


def known(file):
    """What the file holds already."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {"carpool_tuning": VERSION, "machines": []}
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    try:
        content = json.loads(text)
    except ValueError as error:
        raise click.ClickException(f"{file}: no JSON: {error}") from None
    if not isinstance(content, dict) or content.get("carpool_tuning") != VERSION:
        raise click.ClickException(f"{file}: no tuning file of version {VERSION}")
    return content


def keep(file, machine):
    """Puts the machine into the file, in place of the costs that it has of the same MPI; what
    requests have found stays. What a program reads meanwhile is the old file or the new one."""
    content = known(file)
    choices = [choice for one in content["machines"] if one["mpi"] == machine["mpi"]
               for choice in one.get("choices", [])]
    content["machines"] = [one for one in content["machines"] if one["mpi"] != machine["mpi"]]
    content["machines"].append(machine | ({"choices": choices} if choices else {}))
    folder = Path(file).resolve().parent
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as new:
            json.dump(content, new, indent=1)
            new.write("\n")
        os.chmod(new.name, 0o644)
        os.replace(new.name, file)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
