"""The tables of the ordinary collectives at the end of a bench run."""

from rich import box
from rich.table import Table

from collective_results import (FORMS, HEADINGS, PERSISTENT, SMALL, by_collective, form, gain,
                                goals, median, starts_per_init, summary_rows)


def short(value):
    """Three digits, at most: 0.79, 3.73, 11.5, 1360."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def microseconds(case, name, what="seconds"):
    seconds = median(case, name, what)
    return short(None if seconds is None else 1e6 * seconds)


def both(case, what):
    """Carpool's microseconds, and those of the host's persistent form."""
    return f"{microseconds(case, 'Carpool', what)} {microseconds(case, PERSISTENT, what):>5}"


def percent(case, what):
    return " ".join(f"{100 * median(case, name, what):3.0f}" for name in ("Carpool", PERSISTENT))


def row(case):
    over = gain(case)
    return [str(case["ranks"]), str(case["bytes"]), form(case, "Carpool")["plan"]["algorithm"],
            *(microseconds(case, name) for name in FORMS), short(over["of_medians"]),
            f"{short(over['first'])}–{short(over['third'])}", short(over["of_spans"]),
            short(gain(case, "host blocking")["of_medians"]),
            both(case, "start"), both(case, "test"), both(case, "later_init"),
            both(case, "first_init"), short(starts_per_init(case)), percent(case, "overlap")]


COLUMNS = ("ranks", "bytes", "Carpool\nuses", "Carpool\nµs", "blocking\nµs", "nonbl.\nµs",
           "persist.\nµs", "gain over\npersist.", "its\nquartiles", "gain of\nspan",
           "gain over\nblocking", "start µs\nours host", "test µs\nours host",
           "init µs\nours host", "first init\nours host", "init /\nstart", "overlap %\nours host")


def table_of(title, columns):
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def one_collective(name, cases, mpi):
    table = table_of(f"{name}, {mpi}: start + wait, slowest rank", COLUMNS)
    for case in cases:
        table.add_row(*row(case))
    return table


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
        console.print(one_collective(name, cases, result["mpi"]))
    console.print(summary(result))
    for goal in goals(result):
        console.print(f"{'met   ' if goal.met else '[bold]missed[/]'} {goal.text}: {goal.found}")
