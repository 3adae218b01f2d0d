# SPDX-License-Identifier: MIT
"""Fits the named machines to what others measured there, and prints them for cli/carpool_cli/machines.py. Takes an
hour.

    figures/fit_machines.py [MACHINE…]

A machine is what comes out of a random walk from a guess: costs that make the estimates' logarithms err least, and
their choices cost least. To tell how good such costs are on sizes that they were not fitted to, each half of the
sizes is also estimated by costs that were fitted to the other half; figures/measured/other_half.json keeps how well.
"""

import json
import math
import random
import sys
from dataclasses import asdict, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

import measurements
from carpool_cli.machines import MEASURED, Machine
from carpool_cli.progress import each

GUESS = Machine(send_overhead=4e-7, receive_overhead=3e-7, latency=2e-6, bandwidth=8e9, adapter_bandwidth=2.4e10,
                adapter_gap=5e-9, node_overhead=2e-7, node_latency=4e-7, node_bandwidth=1e10, copy_bandwidth=5e9,
                sum_bandwidth=1e10)
ONE_EACH = ("send_overhead", "receive_overhead", "latency", "bandwidth", "copy_bandwidth", "sum_bandwidth")
SHARED = (*ONE_EACH, "adapter_bandwidth", "node_bandwidth")
FULL = ("send_overhead", "receive_overhead", "latency", "bandwidth", "copy_bandwidth", "adapter_bandwidth",
        "adapter_gap", "node_overhead", "node_latency", "node_bandwidth", "in_flight", "congestion")
KNOWN = {"dane": {"adapter_bandwidth": 1.25e10}}  # 100 Gb/s
# What the measured runs depend on; where a machine is not named, SHARED.
FITTED = {"fugaku": ONE_EACH, "dane": tuple(name for name in FULL if name != "adapter_bandwidth"), "tuolumne": FULL}
# Of the walk. Most of the time goes into counting loads, for all tries together.
STEPS, WIDTH, TRIES, STARTS = 8, 0.7, 150, 4
MOST_SHARED = 1000  # ranks that share nodes: counting the loads of more takes minutes, and they are only estimated
MOST_ERROR, MOST_REGRET, WEIGHT = 2, 1.5, 6  # no measurement counts more; a regret counts as much as six errors


def loss(measured, estimated, number):
    found = count = 0
    for setting, times in measured.items():
        of = estimated[setting]
        for name, seconds in times.by_algorithm.items():
            found += min(MOST_ERROR, abs(math.log(of[name][number] / seconds)))
            count += 1
        regret = times.by_algorithm[measurements.chosen(of, number)] / times.best
        found += WEIGHT * min(MOST_REGRET, math.log(regret))
    return found / count


def moved(machine, free, width, draw):
    """A machine near this one."""
    costs = asdict(machine)
    for name in free:
        if draw.random() < max(0.3, 1.5 / len(free)):
            costs[name] *= math.exp(draw.gauss(0, width))
    costs["in_flight"] = max(1, int(costs["in_flight"]))
    return Machine(**costs)


def walked(measured, free, guess, seed):
    """(loss, machine) at the end of a walk."""
    draw = random.Random(seed)
    best = math.inf, guess
    for step in range(STEPS):
        tries = [best[1], *(moved(best[1], free, WIDTH * 0.65 ** step, draw) for _ in range(TRIES))]
        estimated = measurements.estimates(measured, tries)
        best = min(((loss(measured, estimated, number), one) for number, one in enumerate(tries)),
                   key=lambda pair: pair[0])
    return best


def fitted(name, measured):
    free = FITTED.get(name, SHARED)
    stalls = {"in_flight": 64, "congestion": 1.2e-6} if "congestion" in free else {}
    guess = asdict(GUESS) | stalls | KNOWN.get(name, {})
    known = {one: times for one, times in measured.items() if one.per_node == 1 or one.ranks <= MOST_SHARED}
    return min((walked(known, free, Machine(**guess), seed) for seed in range(STARTS)),
               key=lambda pair: pair[0])[1]


def on_the_other_half(name, measured):
    """How costs do that were fitted to one half, on the other half, both ways."""
    first, second = measurements.halves(measured)
    found = measurements.Score()
    for known, unknown in ((first, second), (second, first)):
        machine = fitted(name, {one: measured[one] for one in known})
        estimated = measurements.estimates({one: measured[one] for one in unknown}, [machine])
        for setting in unknown:
            found.add(measured[setting], estimated[setting])
    return found


def text_of(name, machine):
    values = [(one.name, getattr(machine, one.name)) for one in fields(Machine)
              if getattr(machine, one.name) != one.default]
    said = ", ".join(f"{key}={value if key == 'in_flight' else float(f'{value:.2g}')!r}" for key, value in values)
    return f'    "{name}": Machine({said}),'


if __name__ == "__main__":
    every = measurements.read()
    kept = measurements.other_half()
    for name in each("fitting", sys.argv[1:] or list(MEASURED)):
        measured = {one: times for one, times in every.items() if one.machine == name}
        kept[name] = vars(on_the_other_half(name, measured))
        measurements.OTHER_HALF.write_text(json.dumps(kept) + "\n", encoding="utf-8")
        print(text_of(name, fitted(name, measured)), flush=True)
