# SPDX-License-Identifier: MIT
"""What `carpool tune` has found, as tables."""

from rich.console import Group

from carpool_cli import costs
from carpool_cli.tables import table_of

WORDS = {"by_mpi": "by MPI on a node", "through_memory": "through memory",
         "between_nodes": "between nodes"}
CUT_OFFS = {"whole_through_memory": "through memory up to, in one piece",
            "put_together_through_memory": "the same, put together of several",
            "packed_below": "for MPI, packed below: a message",
            "packed_below_per_part": "the same: a block of it, on average",
            "packed_below_per_piece": "the same: a contiguous piece, on average"}


def found(machine, fits, cut_offs, usual):
    return Group(fitted(machine, fits), "alpha: a message; beta: a byte; sigma: a phase. The last "
                 "column: of the middle half of all exchanges.\n", lengths(cut_offs, usual))


def fitted(machine, fits):
    table = table_of(f"{machine['mpi']}, {machine['ranks']} ranks", ("for", "messages"), "for",
                     "messages", "alpha", "beta per KiB", "sigma", "fitted / measured time")
    for one in fits:
        ratios = one.ratios()
        table.add_row(one.work, WORDS[one.level], costs.seconds(one.costs["alpha"]),
                      costs.seconds(one.costs["beta"] * 1024), costs.seconds(one.costs["sigma"]),
                      f"{ratios[len(ratios) // 4]:.2f} to {ratios[3 * len(ratios) // 4]:.2f}")
    return table


def lengths(cut_offs, usual):
    table = table_of("messages", ("",), "", "measured", "usual")
    for name, length in cut_offs.lengths.items():
        table.add_row(CUT_OFFS[name], costs.size(length), costs.size(usual[name]))
    return table


def algorithms(lines):
    """What requests have found the fastest, by operation and the bytes of a block."""
    sizes = sorted({one["bytes"] for one in lines})
    table = table_of("found the fastest", ("operation", "taken"), "operation", "taken",
                     "bytes of a block")
    for operation in dict.fromkeys(one["operation"] for one in lines):
        taken = {one["bytes"]: one["taken"] for one in lines if one["operation"] == operation}
        for name, first, last in runs([(size, taken[size]) for size in sizes if size in taken]):
            span = costs.size(first) + (f" to {costs.size(last)}" if last > first else "")
            table.add_row(operation, name, span)
            operation = ""
    return table


def runs(pairs):
    """(name, first, last) of consecutive sizes with the same name."""
    found = []
    for size, name in pairs:
        if found and found[-1][0] == name:
            found[-1] = (name, found[-1][1], size)
        else:
            found.append((name, size, size))
    return found
