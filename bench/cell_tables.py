# SPDX-License-Identifier: MIT
"""The tables of cells at the end of a bench run, and as Markdown."""

from rich import box
from rich.table import Table

import cell_results
import origin


def table_of(title, head, rows):
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for place, name in enumerate(head):
        table.add_column(name, justify="left" if place < 2 else "right")
    for row in rows:
        table.add_row(*row)
    return table


def number_of_runs(found):
    return max(len(cell.gains) for cell in found)


def show(result, console):
    found = cell_results.cells([result])
    if not found:
        return
    rows = [[*key, *cell_results.described(some)] for key, some in cell_results.groups(found).items()]
    title = (f"Cells, {result['mpi']}: the host's best form over ours, medians of "
             f"{number_of_runs(found)} runs")
    console.print(table_of(title, ["kind", "form", *cell_results.HEAD], rows))
    console.print(table_of(f"Below {cell_results.LEAST}", cell_results.HEAD_BELOW,
                           [cell_results.row(cell) for cell in found if cell.is_below]))


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def in_words(some):
    """Three columns of Markdown; three that are empty where there are no cells."""
    if not some:
        return [""] * 3
    count, mean, least, below = cell_results.described(some)
    return [count, f"{mean} ({least})", below]


def summary(found):
    """Markdown: per kind and form the figures of each MPI, side by side."""
    mpis = [mpi for mpi in origin.MPIS if any(cell.mpi == mpi for cell in found)]
    words = ("cells", "geometric mean (least)", f"below {cell_results.LEAST} (in every run)")
    head = ["kind, form", *(f"{origin.MPIS[mpi]}, {words[0]}" if place == 0 else words[place]
                            for mpi in mpis for place in range(3))]
    rows = [[f"{kind}, {form}", *(word for mpi in mpis for word in
                                  in_words([cell for cell in some if cell.mpi == mpi]))]
            for (kind, form), some in cell_results.groups(found).items()]
    return markdown(head, rows)


def below(found):
    """Markdown: the cells far below the host's best form, the least first."""
    rows = ([origin.MPIS[cell.mpi], *cell_results.row(cell)] for cell in found if cell.gain < cell_results.FAR_BELOW)
    return markdown(["MPI", *cell_results.HEAD_BELOW], rows)
