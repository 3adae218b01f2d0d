# SPDX-License-Identifier: MIT
"""make figures: the figures of the five papers and what users of large machines ask, simulated, and how far
estimates are from measurements.

    figures/run.py [PART…]        parts: paper_1 … paper_5, users, model
    figures/run.py --evidence     writes docs/evidence.md alone, in a minute

Without parts all of them, and the pages docs/figures.md, docs/large_machines.md and docs/evidence.md are
written; with parts what these find is printed. Answers are kept in figures/out/, so a run goes on where one
stopped.
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

import pages
from carpool_cli.progress import each

DOCS = Path(__file__).resolve().parent.parent / "docs"
PARTS = ["paper_1", "paper_2", "paper_3", "paper_4", "paper_5", "users", "model"]


def found(part):
    return list(importlib.import_module(part).figures())


def printed(parts):
    for part in parts:
        for figure in found(part):
            print("\n".join([*pages.told(figure), *pages.claims([figure])]))


if __name__ == "__main__":
    if sys.argv[1:] == ["--evidence"]:
        pages.write(DOCS, {"evidence": found("evidence")}, ["evidence"])
    elif wrong := set(sys.argv[1:]) - set(PARTS):
        sys.exit(f"part '{wrong.pop()}', expected one of {', '.join(PARTS)}")
    elif sys.argv[1:]:
        printed(sys.argv[1:])
    else:
        pages.write(DOCS, {part: found(part) for part in each("simulating", [*PARTS, "evidence"])})
