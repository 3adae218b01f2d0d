# SPDX-License-Identifier: MIT
"""Files of all kinds, damaged in all ways: what a reader cannot take is an error of the command's own, in one
short text that names the file."""

import bz2
import gzip
import json
import tempfile
import warnings
from pathlib import Path

import click
import meshio
import networkx
import numpy as np
import pytest
from scipy.io import hb_write
from scipy.sparse import csc_array, csr_array, save_npz

import in_process  # noqa: F401  finds the modules of the command
from random_cases import each_case

from carpool_cli import assumptions, files, graphs, machines, platforms, printable, reports, tune

MOST_CHARACTERS = printable.MOST_CHARACTERS + 100

NUMBERS = ["-1", "65536", "65537", "99999999", "4294967296", "9" * 19, "9" * 5000, "1.5", "1e9", "1e999", "nan", "inf",
           "-inf", "0x10", "٣", "", "x"]
WORDS = ["real", "integer", "complex", "pattern", "general", "symmetric", "skew-symmetric", "hermitian",
         "array", "coordinate", "vector", "matrix"]
PIECES = [b"\0", b"\x1b[2J", b"\r", b"\n\n", b"\t", b"\xe9", "\ud800".encode(errors="surrogatepass"), b"\xff\xfe",
          b"\xef\xbb\xbf", b"%", b"#", b'"', b"\\", b"&a;", b"<", b">", b"[" * 3000, b"]", b"{", b",", b"-", b" ",
          "\N{LINE SEPARATOR}".encode(), b"x" * 70000]


def number(draw):
    """Mostly a small one."""
    return draw.choice(NUMBERS) if draw.random() < 0.03 else str(draw.randrange(5))


def lines(draw, words):
    """Lines of that many words each, seldom of others."""
    return "".join(" ".join(number(draw) for _ in range(draw.randrange(4) if draw.random() < 0.03 else count))
                   + "\n" for count in words)


def edge_list(draw):
    return lines(draw, [2] * draw.randrange(8))


def metis(draw):
    """A path, or anything."""
    vertices = draw.randrange(1, 6)
    if draw.random() < 0.5:
        return f"{number(draw)} {number(draw)} {number(draw)}\n" + lines(draw, [2] * vertices)
    neighbors = [[i for i in (vertex - 1, vertex + 1) if 1 <= i <= vertices] for vertex in range(1, vertices + 1)]
    return f"{vertices} {vertices - 1}\n" + "".join(f"{' '.join(map(str, one))}\n" for one in neighbors)


def matrix(draw):
    words = [draw.choice(["coordinate", "coordinate", "array"]), draw.choice(["real", "real", *WORDS[:4]]),
             draw.choice(["general", "general", *WORDS[4:8]])]
    if draw.random() < 0.05:
        words[draw.randrange(3)] = draw.choice(WORDS)
    count = draw.randrange(6)
    sizes = draw.choice([f"4 4 {count}", f"4 4 {count}", f"4 5 {count}", " ".join(number(draw) for _ in range(3))])
    return (f"%%MatrixMarket matrix {' '.join(words)}\n{draw.choice(['2 2', '2 3']) if 'array' in words else sizes}\n"
            + lines(draw, [1 if "array" in words else 2 if "pattern" in words else 3] * count))


def platform(draw):
    radical = draw.choice(["0-3", f"{number(draw)}-{number(draw)}", "0-999999999", "1,2,3"])
    coding = draw.choice(["utf-8", "utf-16", "cp037", "klingon", "utf-7", "ascii", "iso-8859-1", "shift_jis"])
    return (f"<?xml version='1.0' encoding='{coding}'?>"
            "<!DOCTYPE platform SYSTEM 'simgrid.dtd' [<!ENTITY a 'aaaa'>]>"
            f"<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='{radical}'/>"
            f"{draw.choice(['', '<host/>', '&a;'])}</platform>")


def value(draw, depth=0):
    kind = draw.randrange(9 if depth < 3 else 7)
    if kind == 7:
        return [value(draw, depth + 1) for _ in range(draw.randrange(3))]
    if kind == 8:
        return {draw.choice(WORDS): value(draw, depth + 1) for _ in range(draw.randrange(3))}
    return [None, True, 0, -1, draw.choice([1e300, 10**400, float("nan"), float("inf"), 2**63, 0.5]),
            draw.choice(WORDS), draw.choice(["\ud800", "\x1b[31m", "x" * 70000, "$\\frac", ""])][kind]


def mutated(draw, content):
    """Some members of an object, or of its objects, have other values or none."""
    for name in list(content):
        if isinstance(content[name], dict) and draw.random() < 0.5:
            mutated(draw, content[name])
        elif isinstance(content[name], list) and content[name] and isinstance(content[name][0], dict):
            mutated(draw, content[name][0])
        if draw.random() < 0.02:
            content[name] = value(draw)
        elif draw.random() < 0.01:
            del content[name]
    return content


def written_json(draw, content):
    return json.dumps(mutated(draw, content), ensure_ascii=draw.random() < 0.9)


def report(draw):
    words = dict.fromkeys((word for words in reports.WORDS.values() for word in words), "MPI")
    numbers = dict.fromkeys((*reports.NUMBERS["lines"], *reports.NUMBERS["calls"], *reports.OPTIONAL_NUMBERS), 1)
    return written_json(draw, {"carpool_report": 1, "run_seconds": 1, **{
        name: [{**words, **numbers, "made": "x", "remedy": "y"}] for name in reports.WORDS}})


def tuning(draw):
    costs = {"alpha": 1e-6, "beta": 1e-9, "sigma": 0}
    return written_json(draw, {"carpool_tuning": 1, "machines": [{
        "mpi": "MPICH 5", "neighborhoods": {"by_mpi": costs, "through_memory": dict(costs)},
        "cut_offs": {"packed_below": 8}, "choices": [{"problem": "a", "taken": "b"}]}]})


def machine(draw):
    return written_json(draw, dict(vars(machines.NAMED["laptop"])))


def entries(draw):
    count = draw.randrange(1, 8)
    ends = [[draw.randrange(5) for _ in range(count)] for _ in range(2)]
    return csr_array((np.ones(count), ends), shape=(5, 5))


def petsc(draw):
    pattern = entries(draw)
    return np.concatenate([[1211216, 5, 5, pattern.nnz], np.diff(pattern.indptr), pattern.indices]).astype(
        ">i4").tobytes() + pattern.data.astype(">f8").tobytes()


def by_writing(write):
    """The bytes of a file that a library writes."""
    def written(draw):
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            write(draw, file.name)
            return Path(file.name).read_bytes()
    return written


def mesh(form):
    def write(draw, file):
        corners = [draw.sample(range(7), 3) for _ in range(draw.randrange(1, 5))]
        meshio.Mesh(np.eye(7, 3), [("triangle", corners)]).write(file, file_format=form)
    return by_writing(write)


npz = by_writing(lambda draw, file: save_npz(file, entries(draw)))
boeing = by_writing(lambda draw, file: hb_write(file, csc_array(entries(draw))))
graphml = by_writing(lambda draw, file: networkx.write_graphml(networkx.DiGraph(entries(draw)), file))
gml = by_writing(lambda draw, file: networkx.write_gml(networkx.DiGraph(entries(draw)), file))


def read_graph(file):
    return graphs.graph_of(file, graphs.Given())


def read_list(file):
    for ids in ("any", "0", None):
        graphs.graph_of(file, graphs.Given(ids=ids))


def read_dealt(file):
    graphs.graph_of(file, graphs.Given(ranks=2, parts="ranges"))


def parts(draw):
    return lines(draw, [1] * 5)


def read_parts(file):
    path = Path(file).with_name("path.graph")
    path.write_text("5 4\n2\n1 3\n2 4\n3 5\n4\n")
    graphs.graph_of(str(path), graphs.Given(parts=file))


def read_report(file):
    try:
        return reports.text(reports.read(file))
    except reports.Mistaken as error:
        raise files.Unreadable(str(error)) from None


READERS = {
    "edges.txt": (edge_list, read_list), "mesh.graph": (metis, read_graph), "any.mtx": (matrix, read_graph),
    "any.mm": (matrix, read_graph), "dealt.txt": (edge_list, read_dealt),
    "parts.txt": (parts, read_parts), "net.graphml": (graphml, read_graph),
    "net.gml": (gml, read_graph), "any.npz": (npz, read_graph), "any.petsc": (petsc, read_graph),
    "any.hb": (boeing, read_graph), "mesh.msh": (mesh("gmsh22"), read_graph), "mesh.vtu": (mesh("vtu"), read_graph),
    "mesh.vtk": (mesh("vtk"), read_graph), "mesh.exo": (mesh("exodus"), read_graph), "net.xml": (platform, platforms.platform),
    "report.json": (report, read_report), "kept.json": (tuning, tune.known),
    "tuning.json": (tuning, lambda file: assumptions.known("mpich", file)), "machine.json": (machine, machines.of_file)}


def damaged(draw, text):
    """Bytes of a text, or bytes, some of which are cut, changed, packed or put in another encoding."""
    coding = draw.choice(["utf-8"] * 5 + ["utf-8-sig", "utf-16", "utf-32", "utf-7"])
    content = text if isinstance(text, bytes) else text.encode(coding, "surrogatepass")
    if draw.random() < 0.3:
        content = content[:draw.randrange(len(content) + 1)]
    if draw.random() < 0.3:
        piece = draw.choice(PIECES)
        at = draw.randrange(len(content) + 1)
        content = content[:at] + piece + content[at:]
    if draw.random() < 0.2:
        content = draw.choice([gzip.compress, bz2.compress])(content)
        if draw.random() < 0.6:
            content = content[:draw.randrange(len(content))] + draw.choice([b"", b"\0\0", b"\x1f\x8b"])
    return content


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused_in_one_short_text(name, tmp_path, capsys):
    make, read = READERS[name]
    file = str(tmp_path / name)
    outcomes = set()

    def check(draw):
        Path(file).write_bytes(damaged(draw, make(draw)))
        assumptions.said_in.cache_clear()
        assumptions.known.cache_clear()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                read(file)
            outcomes.add("read")
        except (files.Unreadable, click.ClickException) as error:
            said = printable.complaint(getattr(error, "message", str(error)))
            assert "\n" not in said and said.isprintable(), said
            assert len(said) < MOST_CHARACTERS, said
            assert name in said, said
            outcomes.add("refused")

    assert each_case(60, check) < 60 or outcomes == {"read", "refused"}
