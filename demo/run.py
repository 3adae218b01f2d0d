# SPDX-License-Identifier: MIT
"""Runs the Taylor-Green vortex on three lattices and an exchange between simulated hosts; shows
checks and times, paints pictures.

Started by `make demo`. Environment: CARPOOL_BUILD, the build folder; CARPOOL_MPI, for tools/launch.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (BarColumn, Progress, TaskProgressColumn, TextColumn,
                           TimeElapsedColumn)

import hosts
import picture
from table import Exchanges, Row, checks, legend, table_of

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "demo" / "out"
TIMEOUT = 300
CHECKS_FAILED = 1
INTRODUCTION = ("[bold]On one node[/] messages go through shared memory and cost little: straight "
                "ones (direct) are as fast as combined ones (torus, cartesian), or faster.")
LEGEND = {
    "messages": "that a rank sends in one step; Carpool sends one to a rank that is several "
                "neighbors, as the 26 of D3Q27 on 8 ranks are 7 ranks",
    "kB": "bytes that a rank sends in one step. A cell has a number per direction. Each "
          "neighbor is sent those that move to it: of a cell at a face 3 of 9, 5 of 19 or 9 of "
          "27. The halo call knows arrays and stencil only, and sends whole faces of all: 3 to 4 "
          "times as many bytes",
    "µs, ms": "the exchange of one step, alone, on the slowest rank, median of all turns",
    "gain": "over host blocking",
    "bits": "equal to those of one rank and of the host",
}


@dataclass(frozen=True)
class Case:
    name: str
    ranks: int
    arguments: tuple


CASES = (
    Case("D2Q9", 9, ("--speeds", 9, "--cells", 32, "--steps", 400, "--viscosity", 0.15)),
    Case("D3Q19", 8, ("--speeds", 19, "--cells", 16, "--steps", 160, "--viscosity", 0.025)),
    Case("D3Q27", 8, ("--speeds", 27, "--cells", 16, "--steps", 160, "--viscosity", 0.025)),
)


def build_folder():
    return Path(os.environ.get("CARPOOL_BUILD", ROOT / "build" / "mpich-release"))


def command(case):
    words = [ROOT / "tools" / "launch", "-n", case.ranks, "--timeout", TIMEOUT,
             build_folder() / "demo" / "taylor_green", *case.arguments,
             "--json", OUT / f"{case.name}.json", "--fields", OUT]
    return [str(word) for word in words]


def follow(process, advance):
    """Passes progress lines on to advance(done, total); returns the other lines."""
    rest = []
    for line in process.stdout:
        match line.split():
            case ["progress", done, total]:
                advance(int(done), int(total))
            case _:
                rest.append(line)
    return "".join(rest)


def run(case, progress):
    """The exit code of a case, and what it said."""
    task = progress.add_task(f"{case.name} on {case.ranks} ranks")
    process = subprocess.Popen(command(case), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    said = follow(process, lambda done, total: progress.update(task, completed=done, total=total))
    return process.wait(), said


def result(case):
    return json.loads((OUT / f"{case.name}.json").read_text())


def show_checks(console, report):
    library = " ".join(report["library"].split())
    console.print(f"\n[bold]{report['title']}[/], {library}")
    console.print(checks((check["passed"], f"{check['statement']}: {check['seen']}")
                         for check in report["checks"]))


def row_of(exchange):
    seconds = tuple(exchange[key] for key in ("lower_quartile_s", "median_s", "upper_quartile_s"))
    return Row(exchange["name"], exchange["rule"], exchange["messages"], exchange["bytes"], seconds,
               exchange["gain"])


def rows_of(report):
    return [row_of(each) for each in report["exchanges"]]


def exchange_table(report):
    same = [each["same_as_one_rank"] and each["same_as_host"] for each in report["exchanges"]]
    return table_of(rows_of(report), bits=same)


def pictured(report):
    return Exchanges(f"{report['title'].split(',')[0]} on one node,\nover host blocking", rows_of(report))


def show_node(console, reports):
    console.print(f"\n{INTRODUCTION}")
    for report in reports:
        show_checks(console, report)
        console.print()
        console.print(exchange_table(report))
    console.print()
    console.print(legend(LEGEND))


def run_case(case, progress):
    """Ends the demo where the case breaks down; failed checks are no breakdown."""
    code, said = run(case, progress)
    if code not in (0, CHECKS_FAILED) or not (OUT / f"{case.name}.json").exists():
        progress.stop()
        progress.console.print(f"[red]{case.name} ended with code {code}:[/]")
        progress.console.print(said, markup=False)
        sys.exit(code or 1)


def run_all(console):
    """Runs the cases; returns what came of the exchange between hosts."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
               TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        for case in CASES:
            run_case(case, progress)
        return hosts.run(ROOT, build_folder(), progress)


def draw_plan():
    """The ways of the 27-point halo, by the command carpool."""
    file = OUT / "plan.png"
    command = [build_folder() / "bin" / "carpool", "plan", "torus 4x4x4", "moore 3 1", "--plot", file]
    drawn = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    return file if drawn.returncode == 0 else None


def pictures(reports, between_hosts):
    """What each picture shows, and where it is."""
    yield "\nvorticity", picture.paint((reports[0], reports[-1]), OUT / "vorticity.png")
    tables = [*hosts.pictured(between_hosts), *map(pictured, reports)]
    yield "the tables as a picture", picture.paint_exchanges(tables, OUT / "exchanges.png")
    if plan := draw_plan():
        yield "the ways of the halo", plan


def main():
    console = Console()
    OUT.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        (OUT / f"{case.name}.json").unlink(missing_ok=True)
    between_hosts = run_all(console)
    reports = [result(case) for case in CASES]
    show_node(console, reports)
    right = hosts.show(console, between_hosts)
    for what, file in pictures(reports, between_hosts):
        console.print(f"{what}: {file.relative_to(ROOT)}")
    return 0 if right and all(report["passed"] for report in reports) else CHECKS_FAILED


if __name__ == "__main__":
    sys.exit(main())
