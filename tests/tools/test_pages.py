# SPDX-License-Identifier: MIT
"""What the pages name exists: files that they link to, paths, targets of make, tests, settings. And CI runs the commands
that they show."""

import re

import pytest

from page_commands import FOLDERS, SOURCE, TABLE, commands_of, entries, is_run_or_marked, pages, text_of

LINK = re.compile(r"\]\(([^)\s]+)\)")
QUOTED = re.compile(r"`([^`\n]+)`")


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


@pytest.mark.parametrize("page", pages())
def test_commands_on_pages_are_run_by_ci_or_marked(page):
    for command in commands_of(text_of(page)):
        assert is_run_or_marked(command), f"{command}: say in page_commands.toml what runs it, or why nothing does"


def test_the_table_of_commands_names_what_is_there():
    shown = [command for page in pages() for command in commands_of(text_of(page))]
    used = {pattern for command in shown for pattern in entries(command)}
    for pattern in (pattern for part in TABLE.values() for pattern in part):
        assert pattern in used, pattern
    for file in TABLE["run"].values():
        assert (SOURCE / file).exists(), file


@pytest.mark.parametrize("text", [
    "Type this:\n\n    make coffee\n", "```sh\nmake test && make coffee  # both\n```\n",
    "    $ make coffee\n\n    ready\n", "1. Go.\n\n       export CUP=1 \\\n           SUGAR=2\n"])
def test_a_command_that_nothing_runs_is_found(text):
    assert not all(map(is_run_or_marked, commands_of(text)))


@pytest.mark.parametrize("text", [
    "    make test LABELS=unit    # some\n", "    $ carpool explain \"torus 4x4\" \"moore 2 1\"\n\n    an answer\n",
    "```text\nmake coffee\n```\n", "A list:\n\n- of words\n  of several lines\n"])
def test_commands_that_ci_runs_and_what_is_no_command_pass(text):
    assert all(map(is_run_or_marked, commands_of(text)))
