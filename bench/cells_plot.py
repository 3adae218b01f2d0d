#!/usr/bin/env python3
"""All cells of some runs, sorted by gain over the best of the host's forms, as a picture.

    bench/cells_plot.py docs/cells.svg bench/out/mpich-….json bench/out/openmpi-….json
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import collective_results
import results

HOSTS = results.HOST
NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
COLORS = {"mpich": "#2186eb", "openmpi": "#e66a1f"}
KINDS = {"requests": ("carpool auto", "Carpool"), "calls": ("carpool blocking", "Carpool blocking")}
LEAST = 0.97  # the goal


def of_neighborhoods(run, contender):
    for case in run["cases"]:
        found = results.gain(case, contender, results.best(case, HOSTS))
        if found:
            yield found["median"]


def of_collectives(run, form):
    for case in run["collectives"]:
        own, *hosts = (collective_results.median(case, name)
                       for name in (form, *collective_results.FORMS[1:]))
        if own:
            yield min(filter(None, hosts)) / own


def gains(runs, kind):
    neighborhood, collective = KINDS[kind]
    return sorted(gain for run in runs for gain in (*of_neighborhoods(run, neighborhood),
                                                    *of_collectives(run, collective)))


def described(mpi, values):
    below = sum(gain < LEAST for gain in values)
    return (f"{NAMES[mpi]}: {len(values)} cells, geometric mean "
            f"{collective_results.geometric_mean(values):.3g}, least {values[0]:.2f}, "
            f"{below} below {LEAST}")


def panel(axes, runs, kind):
    for mpi in dict.fromkeys(run["mpi"] for run in runs):
        values = gains([run for run in runs if run["mpi"] == mpi], kind)
        if values:
            places = [(place + 0.5) / len(values) for place in range(len(values))]
            axes.plot(places, values, "o", markersize=3, color=COLORS[mpi],
                      label=described(mpi, values))
            print(f"{kind}, {described(mpi, values)}")
    axes.axhline(LEAST, color="#c44569", linewidth=1)
    axes.set_yscale("log")
    axes.set_title(kind)
    axes.set_xlabel("all cells, the least first")
    axes.legend(fontsize=7, loc="upper left")


def main():
    file, *paths = sys.argv[1:]
    runs = [results.load(path) for path in paths]
    figure, both = plt.subplots(1, 2, sharey=True, figsize=(11, 4.6))
    for axes, kind in zip(both, KINDS, strict=True):
        panel(axes, runs, kind)
    both[0].set_ylabel("best host form's time / Carpool's")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.endswith(".svg") else None)


if __name__ == "__main__":
    main()
