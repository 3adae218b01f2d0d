# SPDX-License-Identifier: MIT
"""The command about a machine: tune."""

import os

import click
from rich.console import Group

from carpool_cli import cut_offs, tune_tables
from carpool_cli import tune as tuning
from carpool_cli.options import drawable
from carpool_cli.output import check_writable, plotting_module, drawn, loaded, show
from carpool_cli.progress import bar


@click.command()
@click.argument("file", required=False, envvar="CARPOOL_TUNING")
@click.option("--launch", metavar="COMMAND", envvar="CARPOOL_TUNE_LAUNCH",
              help="what runs an MPI program on the ranks to measure  "
                   "[default: mpiexec -n CORES]")
@click.option("--rounds", type=click.IntRange(1), default=40, show_default=True,
              help="how often each exchange is timed")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=3, show_default=True,
              help="time limit for finding the fastest algorithms")
@click.option("--no-algorithms", is_flag=True, help="measure costs only")
@click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png")
@click.option("--json", "as_json", is_flag=True, help="for programs")
def tune(file, launch, rounds, minutes, no_algorithms, plot, as_json):
    """Measures what messages cost on this machine and from which lengths they had better go another
    way, then has requests find the fastest algorithms, and writes it to FILE. Programs that run
    with CARPOOL_TUNING=FILE choose by it, as does `carpool explain --tuning FILE` by the costs.

    Takes a few minutes. On several nodes (--launch "mpiexec -n 64 --hosts ...") costs between nodes
    are measured too. Needs three ranks on each node, or three nodes, and an idle machine. What FILE
    says of other MPIs is kept. Algorithms hold for as many ranks as --launch has, on such nodes.
    """
    if file is None:
        raise click.UsageError("Missing argument 'FILE', and CARPOOL_TUNING names none.")
    fits = ready(file, plot)
    launch = launch or f"mpiexec -n {max(3, os.cpu_count() or 1)}"
    with bar("measuring") as advance:
        runs, lines = tuning.told(launch, ("costs", rounds), advance)
    equations, messages, blocks = tuning.measured(lines)
    found = fits.by_level(equations)
    lengths = cut_offs.found(messages, runs["usual_cut_offs"])
    machine = tuning.entry(runs, found, lengths, blocks)
    tuning.keep(file, machine)
    if plot:
        drawn("tune_plot", machine, found, lengths, file=plot)
    taken = [] if no_algorithms else remembered(file, launch, minutes)
    show({**machine, "algorithms": taken}, as_json, lambda _: Group(
        tune_tables.found(machine, found, lengths, runs["usual_cut_offs"]),
        *([tune_tables.algorithms(taken)] if taken else [])))
    click.echo(f"written: {file}", err=True)


def remembered(file, launch, minutes):
    """What requests have found the fastest, which is in the file when they are done."""
    with bar("trying algorithms") as advance:
        _, lines = tuning.told(launch, ("algorithms", 60 * minutes), advance, tuning=file)
    return [one for one in lines if "taken" in one]


def ready(file, plot):
    """What fits the costs. Whatever may fail does so before minutes pass."""
    tuning.known(file)
    check_writable(file)
    if plot:
        check_writable(plot)
        plotting_module("tune_plot")
    return loaded("fits", "carpool tune")
