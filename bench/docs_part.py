# SPDX-License-Identifier: MIT
"""A part of a page in docs/measurements/ that a script writes, between two comments of the page:

    <!-- from NAME -->
    <!-- to NAME -->
"""

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs" / "measurements"


def bounds(name):
    return f"<!-- from {name} -->\n", f"<!-- to {name} -->"


def has_place(page, name):
    return page is not None and all(bound in (DOCS / page).read_text() for bound in bounds(name))


def fill(page, name, lines):
    """Puts lines in the place of what is between the comments."""
    path, (begin, end) = DOCS / page, bounds(name)
    before, rest = path.read_text().split(begin)
    _, after = rest.split(end)
    path.write_text(before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after)
    return path
