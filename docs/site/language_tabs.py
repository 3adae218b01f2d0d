# SPDX-License-Identifier: MIT
"""The same code in several languages, each under its name in bold, as tabs: who chooses one language
sees it on all pages. Pages stay plain Markdown."""

import re

from sphinx.application import Sphinx

from examples import LANGUAGES

LEXERS = dict(LANGUAGES.values())
NAMES = "|".join(map(re.escape, LEXERS))
BLOCK = rf"\*\*(?:{NAMES})\*\*\n(?:```\w+\n(?:(?!```).*\n)*```\n)+"
SEVERAL = re.compile(rf"^(?:{BLOCK}){{2,}}", re.MULTILINE)
ONE = re.compile(r"\*\*(?P<name>.*)\*\*\n(?P<code>(?:(?!\*\*).*\n)+)")


def tab(name: str, code: str) -> str:
    return f":::{{tab-item}} {name}\n:sync: {LEXERS[name]}\n\n{code}:::\n"


def tabs(several: re.Match) -> str:
    items = "".join(tab(one["name"], one["code"]) for one in ONE.finditer(several[0]))
    return f"::::{{tab-set}}\n{items}::::\n"


def with_tabs(page: str) -> str:
    return SEVERAL.sub(tabs, page)


def put(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = with_tabs(source[0])


def setup(app: Sphinx) -> dict:
    app.connect("source-read", put)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
