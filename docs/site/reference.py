# SPDX-License-Identifier: MIT
"""Directives of the reference: `c-header` and `cxx-header` read a header of include/carpool."""

import hashlib
import re
from pathlib import Path
from textwrap import indent

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import c_pages
import cxx_pages
import prose

INCLUDE = Path(__file__).resolve().parents[2] / "include" / "carpool"
SHOWN = ("carpool", )


class Header(SphinxDirective):
    required_arguments = 1
    pages = None

    def run(self) -> list[nodes.Node]:
        path = INCLUDE / self.arguments[0]
        self.env.note_dependency(str(path))
        return self.parse_text_to_nodes(self.pages.page_of(path), allow_section_headings=True)


class CHeader(Header):
    pages = c_pages


class CxxHeader(Header):
    pages = cxx_pages


def plain_docstring(app, what, name, obj, options, lines: list[str]) -> None:
    """Docstrings are prose as comments of C are; that of a package ends with an example."""
    prose_of = example_of if what == "package" else prose.rst_of
    lines[:] = prose_of("\n".join(lines)).split("\n")


def example_of(text: str) -> str:
    sentence, _, example = text.partition("\n\n")
    code = ".. code-block:: python\n\n" + indent(example, "   ")
    return f"{prose.rst_of(sentence)}\n\n{code if example else ''}"


def skip(app, what: str, name: str, obj, skipped: bool, options) -> bool:
    """Submodules have no pages, because the package has their names. Inherited methods are shown only
    for Topology, from which the other classes inherit them."""
    if what in ("module", "package"):
        return name not in SHOWN
    return skipped or obj.inherited and not name.startswith("carpool.Topology.")


def complain_of_missing(app, env) -> None:
    """Every function of the headers must be on a page, whatever the parser makes of them."""
    text = "\n".join(path.read_text() for path in INCLUDE.glob("*.h"))
    declared = set(re.findall(r"^(?:static inline )?int (\w+)\(", text, re.MULTILINE))
    for name in declared - {entry[0] for entry in env.domains["c"].get_objects()}:
        logging.getLogger(__name__).warning("%s is on no page", name)


def digest() -> str:
    """Of the modules beside this one: pages that they have made are made again when they change."""
    texts = [module.read_bytes() for module in sorted(Path(__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def setup(app: Sphinx) -> dict:
    app.add_config_value("made_by", digest(), "env")
    app.add_directive("c-header", CHeader)
    app.add_directive("cxx-header", CxxHeader)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("env-check-consistency", complain_of_missing)
    app.connect("autoapi-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
