"""The command line."""

import json
import os
import sys

import click
from rich.console import Console, Group

from carpool_cli import (collective_tables, collectives, costs, graph_answers, graph_tables,
                         guide, node_tables, plain, planner, reports, tables, tune_tables)
from carpool_cli import tune as tuning
from carpool_cli.options import COSTS, EXCHANGE, NODES, drawable, options, question
from carpool_cli.progress import bar, each

# A file or a pipe gets lines as long as the tables need.
console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 110)


def show(answer, as_json, table):
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        console.print(table(answer))


def with_nodes(table):
    """A table, and below it what passes between nodes."""
    return lambda answer: Group(table(answer), *node_tables.nodes(answer))


def draw(answer, file):
    try:
        from carpool_cli import pictures  # matplotlib takes a while to load
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
@click.version_option(plain.NUMBER, message=plain.VERSION)
def main():
    """Explains, draws and checks plans of message combining. No MPI needed.

    GRID is "torus 4x4x4", "mesh 8x8" or "grid 4px8" (p: periodic); STENCIL is "moore 3 1" or any
    other that `carpool stencils` lists. GRAPH, without a STENCIL, is "random 64 density 0.2", any
    other that `carpool graphs` lists, or a file: a matrix (.mtx) or a list of edges. COLLECTIVE is
    "allreduce 64", "gather 1000 root 3", or any other that `carpool algorithms` lists.
    """


@main.command()
@options(EXCHANGE, COSTS, NODES)
@click.option("--graph-rules", is_flag=True, help="on a grid, also the rules for graphs")
def explain(as_json, plot, graph_rules, **given):
    """What each rule would do and cost, and which one is chosen, why: by the bytes of the blocks.
    The weights of a neighborhood or graph decide nothing but how ranks are reordered."""
    asked = question(**given)
    if "collective" in asked:
        return explain_collective(asked, as_json, plot)
    if "graph" in asked:
        return explain_graph(asked, given["place"], as_json, plot)
    answer = planner.ask("explain", **asked)
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    answer["by_node"] = graph_answers.fastest_by_node(asked)
    if given["rank"] is not None:
        whole = planner.ask("plan", **{**asked, "algorithm": answer["choice"]})
        answer["schedule"] = whole["rules"][0]["schedule"]
    if graph_rules:
        answer["as_graph"] = graph_answers.of_grid(asked)
    show(answer, as_json, with_nodes(tables.explained))
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
    show(answer, as_json, with_nodes(graph_tables.explained))
    if asked["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        draw(answer, plot)


def explain_collective(asked, as_json, plot):
    answer = collectives.explained(asked)
    picture = collectives.drawn(asked, answer["choice"]) if plot else None
    if asked["rank"] is not None:
        whole = collectives.planned(asked, answer["choice"])
        answer["schedule"] = whole["rules"][0]["schedule"]
    show(answer, as_json, collective_tables.explained)
    if asked["rank"] is not None and not as_json:
        console.print(collective_tables.rounds_of_rank(whole))
    if plot:
        draw(picture, plot)


@main.command()
@options(EXCHANGE, COSTS, NODES)
def plan(as_json, plot, **given):
    """The plan itself: rounds, hops, and the blocks that ride; of graphs and collectives one rank's."""
    asked = question(**given)
    if "collective" in asked:
        return plan_collective(asked, as_json, plot)
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


def plan_collective(asked, as_json, plot):
    choice = asked["algorithm"]
    if choice == "auto":
        choice = planner.ask("explain", **asked)["choice"]
    picture = collectives.drawn(asked, choice) if plot else None
    show(collectives.planned(asked, choice), as_json, collective_tables.planned)
    if plot:
        draw(picture, plot)


@main.command()
@options(EXCHANGE)
def verify(as_json, algorithm, **given):
    """Runs the schedules of all ranks on symbols; all rules, or --algorithm."""
    asked = question(algorithm=algorithm, **given)
    names = [algorithm] if algorithm not in ("auto", "all") else all_for(asked)
    complaints = {}
    for name in each("verifying", names):
        answer = planner.ask("verify", **{**asked, "algorithm": name})
        complaints[name] = answer["rules"][0]["complaints"]
    show(complaints, as_json, lambda found: tables.verified(found, answer["ranks"]))
    sys.exit(1 if any(complaints.values()) else 0)


def all_for(asked):
    """Names of the rules or algorithms that apply."""
    if "collective" in asked:
        return collectives.applicable(asked)
    if "graph" in asked:
        return planner.rules("graphs")
    every = planner.ask("explain", **{**asked, "algorithm": "auto"})
    return [plan["name"] for plan in every["rules"]]


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
    """The routing rules and operations, and the algorithms of collectives."""
    show(planner.ask("algorithms"), as_json, tables.algorithms)


@main.command()
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
    tuning.known(file)  # before minutes pass
    launch = launch or f"mpiexec -n {max(3, os.cpu_count() or 1)}"
    with bar("measuring", rounds) as advance:
        machine, equations = tuning.timed(launch, rounds, advance)
    found = tuning.fits(equations)
    machine = tuning.entry(machine, found)
    tuning.keep(file, machine)
    show(machine, as_json, lambda _: tune_tables.found(machine, found))
    click.echo(f"written: {file}", err=True)
    if plot:
        from carpool_cli import tune_plot  # matplotlib takes a while to load
        tune_plot.draw(machine, found, plot)
        click.echo(f"drawn: {plot}", err=True)


@main.command()
@click.argument("file")
@click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png")
def report(file, plot):
    """What a program has done, as CARPOOL_REPORT=FILE has made it write: which operations went by
    which algorithms, how often, and how long they took on rank 0."""
    lines = reports.read(file)
    console.print(reports.table(lines))
    if plot:
        from carpool_cli import report_plot  # matplotlib takes a while to load
        report_plot.draw(lines, plot)
        click.echo(f"drawn: {plot}", err=True)


@main.command("help")
@click.argument("topic", required=False)
def help_on(topic):
    """A page of the guide, such as `carpool help troubleshooting`; without TOPIC their names."""
    console.print(guide.page_of(topic.lower()) if topic else guide.listed())


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
