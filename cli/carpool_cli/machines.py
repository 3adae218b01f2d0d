# SPDX-License-Identifier: MIT
"""Machines by name or from files: what messages cost there, in the terms of LogGP. `laptop` and `ethernet` are
assumptions, the others are fitted to measurements; see docs/guide/simulating.md."""

from dataclasses import MISSING, dataclass, fields, replace

import click

from carpool_cli import json_files


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Seconds, and bytes per second."""

    send_overhead: float  # of a message that a rank sends
    receive_overhead: float  # of one that it receives
    latency: float  # from node to node
    bandwidth: float  # of one rank to other nodes
    adapter_bandwidth: float  # of a node, for all of its ranks together
    adapter_gap: float = 0  # least time between two messages of a node's adapter
    node_overhead: float  # of a message within a node, at each of its ends
    node_latency: float  # between ranks of one node
    node_bandwidth: float  # of a message between ranks of one node
    copy_bandwidth: float  # of one rank that copies blocks
    sum_bandwidth: float = 2e10  # of one rank that adds blocks
    in_flight: int = 1 << 30  # messages per rank that may be under way
    congestion: float = 0  # of the adapter, for each message beyond that

    @classmethod
    def alike(cls, *, overhead, latency, gap, bandwidth, node_latency, node_bandwidth, copy_bandwidth, **more):
        """One whose messages cost as much at each of their ends, and one of whose ranks can use up the adapter."""
        return cls(send_overhead=overhead, receive_overhead=overhead, node_overhead=overhead, latency=latency,
                   adapter_gap=gap, bandwidth=bandwidth, adapter_bandwidth=bandwidth, node_latency=node_latency,
                   node_bandwidth=node_bandwidth, copy_bandwidth=copy_bandwidth, **more)

    def with_overhead(self, seconds):
        """The same, but for what a message costs at each of its ends."""
        return replace(self, send_overhead=seconds, receive_overhead=seconds, node_overhead=seconds)

    @property
    def overhead(self):
        """Of a message at each of its ends, the mean of both."""
        return (self.send_overhead + self.receive_overhead) / 2

    def costs(self):
        """As the planner takes it, see src/choose/costs.hpp."""
        overhead = self.send_overhead + self.receive_overhead
        return {"alpha": overhead, "beta": 1 / self.bandwidth, "sigma": self.latency, "ports": 1,
                "within": {"alpha": 2 * self.node_overhead, "beta": 1 / self.node_bandwidth,
                           "sigma": self.node_latency, "ports": 1},
                "machine": {"share_of_send": self.send_overhead / overhead if overhead else 0.5,
                            "adapter_per_byte": 1 / self.adapter_bandwidth,
                            "adapter_per_message": self.adapter_gap,
                            "copy_per_byte": 1 / self.copy_bandwidth,
                            "sum_per_byte": 1 / self.sum_bandwidth,
                            "in_flight": self.in_flight, "congestion": self.congestion}}


# Fitted by figures/fit_machines.py to public measurements, see figures/measured/README.md and docs/evidence.md.
# Where one rank per node was measured, what a node costs inside is a guess.
MEASURED = {"leonardo": "InfiniBand HDR, dragonfly, 2025", "lumi": "Slingshot 11, dragonfly, 2025",
            "marenostrum": "InfiniBand NDR, fat tree, 2025", "fugaku": "Tofu D, torus, 2025",
            "dane": "Omni-Path 100, fat tree, 2026", "tuolumne": "Slingshot 11, dragonfly, 2026"}
NAMED = {
    "laptop": Machine(send_overhead=2e-7, receive_overhead=2e-7, latency=3e-7, bandwidth=1e10,
                      adapter_bandwidth=1e10, node_overhead=2e-7, node_latency=3e-7, node_bandwidth=1e10,
                      copy_bandwidth=1e10),
    "ethernet": Machine(send_overhead=2e-6, receive_overhead=2e-6, latency=2e-5, bandwidth=3e9,
                        adapter_bandwidth=3e9, adapter_gap=2e-8, node_overhead=2e-7, node_latency=3e-7,
                        node_bandwidth=1e10, copy_bandwidth=1e10),
    "leonardo": Machine(send_overhead=2.2e-7, receive_overhead=7e-7, latency=2.2e-6, bandwidth=7.3e9,
                        adapter_bandwidth=1.1e10, adapter_gap=5e-9, node_overhead=2e-7, node_latency=4e-7,
                        node_bandwidth=1.9e9, copy_bandwidth=6.4e9, sum_bandwidth=1.3e10),
    "lumi": Machine(send_overhead=1.9e-6, receive_overhead=3.1e-7, latency=1.8e-6, bandwidth=3.6e9,
                    adapter_bandwidth=1.7e10, adapter_gap=5e-9, node_overhead=2e-7, node_latency=4e-7,
                    node_bandwidth=9.6e9, copy_bandwidth=2.8e10, sum_bandwidth=3.3e10),
    "marenostrum": Machine(send_overhead=3.1e-7, receive_overhead=4.8e-8, latency=2.9e-6, bandwidth=2e10,
                           adapter_bandwidth=1.6e10, adapter_gap=5e-9, node_overhead=2e-7, node_latency=4e-7,
                           node_bandwidth=1.4e10, copy_bandwidth=1.2e10, sum_bandwidth=6.2e9),
    "fugaku": Machine(send_overhead=1.4e-6, receive_overhead=1.4e-6, latency=5e-7, bandwidth=4.2e9,
                      adapter_bandwidth=2.4e10, adapter_gap=5e-9, node_overhead=2e-7, node_latency=4e-7,
                      node_bandwidth=1e10, copy_bandwidth=6e9, sum_bandwidth=6.8e9),
    "dane": Machine(send_overhead=4.6e-7, receive_overhead=1.9e-6, latency=3.2e-6, bandwidth=7.7e9,
                    adapter_bandwidth=1.2e10, adapter_gap=3.5e-9, node_overhead=7.1e-7, node_latency=4e-7,
                    node_bandwidth=4.1e9, copy_bandwidth=3.5e9, sum_bandwidth=1e10, in_flight=11,
                    congestion=2.3e-6),
    "tuolumne": Machine(send_overhead=3.9e-7, receive_overhead=8.3e-7, latency=2.8e-6, bandwidth=5.9e9,
                        adapter_bandwidth=8.6e10, adapter_gap=2.6e-9, node_overhead=8.9e-7, node_latency=7.5e-7,
                        node_bandwidth=1.2e10, copy_bandwidth=3.2e9, sum_bandwidth=1e10, in_flight=64,
                        congestion=1.3e-6),
}
NAMED |= {"infiniband": NAMED["leonardo"], "omnipath": NAMED["dane"]}
USUAL = "infiniband"


def chosen(given):
    """By --machine and --overhead; None where neither is given."""
    if given["machine"] is None and given["overhead"] is None:
        return None
    name = given["machine"] or USUAL
    found = NAMED.get(name) or of_file(name)
    overhead = given["overhead"]
    return found if overhead is None else found.with_overhead(overhead)


def of_file(file):
    if "." not in file and "/" not in file:
        raise click.UsageError(f"--machine '{file}', expected {', '.join(NAMED)} or a file of JSON")
    return of_json(json_files.read(file), file)


def of_json(found, file):
    known = {field.name: field for field in fields(Machine)}
    needed = [name for name, field in known.items() if field.default is MISSING]
    if not isinstance(found, dict) or not set(needed) <= set(found) <= set(known):
        others = ", ".join(name for name in known if name not in needed)
        raise click.UsageError(f"--machine {file}: expected an object with {', '.join(needed)}; it may have {others}")
    for name, value in found.items():
        least = 1 if name.endswith("bandwidth") or name == "in_flight" else 0
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= 1e30:
            raise click.UsageError(f"--machine {file}: {name} is {value!r}, expected a number, at "
                                   f"least {least}")
    return Machine(**found)
