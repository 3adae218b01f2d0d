"""Answers about graphs as tables for reading."""

from rich.console import Group

from carpool import costs
from carpool.tables import assumed, rounds_of_rank, table_of


def title(answer):
    return (f"{answer['operation']} on {answer['graph']} "
            f"({costs.counted(answer['ranks'], 'rank')}, {costs.counted(answer['edges'], 'edge')}), "
            f"blocks of {costs.size(answer['block_bytes'][0])}")


def degrees(answer):
    """Of targets and of sources, which are as many on average."""
    out, into = (span(answer["degrees"][side]) for side in ("out", "in"))
    mean = f"{answer['degrees']['out']['mean']:,.4g} on average"
    if out == into:
        return f"A rank has {out} targets and as many sources, {mean}."
    return f"A rank has {out} targets and {into} sources, {mean}."


def span(degree):
    if degree["least"] == degree["most"]:
        return f"{degree['most']:,}"
    return f"{degree['least']:,} to {degree['most']:,}"


def rules(answer, caption):
    table = table_of(caption, ("rule", ""), "rule", "messages", "mean", "phases", "blocks (bytes)",
                     "steps", "letters (bytes)", "estimate", "")
    for rule in answer["rules"]:
        chosen = rule["name"] == answer["choice"]
        planning = rule["planning"]
        table.add_row(rule["name"], f"{rule['messages']:,}", f"{rule['mean_messages']:,.4g}",
                      f"{rule['phases']:,}", f"{rule['blocks']:,} ({costs.size(rule['bytes'])})",
                      f"{planning['supersteps']:,}",
                      f"{planning['letters']:,} ({costs.size(planning['bytes'])})",
                      f"{rule['estimate'] * 1e6:,.1f} µs", "◀ chosen" if chosen else "",
                      style="bold" if chosen else "")
    return table


def explained(answer):
    return Group(rules(answer, title(answer)), costs.reason(answer), "", degrees(answer),
                 legend(), assumed(answer))


def legend():
    return ("Messages, blocks: of the rank that sends or receives most of them; mean: over all "
            "ranks.\nSteps, letters: supersteps in which ranks make the plan together, and what "
            "one sends in them at most.")


def planned(answer):
    rule = answer["rules"][0]
    return Group(title(answer), f"{rule['name']}: {rule['summary']}", rounds_of_rank(answer))


def of_grid(answer):
    """Rules for graphs on a grid, beside those for grids."""
    graph = answer["as_graph"]
    return Group(rules(graph, "the same by rules for graphs"), costs.reason(graph), "", legend())
