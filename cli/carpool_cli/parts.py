# SPDX-License-Identifier: MIT
"""How rows are dealt to ranks: in equal ranges, by a file of parts, or by METIS."""

import re
from pathlib import Path

import numpy as np

from carpool_cli import files, patterns
from carpool_cli.output import loaded
from carpool_cli.planner import MOST_RANKS

RANGES, METIS = "ranges", "metis"
MOST_DIGITS = 9


def graph(file, pattern, ranks, parts):
    """The graph of the ranks that the rows of a pattern are dealt to; without `ranks` and `parts` each row is one."""
    if ranks is None and parts in (None, RANGES, METIS):
        if parts is not None:
            raise files.Unreadable(f"--parts {parts} deals the {pattern.nouns} of {file} to ranks; say to how many by "
                                   "--ranks")
        return patterns.graph_of_rows(file, pattern)
    if parts in (None, RANGES):
        return patterns.dealt(pattern, ranges(file, pattern, ranks), ranks)
    if pattern.rows != pattern.columns:
        raise files.Unreadable(f"{file} is {pattern.size}, expected a square matrix for --parts {parts}, which deals "
                               "rows and columns alike")
    part = partitioned(file, pattern, ranks) if parts == METIS else listed(file, pattern, ranks, parts)
    count = ranks or int(part.max(initial=0)) + 1
    return patterns.dealt(pattern, 2 * (lambda index: part[index],), count)


def ranges(file, pattern, ranks):
    """Rank p has rows from floor(p rows / ranks) on, and columns likewise."""
    least = min(pattern.rows, pattern.columns)
    if ranks > least:
        raise files.Unreadable(f"--ranks {ranks}, expected at most {least}: {file} is {pattern.size}")

    def owner_of(number):
        return lambda index: ((np.asarray(index, np.int64) + 1) * ranks - 1) // max(number, 1)
    return owner_of(pattern.rows), owner_of(pattern.columns)


def listed(file, pattern, ranks, parts):
    """A part of each row, counted from 0, on a line of its own, as METIS writes them to FILE.part.N."""
    words = files.text(parts).split()
    most = ranks or named_count(parts) or MOST_RANKS
    for number, word in enumerate(words, 1):
        if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", word) or int(word) >= most:
            raise files.mistake_in(parts, number, f"'{word}', expected a part from 0 to {most - 1}")
    if len(words) != pattern.rows:
        raise files.Unreadable(f"{parts} has {len(words)} parts, expected {pattern.rows}, one for each {pattern.noun} "
                               f"of {file}")
    return np.array(words, np.int64)


def named_count(parts):
    """N of a name that ends in .part.N."""
    found = re.search(r"\.part\.([1-9][0-9]{0,4})$", Path(parts).name)
    return int(found[1]) if found else None


def partitioned(file, pattern, ranks):
    if not 0 < ranks <= pattern.rows:
        raise files.Unreadable(f"--ranks {ranks}, expected at most {pattern.rows}: {file} has so many {pattern.nouns}")
    return loaded("partitions", f"--parts {METIS}").parts(pattern, ranks)
