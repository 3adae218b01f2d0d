"""What passes within nodes and between them, as tables for reading."""

from carpool_cli import costs
from carpool_cli.tables import model, table_of


def nodes(answer):
    """Lines below a table of rules; none where no nodes are told apart."""
    if "nodes" not in answer:
        return []
    about = answer["nodes"]
    shown = [table(answer, f"on {costs.counted(about['count'], 'node')}", lambda rule: rule["nodes"])]
    if not about["reordered"]:
        shown.append(table(answer, "the same if ranks are reordered",
                           lambda rule: rule["nodes"]["reordered"]))
    return ["", *shown, *by_node(answer), gain(about), "", legend(about)]


def by_node(answer):
    """What the library takes if that is faster, though it is no rule for grids."""
    found = answer.get("by_node")
    if not found:
        return []
    taken = min(rule["estimate"] for rule in answer["rules"] if rule["automatic"])
    faster = "auto takes it" if found["estimate"] < taken else "auto does not take it"
    return [f"By {found['name']}, a rule for graphs, {costs.seconds(found['estimate'])}: {faster}."]


def table(answer, name, counts_of):
    rows = table_of(name, ("rule",), "rule", "between nodes", "of all ranks", "within",
                    "of all ranks", "estimate")
    for rule in answer["rules"]:
        counts = counts_of(rule)
        rows.add_row(rule["name"], *both(counts["between"]), *both(counts["within"]),
                     f"{counts['estimate'] * 1e6:,.1f} µs",
                     style="bold" if rule["name"] == answer["choice"] else "")
    return rows


def both(counts):
    """Of the busiest rank, and of all ranks."""
    return (f"{counts['messages']:,} ({costs.size(counts['bytes'])})",
            f"{counts['all_messages']:,} ({costs.size(counts['all_bytes'])})")


def gain(about):
    """What reordering is worth, along the edges themselves."""
    before, after = about["bytes_along_edges"], about["bytes_along_edges_reordered"]
    if after == before:
        return "Reordering changes nothing: no order was found in which less passes between nodes."
    return (f"Reordered, {costs.size(after)} pass between nodes along the edges instead of "
            f"{costs.size(before)}, {100 * (before - after) / before:.0f} % less.")


def legend(about):
    return ("Between nodes, within: messages (bytes) of the rank that sends or receives most there, and of all "
            "ranks.\n"
            f"Assumed within a node: {model(about)}")
