#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the ordinary collectives of a run of bench/run.py: bench/out/collectives-MPI-NAME.svg.

    bench/collectives_plot.py bench/out/mpich-….json bench/out/openmpi-….json

Makes also the figure and the tables of docs/measurements/collectives.md, for measurement_parts.py.
"""

import argparse
from statistics import geometric_mean

import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator

import origin
import results
from cell_tables import markdown
from collective_results import (FORMS, HEADINGS, PERSISTENT, by_collective, facts, form, gain, name_of, small,
                                summary_rows)

plt.switch_backend("svg")
plt.rcParams.update({"font.size": 8, "svg.hashsalt": "carpool", "svg.fonttype": "none"})

COLORS = {"Carpool": "#0b8457", "host blocking": "#9aa5b1", "host nonblocking": "#f0b429",
          "host persistent": "#2186eb"}

# Rows of a collective's figure: what is drawn, of which forms, its unit.
ROWS = (("seconds", FORMS, 1e6, "start + wait, µs"),
        ("span", FORMS, 1e6, "from the first start on, µs"),
        ("start", ("Carpool", "host nonblocking", PERSISTENT), 1e6, "start, µs"),
        ("later_init", ("Carpool", PERSISTENT), 1e6, "init, µs"),
        ("test", ("Carpool", "host nonblocking", PERSISTENT), 1e6, "a test, µs"),
        ("overlap", ("Carpool", "host nonblocking", PERSISTENT), 100, "overlap, %"))


def draw_lines(axes, cases, over, what, names, unit):
    for name in names:
        values = [form(case, name)[what] for case in cases]
        at = [case[over] for case in cases]
        axes.plot(at, [unit * v["median"] for v in values], marker="o", ms=3, lw=1,
                  color=COLORS[name], label=name)
        axes.fill_between(at, [unit * v["first"] for v in values],
                          [unit * v["third"] for v in values], color=COLORS[name], alpha=0.15, lw=0)
    axes.set_xscale("log", base=2)
    if what == "overlap":
        axes.set_ylim(-5, 105)
    else:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.grid(alpha=0.3)


def columns_of(cases):
    """(title, cases, what they differ in): a column per number of ranks over bytes, or all over
    ranks, where there is one size only."""
    for ranks in sorted({case["ranks"] for case in cases}):
        some = [case for case in cases if case["ranks"] == ranks]
        if len(some) > 1:
            yield f"{ranks} ranks", sorted(some, key=lambda case: case["bytes"]), "bytes"
    if len({case["bytes"] for case in cases}) == 1:
        yield name_of(cases[0]).split(" on ")[0], sorted(cases, key=lambda c: c["ranks"]), "ranks"


def collective_figure(title, columns):
    """As the paper's figures 4.3 and 4.5 to 4.15: one row for each thing that is measured."""
    figure, grid = plt.subplots(len(ROWS), len(columns), squeeze=False, sharey="row", sharex="col",
                                figsize=(2.6 * len(columns) + 1.6, 10.5))
    for axes, (heading, some, over) in zip(grid.T, columns):
        for line, (what, names, unit, label) in enumerate(ROWS):
            draw_lines(axes[line], some, over, what, names, unit)
            grid[line][0].set_ylabel(label)
        axes[0].set_title(heading)
        axes[-1].set_xlabel("bytes of a block" if over == "bytes" else over)
    figure.suptitle(title)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="lower center", ncol=2)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    return figure


def draw_gains(axes, result):
    """Per collective and number of ranks the mean gain of spans up to 4 KiB, and its range."""
    found = by_collective(small(result["collectives"]))
    ranks = sorted({case["ranks"] for cases in found.values() for case in cases})
    for number, count in enumerate(ranks):
        at = [i + 0.15 * (number - (len(ranks) - 1) / 2) for i in range(len(found))]
        values = [[gain(case)["of_spans"] for case in cases if case["ranks"] == count]
                  for cases in found.values()]
        color = plt.get_cmap("viridis")(number / max(len(ranks), 1))
        axes.vlines(at, [min(v) for v in values], [max(v) for v in values], color=color, lw=1)
        axes.plot(at, [geometric_mean(v) for v in values], "o", ms=4, color=color,
                  label=f"{count} ranks")
    axes.axhline(1, color="black", lw=0.6)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xticks(range(len(found)), found, rotation=35, ha="right")
    axes.set_title(result["mpi"])
    axes.legend(fontsize=7, ncol=len(ranks))
    axes.minorticks_off()
    axes.grid(axis="y", alpha=0.3)


def overview(found, file, sources):
    """A row per MPI."""
    figure, rows = plt.subplots(len(found), 1, squeeze=False, figsize=(9, 3.3 * len(found)))
    for axes, result in zip(rows[:, 0], found):
        draw_gains(axes, result)
        axes.set_ylabel("host persistent / Carpool")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None, "Source": sources})
    plt.close(figure)


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path


def draw(result):
    """Figures of all collectives of a run; yields their paths."""
    results.OUT.mkdir(exist_ok=True)
    for name, cases in by_collective(result.get("collectives", [])).items():
        path = results.OUT / f"collectives-{result['mpi']}-{name}.svg"
        columns = list(columns_of(cases))
        if columns:
            yield save(collective_figure(f"{name}, {result['mpi']}", columns), path)


def tables(found):
    """What is said of all cases, with a column for each MPI, and for each MPI a row for each collective: Markdown."""
    columns = [facts(result) for result in found]
    yield from markdown(["", *(origin.named(result) for result in found)],
                        [[rows[0][0], *(value for _, value in rows)] for rows in zip(*columns)])
    for result in found:
        yield ""
        yield f"**{origin.MPIS[result['mpi']]}**"
        yield ""
        yield from markdown(HEADINGS, summary_rows(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", metavar="JSON")
    for result in parser.parse_args().results:
        for path in draw(results.load(result)):
            print(path)


if __name__ == "__main__":
    main()
