"""What messages are assumed to cost: what the library assumes, a tuning file says, or the user."""

from pathlib import Path

import click

from carpool_cli import machines, planner
from carpool_cli.built import ASSUMED_MPI as USUAL_MPI  # where nobody says --mpi

MPI_NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
WORDS = {"by_mpi": "by {mpi} on one node", "through_memory": "through the memory of one node",
         "between_nodes": "between nodes"}


def said_in(file):
    """The text of a tuning file; none for no file."""
    if not file:
        return None
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"--tuning {file}: {getattr(error, 'strerror', error)}") from None


def known(mpi, tuning):
    """Costs by level of "neighborhoods" and "collectives", and cut-offs."""
    try:
        return planner.ask("costs", mpi=mpi, tuning=said_in(tuning))
    except click.UsageError as error:
        raise click.ClickException(f"--tuning {tuning}: {error.message}") from None


def assumed(work, given, own, own_within):
    """The part of a question that says it. Costs of its own are between ranks as far from each
    other as there are; `within` is for those on one node, where there are several nodes."""
    of_machine = known(given["mpi"], given["tuning"])
    near = "by_mpi" if given["transport"] == "mpi" else "through_memory"
    far = "between_nodes" if given.get("per_node") else near
    found = on_machine(given, near, far) or of_machine[work]
    ports = {"ports": given["ports"]}
    said = {**changed(found[far], own), **ports, "assumed": words(far, given),
            "message_cut_offs": of_machine["cut_offs"]}
    if given.get("per_node"):
        said["within"] = {**changed(found[near], own_within), **ports}
    return said


def on_machine(given, near, far):
    """The costs of --machine, by level; none where it is not asked for."""
    if given["costs_of"] is None:
        return {}
    between, within = given["costs_of"].costs(max(given["per_node"] or [1]))
    return {near: within} if far == near else {near: within, far: between}


def changed(usual, own):
    return {name: usual[name] if value is None else value for name, value in own.items()}


def words(level, given):
    shared = ", as if nodes shared no links (see carpool simulate)" if given["shares_links"] else ""
    return f"{source(level, given)}{shared}"


def source(level, given):
    where = WORDS[level].format(mpi=MPI_NAMES[given["mpi"]])
    if given["costs_of"]:
        return f"{where}, on {given['machine'] or machines.USUAL}"
    if given["tuning"]:
        return f"{where}, by {given['tuning']}"
    return where if level == "by_mpi" else f"{where}, with {MPI_NAMES[given['mpi']]}"
