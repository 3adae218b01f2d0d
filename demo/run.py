"""Runs the Taylor-Green vortex on three lattices, shows checks and times, paints pictures.

Started by `make demo`. Environment: CARPOOL_BUILD, the build folder; CARPOOL_MPI, for tools/launch.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import picture

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "demo" / "out"
TIMEOUT = 300
CHECKS_FAILED = 1
LEGEND = ("[dim]µs: the exchange of one step, alone, on the slowest rank, median of all turns\n"
          "gain: over host blocking; bits: equal to those of one rank and of the host[/]")


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


def mark(passed):
    return "[green]✓[/]" if passed else "[bold red]✗[/]"


def show_checks(console, report):
    console.print(f"\n[bold]{report['title']}[/], {report['library']}")
    for check in report["checks"]:
        console.print(f"  {mark(check['passed'])} {check['statement']}: {check['seen']}")


def exchange_row(row):
    low, middle, high = (1e6 * row[key] for key in
                         ("lower_quartile_s", "median_s", "upper_quartile_s"))
    return (row["name"], row["rule"], str(row["messages"]), f"{row['bytes'] / 1e3:.1f}",
            f"{middle:.0f}", f"{low:.0f}–{high:.0f}", f"{row['gain']:.2f}",
            mark(row["same_as_one_rank"] and row["same_as_host"]))


def exchange_table(report):
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("exchange", "rule"):
        table.add_column(heading, no_wrap=True)
    for heading in ("messages", "kB", "µs", "quartiles", "gain", "bits"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in report["exchanges"]:
        table.add_row(*exchange_row(row))
    return table


def run_all(console):
    """Runs the cases until one of them breaks down; failed checks are no breakdown."""
    columns = (TextColumn("{task.description}"), BarColumn(),
               TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        for case in CASES:
            code, said = run(case, progress)
            if code not in (0, CHECKS_FAILED) or not (OUT / f"{case.name}.json").exists():
                progress.stop()
                console.print(f"[red]{case.name} ended with code {code}:[/]")
                console.print(said, markup=False)
                sys.exit(code or 1)


def draw_plan():
    """The ways of the 27-point halo, by the command carpool."""
    file = OUT / "plan.png"
    command = [build_folder() / "bin" / "carpool", "plan", "torus 4x4x4", "moore 3 1", "--plot", file]
    drawn = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    return file if drawn.returncode == 0 else None


def pictures(reports):
    """What each picture shows, and where it is."""
    yield "\nvorticity", picture.paint((reports[0], reports[-1]), OUT / "vorticity.png")
    yield "this table as a picture", picture.paint_exchanges(reports, OUT / "exchanges.png")
    if plan := draw_plan():
        yield "the ways of the halo", plan


def main():
    console = Console()
    OUT.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        (OUT / f"{case.name}.json").unlink(missing_ok=True)
    run_all(console)
    reports = [result(case) for case in CASES]
    for report in reports:
        show_checks(console, report)
        console.print(exchange_table(report))
    console.print(LEGEND)
    for what, file in pictures(reports):
        console.print(f"{what}: {file.relative_to(ROOT)}")
    return 0 if all(report["passed"] for report in reports) else CHECKS_FAILED


if __name__ == "__main__":
    sys.exit(main())
