# SPDX-License-Identifier: MIT
"""Answers about graphs, put together from one question per rule."""

import math
from concurrent.futures import ThreadPoolExecutor

import click

from carpool_cli import costs, planner
from carpool_cli.progress import each


def ranks_of(asked):
    if "ranks" in asked["graph"]:
        return asked["graph"]["ranks"]
    return planner.ask("explain", **planner.one_node({**asked, "algorithm": "direct"}))["ranks"]


def contenders(asked, ranks):
    """Names of rules with what each is asked: digits and node take part in several numbers of them."""
    for rule in planner.rules("graphs"):
        if rule == "node":
            yield from by_node(asked)
            continue
        if rule != "digits" or asked["digits"] != "2":
            yield rule, {**asked, "algorithm": rule}
            continue
        most = max(ranks - 1, 1).bit_length()
        for count in sorted({min(count, most) for count in (2, 3, most)}):
            yield f"{count} digits", {**asked, "algorithm": rule, "digits": str(count)}


def by_node(asked):
    """The rule node with as many carriers as in the library; without nodes it is direct."""
    if "per_node" not in asked:
        carriers = {1} if asked["algorithm"] == "node" else set()
    else:
        most = max(asked["per_node"])
        carriers = {1, math.isqrt(most - 1) + 1, most}
    if asked["algorithm"].startswith("node:"):
        carriers = {*carriers, carriers_of(asked["algorithm"])}
    for count in sorted(carriers):
        yield f"node:{count}", {**asked, "algorithm": "node", "carriers": count}


def carriers_of(name):
    """4 of node:4."""
    try:
        return int(name.removeprefix("node:"))
    except ValueError:
        raise click.UsageError(f"algorithm '{name}', expected a number of carriers behind the colon, "
                               "such as node:4") from None


def add_by_node(asked, answer):
    """Adds to an answer about a grid whose ranks are on nodes the rules node, which know nothing of
    grids; none where they take too long to plan here. `auto` takes the fastest if none for grids
    is as fast."""
    answer["by_nodes"] = planned_by_node(asked)
    fastest = min(answer["by_nodes"], key=lambda rule: rule["estimate"], default=None)
    answer["by_node"] = fastest
    (usual,) = (rule for rule in answer["rules"] if rule["name"] == answer["automatic"])
    if fastest and fastest["estimate"] < usual["estimate"]:
        answer["automatic"] = fastest["name"]
        if asked["algorithm"] == "auto":
            answer["choice"] = fastest["name"]


def planned_by_node(asked):
    if "per_node" not in asked:
        return []
    names, questions = zip(*by_node({**as_graph(asked), "rank": None, "compare_orders": False}),
                           strict=True)
    try:
        return [{**planner.ask("explain", **question)["rules"][0], "name": name}
                for name, question in zip(each("planning", names), questions, strict=True)]
    except click.UsageError:
        return []


def asked_for(asked, choice):
    """What to ask for the contender of that name."""
    if choice.startswith("node:"):
        return {**asked, "algorithm": "node", "carriers": carriers_of(choice)}
    count, _, rule = choice.rpartition(" ")
    return {**asked, "algorithm": rule, "digits": count or asked["digits"]}


def check_known(algorithm):
    known = planner.rules("graphs")
    if algorithm.split(":")[0] not in ("auto", *known):
        raise click.UsageError(f"algorithm '{algorithm}', expected on a graph auto or one "
                               f"of {', '.join(known)}")


def named(algorithm, names):
    """The contender that is asked for: node:1 for node, 2 digits for digits."""
    return next(one for one in names if algorithm in (one, one.split(":")[0], one.split()[-1]))


MOST_RANKS_OF_ALL = 2**13  # of a graph, for which all is planned within some seconds


def compared(asked):
    """The contenders, and which rules are left out: for many ranks those that auto never takes, unless
    one of them is asked for."""
    ranks = ranks_of(asked)
    found = dict(contenders(asked, ranks))
    usual = planner.automatic_rules()
    slow = [] if ranks <= MOST_RANKS_OF_ALL else [
        name for name, one in found.items()
        if one["algorithm"] not in usual and one["algorithm"] != asked["algorithm"]]
    return {name: one for name, one in found.items() if name not in slow}, slow


AT_ONCE = 2  # rules, each of which may take gigabytes


def explained_each(names, questions):
    """The planner's answers to all questions."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = pool.map(lambda question: planner.ask("explain", **question), questions)
        return [answer for _, answer in zip(each("planning", names), answers, strict=True)]


def explained(asked, name):
    """The counts of all rules, and which one is chosen, why."""
    check_known(asked["algorithm"])
    found, left_out = compared(asked)
    if left_out:
        found = {name: {**one, "compare_orders": False} for name, one in found.items()}
    names, questions = zip(*found.items(), strict=True)
    answers = explained_each(names, questions)
    found = [{**answer["rules"][0], "name": one}
             for one, answer in zip(names, answers, strict=True)]
    automatic = min((rule for rule in found if rule["automatic"]),
                    key=lambda rule: rule["estimate"])["name"]
    choice = automatic
    if asked["algorithm"] != "auto":
        choice = named(asked["algorithm"], names)
    answer = {"graph": name, **answers[0], "rules": found, "automatic": automatic,
              "choice": choice, "left_out": left_out}
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    return answer


def planned(asked, name, choice):
    """What one rank does by that rule."""
    for one in each("planning", [choice]):
        answer = planner.ask("plan", **asked_for(asked, one))
    answer["rules"][0]["name"] = choice
    return {"graph": name, **answer, "choice": choice}


def as_graph(asked):
    """A grid and its stencil as a graph."""
    return {**asked, "graph": {"grid": asked["grid"], "stencil": asked["stencil"]}}


def of_grid(asked):
    """What the rules for graphs would do on a grid."""
    return explained({**as_graph(asked), "algorithm": "auto"}, asked["grid"])
