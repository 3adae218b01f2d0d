# SPDX-License-Identifier: MIT
"""Persistent against nonblocking collectives of one library, as [4] chapter 4 has them: tables of a run of
`bench/run.py --what persistence`."""

from statistics import geometric_mean

from collective_results import by_collective, form, median

# (library, persistent form, nonblocking form)
OURS, HOST = (("Carpool", "Carpool", "Carpool nonblocking"),
              ("host", "host persistent", "host nonblocking"))
LIBRARIES = (OURS, HOST)

# What is apart: of the medians, nonblocking over persistent.
PARTS = (("start", "start"), ("test", "a test"), ("wait", "completion"))
HEAD = ["whole (middle half)", *(words for _, words in PARTS), "overlap, %"]


def whole(case, persistent, nonblocking):
    """Quartiles of nonblocking over persistent, start and wait within repetitions."""
    return form(case, persistent)["gain"][nonblocking]


def mean_of(cases, value):
    return geometric_mean(map(value, cases))


def part(cases, library, what):
    """How much longer a part of the nonblocking form takes, in the mean of the cases."""
    _, persistent, nonblocking = library
    return mean_of(cases, lambda case: (median(case, nonblocking, what)
                                        / max(median(case, persistent, what), 1e-9)))


def overlap(cases, name):
    return 100 * sum(median(case, name, "overlap") for case in cases) / len(cases)


def compared(cases, library):
    """Cells of HEAD: above 1 the persistent form is quicker; overlaps as nonblocking, persistent."""
    _, persistent, nonblocking = library

    def of(quartile):
        return mean_of(cases, lambda case: whole(case, persistent, nonblocking)[quartile])
    return [f"{of('median'):.2f} ({of('first'):.2f}–{of('third'):.2f})",
            *(f"{part(cases, library, what):.2f}" for what, _ in PARTS),
            f"{overlap(cases, nonblocking):.0f}, {overlap(cases, persistent):.0f}"]


def over_host(cases):
    """Our forms over the host's: persistent, nonblocking, blocking."""
    def mean(ours, host):
        return mean_of(cases, lambda case: whole(case, ours, host)["median"])
    return ", ".join(f"{mean(*names):.2f}" for names in zip(("Carpool", "Carpool nonblocking",
                     "Carpool blocking"), ("host persistent", "host nonblocking", "host blocking")))


def rows(cells, cases):
    """One for each library."""
    for library in LIBRARIES:
        last = over_host(cases) if library is OURS else ""
        yield "| " + " | ".join([*cells, library[0], *compared(cases, library), last]) + " |"


def head(first):
    columns = [*first, "library", *HEAD, "over the host's forms"]
    return ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]


def by(cases, key):
    return {value: [case for case in cases if key(case) == value]
            for value in sorted({key(case) for case in cases})}


def tables(result):
    cases = result["collectives"]
    counts = by(cases, lambda case: (case["ranks"], case["bytes"]))
    yield f"Means over {len(by_collective(cases))} collectives:\n"
    yield from head(["ranks", "block"])
    for (ranks, size), some in counts.items():
        yield from rows([str(ranks), f"{size:,} B"], some)
    yield "\nMeans over all ranks and blocks:\n"
    yield from head(["collective"])
    for name, some in by_collective(cases).items():
        yield from rows([name], some)
    yield ""
