# SPDX-License-Identifier: MIT
"""The options of the commands, and the question that they make."""

from pathlib import Path

import click

from carpool_cli import assumptions, collectives, hosts, machines, platforms, sizes
from carpool_cli.costs import COST_NAMES
from carpool_cli.graphs import FILE_OPTIONS, Given, graph_of, is_grid, only_files


BLOCK, VALUE = 64, 8  # usual bytes: of a block; of a value of a vector


def blocks_of(context, parameter, text):
    try:
        return None if text is None else [sizes.in_bytes(size) for size in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"'{text}', expected whole bytes, such as 64, 8,8,64 or 4KiB") from None


def segment_of(context, parameter, text):
    try:
        return None if text is None else sizes.in_bytes(text)
    except ValueError:
        raise click.BadParameter(f"'{text}', expected whole bytes, such as 65536 or 64KiB") from None


def ranks_per_node(context, parameter, text):
    return None if text is None else hosts.ranks_per_node(text)


MOST_SECONDS = 1e9  # of anything that costs; what is summed up of them is still a number


def seconds(context, parameter, value):
    if value is not None and not 0 <= value <= MOST_SECONDS:
        raise click.BadParameter(f"{value}, expected seconds, at least 0")
    return value


def drawable(context, parameter, file):
    if file and Path(file).suffix not in (".svg", ".png"):
        raise click.BadParameter(f"'{file}', expected a name that ends in .svg or .png")
    return file


EXCHANGE = (
    click.argument("place", metavar="GRID|GRAPH|COLLECTIVE"),
    click.argument("stencil", required=False),
    click.option("--op", "operation",
                 help="one that `carpool algorithms` lists  [default: alltoall]"),
    click.option("--block", "--blocks", "block", callback=blocks_of, metavar="SIZE[,SIZE…]",
                 help=f"bytes of a block, or of each, by commas; a SIZE may have a unit: {sizes.NAMES}  [default: "
                      f"{BLOCK}; where rows are dealt out, {VALUE} for a value of a row]"),
    click.option("--algorithm", default="auto", show_default=True,
                 help="one rule or algorithm, a plan such as basis:10/2, or auto"),
    click.option("--ranks", type=int, help="number of ranks: for a matrix or a mesh, whose rows or elements are "
                                           "dealt out, or of an edge list"),
    click.option("--parts", metavar="ranges|metis|FILE",
                 help="how rows, vertices or elements are dealt to ranks: in equal ranges; by METIS, which needs "
                      "pymetis; or by a file with the part of each  [default: ranges]"),
    click.option("--sharing", type=click.Choice(["face", "node"]),
                 help="of a mesh: elements are neighbors if they share a face, or a node  [default: face]"),
    click.option("--ids", type=click.Choice(["0", "1", "any"]),
                 help="how a list of edges numbers ranks: from 0 or from 1, or by any numbers, of which only "
                      "those with edges are ranks  [default: 0]"),
    click.option("--theta", type=int, default=4, show_default=True,
                 help="common targets that make two ranks of a graph friends"),
    click.option("--digits", default="2", show_default=True,
                 help="of the rule digits: how many, or their factors, such as 8x8x4"),
    click.option("--rearrange", type=click.Choice(["auto", "off"]), default="auto",
                 show_default=True,
                 help="on a graph: ranks may change places in a virtual topology"),
    click.option("--as-printed", is_flag=True,
                 help="on a grid: offsets that lead to the same rank are not merged, as in the papers' "
                      "algorithms; the library always merges them"),
    click.option("--in-order", is_flag=True,
                 help="of a collective: the operator does not commute"),
    click.option("--segment", callback=segment_of, metavar="SIZE",
                 help="of a collective: the bytes of a pipeline's pieces  [default: 64KiB]"),
    click.option("--per-node", callback=ranks_per_node, metavar="N[,N…]|FILE",
                 help="ranks on each node, or on all; also as SLURM writes them, 4(x2),3, or a file of hosts: counts what passes between nodes apart, with "
                      "costs for it; of a collective, allows algorithms that go by nodes"),
    click.option("--json", "as_json", is_flag=True, help="for programs; see cli/README.md"),
)
REORDER = (
    click.option("--reorder", is_flag=True,
                 help="number ranks as Carpool does with reorder, so that less passes between nodes"),
)
NODES = (
    *REORDER,
    click.option("--node-alpha", type=float, callback=seconds, help="seconds per message in a node"),
    click.option("--node-beta", type=float, callback=seconds, help="seconds per byte in a node"),
    click.option("--node-sigma", type=float, callback=seconds, help="seconds per phase in a node"),
)
COSTS = (
    click.option("--mpi", type=click.Choice(sorted(assumptions.MPI_NAMES)), default=assumptions.USUAL_MPI,
                 show_default=True, help="whose usual costs to assume"),
    click.option("--transport", type=click.Choice(["auto", "mpi", "shared"]), default="auto",
                 show_default=True, help="on a node, messages by MPI, or through shared memory"),
    click.option("--tuning", metavar="FILE", envvar="CARPOOL_TUNING",
                 help="costs that `carpool tune` has measured  [default: CARPOOL_TUNING]"),
    click.option("--alpha", type=float, callback=seconds, help="seconds per message"),
    click.option("--beta", type=float, callback=seconds, help="seconds per byte"),
    click.option("--sigma", type=float, callback=seconds, help="seconds per phase"),
    click.option("--ports", type=click.IntRange(1, 2**20), default=1, show_default=True,
                 help="messages of a rank under way at once for the cost of one"),
    click.option("--ranks-per-core", type=float,
                 help="of a collective: how many share a core  [default: 1]"),
    click.option("--rank", type=int, help="whose messages to show"),
    click.option("--plot", metavar="FILE", callback=drawable, help="draw to FILE, .svg or .png"),
)

PLATFORM = (
    click.option("--platform", metavar="KIND:SHAPE|FILE",
                 help="a network of nodes: cluster:36x32 (nodes, ranks on each), fattree, torus or "
                      "dragonfly, or a file of SimGrid; see `carpool help simulating`"),
    click.option("--machine", metavar="NAME|FILE",
                 help="what messages cost: infiniband, ethernet, leonardo and others, or a file of JSON"
                      "  [default: what the library assumes; to simulate, infiniband]"),
    click.option("--overhead", type=float, callback=seconds,
                 help="seconds that a message costs at each of its ends, instead of the machine's"),
)


NODE_OPTIONS = ("reorder", *(f"node_{name}" for name in COST_NAMES))
DEFAULTS = {"mpi": assumptions.USUAL_MPI, "transport": "auto", "tuning": None, "ports": 1, "rank": None,
            **dict.fromkeys(COST_NAMES), **dict.fromkeys(NODE_OPTIONS), "reorder": False,
            "platform": None, "machine": None, "overhead": None, "as_printed": False,
            "parts": None, "sharing": None}


def options(*groups):
    def decorate(command):
        for option in reversed([one for group in groups for one in group]):
            command = option(command)
        return command
    return decorate


def question(place, stencil, **given):
    """What the planner is asked; see the headers question.hpp of the planner."""
    given = on_platform({**DEFAULTS, **given})
    asked = {"block_bytes": given["block"] or [BLOCK], "algorithm": given["algorithm"], "rank": given["rank"]}
    own = {name: given[name] for name in COST_NAMES}
    own_within = {name: given[f"node_{name}"] for name in COST_NAMES}
    if stencil is None and collectives.is_collective(place):
        only_exchanges(place, given)
        check_nodes(given)
        return {**asked, **collectives.question(place, given),
                **assumptions.assumed("collectives", given, own, own_within)}
    only_collectives(place, given)
    check_nodes(given)
    at = where(place, stencil, Given(*(given[name] for name in FILE_OPTIONS)))
    if "grid" in at:
        at["as_printed"] = given["as_printed"]
    else:
        only_grids(place, given)
    if carries_values(at, given["operation"]) and not given["block"]:
        asked["block_bytes"] = [VALUE]
    return {**asked, **nodes_of(given), **at,
            "theta": given["theta"], "digits": given["digits"], "rearrange": given["rearrange"],
            "operation": given["operation"] or "alltoall",
            **assumptions.assumed("neighborhoods", given, own, own_within)}


def carries_values(at, operation):
    """Does an edge carry as many values as its target needs, each a block?"""
    graph = at.get("graph")
    return isinstance(graph, dict) and graph["values"] and operation in (None, "alltoall")


def on_platform(given):
    """A platform says how many ranks a node has, and whether nodes share links; costs are those of the
    machine that is asked for, if any."""
    platform = platforms.chosen(given)
    found = {**given, "costs_of": machines.chosen(given),
             "on": platform, "room": platform and {"name": platform.text, "room": platform.room}}
    return {**found, "per_node": [platform.per_node]} if platform else found


def nodes_of(given):
    """What is asked about nodes, where they are told apart."""
    if not given["per_node"]:
        return {}
    return {"per_node": given["per_node"], "reorder": given["reorder"], "platform": given["room"]}


def check_nodes(given):
    for option in NODE_OPTIONS:
        if not given["per_node"] and given[option] not in (None, False):
            raise click.UsageError(f"--{option.replace('_', '-')} is for ranks on nodes, say how "
                                   "many by --per-node")


def only_collectives(place, given):
    for option in ("in_order", "segment", "ranks_per_core"):
        if given.get(option) not in (None, False):
            raise click.UsageError(f"--{option.replace('_', '-')} is for collectives, not for "
                                   f"'{place}'")


def only_exchanges(place, given):
    if given["reorder"]:
        raise click.UsageError(f"--reorder is for grids and graphs, not for '{place}'")
    only_grids(place, given)


def only_grids(place, given):
    if given["as_printed"]:
        raise click.UsageError(f"--as-printed is for grids, not for '{place}'")


def check_graph_rules(asked, given, graph_rules):
    if graph_rules and ("grid" not in asked or given.get("shape")):
        what = "halos" if "grid" in asked else f"'{given['place']}'"
        raise click.UsageError(f"--graph-rules is for grids, not for {what}")


def where(place, stencil, given):
    """@param given: graphs.Given"""
    if stencil is None and not is_grid(place):
        return {"graph": graph_of(place, given)}
    if stencil is None:
        raise click.UsageError("Missing argument 'STENCIL'.")
    only_files(place, given)
    return {"grid": place, "stencil": stencil}
