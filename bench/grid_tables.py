# SPDX-License-Identifier: MIT
"""The tables of the neighborhoods of [2]: means of Carpool's gains over the host's best form, or times of each case."""

from statistics import geometric_mean

import origin
from cell_tables import markdown
from results import HOST, best, contender, gain, median_seconds

OURS = {"carpool auto": "requests", "carpool blocking": "blocking calls"}


def gains(found, mpi, operation, name):
    """Of all cases of an operation with one MPI."""
    cases = [case for result in found if result["mpi"] == mpi for case in result["cases"] if case["operation"] == operation]
    return [ratio["median"] for case in cases if (ratio := gain(case, name, best(case, HOST)))]


def cell(ratios):
    return f"{geometric_mean(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}), {len(ratios)} cases" if ratios else ""


def table(found):
    """A row for each operation and form, a column for each MPI."""
    mpis = list(dict.fromkeys(result["mpi"] for result in found))
    operations = dict.fromkeys(case["operation"] for result in found for case in result["cases"])
    rows = [[f"{operation}, {words}", *(cell(gains(found, mpi, operation, name)) for mpi in mpis)]
            for operation in operations for name, words in OURS.items()]
    return markdown(["geometric mean (least–greatest)", *(origin.MPIS[mpi] for mpi in mpis)], rows)


def microseconds(seconds):
    return f"{1e6 * seconds:.0f}"


def row_of_case(case, mpi):
    """Times, and the gain of `auto` over the host's best form with its quartiles."""
    host = best(case, HOST)
    auto, over = contender(case, "carpool auto"), gain(case, "carpool auto", host)
    names = [host, *(f"carpool {rule}" for rule in ("direct", "cartesian", "basis", "auto"))]
    return [f"{case['case']}, {origin.MPIS[mpi]}", *(microseconds(median_seconds(case, name)) for name in names),
            auto["plan"]["algorithm"], microseconds(case["floor"]["seconds"]["median"]),
            f"{over['median']:.1f} ({over['first']:.1f}–{over['third']:.1f})"]


def cases(found):
    """A row for each case and MPI, with medians in µs."""
    headings = ["case", "host's best", "`direct`", "`cartesian`", "`basis`", "`auto`", "its rule", "messages", "gain"]
    return markdown(headings, [row_of_case(case, result["mpi"]) for result in found for case in result["cases"]])
