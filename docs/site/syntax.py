# SPDX-License-Identifier: MIT
"""Headers read by tree-sitter, and the comments in them."""

import re
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_c
import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

LANGUAGES = {".h": Language(tree_sitter_c.language()), ".hpp": Language(tree_sitter_cpp.language())}


def root_of(path: Path) -> Node:
    return Parser(LANGUAGES[path.suffix]).parse(path.read_bytes()).root_node


def text_of(node: Node) -> str:
    return node.text.decode()


def found(node: Node, kinds: set[str]) -> Iterator[Node]:
    """The outermost nodes of these kinds, in their order."""
    for child in node.children:
        if child.type in kinds:
            yield child
        else:
            yield from found(child, kinds)


def first(node: Node, kind: str) -> Node | None:
    return next(found(node, {kind}), None)


def uncommented(comment: str) -> str:
    """What stands in a comment of C or in lines of three slashes."""
    body = comment.removeprefix("/*").removesuffix("*/").strip(" ")
    return "\n".join(re.sub(r"^ ?(\*|///?<?) ?", "", line) for line in body.split("\n")).strip()
