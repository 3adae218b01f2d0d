# SPDX-License-Identifier: MIT
"""Whole halos of arrays: their options, what the planner is asked about one, and its answer for
reading."""

import re

import click
from rich.console import Group

from carpool_cli import costs, planner, sizes
from carpool_cli.tables import assumed, chosen_last, counts_on_grid, table_of, with_costs


def shape_of(context, parameter, text):
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}(x\d{1,9})*", text):
        raise click.BadParameter(f"'{text}', expected cells in each dimension, such as 64x64x64")
    return [int(cells) for cells in text.split("x")]


def bytes_of(context, parameter, text):
    try:
        return None if text is None else sizes.in_bytes(text)
    except ValueError:
        raise click.BadParameter(f"'{text}', expected whole bytes, such as 8") from None


OPTIONS = (
    click.option("--halo", "shape", callback=shape_of, metavar="N[xN…]",
                 help="on a grid, a whole halo of an array, of which each rank owns so many cells; "
                      "STENCIL is what is read for a cell"),
    click.option("--element", callback=bytes_of, metavar="SIZE", help="of a halo: bytes of a cell  [default: 8]"),
    click.option("--width", type=click.IntRange(min=0),
                 help="of a halo, in cells  [default: as far as the stencil reaches]"),
)


def question(asked, given, shape, element, width):
    """What is asked, if it is about a halo."""
    if shape is None:
        for name, value in (("element", element), ("width", width)):
            if value is not None:
                raise click.UsageError(f"--{name} is for halos, say of which array by --halo")
        return asked
    if "grid" not in asked:
        raise click.UsageError(f"--halo is for grids, not for '{given['place']}'")
    if given["operation"] or given["plot"] or given["block"]:
        raise click.UsageError("--op, --block and --plot are not for --halo, whose blocks are parts of the array")
    if given["as_printed"]:
        raise click.UsageError("--as-printed is not for --halo, of which no paper has an algorithm")
    return {**asked, "compare_orders": False, "halo": {
        "shape": shape, "width": width, "element_bytes": 8 if element is None else element}}


def explained(asked):
    answer = planner.ask("explain", **asked)
    answer["halo"] |= asked["halo"]
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    return answer


def title(answer):
    halo = answer["halo"]
    return (f"halo of {'x'.join(map(str, halo['shape']))} cells of {costs.size(halo['element_bytes'])} "
            f"on {answer['grid']} ({answer['ranks']:,} ranks)")


def told(answer):
    table = table_of(with_costs(title(answer), answer), ("rule", ""), "rule", "rounds", "phases",
                     "depth", "cells", "messages", "bytes", "estimate", "")
    for rule in answer["rules"]:
        chosen = rule["name"] == answer["choice"]
        cells = (rule["name"], *counts_on_grid(rule), costs.seconds(rule["estimate"]))
        table.add_row(*chosen_last(cells, chosen), style="bold" if chosen else "")
    return Group(table, answer["reason"], "", parts(answer), legend(answer))


def parts(answer):
    """Faces, edges and corners."""
    of_size = [f"{part['neighbors']:,} of {costs.size(part['bytes'])}" for part in answer["halo"]["parts"]]
    return f"Parts of the halo, one per neighbor: {', '.join(of_size)}."


def legend(answer):
    return (f"Messages and bytes are those of rank {answer['rank']}. Cells: those that a rank sends, "
            f"counted at each hop, if all its neighbors exist. Depth: the longest chain of rounds that "
            f"wait for each other's cells. Estimate: of all rounds and cells.\n{assumed(answer)}")
