# SPDX-License-Identifier: MIT
"""Tables and the figure of the races all_to_all, neighbors, unknown and cpu_time, as figures 6, 8 and 10 of [5] have them."""

import re

import matplotlib.pyplot as plt

import origin

plt.switch_backend("svg")

WAYS = {"host": ("black", "host"), "Carpool direct": ("tab:gray", "direct"),
        "Carpool mesh": ("tab:blue", "mesh"), "Carpool grid": ("tab:cyan", "grid"),
        "Carpool hypercube": ("tab:green", "hypercube"),
        "Carpool 2-digits": ("tab:olive", "2 digits"),
        "Carpool 3-digits": ("tab:orange", "3 digits"), "Carpool auto": ("tab:red", "auto")}


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


def gain_table(found):
    """A row per number of ranks and degree, a column per size of block."""
    cells = {}
    for result in found:
        ranks = result["settings"]["ranks"]
        for case in result["cases"]:
            degree, size = numbers(case)
            if not degree or degree < ranks:  # else it is run with all other ranks as targets
                cells[(ranks, degree), size] = gains(case)
    rows = sorted({row for row, _ in cells}, key=lambda row: (row[0], row[1] or 0))
    sizes = sorted({size for _, size in cells})
    degrees = rows[0][1] is not None
    yield "| ranks | " + "δ | " * degrees + " | ".join(f"{size:,} B" for size in sizes) + " |"
    yield "|---" * (len(sizes) + 1 + degrees) + "|"
    for ranks, degree in rows:
        yield (f"| {ranks} | " + f"{degree} | " * degrees
               + " | ".join(cells.get(((ranks, degree), size), "") for size in sizes) + " |")


def cpu_table(found):
    """CPU time in the calls, in percent of direct's."""
    ways = [way for way in WAYS if way != "Carpool direct"]
    yield ("| ranks | block | direct, µs | "
           + " | ".join(f"{WAYS[way][1]}, %" for way in ways) + " |")
    yield "|---" * (len(ways) + 3) + "|"
    for result in found:
        for case in result["cases"]:
            racers = by_name(case)
            shares = [100 / racers[way]["gain"]["Carpool direct"]["median"] for way in ways]
            direct = racers["Carpool direct"]["seconds"]["median"] * 1e6
            yield (f"| {result['settings']['ranks']} | {numbers(case)[1]:,} B | {direct:.0f} | "
                   + " | ".join(f"{share:.0f}" for share in shares) + " |")


def line_of(cases, way, key):
    """(what is varied, µs)"""
    points = sorted((numbers(case)[key], by_name(case)[way]["seconds"]["median"] * 1e6)
                    for case in cases if way in by_name(case))
    return list(zip(*points)) if points else None


def draw_panel(axes, cases, key, title, label):
    for way, (color, name) in WAYS.items():
        if line := line_of(cases, way, key):
            axes.plot(*line, color=color, label=name, marker="o", ms=2.5,
                      lw=2 if way == "Carpool auto" else 1)
    axes.set(title=title, yscale="log", xlabel=label)
    axes.set_xscale("log", base=2 if label == "degree" else 10)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")


def draw_row(row, found, name):
    """One MPI: figures 6, 10 and 8 of [5], and one of unknown sources, which [5] has not."""
    def cases(race, size=None):
        result = next(result for result in found if result["what"] == f"race {race}")
        return [case for case in result["cases"] if size in (None, numbers(case)[1])]
    ranks = found[0]["settings"]["ranks"]
    draw_panel(row[0], cases("all_to_all"), 1, f"all to all, {ranks} ranks, {name}", "bytes per block")
    draw_panel(row[1], cases("neighbors", 76), 0, "neighbors, 76 B", "degree")
    draw_panel(row[2], cases("unknown", 76), 0, "unknown sources, 76 B", "degree")
    draw_panel(row[3], cases("cpu_time"), 1, "CPU time in the calls", "bytes per block")
    row[0].set_ylabel("µs")
    row[0].legend(fontsize=6)


def draw(found, file, sources):
    """A row per MPI."""
    mpis = list(dict.fromkeys(result["mpi"] for result in found))
    with plt.rc_context({"font.size": 8, "svg.hashsalt": "carpool"}):
        figure, rows = plt.subplots(len(mpis), 4, figsize=(13, 3 * len(mpis)), sharey="row", squeeze=False)
        for row, mpi in zip(rows, mpis):
            draw_row(row, [result for result in found if result["mpi"] == mpi], origin.MPIS[mpi])
        figure.tight_layout()
        figure.savefig(file, metadata={"Date": None, "Source": sources})
        plt.close(figure)
