# SPDX-License-Identifier: MIT
"""The tables of the ordinary collectives at the end of a bench run."""

from rich import box
from rich.table import Table

from collective_results import (FORMS, HEADINGS, PERSISTENT, SMALL, by_collective, form, gain,
                                facts, median, small, starts_per_init, summary_rows)

# Those that go on after their start.
GOING_ON = ("Carpool", "host nonblocking", PERSISTENT)


def short(value):
    """Three digits, at most: 0.79, 3.73, 11.5, 1360."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def microseconds(case, name, what="seconds"):
    seconds = median(case, name, what)
    return short(None if seconds is None else 1e6 * seconds)


def three(case, what):
    """Carpool's microseconds, and those of the host's nonblocking and persistent forms."""
    return [microseconds(case, name, what) for name in GOING_ON]


def percents(case):
    return [f"{100 * median(case, name, 'overlap'):.0f}" for name in GOING_ON]


def latency_row(case):
    over = gain(case)
    return [str(case["ranks"]), str(case["bytes"]), form(case, "Carpool")["plan"]["algorithm"],
            *(microseconds(case, name) for name in FORMS),
            *(microseconds(case, name, "span") for name in FORMS),
            short(over["of_medians"]), f"{short(over['first'])}–{short(over['third'])}",
            short(over["of_spans"])]


LATENCY = ("ranks", "bytes", "Carpool\nuses", "Carpool\nµs", "block-\ning", "nonbl.", "persist.",
           "span:\nCarpool", "block-\ning", "nonbl.", "persist.", "gain over\npersist.",
           "its\nquartiles", "of\nspans")


def overhead_row(case):
    inits = [microseconds(case, name, what) for what in ("first_init", "later_init")
             for name in ("Carpool", PERSISTENT)]
    return [str(case["ranks"]), str(case["bytes"]), *three(case, "start"), *three(case, "test"),
            *percents(case), *inits, short(starts_per_init(case))]


OVERHEAD = ("ranks", "bytes", "start:\nCarpool", "nonbl.", "persist.", "test:\nCarpool", "nonbl.",
            "persist.", "overlap %\nCarpool", "nonbl.", "persist.", "first init\nCarpool",
            "persist.", "later init\nCarpool", "persist.", "init /\nspan")


def table_of(title, columns):
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def of_cases(title, columns, row, cases):
    table = table_of(title, columns)
    for case in cases:
        table.add_row(*row(case))
    return table


def tables_of(name, cases, mpi):
    yield of_cases(f"{name}, {mpi}: µs of start and wait, slowest rank, and from the first rank's "
                   "start on", LATENCY, latency_row, cases)
    yield of_cases(f"{name}, {mpi}: µs of a start, a test and an init; overlap", OVERHEAD,
                   overhead_row, cases)


def summary(result):
    table = table_of(f"collectives up to {SMALL} B, {result['mpi']}: geometric means of gains",
                     HEADINGS)
    for cells in summary_rows(result):
        table.add_row(*cells)
    return table


def show(result, console):
    if not result["collectives"]:
        return
    for name, cases in by_collective(result["collectives"]).items():
        for table in tables_of(name, cases, result["mpi"]):
            console.print(table)
    if not small(result["collectives"]):
        return
    console.print(summary(result))
    for what, found in facts(result):
        console.print(f"{what}: {found}")
