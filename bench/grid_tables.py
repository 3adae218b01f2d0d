# SPDX-License-Identifier: MIT
"""The table of the neighborhoods of [2]: means of Carpool's gains over the host's best form."""

import origin
from cell_tables import markdown
from results import HOST, best, gain
from tables import geometric_mean

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
