# SPDX-License-Identifier: MIT
"""What Carpool estimates, held against what others measured on real machines."""

from collections import defaultdict

import measurements
from carpool_cli.machines import MEASURED, NAMED
from figure import Figure


def figures():
    measured = measurements.read()
    estimated = estimates(measured)
    yield machines(measured, estimated)
    yield on_other_sizes()
    yield collectives(measured, estimated)
    yield dearest(measured, estimated)


def estimates(measured):
    found = {}
    for name in MEASURED:
        found |= measurements.estimates(of(measured, name), [NAMED[name]])
    return found


def of(measured, machine):
    return {setting: times for setting, times in measured.items() if setting.machine == machine}


def machines(measured, estimated):
    rows = [[name, MEASURED[name], *measurements.score(of(measured, name), estimated).row()] for name in MEASURED]
    rows.append(["all", "", *measurements.score(measured, estimated).row()])
    return Figure(
        "Machines", f"{sum(len(one.by_algorithm) for one in measured.values()):,} measured times. The error is that "
        "of the estimate. A choice is one among the algorithms that were measured and that Carpool has; its regret is "
        "the measured time of the chosen one over that of the fastest. The last columns compare with what the MPI "
        "there chooses, where that was measured too.", [],
        ["machine", "network", *measurements.HEADER], rows, lambda page: drawn(page, measured, estimated),
        "evidence-machines")


def on_other_sizes():
    """As it would be on a machine of which only half of the sizes were measured."""
    scores = {name: measurements.Score(**lists) for name, lists in measurements.other_half().items()}
    rows = [[name, *scores[name].row()] for name in MEASURED]
    return Figure("Sizes to which costs were not fitted",
                  "The same, but each half of the message sizes is estimated by costs that were fitted to the other "
                  "half.", [], ["machine", *measurements.HEADER],
                  [*rows, ["all", *measurements.together(scores.values()).row()]])


def collectives(measured, estimated):
    by = defaultdict(dict)
    for setting, times in measured.items():
        by[setting.collective][setting] = times
    return Figure("Collectives", "The same on all machines together.", [],
                  ["collective", *measurements.HEADER],
                  [[name, *measurements.score(some, estimated).row()] for name, some in sorted(by.items())])


def dearest(measured, estimated):
    """The choices that cost most."""
    choices = []
    for setting, times in measured.items():
        taken = measurements.chosen(estimated[setting])
        best = min(times.by_algorithm, key=times.by_algorithm.get)
        choices.append((times.by_algorithm[taken] / times.best, setting, taken, best))
    choices.sort(key=lambda one: -one[0])
    rows = [[one.machine, f"{one.nodes}, {one.per_node} each", one.collective, f"{one.block:,} B", taken, best,
             f"{regret:.2f}"] for regret, one, taken, best in choices[:10]]
    return Figure("The ten dearest choices", "Where estimates choose worst.", [],
                  ["machine", "nodes", "collective", "block", "chosen", "fastest", "regret"], rows)


def drawn(page, measured, estimated):
    """Estimated over measured time of each machine, by the size of the vector."""
    axes = page.subplots(1, len(MEASURED), sharey=True)
    for name, area in zip(MEASURED, axes, strict=True):
        points = [(one.total, estimated[one][algorithm][0] / seconds) for one, times in of(measured, name).items()
                  for algorithm, seconds in times.by_algorithm.items()]
        area.loglog([size for size, _ in points], [ratio for _, ratio in points], ".", ms=2.5, alpha=0.6)
        area.axhline(1, color="black", lw=0.6)
        area.set(title=name, xlabel="bytes", ylim=(1 / 12, 12))
    axes[0].set_ylabel("estimated / measured")

