# SPDX-License-Identifier: MIT
"""The pages of the guide and the tutorial, for reading in a terminal."""

import os
import re
from pathlib import Path

import click

LINKS = ("index",)  # to other pages
INCLUDED = re.compile(r"```\{include\} (\S+)\n```\s*")
PAGES = Path(os.environ.get("CARPOOL_PAGES") or Path(__file__).with_name("pages"))


def topics():
    """Page by topic, that of guide/reading_a_plan.md being reading-a-plan."""
    return {page.stem.replace("_", "-"): page for folder in ("guide", "tutorial")
            for page in sorted((PAGES / folder).glob("*.md")) if page.stem not in LINKS}


def text_of(page):
    """Of a page that is another file alone, the text of that file."""
    text = page.read_text(encoding="utf-8")
    included = INCLUDED.fullmatch(text)
    return text_of(page.parent / included[1]) if included else text


def title_of(page):
    return text_of(page).splitlines()[0].lstrip("# ")


def page_of(topic):
    pages = topics()
    named = [name for name in pages if name == topic] or [name for name in pages if topic in name]
    if len(named) != 1:
        raise click.UsageError(f"no topic '{topic}', expected one of " + ", ".join(named or pages))
    from rich.markdown import Markdown  # takes a third of the time of all imports

    return Markdown(plain_markdown(text_of(pages[named[0]])))


def plain_markdown(text):
    """Without what only the site's MyST understands: tabs, roles, and files that are shown."""
    text = re.sub(r"^:{3,}\{tab-item\} *(.*)$", r"\n**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"^:{3,}.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^```\{literalinclude\} (?:\.\./)*(\S+)\n[^`]*```$", r"See `\1` in the sources.",
                  text, flags=re.MULTILINE)
    return re.sub(r"\{[a-z:]+\}(?=`)", "", text)


def listed():
    rows = "\n".join(f"  {name:<22}{title_of(page)}" for name, page in topics().items())
    return f"Topics, for carpool help TOPIC:\n\n{rows}"
