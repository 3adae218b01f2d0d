# SPDX-License-Identifier: MIT
"""The table of ways to do one exchange, and what stands above and below it."""

from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text

# What the times of a table are in, by the longest of them in seconds, and how many make a second.
UNITS = ((10, "s", 1), (0.01, "ms", 1e3), (0, "µs", 1e6))


@dataclass(frozen=True)
class Row:
    """What one way sends per rank, and its time: lower quartile, median, upper quartile."""
    name: str
    rule: str
    messages: int
    bytes: int
    seconds: tuple
    gain: float | None


@dataclass(frozen=True)
class Exchanges:
    """The rows of a table, and what its picture is called."""
    title: str
    rows: list[Row]


def legend(entries):
    """Terms, and beside them their meanings."""
    grid = Table.grid(padding=(0, 2), pad_edge=False)
    for term, meaning in entries.items():
        grid.add_row(term, meaning, style="dim")
    return grid


def checks(passed):
    """Statements, each with whether it holds; long ones go on below their beginning."""
    grid = Table.grid(padding=(0, 1))
    for holds, statement in passed:
        grid.add_row(f"  {mark(holds)}", Text(statement))
    return grid


def mark(passed):
    return "[green]✓[/]" if passed else "[bold red]✗[/]"


def figure(number):
    """Three digits, and more only before the point."""
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f}"


def cells(row, units):
    low, middle, high = (figure(seconds * units) for seconds in row.seconds)
    return (row.name, row.rule, str(row.messages), figure(row.bytes / 1e3), middle,
            f"{low}–{high}", "–" if row.gain is None else figure(row.gain))


def unit_for(rows):
    longest = max(row.seconds[-1] for row in rows)
    return next((name, units) for least, name, units in UNITS if longest >= least)


def table_of(rows, **marks):
    """Rows, and behind them columns of marks by heading."""
    unit, units = unit_for(rows)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    table.add_column("exchange", no_wrap=True)
    table.add_column("rule")  # where the terminal is narrow, names of rules wrap, and no number is cut
    for heading in ("messages", "kB", unit, "quartiles", "gain", *marks):
        table.add_column(heading, justify="right", no_wrap=True)
    for row, *passed in zip(rows, *marks.values(), strict=True):
        table.add_row(*cells(row, units), *map(mark, passed))
    return table
