"""Machines by name or from files: what messages cost there, in the terms of LogGP. The numbers of the
named ones are assumptions, see docs/guide/simulating.md."""

from dataclasses import dataclass, fields, replace

import click

from carpool_cli import json_files


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Seconds, and bytes per second."""

    overhead: float  # of a message, at each of its ends
    latency: float  # from node to node
    gap: float  # least time between two messages of a node's adapter
    bandwidth: float  # of a node's adapter
    node_latency: float  # between ranks of one node
    node_bandwidth: float  # of a message between ranks of one node
    copy_bandwidth: float  # of one rank that copies blocks

    def network(self):
        """As the planner takes it, see src/simulate/network.hpp."""
        return {"send_overhead": self.overhead, "receive_overhead": self.overhead,
                "latency": self.latency, "gap": self.gap, "per_byte": 1 / self.bandwidth,
                "node_latency": self.node_latency, "node_per_byte": 1 / self.node_bandwidth,
                "copy_per_byte": 1 / self.copy_bandwidth}

    def costs(self, per_node):
        """As the cost model takes it, between nodes and within one. A rank pays for a message that
        it sends and one that it receives, and has its share of its node's adapter."""
        return ({"alpha": 2 * self.overhead, "beta": per_node / self.bandwidth,
                 "sigma": self.latency},
                {"alpha": 2 * self.overhead, "beta": 1 / self.node_bandwidth,
                 "sigma": self.node_latency})


NAMED = {
    "laptop": Machine(overhead=2e-7, latency=3e-7, gap=0, bandwidth=1e10,
                      node_latency=3e-7, node_bandwidth=1e10, copy_bandwidth=1e10),
    "ethernet": Machine(overhead=2e-6, latency=2e-5, gap=2e-8, bandwidth=3e9,
                        node_latency=3e-7, node_bandwidth=1e10, copy_bandwidth=1e10),
    "infiniband": Machine(overhead=2.5e-7, latency=4e-7, gap=5e-9, bandwidth=2.4e10,
                          node_latency=2e-7, node_bandwidth=1e10, copy_bandwidth=1e10),
    "omnipath": Machine(overhead=4e-7, latency=6e-7, gap=6e-9, bandwidth=1.23e10,
                        node_latency=3e-7, node_bandwidth=1e10, copy_bandwidth=1e10),
}
USUAL = "infiniband"


def chosen(given):
    """By --machine and --overhead; None where neither is given."""
    if given["machine"] is None and given["overhead"] is None:
        return None
    name = given["machine"] or USUAL
    found = NAMED.get(name) or of_file(name)
    return found if given["overhead"] is None else replace(found, overhead=given["overhead"])


def of_file(file):
    if "." not in file and "/" not in file:
        raise click.UsageError(f"--machine '{file}', expected {', '.join(NAMED)} or a file of JSON")
    return of_json(json_files.read(file), file)


def of_json(found, file):
    known = [field.name for field in fields(Machine)]
    if not isinstance(found, dict) or sorted(found) != sorted(known):
        raise click.UsageError(f"--machine {file}: expected an object with {', '.join(known)}")
    for name, value in found.items():
        least = 0 if name in ("overhead", "latency", "gap", "node_latency") else 1
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= 1e30:
            raise click.UsageError(f"--machine {file}: {name} is {value!r}, expected a number, at "
                                   f"least {least}")
    return Machine(**found)
