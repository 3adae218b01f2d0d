# SPDX-License-Identifier: MIT
"""The table of alltoallw of subarrays at the end of a bench run."""

from statistics import geometric_mean

from rich import box
from rich.table import Table

from results import HOST

FORMS = (*HOST, "by hand", "Carpool call", "Carpool request")


def racer(case, name):
    return next(racer for racer in case["racers"] if racer["name"] == name)


def seconds(case, name):
    return racer(case, name)["seconds"]["median"]


def best_host(case):
    return min(HOST, key=lambda name: seconds(case, name))


def gain(case, name):
    """Median of ratios over the host's best form."""
    return racer(case, name)["gain"][best_host(case)]["median"]


def row(case):
    call, request = gain(case, "Carpool call"), gain(case, "Carpool request")
    return [str(case["ranks"]), case["case"], *(f"{1e6 * seconds(case, name):.1f}" for name in FORMS),
            f"{call:.2f}", f"{request:.2f}",
            f"{seconds(case, 'Carpool call') / seconds(case, 'Carpool request'):.2f}"]


def show(result, console):
    cases = result.get("subarrays", [])
    if not cases:
        return
    table = Table(title="Alltoallw of subarrays in one array, µs", box=box.SIMPLE)
    for name in ("ranks", "case", *(form.replace(" ", "\n", 1) for form in FORMS),
                 "call over\nhost's best", "request over\nhost's best", "call /\nrequest"):
        table.add_column(name, justify="left" if name == "case" else "right")
    for case in cases:
        table.add_row(*row(case))
    console.print(table)
    for name in ("Carpool call", "Carpool request"):
        gains = [gain(case, name) for case in cases]
        console.print(f"{name} over the host's best form: geometric mean {geometric_mean(gains):.2f}, "
                      f"least {min(gains):.2f}")
