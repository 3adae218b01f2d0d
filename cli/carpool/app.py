"""The command line."""

import json
import sys

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from carpool import costs, planner, tables

# A file or a pipe gets lines as long as the tables need.
console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)


def exchange_options(command):
    """GRID, STENCIL and what is said about the exchange on them."""
    for decorate in (
        click.argument("stencil"),
        click.argument("grid"),
        click.option("--op", "operation", default="alltoall", show_default=True,
                     help="alltoall, allgather, reduce or reduce_scatter_block"),
        click.option("--block", default="64", show_default=True,
                     help="bytes of a block, or of each, by commas"),
        click.option("--algorithm", default="auto", show_default=True,
                     help="one rule, or auto for all of them"),
        click.option("--mpi", type=click.Choice(sorted(costs.MODELS)), default="mpich",
                     show_default=True, help="whose measured costs to assume"),
        click.option("--alpha", type=float, help="seconds per message"),
        click.option("--beta", type=float, help="seconds per byte"),
        click.option("--sigma", type=float, help="seconds per phase"),
        click.option("--rank", type=int, help="whose messages to show"),
        click.option("--json", "as_json", is_flag=True, help="for programs"),
        click.option("--plot", metavar="FILE", help="draw to FILE, .svg or .png"),
    ):
        command = decorate(command)
    return command


def blocks_of(text):
    try:
        sizes = [int(size) for size in text.split(",")]
        if max(sizes) >= 1 << 62:
            raise ValueError
        return sizes
    except ValueError:
        raise click.UsageError(f"--block is '{text}', expected bytes below 2^62, "
                               "such as 64 or 8,8,64") from None


class Asked:
    """A question as asked on the command line."""

    def __init__(self, grid, stencil, operation, block, algorithm, mpi, rank, **given):
        self.block = block
        self.model = {name: value if given.get(name) is None else given[name]
                      for name, value in costs.MODELS[mpi].items()}
        self.rank = rank
        self.question = {"grid": grid, "stencil": stencil, "operation": operation,
                         "block_bytes": blocks_of(block), "algorithm": algorithm, "rank": rank,
                         **self.model}

    def ask(self, command, **changes):
        return planner.ask(command, **{**self.question, **changes})

    def block_text(self):
        return costs.size(int(self.block)) if self.block.isdigit() else f"{self.block} B"


def draw(asked, file):
    try:
        from carpool import pictures  # matplotlib takes a while to load
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"--plot needs {missing.name}; try: pip install matplotlib"
                                   ) from None
    pictures.draw(asked.ask("plan", algorithm="auto"), asked.question["algorithm"], asked.model,
                  file)
    click.echo(f"drawn: {file}", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main():
    """Explains, draws and checks plans of message combining. No MPI needed.

    GRID is "torus 4x4x4", "mesh 8x8" or "grid 4px8" (p: periodic); STENCIL is "moore 3 1" or any
    other that `carpool stencils` lists.
    """


@main.command()
@exchange_options
def explain(as_json, plot, **options):
    """What each rule would do, what it would cost, and which one is chosen and why."""
    asked = Asked(**options)
    answer = asked.ask("explain")
    answer["cut_offs"] = [{"from_bytes": at, "rule": name}
                          for at, name in costs.cut_offs(answer["rules"], asked.model)
                          ] if any(rule["automatic"] for rule in answer["rules"]) else []
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        console.print(tables.explained(answer, asked.block_text(), asked.model))
    if asked.rank is not None and not as_json:
        whole = asked.ask("plan", algorithm=answer["choice"])
        console.print(tables.rounds_of_rank(whole["rules"][0], whole))
    if plot:
        draw(asked, plot)


@main.command()
@exchange_options
def plan(as_json, plot, **options):
    """The plan itself: rounds, hops, and the blocks that ride on each."""
    asked = Asked(**options)
    choice = asked.ask("explain")["choice"]
    answer = asked.ask("plan", algorithm=choice)
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        rule = answer["rules"][0]
        console.print(tables.planned(rule, answer))
        if asked.rank is not None:
            console.print(tables.rounds_of_rank(rule, answer))
    if plot:
        draw(asked, plot)


@main.command()
@exchange_options
def verify(as_json, plot, **options):
    """Runs the schedules of all ranks on symbols and says what is wrong with them."""
    del plot
    asked = Asked(**options)
    names = ([rule["name"] for rule in planner.ask("algorithms")["algorithms"]]
             if options["algorithm"] == "auto" else [options["algorithm"]])
    complaints = {}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("verifying", total=len(names))
        for name in names:
            progress.update(task, description=f"verifying {name}")
            answer = asked.ask("verify", algorithm=name)
            complaints[name] = answer["rules"][0]["complaints"]
            progress.advance(task)
    if as_json:
        click.echo(json.dumps(complaints, indent=2))
    else:
        for name, found in complaints.items():
            console.print(f"{name}: {'correct' if not found else f'{len(found)} complaints'} on "
                          f"all {answer['ranks']:,} ranks")
            for sentence in found[:20]:
                console.print(f"  {sentence}")
    sys.exit(1 if any(complaints.values()) else 0)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def stencils(as_json):
    """The stencils that have names."""
    answer = planner.ask("stencils")
    click.echo(json.dumps(answer, indent=2)) if as_json else console.print(tables.stencils(answer))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def algorithms(as_json):
    """The routing rules."""
    answer = planner.ask("algorithms")
    click.echo(json.dumps(answer, indent=2)) if as_json else console.print(tables.algorithms(answer))
