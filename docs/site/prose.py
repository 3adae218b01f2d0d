# SPDX-License-Identifier: MIT
"""Plain comments as reStructuredText: paragraphs, bullets, two columns, the rest as it stands."""

import re
from itertools import groupby
from textwrap import dedent, indent

# MPI_Wait, carpool_*, dims[d], *cartcomm: what the prose takes from the code. [1] is a paper.
CODE = re.compile(r"\*?(?<![\w/.])\w*[A-Za-z]\w*(?:\*?_\w*)+\*?(?:\[[^\]]*\])?"
                  r"|(?<![\w/.)])_[A-Za-z]\w*|(?<![\w/.])[A-Za-z]\w*\[[^\]]*\]"
                  r"|(?<!\w)\*[a-z]\w*|`[^`]+`")
ENTRY = re.compile(r"(\S+(?: \S+)*)  +(\S.*)")


def rst_of(text: str) -> str:
    """The whole of a comment."""
    blocks = re.split(r"\n\s*\n", dedent(text).strip("\n"))
    return "\n\n".join(part for block in blocks for part in parts(block.split("\n")))


def parts(lines: list[str]) -> list[str]:
    """A block is two columns, or prose and what is indented below it; a bullet's next lines are its
    own."""
    if rows := rows_of(lines):
        return [table(rows)]
    kinds = kinds_of(lines)
    runs = groupby(zip(kinds, lines, strict=True), key=lambda pair: pair[0])
    return [RENDER[kind[0]]([line for _, line in run]) for kind, run in runs]


def kinds_of(lines: list[str]) -> list[tuple[str, int]]:
    kinds = []
    for number, line in enumerate(lines):
        kinds.append(kind_of(line, number, kinds[-1] if kinds else ("prose", 0)))
    return kinds


def kind_of(line: str, number: int, before: tuple[str, int]) -> tuple[str, int]:
    if line.startswith("- "):
        return ("bullet", number)
    if line.startswith("  "):
        return before if before[0] == "bullet" else ("columns", 0)
    return ("prose", 0)


def paragraph(lines: list[str]) -> str:
    return inline(" ".join(line.strip() for line in lines))


def bullet(lines: list[str]) -> str:
    return "- " + paragraph([lines[0].removeprefix("- "), *lines[1:]])


def columns(lines: list[str]) -> str:
    rows = rows_of(dedent("\n".join(lines)).split("\n"))
    return table(rows) if rows else literal(lines)


def rows_of(lines: list[str]) -> list[list[str]]:
    """Terms and what they mean; nothing unless all lines are of these two columns."""
    rows, column = [], column_of(lines)
    for line in lines:
        entry = ENTRY.fullmatch(line)
        if entry and not line.startswith(" "):
            rows.append([entry[1], entry[2]])
        elif rows and len(line) - len(line.lstrip()) == column:
            rows[-1][1] += " " + line.strip()
        else:
            return []
    return rows


def column_of(lines: list[str]) -> int:
    """Where most meanings begin."""
    starts = [found.start(2) for line in lines if (found := ENTRY.fullmatch(line))]
    return max(set(starts), key=starts.count, default=0)


def table(rows: list[list[str]]) -> str:
    cells = "".join(f"   * - {inline(literal_term(term))}\n     - {inline(meaning)}\n"
                    for term, meaning in rows)
    return f".. list-table::\n   :class: terms\n\n{cells}"


def literal_term(term: str) -> str:
    """Words of English stay as they are."""
    return ", ".join(word if " " in word else f"`{word}`" for word in term.split(", "))


def literal(lines: list[str]) -> str:
    return ".. code-block:: text\n\n" + indent(dedent("\n".join(lines)), "   ")


def inline(text: str) -> str:
    """Names as code, all else as it stands."""
    pieces, end = [], 0
    for found in CODE.finditer(text):
        pieces += [escaped(text[end:found.start()]), code(found[0])]
        end = found.end()
    return "".join([*pieces, escaped(text[end:])])


def code(word: str) -> str:
    word = word.strip("`")
    if re.fullmatch(r"Carpool_[A-Z]\w+", word):
        return rf"\ :c:expr:`{word}`\ "
    return rf"\ ``{word}``\ "


def escaped(text: str) -> str:
    return re.sub(r"([\\*`|_])", r"\\\1", text)


RENDER = {"prose": paragraph, "bullet": bullet, "columns": columns}
