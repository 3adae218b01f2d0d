# SPDX-License-Identifier: MIT
"""What a header of C++ says, as reStructuredText: of each class what is public, without bodies."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent

from tree_sitter import Node

from prose import rst_of
from syntax import first, root_of, text_of, uncommented

CLASSES = ("class_specifier", "struct_specifier")
BODIES = {"compound_statement": ";", "field_initializer_list": "", "default_method_clause": ";",
          "delete_method_clause": " = delete;"}


def page_of(path: Path) -> str:
    texts = [entity_text(*pair) for pair in entities(namespace_of(root_of(path)))]
    return "\n\n".join([".. cpp:namespace:: carpool", *texts])


def namespace_of(root: Node) -> Node:
    return first(first(root, "namespace_definition"), "declaration_list")


def entities(body: Node) -> Iterator[tuple[str, Node]]:
    """What namespace carpool declares, with the comment before it; namespace detail is no one's."""
    comment = []
    for node in body.named_children:
        if node.type == "comment":
            comment.append(text_of(node))
            continue
        if node.type != "namespace_definition":
            yield uncommented("\n".join(comment)), node
        comment = []


def entity_text(comment: str, node: Node) -> str:
    code = f".. code-block:: cpp\n\n{indent(synopsis(node), '   ')}"
    kind, name = named(node)
    content = "\n\n".join([rst_of(comment.replace("@note ", "").replace("@param ", "")), code])
    if kind is None:
        return content
    return f".. cpp:{kind}:: {name}\n\n{indent(content, '   ')}"


def inner(node: Node) -> Node:
    """Without `template <...>`."""
    return inner(node.named_children[-1]) if node.type == "template_declaration" else node


def named(node: Node) -> tuple[str | None, str]:
    """How Sphinx calls it; specialisations go without."""
    own = inner(node)
    name = own.child_by_field_name("name")
    if own.type not in CLASSES or name is None or name.type != "type_identifier":
        return None, ""
    return "class" if own.type == "class_specifier" else "struct", templated(node, text_of(name))


def templated(node: Node, name: str) -> str:
    parameters = node.child_by_field_name("parameters")
    return name if parameters is None else f"template {text_of(parameters)} {name}"


def synopsis(node: Node) -> str:
    """The source without bodies and without what is private."""
    start = node.start_point.column
    return tidy(dedent(" " * start + without(node, list(cuts(node)))))


def cuts(node: Node) -> Iterator[tuple[int, int, str]]:
    for child in node.children:
        if child.type in BODIES:
            yield child.start_byte, child.end_byte, BODIES[child.type]
        elif child.type == "field_declaration_list":
            yield from private(child)
            yield from cuts(child)
        else:
            yield from cuts(child)


def private(body: Node) -> Iterator[tuple[int, int, str]]:
    """From `private:` to the end; no header of ours goes on with `public:`."""
    for child in body.children:
        if child.type == "access_specifier" and text_of(child) == "private":
            yield child.start_byte, body.end_byte - 1, ""
            return


def without(node: Node, pieces: list[tuple[int, int, str]]) -> str:
    text, end = [], node.start_byte
    for start, stop, instead in sorted(pieces):
        if start >= end:
            text += [slice_of(node, end, start), instead]
            end = stop
    return "".join([*text, slice_of(node, end, node.end_byte)])


def slice_of(node: Node, start: int, stop: int) -> str:
    return node.text[start - node.start_byte:stop - node.start_byte].decode()


def tidy(code: str) -> str:
    """Nothing hangs between what is left, and declarations end with a semicolon."""
    code = re.sub(r"\s+;", ";", code)
    code = re.sub(r"\n\s*\n(\s*)\}", r"\n\1}", code)
    return code.rstrip().rstrip(";") + ";"
