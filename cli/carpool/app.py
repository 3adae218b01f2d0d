"""The command line."""

import json
import math
import os
import sys
from pathlib import Path

import click
from rich.console import Console

from carpool import costs, graph_answers, graph_tables, planner, tables
from carpool.graphs import graph_of, is_grid
from carpool.progress import each

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
    click.argument("place", metavar="GRID|GRAPH"),
    click.argument("stencil", required=False),
    click.option("--op", "operation", default="alltoall", show_default=True,
                 help="one that `carpool algorithms` lists"),
    click.option("--block", "--blocks", "block", default="64", show_default=True,
                 callback=blocks_of, help="bytes of a block, or of each, by commas"),
    click.option("--algorithm", default="auto", show_default=True,
                 help="one rule, or auto"),
    click.option("--ranks", type=int, help="deal out the rows of a matrix to so many; or so many "
                                           "ranks in an edge list"),
    click.option("--theta", type=int, default=4, show_default=True,
                 help="common targets that make two ranks of a graph friends"),
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


def question(place, stencil, operation, block, algorithm, ranks, theta, mpi="mpich", rank=None,
             **given):
    """What the planner is asked; see cli/question.hpp and cli/graph_question.hpp."""
    model = {name: value if given.get(name) is None else given[name]
             for name, value in costs.MODELS[mpi].items()}
    return {**where(place, stencil, ranks), "operation": operation, "block_bytes": block,
            "algorithm": algorithm, "rank": rank, "theta": theta, **model}


def where(place, stencil, ranks):
    if stencil is None and not is_grid(place):
        return {"graph": graph_of(place, ranks)}
    if stencil is None:
        raise click.UsageError("Missing argument 'STENCIL'.")
    if ranks is not None:
        raise click.UsageError(f"--ranks {ranks} is for graphs in files, not for '{place}'")
    return {"grid": place, "stencil": stencil}


def show(answer, as_json, table):
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        console.print(table(answer))


def draw(answer, file):
    try:
        from carpool import pictures  # matplotlib takes a while to load
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"--plot needs {missing.name}; try: pip install matplotlib"
                                   ) from None
    try:
        pictures.draw(answer, file)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    click.echo(f"drawn: {file}", err=True)


def all_rules_of(asked):
    """What a picture of a plan on a grid shows."""
    answer = planner.ask("plan", **{**asked, "algorithm": "auto"})
    if asked["algorithm"] != "auto":
        answer["choice"] = asked["algorithm"]
    return answer


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main():
    """Explains, draws and checks plans of message combining. No MPI needed.

    GRID is "torus 4x4x4", "mesh 8x8" or "grid 4px8" (p: periodic); STENCIL is "moore 3 1" or any
    other that `carpool stencils` lists. GRAPH, without a STENCIL, is "random 64 density 0.2", any
    other that `carpool graphs` lists, or a file: a matrix (.mtx) or a list of edges.
    """


@main.command()
@options(EXCHANGE, COSTS)
@click.option("--graph-rules", is_flag=True, help="on a grid, also the rules for graphs")
def explain(as_json, plot, graph_rules, **given):
    """What each rule would do and cost, and which one is chosen, why."""
    asked = question(**given)
    if "graph" in asked:
        return explain_graph(asked, given["place"], as_json, plot)
    answer = planner.ask("explain", **asked)
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    if given["rank"] is not None:
        whole = planner.ask("plan", **{**asked, "algorithm": answer["choice"]})
        answer["schedule"] = whole["rules"][0]["schedule"]
    if graph_rules:
        answer["as_graph"] = graph_answers.of_grid(asked)
    show(answer, as_json, tables.explained)
    if graph_rules and not as_json:
        console.print(graph_tables.of_grid(answer))
    if given["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        draw(all_rules_of(asked), plot)


def explain_graph(asked, name, as_json, plot):
    answer = graph_answers.explained(asked, name)
    if asked["rank"] is not None:
        whole = graph_answers.planned(asked, name, answer["choice"])
        answer["schedule"] = whole["rules"][0]["schedule"]
    show(answer, as_json, graph_tables.explained)
    if asked["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        draw(answer, plot)


@main.command()
@options(EXCHANGE, COSTS)
def plan(as_json, plot, **given):
    """The plan itself: rounds, hops, and the blocks that ride; on a graph, those of one rank."""
    asked = question(**given)
    if "graph" in asked:
        return plan_graph(asked, given["place"], as_json, plot)
    if asked["algorithm"] == "auto":
        asked["algorithm"] = planner.ask("explain", **asked)["choice"]
    answer = planner.ask("plan", **asked)
    show(answer, as_json, tables.planned)
    if given["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(answer))
    if plot:
        draw(all_rules_of(asked), plot)


def plan_graph(asked, name, as_json, plot):
    explained = None
    choice = asked["algorithm"]
    if plot or choice == "auto":
        explained = graph_answers.explained(asked, name)
        choice = explained["choice"]
    show(graph_answers.planned(asked, name, choice), as_json, graph_tables.planned)
    if plot:
        draw(explained, plot)


@main.command()
@options(EXCHANGE)
def verify(as_json, algorithm, **given):
    """Runs the schedules of all ranks on symbols; all rules, or --algorithm."""
    asked = question(algorithm=algorithm, **given)
    names = [algorithm]
    if algorithm in ("auto", "all"):
        names = planner.rules("graphs" if "graph" in asked else "grids")
    complaints = {}
    for name in each("verifying", names):
        answer = planner.ask("verify", **{**asked, "algorithm": name})
        complaints[name] = answer["rules"][0]["complaints"]
    show(complaints, as_json, lambda found: tables.verified(found, answer["ranks"]))
    sys.exit(1 if any(complaints.values()) else 0)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def stencils(as_json):
    """The stencils that have names."""
    show(planner.ask("stencils"), as_json, tables.stencils)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def graphs(as_json):
    """The graphs that have names, and what may be in a file."""
    show(planner.ask("graphs"), as_json, tables.graphs)


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
