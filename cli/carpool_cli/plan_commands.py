# SPDX-License-Identifier: MIT
"""The commands about plans: explain, plan and verify."""

import sys

import click
from rich.console import Group

from carpool_cli import (collective_tables, collectives, costs, graph_answers, graph_tables, halos,
                         methods, node_tables, planner, remembered, tables)
from carpool_cli.options import COSTS, EXCHANGE, NODES, PLATFORM, check_graph_rules, options, question
from carpool_cli.output import console, drawn, show
from carpool_cli.progress import each


def with_nodes(table):
    """A table, and below it what passes between nodes."""
    return lambda answer: Group(table(answer), *node_tables.nodes(answer))


def check_plot(plot, asked):
    """A picture has the costs over the size of blocks, unless it is one of a collective."""
    if plot and "collective" not in asked and not any(asked["block_bytes"]):
        raise click.UsageError("--plot draws costs of blocks, but no block has a byte; say --block 1 or more")


def all_rules_of(asked):
    """What a picture of a plan on a grid shows."""
    answer = planner.ask("plan", **{**asked, "algorithm": "auto"})
    if asked["algorithm"] != "auto":
        answer["choice"] = asked["algorithm"]
    return answer


@click.command()
@options(EXCHANGE, halos.OPTIONS, COSTS, NODES, PLATFORM)
@click.option("--graph-rules", is_flag=True, help="on a grid, also the rules for graphs")
def explain(as_json, plot, graph_rules, shape, element, width, **given):
    """Compares the rules: what each sends and costs, and why one is chosen. Weights of neighbors
    matter only for how ranks are reordered."""
    asked = halos.question(question(**given), {**given, "plot": plot}, shape, element, width)
    check_graph_rules(asked, {**given, "shape": shape}, graph_rules)
    check_plot(plot, asked)
    if "halo" in asked:
        return show(halos.explained(asked), as_json, halos.told)
    if "collective" in asked:
        return explain_collective(asked, given, as_json, plot)
    if "graph" in asked:
        return explain_graph(asked, given, as_json, plot)
    answer = explained_on_grid(asked)
    remember(asked, answer, given)
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    if given["rank"] is not None:
        whole = plan_on_grid(asked, answer["choice"])
        answer["schedule"] = whole["rules"][0]["schedule"]
    if graph_rules:
        answer["as_graph"] = graph_answers.of_grid(asked)
    show(answer, as_json, with_nodes(tables.explained))
    if graph_rules and not as_json:
        console.print(graph_tables.of_grid(answer))
    if given["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        drawn("pictures", all_rules_of(asked), file=plot)


def explained_on_grid(asked):
    answer = planner.ask("explain", **asked)
    graph_answers.add_by_node(asked, answer)
    return answer


def is_by_node(asked, choice):
    """Is it node:K, a rule for graphs, which on nodes is one for grids, too?"""
    return choice.startswith("node:") and "per_node" in asked


def asked_on_grid(asked, choice):
    if is_by_node(asked, choice):
        return graph_answers.asked_for(graph_answers.as_graph(asked), choice)
    return {**asked, "algorithm": choice}


def plan_on_grid(asked, choice):
    if is_by_node(asked, choice):
        return graph_answers.planned(graph_answers.as_graph(asked), asked["grid"], choice)
    return planner.ask("plan", **asked_on_grid(asked, choice))


def remember(asked, answer, given):
    """Adds what a tuning file knows of such a problem."""
    answer["tuning"] = given["tuning"]
    answer["remembered"] = remembered.taken(asked, answer, given["tuning"], given["mpi"])


def explain_graph(asked, given, as_json, plot):
    name = given["place"]
    answer = graph_answers.explained(asked, name)
    remember(asked, answer, given)
    if asked["rank"] is not None:
        whole = graph_answers.planned(asked, name, answer["choice"])
        answer["schedule"] = whole["rules"][0]["schedule"]
    show(answer, as_json, with_nodes(graph_tables.explained))
    if asked["rank"] is not None and not as_json:
        console.print(tables.rounds_of_rank(whole))
    if plot:
        drawn("pictures", answer, file=plot)


def explain_collective(asked, given, as_json, plot):
    answer = collectives.explained(asked)
    remember(asked, answer, given)
    picture = collectives.pictured(asked, answer["choice"]) if plot else None
    if asked["rank"] is not None:
        whole = collectives.planned(asked, answer["choice"])
        answer["schedule"] = whole["rules"][0]["schedule"]
    show(answer, as_json, collective_tables.explained)
    if asked["rank"] is not None and not as_json:
        console.print(collective_tables.rounds_of_rank(whole))
    if plot:
        drawn("pictures", picture, file=plot)


@click.command()
@options(EXCHANGE, COSTS, NODES, PLATFORM)
@click.option("--schedules", metavar="FILE",
              help="write the schedules of all ranks to FILE, a line of JSON for each")
def plan(as_json, plot, schedules, **given):
    """The plan itself: rounds, hops, and the blocks in each message; of graphs and collectives one rank's."""
    asked = question(**given)
    check_plot(plot, asked)
    if "collective" in asked:
        taken = plan_collective(asked, as_json, plot)
    elif "graph" in asked:
        taken = plan_graph(asked, given["place"], as_json, plot)
    else:
        taken = plan_grid(asked, as_json, plot)
    if schedules:
        planner.ask("schedules", **taken, file=schedules)
        click.echo(f"written: {schedules}", err=True)


def plan_grid(asked, as_json, plot):
    """As with the other two: what was asked, with the rule that is taken."""
    choice = asked["algorithm"]
    if choice == "auto":
        choice = explained_on_grid(asked)["choice"]
    answer = plan_on_grid(asked, choice)
    by_node = "graph" in answer
    show(answer, as_json, graph_tables.planned if by_node else tables.planned)
    if asked["rank"] is not None and not as_json and not by_node:
        console.print(tables.rounds_of_rank(answer))
    if plot:
        drawn("pictures", all_rules_of(asked), file=plot)
    return asked_on_grid(asked, choice)


def plan_graph(asked, name, as_json, plot):
    explained = None
    choice = asked["algorithm"]
    if plot or choice == "auto":
        explained = graph_answers.explained(asked, name)
        choice = explained["choice"]
    show(graph_answers.planned(asked, name, choice), as_json, graph_tables.planned)
    if plot:
        drawn("pictures", explained, file=plot)
    return graph_answers.asked_for(asked, choice)


def plan_collective(asked, as_json, plot):
    choice = asked["algorithm"]
    if choice == "auto":
        choice = planner.ask("explain", **asked)["choice"]
    picture = collectives.pictured(asked, choice) if plot else None
    show(collectives.planned(asked, choice), as_json, collective_tables.planned)
    if plot:
        drawn("pictures", picture, file=plot)
    return {**asked, "algorithm": choice}


@click.command()
@options(EXCHANGE)
@click.option("--sample", type=click.IntRange(0, 2**16), metavar="N",
              help="on a grid: only N random ranks, corners, edges and the middle, and all ranks that "
                   "they depend on")
def verify(as_json, algorithm, sample, **given):
    """Runs the schedules of all ranks on symbols; all rules, or --algorithm."""
    asked = question(algorithm=algorithm, **given)
    if sample is not None and "grid" not in asked:
        raise click.UsageError(f"--sample {sample} is for grids, not for '{given['place']}'")
    asked["sample"] = sample
    names = [algorithm] if algorithm not in ("auto", "all") else methods.applicable_to(asked)
    complaints = {}
    looked_at = {}
    for name in each("verifying", names):
        answer = planner.ask("verify", **{**asked, "algorithm": name})
        complaints[name] = answer["rules"][0]["complaints"]
        looked_at[name] = tables.ranks_verified(answer)
    show(complaints, as_json, lambda found: tables.verified(found, looked_at))
    sys.exit(1 if any(complaints.values()) else 0)

