# SPDX-License-Identifier: MIT
"""Answers about graphs as tables for reading."""

from rich.console import Group

from carpool_cli import costs, equations
from carpool_cli.tables import assumed, chosen_last, rounds_of_rank, table_of, with_costs


def title(answer):
    size = f"{costs.counted(answer['ranks'], 'rank')}, {costs.counted(answer['edges'], 'edge')}"
    what = "values" if answer["values"] else "blocks"
    return f"{answer['operation']} on {answer['graph']} ({size}), {what} of {costs.size(answer['block_bytes'][0])}"


def degrees(answer):
    """Of targets and of sources, which are as many on average."""
    out, into = answer["degrees"]["out"], answer["degrees"]["in"]
    return (f"Targets of a rank: {span(out)}; sources: {span(into)}; "
            f"on average {costs.mean(out['mean'])}.")


def span(degree):
    if degree["least"] == degree["most"]:
        return f"{degree['most']:,}"
    return f"{degree['least']:,} to {degree['most']:,}"


def rules(answer):
    table = table_of(None, ("rule", ""), "rule", "messages", "mean", "phases", "blocks", "bytes",
                     "estimate", "")
    for rule in answer["rules"]:
        chosen = rule["name"] == answer["choice"]
        cells = (rule["name"], f"{rule['messages']:,}", costs.mean(rule["mean_messages"]),
                 f"{rule['phases']:,}", f"{rule['blocks']:,}", costs.size(rule["bytes"]),
                 costs.seconds(rule["estimate"]))
        table.add_row(*chosen_last(cells, chosen), style="bold" if chosen else "")
    return table


def rearranged(answer):
    """Of rules whose virtual topology would overload a rank, what ranks at other places save."""
    return [f"{rule['name']} is rearranged: the busiest rank has {rule['blocks']:,} blocks and not "
            f"{rule['blocks_by_number']:,}."
            for rule in answer["rules"] if rule["arrangement"]]


def left_out(answer):
    if not answer["left_out"]:
        return []
    names = ", ".join(answer["left_out"])
    return [f"Left out, as auto never takes them and planning takes long: {names}; --algorithm names one."]


def planning(answer):
    table = table_of(None, ("rule",), "rule", "supersteps", "messages", "mean", "bytes", "mean")
    for rule in answer["rules"]:
        took = rule["planning"]
        table.add_row(rule["name"], f"{took['supersteps']:,}", f"{took['messages']:,}",
                      costs.mean(took["mean_messages"]), costs.size(took["bytes"]),
                      costs.size(round(took["mean_bytes"])))
    return Group("What planning takes:", table)


def explained(answer):
    return Group(with_costs(title(answer), answer), rules(answer), *rearranged(answer), costs.reason(answer),
                 *left_out(answer), "", degrees(answer), "",
                 *equations.compared(answer), planning(answer), legend(), assumed(answer))


def legend():
    return ("Messages, blocks and bytes are those of the rank that sends or receives most of them; "
            "while planning, those that a rank sends at most until all ranks know their part. "
            "Means are over all ranks.")


def planned(answer):
    rule = answer["rules"][0]
    return Group(title(answer), f"{rule['name']}: {rule['summary']}", rounds_of_rank(answer))


def of_grid(answer):
    """Rules for graphs on a grid, beside those for grids."""
    graph = answer["as_graph"]
    return Group("the same by rules for graphs", rules(graph), costs.reason(graph),
                 *left_out(graph), "",
                 planning(graph), legend())
