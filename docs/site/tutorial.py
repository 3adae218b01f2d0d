# SPDX-License-Identifier: MIT
"""The pages of docs/tutorial/, as many as there are, below its first."""

from pathlib import Path

from sphinx.application import Sphinx

FOLDER = Path(__file__).resolve().parents[1] / "tutorial"
FIRST = "tutorial/index"


def others(first: str) -> list[str]:
    """In the order in which the first page links to them."""
    pages = [page.stem for page in FOLDER.glob("*.md") if page.stem != "index"]
    return sorted(pages, key=lambda page: (first.find(f"({page}.md)") % (len(first) + 1), page))


def complete(app: Sphinx, page: str, source: list[str]) -> None:
    if page == FIRST:
        source[0] += "\n:::{toctree}\n:hidden:\n\n" + "\n".join(others(source[0])) + "\n:::\n"


def again(app: Sphinx, *changed) -> list[str]:
    """The first page is read in each run: others may have come or gone."""
    return [FIRST]


def setup(app: Sphinx) -> dict:
    app.connect("source-read", complete)
    app.connect("env-get-outdated", again)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
