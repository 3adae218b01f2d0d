# SPDX-License-Identifier: MIT
"""What a simulation has found, as tables for reading."""

from rich.console import Group

from carpool_cli import costs
from carpool_cli.simgrid import MISSING
from carpool_cli.tables import table_of

REPLAYED = "*"
SIZES_IN_A_ROW = 4


def simulated(found):
    tables = by_size(found) if found["sizes"] else [one_size(found)]
    return Group(*tables, *legend(found))


def title(found):
    place = f"{found['operation']} on {found['place']}" if found["operation"] else found["place"]
    return (f"{place} ({costs.counted(found['ranks'], 'rank')}), "
            f"on {found['platform']}, {found['machine_name']}")


def one_size(found):
    """Times, and what passes within nodes and between them."""
    table = table_of(title(found), ("method",), "method", "time", "busy", "within", "between", "bytes",
                     "adapter")
    for method in found["methods"]:
        cost = method["costs"][0]
        table.add_row(method["name"], told(method, found, 0), *passed(cost))
    return table


def passed(cost):
    """What LogGP has counted; SimGrid's own collectives tell nothing."""
    if "busy" not in cost:
        return []
    within, between = cost["within"], cost["between"]
    return [costs.seconds(cost["busy"]), f"{within['messages']:,}", f"{between['messages']:,}",
            costs.size(between["bytes"]), costs.size(cost["adapter"]["bytes"])]


def by_size(found):
    """As many tables as fit in 80 columns."""
    for first in range(0, len(found["sizes"]), SIZES_IN_A_ROW):
        numbers = range(first, min(first + SIZES_IN_A_ROW, len(found["sizes"])))
        table = table_of("" if first else title(found), ("method",), "method",
                         *(costs.size(found["sizes"][number]) for number in numbers))
        for method in found["methods"]:
            table.add_row(method["name"], *(told(method, found, number) for number in numbers))
        yield table


def told(method, found, number):
    """A time, and the mark of the fastest."""
    text = time(method["costs"][number])
    return marked(text) if method["name"] == found["fastest"][number] else text


def marked(text):
    return f"{text} ◀"


def time(cost):
    if cost["time"] is None:
        return "–"
    return costs.seconds(cost["time"]) + (REPLAYED if cost["engine"] == "simgrid" else "")


def legend(found):
    """What the numbers mean, and who has computed them."""
    lines = [] if found["sizes"] else [
        "Busy: the processor of the busiest rank. Within nodes and between them: messages of all ranks, and "
        "bytes between nodes. Adapter: the bytes out of one node, or into it, where these are most."]
    if any(found["fastest"]):
        lines.append("◀ the fastest of Carpool's methods.")
    assumed = on_network_of if found["network_in_file"] else machine
    return [*lines, *engines(found), assumed(found)]


def engines(found):
    shown = [(method["name"], cost) for method in found["methods"] for cost in method["costs"]]
    used = {cost["engine"] for _, cost in shown if cost["time"] is not None}
    if "simgrid" in used:
        yield f"{REPLAYED} by SimGrid, which knows what links between nodes carry."
    if "loggp" in used:
        yield f"By LogGP{', as if no link between nodes were shared' if found['shares_links'] else ''}."
    failed = dict.fromkeys(name for name, cost in shown if "not_replayed" in cost or cost["time"] is None)
    if failed:
        whys = dict.fromkeys(cost["why"] for _, cost in shown if "why" in cost)
        yield f"SimGrid failed, or took too long, for {', '.join(failed)}{': ' if whys else ''}{'; '.join(whys)}."
    if found["left_out"]:
        yield f"Left out, with more than 2^25 messages: {', '.join(found['left_out'])}."
    if found["missing"]:
        yield f"{MISSING}."


def on_network_of(found):
    """The rest of a machine is not used with the network in a file."""
    one = found["machine"]
    return f"Network: that in {found['platform']}. Assumed: {overheads(one)}, {blocks(one)}."


def machine(found):
    one = found["machine"]
    return (f"Assumed: {overheads(one)}; from node to node {one['latency'] * 1e6:g} µs, "
            f"{gigabytes(one['bandwidth'])} by a rank and {gigabytes(one['adapter_bandwidth'])} by a node; in a node "
            f"{one['node_latency'] * 1e6:g} µs and {gigabytes(one['node_bandwidth'])}; {blocks(one)}.")


def overheads(one):
    return (f"{one['send_overhead'] * 1e6:g} µs to send a message and {one['receive_overhead'] * 1e6:g} µs to "
            f"receive one, {one['node_overhead'] * 1e6:g} µs each in a node")


def blocks(one):
    return f"copies of {gigabytes(one['copy_bandwidth'])}, sums of {gigabytes(one['sum_bandwidth'])}"


def gigabytes(bandwidth):
    return f"{bandwidth / 1e9:.3g} GB/s"
