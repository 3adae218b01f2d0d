# SPDX-License-Identifier: MIT
"""Writes the figures as a page of Markdown, with pictures beside it."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from carpool_cli.style import STYLE, WIDTH


def row(cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def table(header, rows):
    return [row(header), row(["---"] * len(header)), *map(row, rows), ""]


def claims(figures):
    """The table of claims, in which no cell is empty; none where nothing is claimed."""
    rows = [[one.where, one.claim, one.found, f"**{one.verdict}**", one.why]
            for figure in figures for one in figure.claims]
    return table(["where", "claim", "simulated", "verdict", "why"], rows) if rows else []


def section(figure, folder):
    picture = [f"![{figure.title}]({folder.name}/{drawn(figure, folder)})", ""] if figure.draw else []
    return told(figure, picture)


def told(figure, picture=()):
    """A figure in words, with its table."""
    return [f"### {figure.title}", "", figure.setting, "", *picture,
            *(table(figure.header, figure.rows) if figure.rows else []),
            *([figure.advice, ""] if figure.advice else [])]


def drawn(figure, folder):
    """Draws it, and gives the name of its file."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{figure.name}.svg"
    with plt.rc_context(STYLE):
        page = plt.figure(figsize=(WIDTH, 3.9), layout="constrained")
        figure.draw(page)
        page.savefig(file, metadata={"Date": None})
        plt.close(page)
    return file.name


TITLES = {"paper_1": "[1] Isomorphic neighborhoods", "paper_2": "[2] Cartesian neighborhoods",
          "paper_3": "[3] Common neighborhoods", "paper_4": "[4] Persistent collectives",
          "paper_5": "[5] Personalized communication"}


PAGES = {"figures": list(TITLES), "large_machines": ["users", "model"], "evidence": ["evidence"]}


def write(docs, found, names=tuple(PAGES)):
    """The pages docs/figures.md, docs/large_machines.md and docs/evidence.md, and their pictures.
    @param found: {part: figures}"""
    folder = docs / "figures"
    for name in names:
        lines = papers(found, folder) if name == "figures" else parts(name, found, folder)
        (docs / f"{name}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
        print(docs / f"{name}.md")


def papers(found, folder):
    lines = introduction("figures")
    for part, title in TITLES.items():
        lines += [f"## {title}", "", *claims(found[part])]
        for figure in found[part]:
            lines += section(figure, folder)
    return lines


def parts(page, found, folder):
    """Those of a page, one after the other."""
    lines = introduction(page)
    for part in PAGES[page]:
        for figure in found[part]:
            lines += section(figure, folder)
    return lines


def introduction(page):
    """The text above what is simulated."""
    return [(Path(__file__).parent / f"{page}.txt").read_text(encoding="utf-8")]
