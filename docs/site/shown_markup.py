# SPDX-License-Identifier: MIT
"""Warns of markup that a reader of the built site would see, such as ::: or <inline class=…>."""

import re
from html.parser import HTMLParser
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

MARKUP = re.compile(r"<\w+ \w+=[^>]*>|:::|``|\*\*(?=\S)|\]\(|\{[a-z:-]+\}")
# Where such characters mean themselves.
CODE = {"code", "pre", "script", "style", "dt"}


class Prose(HTMLParser):
    """The text of a page without code and signatures."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.depth += tag in CODE

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in CODE

    def handle_data(self, text: str) -> None:
        self.pieces.append(" " if self.depth else text)


def shown_in(html: str) -> list[str]:
    prose = Prose()
    prose.feed(html)
    return MARKUP.findall("".join(prose.pieces))


def check(app: Sphinx, failure: Exception | None) -> None:
    if failure or app.builder.name != "html":
        return
    for page in sorted(Path(app.outdir).rglob("*.html")):
        for markup in shown_in(page.read_text(encoding="utf-8")):
            logging.getLogger(__name__).warning("%s shows the markup %s", page, markup)


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
