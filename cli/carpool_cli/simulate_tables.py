"""What a simulation has found, as tables for reading."""

from rich.console import Group

from carpool_cli import costs
from carpool_cli.simgrid import MISSING
from carpool_cli.tables import table_of

REPLAYED = "*"


def simulated(found):
    table = by_size(found) if found["sizes"] else one_size(found)
    return Group(table, *legend(found))


def title(found):
    place = f"{found['operation']} on {found['place']}" if found["operation"] else found["place"]
    return f"{place} ({found['ranks']:,} ranks), on {found['platform']}"


def one_size(found):
    """Times, and what passes within nodes and between them."""
    table = table_of(title(found), ("method",), "method", "time", "busy", "within", "bytes", "between",
                     "bytes", "adapter")
    for method in found["methods"]:
        cost = method["costs"][0]
        table.add_row(method["name"], time(cost), *passed(cost),
                      style="bold" if method["name"] == found["fastest"][0] else "")
    return table


def passed(cost):
    """What LogGP has counted; SimGrid's own collectives tell nothing."""
    if "busy" not in cost:
        return []
    levels = [(f"{cost[level]['messages']:,}", costs.size(cost[level]["bytes"]))
              for level in ("within", "between")]
    return [costs.seconds(cost["busy"]), *levels[0], *levels[1], costs.size(cost["adapter"]["bytes"])]


def by_size(found):
    sizes = [costs.size(size) for size in found["sizes"]]
    table = table_of(title(found), ("method",), "method", *sizes)
    for method in found["methods"]:
        table.add_row(method["name"], *(
            marked(time(cost)) if method["name"] == fastest else time(cost)
            for cost, fastest in zip(method["costs"], found["fastest"], strict=True)))
    return table


def marked(text):
    return f"{text} ◀"


def time(cost):
    if cost["time"] is None:
        return "–"
    return costs.seconds(cost["time"]) + (REPLAYED if cost["engine"] == "simgrid" else "")


def legend(found):
    """What the numbers mean, and who has computed them."""
    lines = []
    if not found["sizes"]:
        lines.append("Busy: the processor of the busiest rank. Within nodes and between them: messages "
                     "and bytes of all ranks. Adapter: the bytes out of one node, or into it, where "
                     "these are most.")
    elif any(found["fastest"]):
        lines.append("◀ the fastest of Carpool's methods.")
    engines = {cost["engine"] for method in found["methods"] for cost in method["costs"]}
    if "simgrid" in engines:
        lines.append(f"{REPLAYED} by SimGrid, which knows what links between nodes carry.")
    if "loggp" in engines:
        lines.append("By LogGP" + (", as if no link between nodes were shared." if found["shares_links"]
                                   else "."))
    if found["left_out"]:
        lines.append(f"Left out, with more than 2^25 messages: {', '.join(found['left_out'])}.")
    if found["missing"]:
        lines.append(f"{MISSING}.")
    return [*lines, machine(found["machine"])]


def machine(one):
    return (f"Assumed: {one['overhead'] * 1e6:g} µs per message at each of its ends, "
            f"{one['latency'] * 1e6:g} µs and {one['bandwidth'] / 1e9:g} GB/s from node to node, "
            f"{one['node_latency'] * 1e6:g} µs and {one['node_bandwidth'] / 1e9:g} GB/s in a node, "
            f"copies of {one['copy_bandwidth'] / 1e9:g} GB/s.")
