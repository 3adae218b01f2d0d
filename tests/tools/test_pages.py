# SPDX-License-Identifier: MIT
"""What the pages name exists: files that they link to, paths, targets of make, tests, settings."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
QUOTED = re.compile(r"`([^`\n]+)`")
FOLDERS = ("src", "tests", "bench", "docs", "include", "cli", "tools", "examples", "interface", "figures",
           "python", "fortran", "demo", "cmake", "packaging")


def pages():
    """Those of the repository, also where it is no clone of git's."""
    found = [*SOURCE.glob("*.md"), *(page for folder in FOLDERS
                                     for page in (SOURCE / folder).rglob("*.md"))]
    return sorted(str(page.relative_to(SOURCE)) for page in found)


def text_of(page):
    return (SOURCE / page).read_text()


def quoted(text):
    return {name for line in text.splitlines() for name in QUOTED.findall(line)}


@pytest.mark.parametrize("page", pages())
def test_links_lead_to_files(page):
    folder = (SOURCE / page).parent
    for link in LINK.findall(text_of(page)):
        path = link.partition("#")[0]
        is_generated = page.startswith("docs/reference/") and path.startswith("python/")
        if path and not is_generated and not re.match(r"[a-z]+:", path):
            assert (folder / path).exists(), link


@pytest.mark.parametrize("page", pages())
def test_paths_of_the_repository_exist(page):
    """But for those in capitals, which stand for others, and for what programs write. A program is
    named without the ending of its source."""
    for name in quoted(text_of(page)):
        path = name.removesuffix("/")
        if re.fullmatch(rf"({'|'.join(FOLDERS)})/[a-z0-9_./-]+", path) and "/out" not in path:
            assert (SOURCE / path).exists() or list(SOURCE.glob(f"{path}.*")), name


def test_pages_name_the_limits_that_the_command_has():
    graphs, = re.findall(r"most_ranks = 1 << (\d+);", text_of("cli/graph_question.cpp"))
    for page in ("docs/guide/limits.md", "cli/README.md"):
        said = re.findall(r"a graph has at most 2\^(\d+) \(([\d,]+)\)\s+ranks", text_of(page))
        assert said == [(graphs, f"{2 ** int(graphs):,}")], page


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_first_pages_show_what_needs_no_port(page):
    lines = text_of(page).splitlines()
    run = next(number for number, line in enumerate(lines) if "carpool run --summary mpiexec" in line)
    port = next(number for number, line in enumerate(lines) if "Carpool_Neighbor_alltoallw_init(" in line)
    assert run < port


def targets():
    makefile = text_of("Makefile")
    return {name for line in re.findall(r"^([a-z][a-z %-]*):(?!=)", makefile, re.MULTILINE)
            for name in line.split()}


@pytest.mark.parametrize("page", pages())
def test_targets_of_make_exist(page):
    commands = re.findall(r"^ {4}make ((?:[a-z-]+ ?)+)", text_of(page), re.MULTILINE)
    commands += [name[len("make "):] for name in quoted(text_of(page))
                 if re.match(r"make [a-z]", name)]
    known = targets()
    for command in commands:
        for word in re.match(r"(?:[a-z-]+ ?)*", command)[0].split():
            assert word in known, f"make {command}"


def test_tests_that_the_page_on_the_papers_names_exist():
    sources = [path for folder in ("mpi", "unit", "tools")
               for path in (SOURCE / "tests" / folder).glob("test_*")]
    files = {path.stem for path in sources}
    cases = set(re.findall(r"\w+", "".join(path.read_text() for path in sources)))
    for name in quoted(text_of("docs/papers.md")):
        if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+){3,}", name):
            assert name in cases or name in files, name
        elif name.startswith("test_"):
            assert name in files, name


def test_every_claim_of_the_papers_has_a_verdict_and_a_reason():
    tables = text_of("docs/figures.md").split("| where |")[1:]
    assert len(tables) == 5
    for table in tables:
        rows = [line for line in table.split("\n\n")[0].splitlines()[2:] if line.startswith("|")]
        assert rows
        for row in rows:
            where, claim, simulated, verdict, why = (cell.strip() for cell in row.strip("|").split("|"))
            assert all((where, claim, simulated, why)), row
            assert verdict.strip("*") in ("agrees", "agrees in part", "differs", "another model",
                                          "not simulated"), row
