#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well Carpool chooses: a table of what the program regret has printed, a row per file.

    bench/regret_tables.py FILES
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

from cell_tables import markdown

HEAD = ["run", "cells", "regret of requests: median", "p90", "p95", "most", "above 1.10",
        "best of the host's over requests", "over calls"]


def events(file):
    lines = (line for line in file.read_text().splitlines() if line.startswith("{"))
    return [event for event in map(json.loads, lines) if event.get("event") == "regret"]


def gain(cells, ours):
    """Geometric mean, and the least."""
    gains = [min(seconds for name, seconds in cell["seconds"].items() if name.startswith("host"))
             / cell["seconds"][ours] for cell in cells]
    return f"{statistics.geometric_mean(gains):.2f} ({min(gains):.2f})"


def row(file):
    cells = events(file)
    regrets = sorted(cell["request"] for cell in cells)
    share = [regrets[min(len(regrets) - 1, int(part * len(regrets)))] for part in (0.9, 0.95)]
    return [file.stem, str(len(cells)), f"{statistics.median(regrets):.2f}",
            *(f"{one:.2f}" for one in share), f"{regrets[-1]:.2f}",
            str(sum(one > 1.1 for one in regrets)), gain(cells, "request"), gain(cells, "call")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="each the output of one run")
    print("\n".join(markdown(HEAD, [row(file) for file in parser.parse_args().files])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
