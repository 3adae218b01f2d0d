# SPDX-License-Identifier: MIT
"""What messages are assumed to cost: what the library assumes, a tuning file says, or the user."""

import functools

import click

from carpool_cli import files, machines, planner
from carpool_cli.built import ASSUMED_MPI as USUAL_MPI  # noqa: F401  where nobody says --mpi

MPI_NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
WORDS = {"by_mpi": "by {mpi} on one node", "through_memory": "through the memory of one node",
         "between_nodes": "between nodes"}


@functools.cache
def said_in(file):
    """The text of a tuning file, which is read once; none for no file."""
    return files.text(file) if file else None


@functools.cache
def known(mpi, tuning):
    """Costs by level of "neighborhoods" and "collectives", cut-offs, and choices."""
    try:
        return planner.ask("costs", mpi=mpi, tuning=said_in(tuning))
    except files.Unreadable as error:
        raise click.UsageError(f"--tuning {error}") from None
    except click.UsageError as error:
        raise click.UsageError(f"--tuning {tuning}: {error.message}") from None


def measured(mpi, tuning, work):
    """The levels whose costs are in the tuning file."""
    return known(mpi, tuning)[work]["measured"] if tuning else []


def assumed(work, given, own, own_within):
    """The part of a question that says it. Costs of its own are between ranks as far from each
    other as there are; `within` is for those on one node, where there are several nodes."""
    of_machine = known(given["mpi"], given["tuning"])
    near = "by_mpi" if given["transport"] == "mpi" else "through_memory"
    far = "between_nodes" if given.get("per_node") else near
    found = on_machine(given, near, far) or of_machine[work]
    ports = {"ports": given["ports"]}
    said = {**changed(found[far], own), **ports, **beyond_messages(given), "assumed": words(work, far, given),
            "message_cut_offs": of_machine["cut_offs"], "blocks": of_machine["blocks"]}
    if given.get("per_node"):
        said["within"] = {**changed(found[near], own_within), **ports}
    return said


def on_machine(given, near, far):
    """The costs of --machine, by level; none where it is not asked for."""
    if given["costs_of"] is None:
        return {}
    between = given["costs_of"].costs()
    within = between["within"]
    return {near: within} if far == near else {near: within, far: between}


def beyond_messages(given):
    """What else --machine says: of adapters, copies and sums."""
    return {"machine": given["costs_of"].costs()["machine"]} if given["costs_of"] else {}


def changed(usual, own):
    return {name: usual[name] if value is None else value for name, value in own.items()}


def words(work, level, given):
    return f"{source(work, level, given)}{network(given['on'])}"


def source(work, level, given):
    mpi = MPI_NAMES[given["mpi"]]
    where = WORDS[level].format(mpi=mpi)
    if given["costs_of"]:
        return f"{where}, on {given['machine'] or machines.USUAL}"
    if level in measured(given["mpi"], given["tuning"], work):
        return f"{where}, by {given['tuning']}"
    usual = where if level == "by_mpi" else f"{where}, with {mpi}"
    return f"{usual} ({lacking(work, level, given)})" if given["tuning"] else usual


def network(platform):
    """What these costs do not know of a platform."""
    if platform is None or not platform.shares_links:
        return ""
    which = f", not on the network of {platform.text}" if platform.is_file else ""
    return f"{which}, as if nodes shared no links (see carpool simulate)"


def lacking(work, level, given):
    """That a tuning file does not say these costs, and of which other MPI it does."""
    others = [f"those for {name} by --mpi {mpi}" for mpi, name in MPI_NAMES.items()
              if mpi != given["mpi"] and level in measured(mpi, given["tuning"], work)]
    return f"not by {given['tuning']}, which has no such costs{', but ' if others else ''}{''.join(others)}"
