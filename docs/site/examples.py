# SPDX-License-Identifier: MIT
"""The directive `examples`: every program of examples/, with a tab for each language."""

from itertools import groupby
from pathlib import Path
from textwrap import indent

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).resolve().parents[2] / "examples"
LANGUAGES = {".c": ("C", "c"), ".cpp": ("C++", "cpp"), ".f90": ("Fortran", "fortran"),
             ".py": ("Python", "python")}


class Examples(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        groups = groupby(programs(), key=lambda path: path.stem)
        texts = [section(stem, list(paths)) for stem, paths in groups]
        return self.parse_text_to_nodes("\n".join(texts), allow_section_headings=True)


def programs() -> list[Path]:
    paths = [path for path in FOLDER.iterdir() if path.suffix in LANGUAGES]
    return sorted(paths, key=lambda path: (path.stem, path.suffix))


def section(stem: str, paths: list[Path]) -> str:
    tabs = "\n".join(indent(tab(path), "   ") for path in paths)
    return f"{stem}\n{'-' * len(stem)}\n\n.. tab-set::\n\n{tabs}\n"


def tab(path: Path) -> str:
    name, lexer = LANGUAGES[path.suffix]
    return (f".. tab-item:: {name}\n   :sync: {lexer}\n\n"
            f"   .. literalinclude:: /../examples/{path.name}\n"
            f"      :language: {lexer}\n      :caption: examples/{path.name}\n")


def anew(app: Sphinx, *changed) -> list[str]:
    """Programs may have come or gone."""
    return [page for page in ("reference/examples", ) if page in app.env.found_docs]


def setup(app: Sphinx) -> dict:
    app.add_directive("examples", Examples)
    app.connect("env-get-outdated", anew)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
