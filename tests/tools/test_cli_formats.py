# SPDX-License-Identifier: MIT
"""Graphs, matrices and meshes in the files of other programs, which are known by what they have in them."""

import gzip
import io
from pathlib import Path

import meshio
import networkx
import numpy as np
import pytest
from scipy.io import hb_write, mmwrite
from scipy.sparse import coo_array, csc_array, csr_array, save_npz

from command import without
from in_process import answer, carpool, refusal

DIRECT = ("--algorithm", "direct")
# Row 0 needs 2, row 1 needs 0 and 2, row 3 needs 0.
ROWS, COLUMNS = [0, 1, 1, 2, 3], [2, 0, 2, 2, 0]
TARGETS_OF_0 = [1, 3]
SQUARE = csr_array((np.arange(1.0, 6), (ROWS, COLUMNS)), shape=(4, 4))


def lists(file, rank, *arguments):
    found = answer("plan", str(file), *DIRECT, "--rank", str(rank), *arguments)
    return found["targets"], found["sources"]


def petsc(matrix, index=">i4"):
    """As MatView writes it."""
    header = np.array([1211216, *matrix.shape, matrix.nnz, *np.diff(matrix.indptr)], index)
    return header.tobytes() + matrix.indices.astype(index).tobytes() + matrix.data.astype(">f8").tobytes()


def npz(matrix):
    file = io.BytesIO()
    save_npz(file, matrix)
    return file.getvalue()


def boeing(matrix):
    file = io.StringIO()
    hb_write(file, csc_array(matrix))
    return file.getvalue().encode()


MATRICES = {"petsc": petsc(SQUARE), "petsc of 64 bits": petsc(SQUARE, ">i8"), "npz": npz(SQUARE),
            "npz of entries": npz(coo_array(SQUARE)), "boeing": boeing(SQUARE)}


@pytest.mark.parametrize("content", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("name", ["a", "a.txt"])
def test_matrices_are_known_by_what_they_begin_with(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert lists(tmp_path / name, 0) == (TARGETS_OF_0, [2])
    (tmp_path / name).write_bytes(gzip.compress(content))
    assert lists(tmp_path / name, 0, "--ranks", "2") == ([1], [1])


@pytest.mark.parametrize(("content", "words"), [
    (petsc(SQUARE)[:10], "no sparse matrix of PETSc: expected the numbers of rows"),
    (petsc(SQUARE)[:40], "no sparse matrix of PETSc: expected the lengths of 4 rows, and 5 columns"),
    (petsc(csr_array((np.ones(1), ([0], [8])), shape=(9, 9))).replace(b"\x00\x00\x00\x09", b"\x00\x00\x00\x08", 2)[:16]
     + bytes(8 * 4), "expected the lengths of 8 rows, and 1 columns"),
    (npz(SQUARE)[:60], "no sparse matrix that scipy.sparse.save_npz has written"),
    (boeing(SQUARE)[:350], "in Harwell-Boeing's form, of which scipy reads"),
    (boeing(SQUARE).replace(b"RUA", b"RSA"), "no symmetry: "),
])
def test_damaged_matrices_are_refused_in_words(content, words, tmp_path):
    (tmp_path / "a").write_bytes(content)
    assert words in refusal("explain", str(tmp_path / "a"))


def test_an_entry_beyond_the_matrix_is_refused(tmp_path):
    content = petsc(SQUARE).replace(np.array([2, 0, 2, 2, 0], ">i4").tobytes(), np.array([2, 0, 2, 7, 0], ">i4").tobytes())
    (tmp_path / "a").write_bytes(content)
    assert "an entry in column 7, expected from 0 to 3" in refusal("explain", str(tmp_path / "a"))


@pytest.mark.parametrize(("write", "directed"), [
    (networkx.write_graphml, True), (networkx.write_graphml, False), (networkx.write_gml, True),
    (networkx.write_gml, False)])
def test_graphs_in_graphml_and_gml_have_their_vertices_as_ranks(write, directed, tmp_path):
    graph = (networkx.DiGraph if directed else networkx.Graph)([("b", "a"), ("b", "c"), ("c", "b")])
    write(graph, tmp_path / "a.txt")
    assert lists(tmp_path / "a.txt", 0) == ([1, 2], [2] if directed else [1, 2])  # b, which is listed first
    assert lists(tmp_path / "a.txt", 1) == (([] if directed else [0]), [0])


def test_damaged_networks_are_refused_in_words(tmp_path):
    (tmp_path / "a").write_text("<graphml><graph>")
    assert "is no graph in GraphML" in refusal("explain", str(tmp_path / "a"))
    (tmp_path / "a").write_text("graph [\nnode [ id 0 ]\nedge [ source 0 ]\n]\n")
    assert "is no graph in GML" in refusal("explain", str(tmp_path / "a"))


# Two rows of three squares, with a triangle at the upper right:
#   8   9  10  11
#   | 3 | 4 | 5 | \ 6
#   4   5   6   7
#   | 0 | 1 | 2 |
#   0   1   2   3
POINTS = np.array([[x, y, 0.0] for y in range(3) for x in range(4)] + [[4.0, 1.0, 0.0]])
SQUARES = [[x + 4 * y, x + 1 + 4 * y, x + 5 + 4 * y, x + 4 + 4 * y] for y in range(2) for x in range(3)]
FLAT = meshio.Mesh(POINTS, [("line", [[0, 1], [1, 2]]), ("quad", SQUARES), ("triangle", [[7, 12, 11]])])
OF_1 = {"face": [0, 2, 4], "node": [0, 2, 3, 4, 5]}
OF_6 = {"face": [5], "node": [2, 5]}


@pytest.mark.parametrize(("name", "form"), [
    ("a.msh", "gmsh22"), ("a.vtu", "vtu"), ("a.vtk", "vtk"), ("a.exo", "exodus")])
def test_elements_of_a_mesh_that_share_a_face_or_a_node_are_neighbors(name, form, tmp_path):
    FLAT.write(tmp_path / name, file_format=form)
    (tmp_path / "mesh").write_bytes((tmp_path / name).read_bytes())
    assert lists(tmp_path / "mesh", 1) == (OF_1["face"], OF_1["face"])
    for sharing in ("face", "node"):
        assert lists(tmp_path / "mesh", 1, "--sharing", sharing)[0] == OF_1[sharing]
        assert lists(tmp_path / "mesh", 6, "--sharing", sharing)[0] == OF_6[sharing]
    assert answer("explain", str(tmp_path / "mesh"), "--ranks", "3")["ranks"] == 3


def test_meshes_of_gmsh_4_are_read(tmp_path):
    meshio.Mesh(POINTS[:12], [("quad", SQUARES)]).write(tmp_path / "a.msh", file_format="gmsh")
    assert lists(tmp_path / "a.msh", 1)[0] == OF_1["face"]


def test_elements_in_space_share_triangles_or_squares_and_have_more_nodes_than_corners(tmp_path):
    cube = [[x, y, z] for z in range(2) for y in range(2) for x in range(3)]
    bricks = [[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]]
    top = [[0.5, 0.5, 2], [1.5, 0.5, 2]]
    pyramids = [[6, 7, 10, 9, 12], [7, 8, 11, 10, 13]]
    mesh = meshio.Mesh(np.array(cube + top, float), [("hexahedron", bricks), ("pyramid", pyramids)])
    mesh.write(tmp_path / "a.vtu")
    assert lists(tmp_path / "a.vtu", 0)[0] == [1, 2]  # and with the other pyramid it shares an edge
    assert lists(tmp_path / "a.vtu", 0, "--sharing", "node")[0] == [1, 2, 3]
    curved = [[0, 1, 2, 3, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 6, 7, 8, 11, 12, 13]]
    meshio.Mesh(np.random.default_rng(1).random((14, 3)), [("tetra10", curved)]).write(tmp_path / "b.vtu")
    assert lists(tmp_path / "b.vtu", 0)[0] == [1]


def test_a_file_that_is_not_a_mesh_is_refused_in_words(tmp_path):
    (tmp_path / "a.msh").write_text("$MeshFormat\n2.2 0 8\n")
    assert "a.msh has no elements" in refusal("explain", str(tmp_path / "a.msh"))
    (tmp_path / "a.msh").write_text("$MeshFormat\n2.2 0 eight\n")
    assert "is no mesh that meshio reads as gmsh" in refusal("explain", str(tmp_path / "a.msh"))
    meshio.Mesh(POINTS, [("vertex", [[0], [1]])]).write(tmp_path / "b.vtu")
    assert "b.vtu has no elements, expected some of line, triangle" in refusal("explain", str(tmp_path / "b.vtu"))
    assert "--sharing node is for graphs in files" in refusal("explain", "ring 8", "--sharing", "node")
    (tmp_path / "c.txt").write_text("0 1\n")
    assert "--sharing node is for meshes, but" in refusal("explain", str(tmp_path / "c.txt"), "--sharing", "node")


def test_weights_that_are_whole_numbers_are_numbers_of_values(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("# from to values\n0 1 3\n0 2 1\n1 2 0\n2 0 7\n")
    found = answer("explain", str(file), *DIRECT, "--block", "10")
    assert (found["edges"], found["values"]) == (3, True)
    assert found["rules"][0]["bytes"] == 7 * 10
    assert "taken for how many values of --block" in carpool("explain", str(file)).stderr
    file.write_text("0 1 0.5\n1 0 -2e3\n")
    found = carpool("explain", str(file), *DIRECT)
    assert "no numbers of values; they are left out" in found.stderr
    assert "blocks of 64 B" in found.stdout
    file.write_text("0 1 5\n1 0\n")
    assert "a.txt line 2: '1 0', expected two ranks" in refusal("explain", str(file))


def test_a_graph_of_metis_is_known_though_no_line_looks_like_an_edge(tmp_path):
    (tmp_path / "a.txt").write_text("4 4\n2 3 4\n1 3\n1 2\n1\n")
    assert lists(tmp_path / "a.txt", 0)[0] == [1, 2, 3]


# Parts


RING = "".join(f"{i} {(i + 1) % 8}\n{(i + 1) % 8} {i}\n" for i in range(8))


@pytest.fixture
def ring(tmp_path):
    (tmp_path / "ring.txt").write_text(RING)
    return tmp_path / "ring.txt"


def explained(file, *arguments):
    found = answer("explain", str(file), *DIRECT, "--block", "1", *arguments)
    return found["ranks"], found["edges"], found["rules"][0]["bytes"]


def test_rows_are_dealt_by_ranges_by_a_file_of_parts_or_by_metis(ring, tmp_path):
    assert explained(ring, "--parts", "ranges", "--ranks", "2") == (2, 2, 2)
    assert explained(ring, "--parts", "metis", "--ranks", "2") == (2, 2, 2)
    (tmp_path / "ring.txt.part.2").write_text("0\n1\n" * 4)
    assert explained(ring, "--parts", str(tmp_path / "ring.txt.part.2")) == (2, 2, 4)
    matrix = coo_array((np.ones(16), np.loadtxt(ring, int).T), shape=(8, 8))
    mmwrite(tmp_path / "a.mtx", matrix)
    assert explained(tmp_path / "a.mtx", "--parts", str(tmp_path / "ring.txt.part.2")) == (2, 2, 4)
    assert explained(tmp_path / "a.mtx", "--parts", str(tmp_path / "ring.txt.part.2"), "--ranks", "3") == (3, 2, 4)


def test_vertices_of_a_graph_of_metis_are_dealt_out_if_there_are_fewer_ranks(tmp_path):
    (tmp_path / "a.graph").write_text("4 3\n2\n1 3\n2 4\n3\n")
    assert explained(tmp_path / "a.graph") == (4, 6, 2)
    assert explained(tmp_path / "a.graph", "--ranks", "6") == (6, 6, 2)
    assert explained(tmp_path / "a.graph", "--ranks", "2") == (2, 2, 1)
    assert explained(tmp_path / "a.graph", "--ranks", "4", "--parts", "ranges") == (4, 6, 2)


@pytest.mark.parametrize(("parts", "arguments", "words"), [
    ("0\n1\n" * 3, (), "has 6 parts, expected 8, one for each vertex of"),
    ("0\n1\n" * 4, ("--ranks", "1"), "line 2: '1', expected a part from 0 to 0"),
    ("0\n2\n" * 4, (), "a.part.2 line 2: '2', expected a part from 0 to 1"),
    ("0\nx\n" * 4, (), "line 2: 'x', expected a part"),
    ("0\n-1\n" * 4, (), "line 2: '-1', expected a part"),
])
def test_mistaken_parts_are_refused_in_words(parts, arguments, words, ring, tmp_path):
    (tmp_path / "a.part.2").write_text(parts)
    assert words in refusal("explain", str(ring), "--parts", str(tmp_path / "a.part.2"), *arguments)


def test_parts_that_cannot_be_made_are_refused_in_words(ring, tmp_path):
    assert "say to how many by --ranks" in refusal("explain", str(ring), "--parts", "metis")
    assert "--ranks 9, expected at most 8" in refusal("explain", str(ring), "--parts", "metis", "--ranks", "9")
    assert "--ranks 9, expected at most 8" in refusal("explain", str(ring), "--parts", "ranges", "--ranks", "9")
    assert "no_such: No such file" in refusal("explain", str(ring), "--parts", "no_such")
    assert "--parts metis is for graphs in files" in refusal("explain", "ring 8", "--parts", "metis")
    assert "--parts metis is for grids and graphs" in refusal("explain", "bcast 8", "--parts", "metis")
    mmwrite(tmp_path / "a.mtx", coo_array((np.ones(1), ([0], [2])), shape=(2, 4)))
    assert "2 by 4, expected a square matrix for --parts metis" in refusal(
        "explain", str(tmp_path / "a.mtx"), "--parts", "metis", "--ranks", "2")


@pytest.mark.parametrize(("package", "write", "arguments"), [
    ("meshio", lambda file: FLAT.write(file, file_format="vtu"), ()),
    ("networkx", lambda file: networkx.write_gml(networkx.Graph([(0, 1)]), file), ()),
    ("pymetis", lambda file: Path(file).write_text(RING), ("--parts", "metis", "--ranks", "2")),
    ("netCDF4", lambda file: FLAT.write(file, file_format="exodus"), ()),
    ("scipy", lambda file: Path(file).write_bytes(petsc(SQUARE)), ()),
])
def test_a_missing_package_is_named_with_what_installs_it(package, write, arguments, tmp_path):
    write(tmp_path / "a")
    run = without([package], tmp_path, "explain", str(tmp_path / "a"), *arguments)
    assert run.returncode == 1
    assert f"needs {package}; try: pip install {package}" in run.stderr
