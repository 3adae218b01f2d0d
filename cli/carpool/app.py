"""The command line."""

import json
import math
import os
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from carpool import costs, planner, tables

# A file or a pipe gets lines as long as the tables need.
console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 110)


def blocks_of(context, parameter, text):
    try:
        return [int(size) for size in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"'{text}', expected bytes, such as 64 or 8,8,64") from None


def seconds(context, parameter, value):
    if value is not None and not 0 <= value < math.inf:
        raise click.BadParameter(f"{value}, expected seconds, at least 0")
    return value


def drawable(context, parameter, file):
    if file and Path(file).suffix not in (".svg", ".png"):
        raise click.BadParameter(f"'{file}', expected a name that ends in .svg or .png")
    return file


EXCHANGE = (
    click.argument("grid"),
    click.argument("stencil"),
    click.option("--op", "operation", default="alltoall", show_default=True,
                 help="one that `carpool algorithms` lists"),
    click.option("--block", "--blocks", "block", default="64", show_default=True,
                 callback=blocks_of, help="bytes of a block, or of each, by commas"),
    click.option("--algorithm", default="auto", show_default=True,
                 help="one rule, or auto"),
    click.option("--json", "as_json", is_flag=True, help="for programs; see cli/README.md"),
)
COSTS = (
    click.option("--mpi", type=click.Choice(sorted(costs.MODELS)), default="mpich",
                 show_default=True, help="whose measured costs to assume"),
    click.option("--alpha", type=float, callback=seconds, help="seconds per message"),
    click.option("--beta", type=float, callback=seconds, help="seconds per byte"),
    click.option("--sigma", type=float, callback=seconds, help="seconds per phase"),
    click.option("--rank", type=int, help="whose messages to show"),
    click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png"),
)


def options(*groups):
    def decorate(command):
        for option in reversed([one for group in groups for one in group]):
            command = option(command)
        return command
    return decorate


def question(grid, stencil, operation, block, algorithm, mpi="mpich", rank=None, **given):
    """What the planner is asked; see cli/question.hpp."""
    model = {name: value if given.get(name) is None else given[name]
             for name, value in costs.MODELS[mpi].items()}
    return {"grid": grid, "stencil": stencil, "operation": operation, "block_bytes": block,
            "algorithm": algorithm, "rank": rank, **model}


def show(answer, as_json, table):
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        console.print(table(answer))


def draw(asked, file):
    try:
        from carpool import pictures  # matplotlib takes a while to load
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"--plot needs {missing.name}; try: pip install matplotlib"
                                   ) from None
    answer = planner.ask("plan", **{**asked, "algorithm": "auto"})
    if asked["algorithm"] != "auto":
        answer["choice"] = asked["algorithm"]
    try:
        pictures.draw(answer, file)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    click.echo(f"drawn: {file}", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main():
    """Explains, draws and checks plans of message combining. No MPI needed.

    GRID is "torus 4x4x4", "mesh 8x8" or "grid 4px8" (p: periodic); STENCIL is "moore 3 1" or any
    other that `carpool stencils` lists.
    """


@main.command()
@options(EXCHANGE, COSTS)
def explain(as_json, plot, **given):
    """What each rule would do and cost, and which one is chosen, why."""
    asked = question(**given)
    answer = planner.ask("explain", **asked)
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = [{"from_bytes": at, "rule": name} for at, name in costs.cut_offs(answer)]
    if given["rank"] is not None:
        whole = planner.ask("plan", **{**asked, "algorithm": answer["choice"]})
        answer["schedule"] = whole["rules"][0]["schedule"]
    show(answer, as_json, tables.explained)
    if given["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        draw(asked, plot)


@main.command()
@options(EXCHANGE, COSTS)
def plan(as_json, plot, **given):
    """The plan itself: rounds, hops, and the blocks that ride."""
    asked = question(**given)
    if asked["algorithm"] == "auto":
        asked["algorithm"] = planner.ask("explain", **asked)["choice"]
    answer = planner.ask("plan", **asked)
    show(answer, as_json, tables.planned)
    if given["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(answer))
    if plot:
        draw(asked, plot)


def named(algorithm):
    if algorithm not in ("auto", "all"):
        return [algorithm]
    return [rule["name"] for rule in planner.ask("algorithms")["algorithms"]]


@main.command()
@options(EXCHANGE)
def verify(as_json, **given):
    """Runs the schedules of all ranks on symbols; all rules, or --algorithm."""
    names = named(given.pop("algorithm"))
    complaints = {}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True,
                  disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("verifying", total=len(names))
        for name in names:
            progress.update(task, description=f"verifying {name}")
            answer = planner.ask("verify", **question(algorithm=name, **given))
            complaints[name] = answer["rules"][0]["complaints"]
            progress.advance(task)
    show(complaints, as_json, lambda found: tables.verified(found, answer["ranks"]))
    sys.exit(1 if any(complaints.values()) else 0)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def stencils(as_json):
    """The stencils that have names."""
    show(planner.ask("stencils"), as_json, tables.stencils)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def algorithms(as_json):
    """The routing rules, and the operations."""
    show(planner.ask("algorithms"), as_json, tables.algorithms)


def run():
    """The command, with errors of one line."""
    try:
        sys.exit(main.main(prog_name="carpool", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        help_wanted.show()
        sys.exit(help_wanted.exit_code)
    except click.ClickException as error:
        click.echo(f"carpool: {' '.join(error.format_message().split())}", err=True)
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
