# SPDX-License-Identifier: MIT
"""What the pages of the tutorial quote is in the programs."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
TUTORIAL = SOURCE / "docs" / "tutorial"
ENDINGS = {"c": ".c", "cpp": ".cpp", "fortran": ".f90", "python": ".py"}
NAMES = {"c": "C", "cpp": "C++", "fortran": "Fortran", "python": "Python"}
WITHOUT_PROGRAM = ("index", "unchanged")
IN_PYTHON = ("halo_on_gpus", )  # alone
PAGES = sorted(page for page in TUTORIAL.glob("*.md") if page.stem not in WITHOUT_PROGRAM)


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def quotes(text):
    """(language, lines) of each block in a language; sessions of Python are run by other tests."""
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language in ENDINGS and not block.startswith(">>>"):
            yield language, lines_of(block)


def pieces(lines):
    """What lies between lines of three dots."""
    piece = []
    for line in [*lines, "..."]:
        if line != "...":
            piece.append(line)
        elif piece:
            yield piece
            piece = []


def missing(quoted, program):
    """The first piece that the program does not have behind those before it."""
    begin = 0
    for piece in pieces(quoted):
        places = range(begin, len(program) - len(piece) + 1)
        found = next((at for at in places if program[at:at + len(piece)] == piece), None)
        if found is None:
            return piece
        begin = found + len(piece)
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_quoted_on_a_page_is_in_the_example_of_its_name(page):
    text = page.read_text()
    found = list(quotes(text))
    expected = {"python"} if page.stem in IN_PYTHON else {"c", "python"}
    assert expected <= {language for language, _ in found}
    for language, quoted in found:
        example = f"examples/{page.stem}{ENDINGS[language]}"
        assert example in text
        assert missing(quoted, lines_of((SOURCE / example).read_text())) is None


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem not in IN_PYTHON],
                         ids=lambda page: page.stem)
def test_code_in_several_languages_stands_under_their_names(page):
    runs = re.findall(r"^(?:(?:\*\*.*\*\*\n)?```\w+\n(?:(?!```).*\n)*```\n)+", page.read_text(), re.MULTILINE)
    compared = [run for run in runs if len(set(re.findall(r"^```(\w+)$", run, re.MULTILINE))) > 1]
    assert compared
    for run in compared:
        named = re.findall(r"^(?:\*\*(.*)\*\*\n)?```(\w+)$", run, re.MULTILINE)
        for (name, language), before in zip(named, [("", ""), *named]):
            assert name == ("" if language == before[1] else NAMES[language])


@pytest.mark.parametrize("page", sorted(TUTORIAL.glob("*.md")), ids=lambda page: page.stem)
def test_links_of_a_page_lead_to_files(page):
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_the_tutorial_has_five_programs():
    assert [page.stem for page in PAGES] == ["conjugate_gradients", "halo", "halo_on_gpus", "particles", "spmv"]


PROGRAM = ["a", "b", "c", "d"]


@pytest.mark.parametrize("quoted", [["a", "b"], ["a", "...", "c", "d"], ["...", "d", "..."]])
def test_quotes_that_are_in_a_program_are_found(quoted):
    assert missing(quoted, PROGRAM) is None


@pytest.mark.parametrize(("quoted", "piece"), [
    (["a", "c"], ["a", "c"]),  # a line was left out
    (["c", "...", "b"], ["b"]),  # not in this order
    (["a", "...", "e"], ["e"]),  # no such line
])
def test_quotes_that_are_not_in_a_program_are_told(quoted, piece):
    assert missing(quoted, PROGRAM) == piece


def test_blocks_in_a_language_are_quotes_and_others_are_not():
    text = "```c\n    a;\n\nb;\n```\n```text\nc\n```\n```python\n>>> d\n```\n"
    assert list(quotes(text)) == [("c", ["a;", "b;"])]
