#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/personalized.svg, prints the tables of its page in docs/measurements, from what race.py left
in bench/out for the races all_to_all, neighbors, unknown and cpu_time."""

import json
import re
from pathlib import Path

import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parent.parent
MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}
WAYS = {"host": ("black", "host"), "Carpool direct": ("tab:gray", "direct"),
        "Carpool mesh": ("tab:blue", "mesh"), "Carpool grid": ("tab:cyan", "grid"),
        "Carpool hypercube": ("tab:green", "hypercube"),
        "Carpool 2-digits": ("tab:olive", "2 digits"),
        "Carpool 3-digits": ("tab:orange", "3 digits"), "Carpool auto": ("tab:red", "auto")}


def runs(race):
    """{(mpi, ranks): its cases}"""
    found = {}
    for file in sorted((ROOT / "bench" / "out").glob(f"{race}-*-*.json")):
        _, mpi, ranks = file.stem.rsplit("-", 2)
        events = json.loads(file.read_text())["events"]
        found[mpi, int(ranks)] = [event for event in events if event["event"] == "case"]
    return found


def numbers(case):
    """The degree, if there is one, and the bytes of a case's name."""
    degree = re.search(r":(\d+)", case["case"])
    return int(degree[1]) if degree else None, int(re.search(r"(\d+) B", case["case"])[1])


def by_name(case):
    return {racer["name"]: racer for racer in case["racers"]}


def gains(case):
    """Of auto over the host and over direct, and the way it took."""
    auto = by_name(case)["Carpool auto"]
    over = [auto["gain"][other] for other in ("host", "Carpool direct")]
    took = f" {auto['plan']['algorithm']}" if "plan" in auto else ""
    return " / ".join(f"{ratio['median']:.2f}" for ratio in over) + took


def gain_table(race, mpi):
    """A row per number of ranks and degree, a column per size of block."""
    cells = {}
    for (of_mpi, ranks), cases in runs(race).items():
        for case in cases if of_mpi == mpi else []:
            degree, size = numbers(case)
            if degree and degree >= ranks:  # run with all other ranks as targets
                continue
            cells[(ranks, degree), size] = gains(case)
    rows = sorted({row for row, _ in cells}, key=lambda row: (row[0], row[1] or 0))
    sizes = sorted({size for _, size in cells})
    degrees = rows[0][1] is not None
    yield "| ranks | " + "δ | " * degrees + " | ".join(f"{size:,} B" for size in sizes) + " |"
    yield "|---" * (len(sizes) + 1 + degrees) + "|"
    for ranks, degree in rows:
        yield (f"| {ranks} | " + f"{degree} | " * degrees
               + " | ".join(cells.get(((ranks, degree), size), "") for size in sizes) + " |")


def cpu_table(mpi):
    """CPU time in the calls, in percent of direct's."""
    ways = [way for way in WAYS if way != "Carpool direct"]
    yield ("| ranks | block | direct, µs | "
           + " | ".join(f"{WAYS[way][1]}, %" for way in ways) + " |")
    yield "|---" * (len(ways) + 3) + "|"
    for (of_mpi, ranks), cases in sorted(runs("cpu_time").items(), key=lambda run: run[0][1]):
        for case in cases if of_mpi == mpi else []:
            racers = by_name(case)
            shares = [100 / racers[way]["gain"]["Carpool direct"]["median"] for way in ways]
            direct = racers["Carpool direct"]["seconds"]["median"] * 1e6
            yield (f"| {ranks} | {numbers(case)[1]:,} B | {direct:.0f} | "
                   + " | ".join(f"{share:.0f}" for share in shares) + " |")


def line_of(cases, way, key):
    """(what is varied, µs)"""
    points = sorted((numbers(case)[key], by_name(case)[way]["seconds"]["median"] * 1e6)
                    for case in cases if way in by_name(case))
    return list(zip(*points)) if points else None


def draw(axes, cases, key, title, label):
    for way, (color, name) in WAYS.items():
        if line := line_of(cases, way, key):
            axes.plot(*line, color=color, label=name, marker="o", ms=2.5,
                      lw=2 if way == "Carpool auto" else 1)
    axes.set(title=title, yscale="log", xlabel=label)
    axes.set_xscale("log", base=2 if label == "degree" else 10)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")


def figure(ranks):
    """A row per MPI; as figures 6, 10, 8 and, for unknown sources, none of [5]."""
    sheet, rows = plt.subplots(2, 4, figsize=(13, 6), sharey="row")
    for row, (mpi, name) in zip(rows, MPIS.items()):
        def cases(race, size=None, of=mpi):
            return [case for case in runs(race)[of, ranks] if size in (None, numbers(case)[1])]
        draw(row[0], cases("all_to_all"), 1, f"all to all, {ranks} ranks, {name}", "bytes per block")
        draw(row[1], cases("neighbors", 76), 0, "neighbors, 76 B", "degree")
        draw(row[2], cases("unknown", 76), 0, "unknown sources, 76 B", "degree")
        draw(row[3], cases("cpu_time"), 1, "CPU time in the calls", "bytes per block")
        row[0].set_ylabel("µs")
        row[0].legend(fontsize=6)
    sheet.tight_layout()
    return sheet


def main():
    plt.rcParams.update({"font.size": 8, "svg.hashsalt": "carpool"})
    figure(64).savefig(ROOT / "docs" / "personalized.svg", metadata={"Date": None})
    for mpi, name in MPIS.items():
        for race in ("all_to_all", "neighbors", "unknown"):
            print(f"\n### {race}, {name}\n")
            print("\n".join(gain_table(race, mpi)))
        print(f"\n### CPU time, {name}\n")
        print("\n".join(cpu_table(mpi)))


if __name__ == "__main__":
    main()
