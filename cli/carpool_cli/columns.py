# SPDX-License-Identifier: MIT
"""Tables and texts in plain characters, for commands that need no third-party package."""

import textwrap

WIDTH = 80


def lines(text, indent=""):
    """A text in lines of at most 80 columns."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ",
                         break_long_words=False, break_on_hyphens=False)


def table(rows, words=0, indent="  "):
    """Rows, in columns as wide as they need to be; those of the column `words` begin at its left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def aligned(row):
        cells = [cell.ljust(width) if number == words else cell.rjust(width)
                 for number, (cell, width) in enumerate(zip(row, widths, strict=True))]
        return (indent + "  ".join(cells)).rstrip()

    return "\n".join(map(aligned, rows))
