# SPDX-License-Identifier: MIT
"""Which kind of file a graph is in: by how it begins, or else by its name."""

import io
import re
from dataclasses import dataclass
from pathlib import Path

BANNER = b"%%matrixmarket"
BEGINNING = 4096  # bytes in which a text says what it is
METIS_SUFFIXES = (".graph", ".metis", ".chaco")


@dataclass(frozen=True)
class Kind:
    """What a file has, and the module and function that read it."""

    what: str
    module: str
    reader: str = "pattern"


MATRIX_MARKET = Kind("a matrix", "matrices")
METIS = Kind("a graph of METIS", "metis")
NPZ = Kind("a matrix of scipy", "binary_matrices", "of_npz")
PETSC = Kind("a matrix of PETSc", "binary_matrices", "of_petsc")
BOEING = Kind("a matrix in Harwell-Boeing's form", "binary_matrices", "of_boeing")
GRAPHML = Kind("a graph in GraphML", "networks", "of_graphml")
GML = Kind("a graph in GML", "networks", "of_gml")
GMSH = Kind("a mesh of Gmsh", "meshes", "of_gmsh")
VTU = Kind("a mesh of VTK", "meshes", "of_vtu")
VTK = Kind("a mesh of VTK", "meshes", "of_vtk")
EXODUS = Kind("a mesh of Exodus", "meshes", "of_exodus")

# What a file begins with, in which binary files differ from all others.
MAGIC = {b"PK\x03\x04": NPZ, b"\x00\x12\x7b\x50": PETSC, b"\x00\x00\x00\x00\x00\x12\x7b\x50": PETSC,
         b"\x89HDF\r\n\x1a\n": EXODUS, b"CDF\x01": EXODUS, b"CDF\x02": EXODUS, b"CDF\x05": EXODUS,
         b"$MeshFormat": GMSH, b"# vtk DataFile": VTK}
# What else texts have soon after they begin.
WORDS = {re.compile(rb"<VTKFile\b[^>]*UnstructuredGrid"): VTU, re.compile(rb"<graphml\b"): GRAPHML,
         re.compile(rb"\A(?:\s*#.*\n|\s*(?:Creator|Version)\b.*\n|\s)*graph\s*\["): GML}
# The third line: what values, structure and storage are like, and three or four sizes in columns of 14.
TYPE_OF_BOEING = re.compile(rb"[RCPI][SUHZR][AE] {11}(?: *[0-9]+){3,4} *\r?")


def kind_of(file, content):
    """None for a list of edges."""
    start = content[:BEGINNING]
    for magic, kind in MAGIC.items():
        if start.startswith(magic):
            return kind
    for words, kind in WORDS.items():
        if words.search(start):
            return kind
    suffixes = Path(file).suffixes
    if ".mtx" in suffixes or is_matrix(content):
        return MATRIX_MARKET
    if any(suffix in METIS_SUFFIXES for suffix in suffixes):
        return METIS
    return BOEING if is_boeing(start) else None


def is_boeing(start):
    lines = start.split(b"\n", 3)
    return len(lines) > 3 and bool(TYPE_OF_BOEING.fullmatch(lines[2].upper()))


def begins_as_matrix(content):
    return content[:len(BANNER)].lower() == BANNER


def is_matrix(content):
    """Sizes follow the banner. There are lists of edges with a banner, where they do not."""
    if not begins_as_matrix(content):
        return False
    lines = iter(io.BytesIO(content))
    banner = next(lines).lower().split()
    sizes = next((line.split() for line in lines if line.strip() and not line.startswith(b"%")), [])
    return b"array" in banner or len(sizes) != 2
