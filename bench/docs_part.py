# SPDX-License-Identifier: MIT
"""A part of a page in docs/measurements/ that is made of results, between two comments of the page:

    <!-- from NAME -->
    <!-- to NAME -->
"""

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs" / "measurements"


def bounds(name):
    return f"<!-- from {name} -->\n", f"<!-- to {name} -->"


def parts(page, name):
    """What is before the place, in it and after it."""
    begin, end = bounds(name)
    before, rest = (DOCS / page).read_text(encoding="utf-8").split(begin)
    inside, after = rest.split(end)
    return before, inside, after


def content(page, name):
    return parts(page, name)[1]


def written(lines):
    """What stands in a place."""
    return "\n" + "\n".join(lines).rstrip() + "\n\n"


def fill(page, name, lines):
    """Puts lines in the place of what is between the comments."""
    before, _, after = parts(page, name)
    begin, end = bounds(name)
    (DOCS / page).write_text(before + begin + written(lines) + end + after, encoding="utf-8")
    return DOCS / page
