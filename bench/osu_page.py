#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables and pictures of docs/measurements/osu.md of files that bench/osu.py has written.

    bench/osu_page.py docs/measurements/data/osu-mpich.json docs/measurements/data/osu-openmpi.json
"""

import json
import math
import sys
from pathlib import Path
from statistics import geometric_mean

import matplotlib.pyplot as plt

import docs_part
import origin
from osu_cases import KINDS
from tables import median_of_ratios

plt.switch_backend("svg")
plt.rcParams.update({"font.size": 7, "svg.hashsalt": "carpool", "svg.fonttype": "none"})

FIGURES = docs_part.DOCS.parent / "figures"
SHOWN = (8, 1024, 65536)
WAYS = {"default": "defaults", "collective": "the collective by Carpool"}
LOST = 1.02


def times(case, way, size):
    """Medians of the calls in each turn."""
    return {run["turn"]: row["median_us"] for run in case["runs"] if run["way"] == way and "failure" not in run
            for row in run["rows"] if row["bytes"] == size and row["median_us"] > 0}


def ratio(case, way, size):
    """Median over the turns of Carpool's time over that of MPI alone."""
    return median_of_ratios(times(case, way, size), times(case, "bare", size))


def sizes_of(case):
    return sorted({row["bytes"] for run in case["runs"] for row in run["rows"]})


def ways_of(found, kind):
    """Those in which this kind was run."""
    return [way for way in WAYS if any(run["way"] == way for case in found["cases"] if case["kind"] == kind
                                       for run in case["runs"])]


def places_of(cases):
    """(ranks, hosts) in the order of hosts."""
    return sorted({(case["ranks"], case["hosts"]) for case in cases}, key=lambda place: place[::-1])


def place_name(place):
    ranks, hosts = place
    return f"{ranks} ranks" + (f", {hosts} hosts" if hosts > 1 else "")


def summary(found):
    """A row per kind and place: mean, range, and how many sizes are slower than bare."""
    yield "| kind | ranks | way | mean ratio | least, greatest | above 1.02 |"
    yield "|---|---|---|---|---|---|"
    for kind in KINDS:
        cases = [case for case in found["cases"] if case["kind"] == kind]
        for place in places_of(cases):
            for way in ways_of(found, kind):
                ratios = [value for case in cases if (case["ranks"], case["hosts"]) == place
                          for size in sizes_of(case) if (value := ratio(case, way, size))]
                if ratios:
                    lost = sum(value > LOST for value in ratios)
                    yield (f"| {kind.replace('_', '')} | {place_name(place)} | {WAYS[way]} | {geometric_mean(ratios):.2f} | "
                           f"{min(ratios):.2f}, {max(ratios):.2f} | {lost} of {len(ratios)} |")


def cell(case, way):
    sizes = sizes_of(case)
    shown = [size for size in SHOWN if size in sizes] or sizes[:1]
    ratios = [ratio(case, way, size) for size in shown]
    return " / ".join("–" if value is None else f"{value:.2f}" for value in ratios)


def details(found, kind, way):
    """A row per benchmark, a column per place: ratios of the sizes that are shown."""
    cases = {(case["name"], (case["ranks"], case["hosts"])): case for case in found["cases"] if case["kind"] == kind}
    places = places_of(cases.values())
    yield f"| {kind.replace('_', '')} | " + " | ".join(map(place_name, places)) + " |"
    yield "|---" * (1 + len(places)) + "|"
    for name in dict.fromkeys(name for name, _ in cases):
        cells = [cell(cases[name, place], way) if (name, place) in cases else "" for place in places]
        yield f"| `{name}` | " + " | ".join(cells) + " |"


def draw_line(axes, case, way, label):
    sizes = [size for size in sizes_of(case) if size]
    ratios = [ratio(case, way, size) for size in sizes]
    axes.plot(sizes, [math.nan if value is None else value for value in ratios], marker=".", ms=3, lw=1, label=label)


def draw(found, kind, way, file):
    """A plot per benchmark: ratio over bytes, a line per place."""
    cases = [case for case in found["cases"] if case["kind"] == kind and len(sizes_of(case)) > 1]
    names = list(dict.fromkeys(case["name"] for case in cases))
    columns = 5
    rows = math.ceil(len(names) / columns)
    figure, grid = plt.subplots(rows, columns, figsize=(10, 0.6 + 1.6 * rows), sharex=True, sharey=True, squeeze=False)
    for name, axes in zip(names, grid.flat):
        for case in (case for case in cases if case["name"] == name):
            draw_line(axes, case, way, place_name((case["ranks"], case["hosts"])))
        axes.axhline(1, color="#999", lw=0.8)
        axes.set(title=name, xscale="log", yscale="log")
        axes.grid(alpha=0.3)
    for axes in list(grid.flat)[len(names):]:
        axes.set_visible(False)
    figure.supylabel("time with Carpool / bare")
    figure.supxlabel("bytes")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncols=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.25 / (0.6 + 1.6 * rows)))
    figure.savefig(FIGURES / file, metadata={"Date": None})
    plt.close(figure)


def span(values):
    """3 to 9, or the one value."""
    values = sorted(values)
    return " to ".join(dict.fromkeys(map(str, (values[0], values[-1]))))


def about(found):
    """The settings of a file, as a sentence."""
    runs = [run for case in found["cases"] for run in case["runs"]]
    dates = span(case["date"][:10] for case in found["cases"])
    machines = " or ".join(sorted({origin.machine_name(case["machine"]) for case in found["cases"]}))
    commits = ", ".join(sorted({case["commit"] for case in found["cases"]}))
    turns = span(1 + max(run["turn"] for run in case["runs"]) for case in found["cases"])
    versions = ", ".join(sorted({run["osu"] for run in runs if "failure" not in run}))
    return (f"OSU {versions}, {found['version']}, {machines}, {origin.priority(found['settings'])}, {dates}, "
            f"commit {commits}, {found['settings']['build']}. "
            f"Each number is of {turns} runs per way.")


def failures(found):
    failed = [(case["case"], run["way"]) for case in found["cases"] for run in case["runs"] if "failure" in run]
    if not failed:
        runs = sum(len(case["runs"]) for case in found["cases"])
        return (f"All {runs:,} runs have ended well, and OSU found no wrong result where it looks (not in barriers, nor "
                "without `-c`).")
    return "Failed: " + ", ".join(f"`{case}` ({way})" for case, way in dict.fromkeys(failed)) + "."


def part(found):
    yield about(found) + " " + failures(found)
    yield ""
    yield from summary(found)
    for kind in KINDS:
        if not any(case["kind"] == kind for case in found["cases"]):
            continue
        for way in ways_of(found, kind):
            file = f"osu-{found['mpi']}-{kind.replace('_', '')}-{way}.svg"
            draw(found, kind, way, file)
            yield from ("", f"**{kind.replace('_', '').capitalize()}, {WAYS[way]}** (8 B / 1 KiB / 64 KiB):", "")
            yield from details(found, kind, way)
            yield from ("", f"![{kind.replace('_', '')} collectives on {found['mpi']}, {WAYS[way]}: ratio over bytes]"
                            f"(../figures/{file})")


def main():
    for file in sys.argv[1:]:
        found = json.loads(Path(file).read_text())
        print(docs_part.fill("osu.md", found["mpi"], part(found)))


if __name__ == "__main__":
    main()
