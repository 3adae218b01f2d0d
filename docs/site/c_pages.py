# SPDX-License-Identifier: MIT
"""What a header of C says, as reStructuredText of Sphinx's domain for C."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from textwrap import indent

from c_header import MANY, Entry, Group, Section, sections_of
from prose import escaped, rst_of

FORMS = {(False, False): "Blocking.", (True, False): "Nonblocking: gives an MPI_Request.",
         (False, True): "Persistent: plans once, started often.",
         (True, True): "Persistent, and planned in the background."}


def page_of(path: Path) -> str:
    return "\n\n".join(section_text(section) for section in sections_of(path))


def section_text(section: Section) -> str:
    texts = [group_text(group) for group in section.groups]
    return "\n\n".join([*heading(section.title, "-"), *texts])


def heading(title: str, line: str) -> list[str]:
    text = escaped(title)
    return [f"{text}\n{line * len(text)}"] if title else []


def group_text(group: Group) -> str:
    """One comment for all, or the forms of an operation; prose alone where nothing is declared."""
    structs = [type_text(entry, rst_of(group.prose)) for entry in group.of("struct")]
    if structs:
        return structs[0]
    types = [type_text(entry) for entry in group.of("type", "macro")]
    functions = group.of("function")
    if not functions:
        return "\n\n".join([rst_of(group.prose), *types])
    if group.prose and not has_forms(group):
        return "\n\n".join([*types, object_text(functions, rst_of(group.prose))])
    return "\n\n".join([*types, forms_text(functions, rst_of(group.prose))])


def has_forms(group: Group) -> bool:
    return len(group.of("function")) > MANY


def forms_text(functions: list[Entry], content: str) -> str:
    """An operation in its forms has a heading; each form is in int and in _c."""
    if form_of(plain(functions[-1].name)) == (False, False):
        return object_text(functions, content)
    pairs = [list(pair) for _, pair in groupby(functions, key=lambda entry: plain(entry.name))]
    texts = [object_text(pair, FORMS[form_of(plain(pair[0].name))], ["no-contents-entry"])
             for pair in pairs]
    return "\n\n".join([*heading(functions[0].name, "~"), content, *texts])


def plain(name: str) -> str:
    return name.removesuffix("_c")


def form_of(name: str) -> tuple[bool, bool]:
    """Nonblocking, persistent; the names of the papers mean something else."""
    if not name.startswith("Carpool_"):
        return False, False
    return name.startswith("Carpool_I"), name.endswith("_init")


def object_text(functions: list[Entry], content: str, options: Iterable[str] = ()) -> str:
    signatures = f"\n{' ' * 16}".join(entry.signature for entry in functions)
    given = "".join(f"   :{option}:\n" for option in options)
    return f".. c:function:: {signatures}\n{given}\n{indent(content, '   ')}"


def type_text(entry: Entry, prose: str = "") -> str:
    code = f".. code-block:: c\n\n{indent(entry.signature, '   ')}"
    content = f"{prose}\n\n{code}"
    return f".. c:{entry.kind}:: {entry.name}\n\n{indent(content, '   ')}"
