"""The commands about a machine and its programs: tune and report."""

import os

import click

from carpool_cli import reports, tune_tables
from carpool_cli import tune as tuning
from carpool_cli.options import drawable
from carpool_cli.output import check_writable, console, drawer, drawn, loaded, show
from carpool_cli.progress import bar


@click.command()
@click.argument("file", required=False, envvar="CARPOOL_TUNING")
@click.option("--launch", metavar="COMMAND", envvar="CARPOOL_TUNE_LAUNCH",
              help="what runs an MPI program on the ranks to measure  "
                   "[default: mpiexec -n CORES]")
@click.option("--rounds", type=click.IntRange(1), default=40, show_default=True,
              help="how often each exchange is timed")
@click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png")
@click.option("--json", "as_json", is_flag=True, help="for programs")
def tune(file, launch, rounds, plot, as_json):
    """Measures what messages cost on this machine, and writes it to FILE. Programs that run with
    CARPOOL_TUNING=FILE, and `carpool explain --tuning FILE`, choose by these costs.

    Takes a few minutes. On several nodes (--launch "mpiexec -n 64 --hosts ...") costs between nodes
    are measured too. Needs three ranks on each node, or three nodes, and an idle machine. What FILE
    says of other MPIs is kept.
    """
    if file is None:
        raise click.UsageError("Missing argument 'FILE', and CARPOOL_TUNING names none.")
    fits = ready(file, plot)
    launch = launch or f"mpiexec -n {max(3, os.cpu_count() or 1)}"
    with bar("measuring", rounds) as advance:
        machine, equations = tuning.timed(launch, rounds, advance)
    found = fits.by_level(equations)
    machine = tuning.entry(machine, found)
    tuning.keep(file, machine)
    show(machine, as_json, lambda _: tune_tables.found(machine, found))
    click.echo(f"written: {file}", err=True)
    if plot:
        drawn("tune_plot", machine, found, file=plot)


def ready(file, plot):
    """What fits the costs. Whatever may fail does so before minutes pass."""
    tuning.known(file)
    check_writable(file)
    if plot:
        check_writable(plot)
        drawer("tune_plot")
    return loaded("fits", "carpool tune", "scipy")


@click.command()
@click.argument("file")
@click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png")
def report(file, plot):
    """What a program has done, as CARPOOL_REPORT=FILE has made it write: which operations went by
    which algorithms, how often, and how long they took on rank 0."""
    lines = reports.read(file)
    console.print(reports.table(lines))
    if plot:
        drawn("report_plot", lines, file=plot)
