# SPDX-License-Identifier: MIT
"""[5]'s cost equations 1 to 10, to be seen beside what the planner has counted."""

import math

from rich.console import Group

from carpool_cli import costs
from carpool_cli.tables import table_of


def has_holes(side):
    """[5]'s lambda is 1: the virtual topology is not full."""
    return side != int(side)


def side_of(ranks, power):
    """The root of the ranks, exactly where there is one."""
    near = round(ranks ** (1 / power))
    return near if near ** power == ranks else ranks ** (1 / power)


def of_alltoall(ranks, block, alpha, beta):
    """(rule, number of the equation, seconds)"""
    side, cube, bits = side_of(ranks, 2), side_of(ranks, 3), math.log2(ranks)
    yield "direct", 1, (ranks - 1) * (alpha + block * beta)
    yield "mesh", 2, 2 * (side - 1) * (alpha + side * block * beta)
    if has_holes(cube):
        yield "grid", 4, 4 * cube * alpha + 5 * ranks * block * beta
    else:
        yield "grid", 3, 3 * (cube - 1) * (alpha + cube ** 2 * block * beta)
    if has_holes(bits):
        yield "hypercube", 6, bits * (alpha + ranks * block * beta)
    else:
        yield "hypercube", 5, bits * (alpha + ranks / 2 * block * beta)


def of_manytomany(ranks, degree, block, alpha, beta):
    yield "direct", 10, degree * (alpha + block * beta)
    yield "mesh", 7, 2 * side_of(ranks, 2) * alpha + 2 * degree * block * beta
    yield "grid", 8, 3 * side_of(ranks, 3) * alpha + 3 * degree * block * beta
    yield "hypercube", 9, math.log2(ranks) * (alpha + degree * block * beta)


def of_answer(answer):
    """Those that say something of this question; maybe none."""
    sizes = answer["block_bytes"]
    if len(set(sizes)) != 1 or answer["ranks"] < 2:
        return []
    given = sizes[0], answer["alpha"], answer["beta"]
    if answer.get("collective") == "alltoall":
        return list(of_alltoall(answer["ranks"], *given))
    words = answer.get("graph", "").split()
    if words[:1] == ["manytomany"] and answer["operation"] == "alltoall":
        degree = round(answer["degrees"]["out"]["mean"])
        return list(of_manytomany(answer["ranks"], degree, *given))
    return []


def compared(answer):
    """A table, or nothing."""
    equations = of_answer(answer)
    if not equations:
        return []
    counts = {rule["name"].replace("spread", "direct"): rule for rule in answer["rules"]}
    table = table_of(None, ("rule",), "rule", "equation", "says", "messages", "bytes", "cost")
    for name, number, seconds in equations:
        if rule := counts.get(name):
            cost = rule["messages"] * answer["alpha"] + rule["bytes"] * answer["beta"]
            table.add_row(name, str(number), costs.seconds(seconds), f"{rule['messages']:,}",
                          costs.size(rule["bytes"]), costs.seconds(cost))
    return [Group("The cost equations of [5], which know of no phase, beside counted messages and bytes:", table)]
