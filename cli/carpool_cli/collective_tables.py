# SPDX-License-Identifier: MIT
"""Answers about collectives as tables for reading."""

from rich.console import Group

from carpool_cli import costs, equations
from carpool_cli.tables import (assumed, chosen_last, in_transit, listed, local, message_cells, model, table_of,
                                with_costs)

LEGEND = ("Messages and bytes are those of the rank that sends or receives most of them; all "
          "messages are those of all ranks together.")


def place_of(answer):
    root = "" if answer["root"] is None else f", root {answer['root']}"
    return f"{answer['collective']} on {costs.counted(answer['ranks'], 'rank')}{root}"


def title(answer):
    sizes = answer["block_bytes"]
    if not sizes:
        return place_of(answer)
    order = "" if answer["commutes"] else ", summed in order"
    block = (f"blocks of {costs.size(sizes[0])}" if len(sizes) == 1 else
             f"blocks of {costs.size(sum(sizes))} in all")
    return f"{place_of(answer)}, {block}{order}"


def algorithms(answer):
    table = table_of(with_costs(title(answer), answer), ("algorithm", ""), "algorithm", "phases", "messages", "bytes",
                     "all messages", "estimate", "")
    for rule in answer["rules"]:
        chosen = rule["name"] == answer["choice"]
        cells = (rule["name"], f"{rule['phases']:,}", f"{rule['messages']:,}",
                 costs.size(rule["bytes"]), f"{rule['all_messages']:,}",
                 costs.seconds(rule["estimate"]))
        table.add_row(*chosen_last(cells, chosen), style="bold" if chosen else "")
    return table


def explained(answer):
    return Group(algorithms(answer), answer["reason"], "", *equations.compared(answer),
                 *not_applying(answer), LEGEND, assumption(answer))


def not_applying(answer):
    return [f"Not here: {one['name']}, which needs {one['needs']}."
            for one in answer["inapplicable"]]


def assumption(answer):
    shared = answer["ranks_per_core"]
    cores = "" if shared == 1 else f" {shared:g} ranks per core."
    within = f"\nWithin a node: {model(answer['within'])}" if answer["nodes"] > 1 else ""
    return assumed(answer) + cores + within


def place(slot, answer):
    """A slot as a reader thinks of it: whose block, or which piece of the one block."""
    at, kind = slot["position"], answer["collective"]
    if kind == "barrier":
        return "notice"
    if slot["kind"] == "temp":
        return in_transit(at, answer)
    schedule = answer["rules"][0]["schedule"]
    if slot["kind"] == "send" and schedule["send_slots"] == 1:
        return "own block"
    if slot["kind"] == "recv" and schedule["recv_slots"] == 1:
        return "result" if answer["reduces"] else "its block"
    return named(at, slot["kind"], kind)


def named(at, side, kind):
    """One of several blocks: of or for a rank, or a piece."""
    if kind in ("gather", "scatter", "allgather", "alltoall", "reduce_scatter"):
        return f"to rank {at}" if side == "send" else f"from rank {at}"
    return f"{'own' if side == 'send' else 'result'} piece {at}"


def rounds_of_rank(answer):
    """What one rank sends and receives, in one row as far as both are in the same phase."""
    rule = answer["rules"][0]
    table = table_of(f"rank {answer['rank']} by {rule['name']}",
                     ("sends to", "blocks", "receives from"), "phase", "sends to", "blocks",
                     "receives from", "blocks")

    def called(slots, between="\n"):
        return listed(slots, answer, between, place=place)

    for phase, send, receive in paired(rule["schedule"]["rounds"]):
        table.add_row(str(phase), *message_cells(send, called), *message_cells(receive, called))
    return Group(table, *local(rule["schedule"], called))


def paired(rounds):
    """(phase, message or none, message or none): the k-th of both ways in a phase together."""
    phases = {}
    for one in rounds:
        sides = phases.setdefault(one["phase"], ([], []))
        for side, message in zip(sides, (one["send"], one["receive"]), strict=True):
            side += [message] if message else []
    for phase, (sends, receives) in phases.items():
        for k in range(max(len(sends), len(receives))):
            yield phase, *(side[k] if k < len(side) else None for side in (sends, receives))


def planned(answer):
    return Group(title(answer), rounds_of_rank(answer))
