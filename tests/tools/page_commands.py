# SPDX-License-Identifier: MIT
"""The commands that the pages show, and what runs them."""

import fnmatch
import re
import shlex
import tomllib
from pathlib import Path

from markdown_it import MarkdownIt

SOURCE = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "bench", "docs", "include", "cli", "tools", "examples", "interface", "figures",
           "python", "fortran", "demo", "cmake", "packaging")
TABLE = tomllib.loads((SOURCE / "tests/tools/page_commands.toml").read_text())
CI = (".ci/run", "tools/dist", *(f".github/workflows/{name}.yml" for name in ("ci", "docs", "nightly", "wheels")))
QUESTIONS = ("explain", "plan", "simulate", "verify")


def pages():
    """Those of the repository, also where it is no clone of git's."""
    found = [*SOURCE.glob("*.md"), *(page for folder in FOLDERS for page in (SOURCE / folder).rglob("*.md"))]
    return sorted(str(page.relative_to(SOURCE)) for page in found)


def text_of(page):
    return (SOURCE / page).read_text()


def blocks_of(text):
    """The lines of each block of commands: an indented one, or one of sh."""
    for part in MarkdownIt().parse(text):
        if part.type == "code_block" or (part.type == "fence" and part.info == "sh"):
            yield re.sub(r"\s*\\\n\s*", " ", part.content).splitlines()


def questions_in(paragraph):
    return [code.content for code in paragraph.children or []
            if code.type == "code_inline" and re.match(rf'carpool ({"|".join(QUESTIONS)}) "', code.content)]


def commands_of(text):
    """The lines of blocks of commands, of those with prompts the lines with one; and questions to the command
    carpool within sentences."""
    for lines in blocks_of(text):
        prompts = [line[2:] for line in lines if line.startswith("$ ")]
        for line in prompts or lines:
            yield from filter(None, (command.strip() for command in re.sub(r"(^|\s)#.*", "", line).split("&&")))
    for part in MarkdownIt().parse(text):
        yield from questions_in(part)


def answers_of(text):
    """(command, lines of its answer): what is below a prompt, and what follows a sentence that ends in "contains" or
    "begins with"."""
    for lines in blocks_of(text):
        if lines[0].startswith("$ "):
            yield lines[0][2:], lines[1:]
    parts = MarkdownIt().parse(text)
    for paragraph, _, answer in zip(parts, parts[1:], parts[2:]):
        if answer.type == "fence" and re.search(r"\b(contains|begins with)$", paragraph.content):
            for command in questions_in(paragraph):
                yield command, answer.content.removesuffix("...\n").splitlines()


def question(command):
    """The arguments of a question to the command carpool, which needs no MPI, or None."""
    words = shlex.split(command)
    asks = len(words) > 2 and Path(words[0]).name == "carpool" and words[1] in QUESTIONS
    return words[1:] if asks else None


def targets_of_ci():
    """The targets of make that CI makes, and those that these need or make."""
    rules = re.findall(r"^([a-z][a-z -]*):(?!=)(.*(?:\n(?:\t|ifeq|endif).*)*)", text_of("Makefile"), re.MULTILINE)
    found, names = set(), r"((?: [a-z-]+)+)"
    new = {target for file in CI for line in re.findall(rf"^ *(?:- run: )?make{names}", text_of(file), re.MULTILINE)
           for target in line.split()}
    while new:
        found |= new
        new = {target for made, body in rules if new & set(made.split())
               for line in re.findall(rf"(?:\$\(MAKE\)|\A){names}", body) for target in line.split()} - found
    return found


def is_made_by_ci(command):
    """Whether it makes what CI makes, whatever its variables are."""
    program, *targets = (word for word in shlex.split(command) if "=" not in word)
    return program == "make" and set(targets) <= targets_of_ci()


def entries(command):
    """What the table has for it."""
    return [pattern for part in TABLE.values() for pattern in part if fnmatch.fnmatchcase(command, pattern)]


def is_run_or_marked(command):
    return bool(entries(command) or is_made_by_ci(command) or question(command))
