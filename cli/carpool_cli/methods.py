# SPDX-License-Identifier: MIT
"""The methods by which an exchange can be made, and what to ask the planner about each."""

from carpool_cli import collectives, graph_answers, planner


def applicable_to(asked):
    """Names of the rules or algorithms that apply."""
    if "collective" in asked:
        return collectives.applicable(asked)
    if "graph" in asked:
        return planner.rules("graphs")
    every = planner.ask("explain", **planner.one_node({**asked, "algorithm": "auto"}))
    return [plan["name"] for plan in every["rules"]]


def questions(asked, graph_rules):
    """What to ask about each method, by its name. @param graph_rules: on a grid, also those"""
    if "graph" in asked:
        return of_graph(asked)
    if asked["algorithm"] != "auto":
        return {asked["algorithm"]: asked}
    found = {name: {**asked, "algorithm": name} for name in applicable_to(asked)}
    if graph_rules:
        others = of_graph(graph_answers.as_graph(asked))
        found |= {name: one for name, one in others.items() if name not in found}
    return found


def of_graph(asked):
    graph_answers.check_known(asked["algorithm"])
    found = dict(graph_answers.contenders(asked, graph_answers.ranks_of(asked)))
    if asked["algorithm"] == "auto":
        return found
    name = graph_answers.named(asked["algorithm"], found)
    return {name: found[name]}
