# SPDX-License-Identifier: MIT
"""The command simulate: what an exchange would take on a machine that is not here."""

import click

from carpool_cli import machines, platforms, simgrid, simulate_tables
from carpool_cli.options import (EXCHANGE, PLATFORM, REORDER, blocks_of, check_graph_rules, drawable, options, question,
                                 seconds)
from carpool_cli.output import check_writable, drawn, show
from carpool_cli.simulation import Simulation

LONGEST = 1e6  # seconds that Python can wait for a replay


@click.command()
@options(EXCHANGE, PLATFORM, REORDER)
@click.option("--sizes", "swept", metavar="SIZE[,SIZE…]",
              callback=lambda context, option, text: text and blocks_of(context, option, text),
              help="of all blocks: what is simulated one after the other")
@click.option("--engine", type=click.Choice(["auto", "loggp", "simgrid"]), default="auto",
              show_default=True, help="auto: SimGrid where links between nodes are shared")
@click.option("--limit", type=float, callback=seconds, default=60, show_default=True,
              help="give up a replay by SimGrid after this many seconds")
@click.option("--graph-rules", is_flag=True, help="on a grid, also the rules for graphs")
@click.option("--plot", metavar="FILE", callback=drawable,
              help="draw the time over the block size to FILE, .svg or .png")
def simulate(as_json, plot, engine, swept, limit, graph_rules, **given):
    """Simulates an exchange on many ranks: runs the schedules of all of them, message by message, on a
    network of nodes. By LogGP; or by SimGrid, for networks whose nodes share links."""
    if plot:
        check_writable(plot)
    if engine == "simgrid":
        simgrid.check()
    if swept and given["block"] and len(given["block"]) > 1:
        raise click.UsageError("--sizes are those of all blocks, so --blocks cannot differ")
    platform = platform_of(given)
    check_engine(platform, engine)
    given["machine"] = given["machine"] or machines.USUAL
    asked = question(**given)
    check_graph_rules(asked, given, graph_rules)
    found = Simulation(machines.chosen(given), platform, engine, min(limit, LONGEST)).of(
        asked, swept, graph_rules) | {"machine_name": given["machine"]}
    show(found, as_json, simulate_tables.simulated)
    if plot:
        drawn("simulate_plot", found, file=plot)


def check_engine(platform, engine):
    """Only SimGrid knows the network in a file."""
    if platform.is_file and engine == "loggp":
        raise click.UsageError(f"--engine loggp knows nothing of the network in {platform.text}; take simgrid, "
                               "or a --platform such as cluster:4x8")
    if platform.is_file:
        simgrid.check()


def platform_of(given):
    """The platform; a laptop is one node."""
    if given["platform"] is None and given["machine"] == "laptop":
        if given["per_node"]:
            raise click.UsageError("--per-node is for --platform FILE.xml; a laptop is one node")
        return platforms.ONE_NODE
    if given["platform"] is None:
        raise click.UsageError("Missing option '--platform', such as --platform cluster:36x32; "
                               "--machine laptop needs none.")
    return platforms.chosen(given)
