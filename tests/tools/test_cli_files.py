# SPDX-License-Identifier: MIT
"""The command carpool, given files that other people's programs have written."""

import bz2
import gzip
import json
import os
import shutil
import subprocess

import pytest

from command import CARPOOL
from in_process import answer, carpool, refusal, said

BANNER = "%%MatrixMarket matrix coordinate"
MATRIX = f"{BANNER} real general\n3 3 2\n1 2 1\n3 1 1\n"
DIRECT = ("--algorithm", "direct")


@pytest.fixture
def written(tmp_path):
    """Writes a file and returns its name."""
    def write(name, content):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(tmp_path / name)
    return write


def graph_in(file, *arguments):
    """Ranks and edges."""
    found = answer("plan", file, *DIRECT, *arguments)
    return found["ranks"], found["edges"]


def told(file, *arguments):
    """What it tells of a file that it has taken."""
    run = carpool("plan", file, *DIRECT, *arguments)
    assert run.returncode == 0, run.stderr
    return run.stderr


# A ring of 6 vertices, each edge in the lines of both ends.
RING = "6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n5 1\n"


@pytest.mark.parametrize(("text", "found"), [
    (RING, (6, 12)),
    ("% a comment\n" + RING, (6, 12)),
    ("25 0\n", (25, 0)),
    ("3 1\n2\n1\n\n", (3, 2)),
    ("3 1 001\n2 7\n1 7\n\n", (3, 2)),  # weights of edges
    ("3 1 011 2\n5 5 2 7\n5 5 1 7\n5 5\n", (3, 2)),  # and two of each vertex
    ("3 1 100\n1 2\n2 1\n3\n", (3, 2)),  # sizes of vertices, or their numbers
])
def test_graphs_of_metis_and_chaco_are_read_by_their_name(text, found, written):
    assert graph_in(written("a.graph", text)) == found


@pytest.mark.parametrize(("text", "words"), [
    ("6 6\n2 6\n1 3\n", "a.graph line 1: 6 edges, but the lines below have 4 neighbors, expected 12"),
    ("2 1\n2\n3\n", "a.graph line 3: neighbor '3', expected from 1 to 2"),
    ("2 1\n2\n1\n1\n", "a.graph line 4: expected the end, after 2 vertices"),
    ("3 1\n2\n3\n", "vertex 1 has the neighbor 2, expected the same the other way round"),
    ("0 1\n", "a.graph line 1: 1 edges, but"),
    ("one\n", "a.graph line 1: 'one', expected the numbers of vertices and edges"),
    ("", "a.graph: expected a line with the numbers of vertices and edges"),
    ("9 99999999\n", "99999999 edges, expected at most 8388608"),
])
def test_no_graph_of_metis_is_taken_for_edges(text, words, written):
    assert words in refusal("explain", written("a.graph", text))


def test_a_ring_of_metis_is_known_though_its_lines_look_like_edges(written):
    file = written("ring.txt", RING)
    assert graph_in(file) == (6, 12)
    assert "taken for a graph of METIS" in told(file)


def test_a_first_line_of_vertices_and_edges_is_no_edge(written):
    file = written("a.txt", "4 3\n0 1\n1 2\n2 3\n")
    assert graph_in(file) == (4, 3)
    assert "line 1 is taken for the numbers of vertices and edges, 4 and 3" in told(file)
    assert graph_in(written("b.txt", "9 2\n0 1\n1 2\n")) == (9, 2)
    for edges in ("0 1\n1 2\n", "1 0\n", "2 1\n0 1\n", "4 3\n0 1\n1 2\n", "2 3\n0 1\n1 2\n2 4\n"):
        file = written("c.txt", edges)
        assert graph_in(file)[1] == edges.count("\n")
        assert "numbers of vertices" not in told(file)
    assert graph_in(written("d.txt", "4 3\n0 1\n1 2\n2 3\n"), "--ranks", "8") == (8, 4)


def test_ranks_without_an_edge_are_told_and_numbers_may_begin_at_1_or_anywhere(written):
    ones, gaps = written("a.txt", "1 2\n2 3\n3 1\n"), written("b.txt", "10 5000\n5000 60000\n")
    assert graph_in(ones) == (4, 3)
    assert "1 of 4 ranks has no edge: rank 0; if numbers begin at 1 there, say --ids 1" in told(ones)
    assert graph_in(ones, "--ids", "1") == (3, 3)
    assert "59,998 of 60,001 ranks have no edge; --ids any" in told(gaps)
    found = answer("plan", gaps, *DIRECT, "--ids", "any", "--rank", "1")
    assert (found["ranks"], found["targets"], found["sources"]) == (3, [2], [0])
    assert told(ones, "--ids", "1") == told(gaps, "--ids", "any") == ""
    assert told(written("c.txt", "0 1\n1 2\n")) == told(ones, "--ranks", "8") == ""


def test_rows_without_an_edge_are_told_too(written):
    assert "2 of 4 ranks have no edge\n" in told(written("a.mtx", f"{BANNER} pattern general\n4 4 2\n1 2\n3 3\n"))
    assert "1 of 3 ranks has no edge\n" in told(written("a.graph", "3 1\n2\n1\n\n"))
    assert told(written("b.mtx", MATRIX)) == ""


def test_mistaken_numbers_are_told_with_file_and_line(written):
    assert "a.txt line 2: edge 1 to 7, expected ranks from 0 to 3" in refusal(
        "explain", written("a.txt", "0 1\n1 7\n"), "--ranks", "4")
    assert "b.txt line 1: edge 0 to 1, expected numbers from 1 on" in refusal(
        "explain", written("b.txt", "0 1\n"), "--ids", "1")
    assert "b.txt line 1: edge 1 to 7, expected ranks from 1 to 4" in refusal(
        "explain", written("b.txt", "1 7\n"), "--ranks", "4", "--ids", "1")
    assert "b.txt: 2 numbers, expected at most 1" in refusal(
        "explain", written("b.txt", "1 7\n"), "--ranks", "1", "--ids", "any")
    assert "c.txt: a graph of 100000000 ranks" in refusal("explain", written("c.txt", "0 99999999\n"))
    assert "--ids 1 is for lists of edges" in refusal("explain", written("d.mtx", MATRIX), "--ids", "1")
    assert "--ids 1 is for graphs in files" in refusal("explain", "ring 8", "--ids", "1")
    assert "--ids 1 is for grids and graphs" in refusal("explain", "bcast 8", "--ids", "1")


def test_a_matrix_is_known_by_its_banner_whatever_its_name(written):
    for name in ("a.mm", "b.txt", "c"):
        assert graph_in(written(name, MATRIX)) == (3, 2)
    edges = written("d.edgelist", f"{BANNER} pattern symmetric\n%3 3 2\n2 1\n3 2\n")
    assert graph_in(edges) == (4, 2)
    assert "a banner of Matrix Market, but no line of sizes; taken for a list of edges" in told(edges)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize(("name", "text", "found"), [
    ("a.txt", "0 1\n1 2\n", (3, 2)), ("a.mtx", MATRIX, (3, 2)), ("a.graph", RING, (6, 12))])
def test_marks_of_an_encoding_are_read(mark, name, text, found, written):
    assert graph_in(written(name, text.encode(mark))) == found


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_files_are_known_by_what_they_begin_with(pack, written):
    for name in ("a.mtx.gz", "b", "c.mtx"):
        file = written(name, pack(MATRIX.encode()))
        assert graph_in(file) == (3, 2)
        assert "packed file" in refusal("explain", written(name, pack(MATRIX.encode())[:-6]))


def test_a_pipe_and_the_standard_input_are_read(tmp_path):
    for asked in ("-", "/dev/stdin"):
        run = subprocess.run([CARPOOL, "plan", asked, *DIRECT, "--json"], input=MATRIX.encode(),
                             capture_output=True, check=False)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["edges"] == 2
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([CARPOOL, "plan", str(pipe), *DIRECT, "--json"], stdout=subprocess.PIPE) as run:
        pipe.write_text("0 1\n")
        assert json.loads(run.communicate(timeout=60)[0])["edges"] == 1


@pytest.mark.parametrize(("text", "words"), [
    (f"{BANNER} real general\n2 2 1\n1 2 1\0.0\n", "a.mtx line 3: a zero byte"),
    (f"{BANNER} real general\n4 4 1000000000000\n1 2 1\n", "line 2: 4 by 4 with 1,000,000,000,000 entries"),
    (f"{BANNER} real symmetric\n2 3 1\n1 2 1\n", "line 2: 2 by 3, expected a square matrix"),
    ("%%MatrixMarket matrix array real symmetric\n2 3\n1\n2\n3\n", "line 2: 2 by 3, expected a square"),
    ("%%MatrixMarket matrix array real general\n999999 999999\n1\n", "more than the file of"),
    (f"{BANNER} real general\n9999999999999999999999 1 1\n1 1 1\n", "line 2: '9999999999999999999999 1 1'"),
    (f"{BANNER} real general\n", "a.mtx line 1: '', expected the numbers of rows"),
])
def test_matrices_that_scipy_crashes_on_are_refused(text, words, written):
    assert words in refusal("explain", written("a.mtx", text))


def test_a_file_that_cannot_be_read_is_reported(tmp_path):
    (tmp_path / "a.txt").mkdir()
    assert "a.txt: Is a directory" in refusal("explain", str(tmp_path / "a.txt"))
    assert f"{tmp_path}: Is a directory" in refusal("explain", str(tmp_path))
    assert "File name too long" in refusal("explain", "a" * 300 + ".txt")
    assert "expected a graph" in refusal("explain", "a" * 300)
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    assert "symbolic links" in refusal("explain", str(tmp_path / "loop.txt"))


def test_error_texts_are_short_and_without_control_characters(written):
    file = written("a\x1b[31m\udc80.txt".encode(errors="surrogateescape").decode(errors="surrogateescape"),
                   "0 1\n")
    for run in (carpool("explain", file), carpool("plan", file)):
        assert run.returncode == 0, run.stderr
        assert "\x1b" not in run.stdout + run.stderr
        assert r"a\x1b[31m\udc80.txt" in "".join(run.stdout.split("\n"))
    long = written("b.txt", "0 1\n" + "\x1b[2Jx" * 1_000_000)
    told_of_it = refusal("explain", long)
    assert len(told_of_it) < 3000
    assert "\x1b" not in told_of_it
    assert "b.txt line 2: '" in told_of_it and "expected two ranks" in told_of_it
    assert len(refusal("explain", "a" * 100_000)) < 3000


def test_a_report_may_hold_any_text(written, tmp_path):
    line = {"communicator": "\x1b]0;x\x07", "operation": "a$b\\frac\ud800" + "x" * 5_000_000,
            "algorithm": "\udfff", **dict.fromkeys(
                ("ranks", "starts", "messages_within", "messages_between", "bytes_within",
                 "bytes_between", "guess", "median", "seconds"), 1)}
    file = written("a.json", json.dumps({"carpool_report": 1, "lines": [line]}))
    run = carpool("report", file, "--plot", str(tmp_path / "a.svg"))
    assert run.returncode == 0, run.stderr
    assert "\x1b" not in run.stdout
    assert len(run.stdout) < 10_000
    assert r"\x1b]0;x\x07" in run.stdout


# Of a platform: room, encodings, and files that are written by nobody who had ranks in mind.
XML = """<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1MBps" lat="100ms"/>
</platform>"""
with_simgrid = pytest.mark.skipif(shutil.which("smpirun") is None, reason="SimGrid is not here")


@pytest.mark.parametrize("command", ["explain", "plan", "simulate"])
@pytest.mark.parametrize("place", [("torus 4x4", "moore 2 1"), ("ring 16",), ("allreduce 16",)])
def test_a_platform_has_room_for_all_ranks(command, place, written):
    assert "has room for 8 ranks, expected at least 16" in refusal(
        command, *place, "--platform", "cluster:2x4")
    assert carpool(command, *place, "--platform", "cluster:4x4").returncode == 0
    if command != "simulate":
        file = written("p.xml", XML)
        assert "room for 4 ranks" in refusal(command, *place, "--platform", file)
        assert carpool(command, *place, "--platform", file, "--per-node", "4").returncode == 0


@pytest.mark.parametrize(("xml", "words"), [
    (XML.encode("utf-16")[:-1], "p.xml: no XML"),
    (XML.replace("'1.0'", "'1.0' encoding='cp037'").encode(), "no XML"),
    (XML.replace("'1.0'", "'1.0' encoding='klingon'").encode(), "no XML"),
    (XML.replace("'1.0'", "'1.0' encoding='utf-7'").encode(), "no XML"),
    (XML.replace("0-3", "0-999999999").encode(), "has more than 2^20 hosts"),
    (XML.replace("0-3", "0-" + "9" * 5000).encode(), "radical '0-9999"),
    (b"", "no XML"),
    (b"<platform/>", "has no hosts"),
])
def test_a_platform_that_cannot_be_read_is_refused(xml, words, written):
    told_of_it = refusal("explain", "ring 4", "--platform", written("p.xml", xml))
    assert words in told_of_it and "p.xml" in told_of_it


def test_explain_says_that_the_network_in_a_file_is_not_counted(written):
    assert "not on the network of" in said("explain", "ring 4", "--platform", written("p.xml", XML))


def test_loggp_does_not_stand_for_the_network_in_a_file(written, tmp_path, monkeypatch):
    file = written("p.xml", XML)
    assert "knows nothing of the network in" in refusal(
        "simulate", "ring 4", "--platform", file, "--engine", "loggp")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "SimGrid's smpirun is not on the PATH" in refusal(
        "simulate", "ring 4", "--platform", file, status=1)


@with_simgrid
def test_all_times_on_the_network_in_a_file_are_simgrids(written):
    file = written("p.xml", XML)
    costs = [method["costs"][0] for method in answer("simulate", "ring 4", "--platform", file)["methods"]]
    assert {cost["engine"] for cost in costs} == {"simgrid"}
    assert min(cost["time"] for cost in costs) > 0.2  # two links of 100 ms
    assert f"Network: that in {file}." in said("simulate", "ring 4", "--platform", file).replace("/ ", "/")


@with_simgrid
def test_simgrids_own_reason_is_told(written, tmp_path):
    alone = """<platform version="4.1"><zone id="w" routing="Full"><host id="a" speed="1Gf"/>
        <host id="b" speed="1Gf"/></zone></platform>"""
    file = written("p.xml", "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>" + alone)
    asked = ("simulate", "ring 2", "--platform", file)
    assert "no connecting path between these two hosts" in refusal(*asked, "--engine", "simgrid", status=1)
    assert "no connecting path between these two hosts" in said(*asked)
    assert carpool(*asked, "--plot", str(tmp_path / "a.svg")).returncode == 0
    costs = answer(*asked, *DIRECT)["methods"][0]["costs"]
    assert costs[0]["time"] is None and costs[0]["not_replayed"]


@with_simgrid
def test_files_beside_a_platform_are_found(written):
    written("speed.trace", "PERIODICITY 1.0\n0.0 1.0\n")
    file = written("p q.xml", """<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>
        <platform version="4.1"><zone id="w" routing="Full"><host id="a" speed="1Gf" speed_file="speed.trace"/>
        <host id="b" speed="1Gf"/><link id="l" bandwidth="1MBps" latency="1ms"/>
        <route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>""")
    cost = answer("simulate", "ring 2", "--platform", file, *DIRECT)["methods"][0]["costs"][0]
    assert cost["engine"] == "simgrid" and cost["time"] > 1e-3


@pytest.mark.parametrize("arguments", [
    ("simulate", "random 4 density 0", "--machine", "laptop"),
    ("simulate", "ring 4", "--machine", "laptop", "--sizes", "0"),
    ("simulate", "barrier 1", "--machine", "laptop"),
    ("explain", "random 4 density 0"),
])
def test_schedules_of_no_cost_are_drawn(arguments, tmp_path):
    run = carpool(*arguments, "--plot", str(tmp_path / "a.svg"))
    assert run.returncode == 0
    assert run.stderr == f"drawn: {tmp_path}/a.svg\n"


def tuning(*machines):
    return json.dumps({"carpool_tuning": 1, "machines": machines})


LEVELS = {"through_memory": {"alpha": 1e-3, "beta": 1e-6, "sigma": 1e-2}}


def test_a_tuning_file_is_the_source_of_what_it_says_only(written):
    file = written("t.json", tuning({"mpi": "Open MPI 5.0.5", "neighborhoods": LEVELS}))
    asked = ("explain", "ring 4", "--tuning", file, "--mpi")
    theirs, ours = answer(*asked, "mpich"), answer(*asked, "openmpi")
    assert theirs["alpha"] != 1e-3
    assert theirs["assumed"] == ("through the memory of one node, with MPICH (not by "
                                 f"{file}, which has no such costs, but those for Open MPI by --mpi openmpi)")
    assert (ours["alpha"], ours["assumed"]) == (1e-3, f"through the memory of one node, by {file}")
    for other in (("explain", "bcast 4"), ("explain", "ring 4", "--per-node", "2"),
                  ("explain", "ring 4", "--transport", "mpi")):
        found = answer(*other, "--tuning", file, "--mpi", "openmpi")
        assert found["assumed"].endswith(f"(not by {file}, which has no such costs)")


def test_a_tuning_file_may_begin_with_a_mark_of_its_encoding(written):
    file = written("t.json", tuning({"mpi": "MPICH 5", "neighborhoods": LEVELS}).encode("utf-8-sig"))
    assert answer("explain", "ring 4", "--tuning", file, "--mpi", "mpich")["alpha"] == 1e-3
