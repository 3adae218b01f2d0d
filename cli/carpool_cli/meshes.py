# SPDX-License-Identifier: MIT
"""Meshes, read by meshio. An element needs a value of each that shares a face, or a node, with it."""

import importlib
import io
import re
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import numpy as np
from scipy.sparse import csr_array

import meshio  # noqa: F401  so that it is named if it is missing
from carpool_cli import files
from carpool_cli.patterns import Pattern

# For each shape its dimension and its corners; an element lists its corners first.
SHAPES = {"line": (1, 2), "triangle": (2, 3), "quad": (2, 4), "tetra": (3, 4), "pyramid": (3, 5), "wedge": (3, 6),
          "hexahedron": (3, 8)}
NAMES_OF_VTK = {"curve": "line", "quadrilateral": "quad", "tetrahedron": "tetra"}


def of_gmsh(file, content, given):
    return pattern(file, content, given, "gmsh", ".msh")


def of_vtu(file, content, given):
    return pattern(file, content, given, "vtu", ".vtu")


def of_vtk(file, content, given):
    return pattern(file, content, given, "vtk", ".vtk")


def of_exodus(file, content, given):
    return pattern(file, content, given, "exodus", ".exo")


def pattern(file, content, given, form, suffix):
    """The elements of the highest dimension; others, such as those of the surface, are left out."""
    blocks = [shaped(block) for block in mesh_of(file, content, form, suffix).cells]
    highest = max((dimension for dimension, _ in blocks), default=0)
    if not highest:
        raise files.Unreadable(f"{file} has no elements, expected some of {', '.join(SHAPES)}")
    elements = incidence([corners for dimension, corners in blocks if dimension == highest])
    return neighbors(elements, 1 if given.sharing == "node" else highest)


def mesh_of(file, content, form, suffix):
    """What meshio makes of it; it reads files by name, and this one may be packed or a pipe."""
    with tempfile.NamedTemporaryFile(suffix=suffix) as copy:
        copy.write(content)
        copy.flush()
        try:
            with silence():
                return importlib.import_module(f"meshio.{form}").read(copy.name)
        except ModuleNotFoundError:
            raise
        except (Exception, SystemExit) as error:  # meshio has no one kind of error, and exits at some
            raise files.Unreadable(f"{file} is no mesh that meshio reads as {form}: {error}") from None


@contextmanager
def silence():
    """meshio prints what it wonders about."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def shaped(block):
    """The dimension of a block of elements, and the corners of each; 0 if it is none of the shapes."""
    words = re.sub(r"\d+$", "", block.type).lower().removeprefix("vtk_lagrange_")
    dimension, corners = SHAPES.get(NAMES_OF_VTK.get(words, words), (0, 0))
    return dimension, np.asarray(block.data)[:, :corners] if dimension else None


def incidence(blocks):
    """Which element has which node."""
    lengths = np.concatenate([np.full(len(block), block.shape[1]) for block in blocks])
    nodes = np.concatenate([block.ravel() for block in blocks])
    first = np.append(0, np.cumsum(lengths))
    return csr_array((np.ones(len(nodes), np.int32), nodes, first), shape=(len(lengths), nodes.max(initial=0) + 1))


def neighbors(elements, least):
    """Elements that share so many nodes: a face has at least as many corners as there are dimensions."""
    shared = (elements @ elements.T).tocoo()
    found = (shared.data >= least) & (shared.row != shared.col)
    return Pattern(*shared.shape, shared.row[found], shared.col[found], "element")
