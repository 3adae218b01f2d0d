# SPDX-License-Identifier: MIT
"""The table of conjugate gradients at the end of a bench run, and as Markdown."""

from statistics import geometric_mean

from rich import box
from rich.table import Table

from cell_tables import markdown
from subarray_tables import best_host, gain, racer, seconds

OURS = ("Carpool call", "Carpool request", "Carpool requests")
HEAD = ("ranks", "case", "neighbors", "host's best", "µs", *OURS, "rank 0 sends", "setup, ms", "after")


def per_iteration(case, name):
    return seconds(case, name) / case["iterations"]


def break_even(case, name):
    """After how many iterations the setup is earned back, None where it never is."""
    host = best_host(case)
    more = case["setup"][name] - case["setup"][host]
    saved = per_iteration(case, host) * (1 - 1 / gain(case, name))
    return max(0, round(more / saved)) if saved > 0 else None


def row(case):
    plan = racer(case, "Carpool requests")["plan"]
    host, setup, after = best_host(case), case["setup"], break_even(case, "Carpool requests")
    return [str(case["ranks"]), case["case"],
            f"{case['neighbors']:.1f}, {case['most_neighbors']:.0f}", host.removeprefix("host "),
            f"{1e6 * per_iteration(case, host):.0f}",
            *(f"{gain(case, name):.2f}" for name in OURS),
            f"{plan['algorithm']}, {plan['messages']}",
            f"{1e3 * setup['Carpool requests']:.1f} / {1e3 * setup[host]:.1f}",
            "–" if after is None else str(after)]


def means(cases):
    for name in OURS:
        gains = [gain(case, name) for case in cases]
        yield (f"{name} over the host's best form: geometric mean {geometric_mean(gains):.2f}, "
               f"{min(gains):.2f} to {max(gains):.2f}")


def show(result, console):
    cases = result.get("cg", [])
    if not cases:
        return
    table = Table(title="Conjugate gradients: an iteration of the host's best form, and gains over it",
                  box=box.SIMPLE)
    for name in HEAD:
        table.add_column(name, justify="left" if name == "case" else "right")
    for case in cases:
        table.add_row(*row(case))
    console.print(table)
    for line in means(cases):
        console.print(line)


def table(found):
    """Markdown: the cases of a run, and the means of the gains."""
    result, = found
    yield from markdown(HEAD, map(row, result["cg"]))
    yield ""
    yield "; ".join(means(result["cg"])) + "."
