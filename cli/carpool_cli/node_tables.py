# SPDX-License-Identifier: MIT
"""What passes within nodes and between them, as tables for reading."""

from carpool_cli import costs
from carpool_cli.tables import model, shown_rules, table_of


def nodes(answer):
    """Lines below a table of rules; none where no nodes are told apart."""
    if "nodes" not in answer:
        return []
    about = answer["nodes"]
    shown = [table(answer, f"on {costs.counted(about['count'], 'node')}", lambda rule: rule["nodes"])]
    if "values" in about:
        shown.append(table(answer, "without repeats: a message has each value once",
                           lambda rule: rule["nodes"]["once"]))
    if not about["reordered"] and "bytes_along_edges" in about:
        same = "with repeats, if ranks are reordered" if "values" in about else "the same if ranks are reordered"
        shown.append(table(answer, same,
                           lambda rule: rule["nodes"].get("reordered")))
    return ["", *shown, *by_node(answer), *repeats(answer, about), gain(about), "", legend(answer)]


def by_node(answer):
    """What the library takes if that is faster, though it is no rule for grids."""
    found = answer.get("by_node")
    if not found:
        return []
    faster = "auto takes it" if answer["automatic"] == found["name"] else "auto does not take it"
    return [f"By {found['name']}, a rule for graphs, {costs.seconds(found['estimate'])}: {faster}."]


def repeats(answer, about):
    """How often values pass between nodes, and how often they have to."""
    if "values" not in about or not about["values"]["by_ranks"]:
        return []
    by_ranks, by_nodes = about["values"]["by_ranks"], about["values"]["by_nodes"]
    fastest = min(answer["rules"], key=lambda rule: rule["nodes"]["once"]["estimate"])
    return [f"{costs.counted(by_ranks, 'value')} of other nodes {'is' if by_ranks == 1 else 'are'} wanted by ranks, "
            f"{by_nodes:,} if each node counts once, {100 * (by_ranks - by_nodes) / by_ranks:.0f} % less. Without "
            f"repeats {fastest['name']} is the fastest, {costs.seconds(fastest['nodes']['once']['estimate'])}."]


def table(answer, name, counts_of):
    rows = table_of(name, ("rule",), "rule", "between", "bytes", "all ranks", "within", "bytes",
                    "estimate")
    for rule in shown_rules(answer):
        counts = counts_of(rule)
        if counts is None:
            continue
        between, within = counts["between"], counts["within"]
        rows.add_row(rule["name"], f"{between['messages']:,}", costs.size(between["bytes"]),
                     costs.size(between["all_bytes"]), f"{within['messages']:,}",
                     costs.size(within["bytes"]), costs.seconds(counts["estimate"]),
                     style="bold" if rule["name"] == answer["choice"] else "")
    return rows


def gain(about):
    """What reordering is worth, along the edges themselves."""
    if "bytes_along_edges" not in about:
        return "How ranks would be reordered takes long to find for so many: --reorder does it."
    before, after = about["bytes_along_edges"], about["bytes_along_edges_reordered"]
    if after == before:
        return "Reordering changes nothing: no order was found in which less passes between nodes."
    return (f"Reordered, {costs.size(after)} pass between nodes along the edges instead of "
            f"{costs.size(before)}, {100 * (before - after) / before:.0f} % less.")


def legend(answer):
    sampled = " Estimates on grids look at all ranks or, where these are many, at some." if "grid" in answer else ""
    return ("Between nodes and within them: the messages and bytes of the rank that sends or "
            f"receives most there. All ranks: the bytes of all ranks between nodes.{sampled}\n"
            f"Assumed within a node: {model(answer['nodes'])}")
