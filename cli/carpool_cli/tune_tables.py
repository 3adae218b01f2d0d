"""What `carpool tune` has found, as a table."""

from rich.console import Group

from carpool_cli import costs
from carpool_cli.tables import table_of

WORDS = {"by_mpi": "by MPI on a node", "through_memory": "through memory",
         "between_nodes": "between nodes"}


def found(machine, fits):
    table = table_of(f"{machine['mpi']}, {machine['ranks']} ranks", ("for", "messages"), "for",
                     "messages", "alpha", "beta per KiB", "sigma", "fitted / measured time")
    for one in fits:
        ratios = one.ratios()
        table.add_row(one.work, WORDS[one.level], costs.seconds(one.costs["alpha"]),
                      costs.seconds(one.costs["beta"] * 1024), costs.seconds(one.costs["sigma"]),
                      f"{ratios[len(ratios) // 4]:.2f} to {ratios[3 * len(ratios) // 4]:.2f}")
    return Group(table, "alpha: a message; beta: a byte; sigma: a phase. The last column: of the "
                        "middle half of all exchanges.\n")
