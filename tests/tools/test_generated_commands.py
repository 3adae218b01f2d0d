# SPDX-License-Identifier: MIT
"""Command lines of all kinds: the command answers, or says in one line why not, and always ends soon."""

import argparse
import json
import signal

import click
import pytest

from in_process import carpool
from random_cases import each_case

from carpool_cli import app, reports, unchanged

MOST_CHARACTERS = 500  # of a line
MOST_SECONDS = 60  # on a busy machine

JUNK = ["", " ", "-", "--", "-1", "0", "1", "2", "1e999", "nan", "inf", "٣", "9" * 30, "9" * 5000, "x" * 5000, "a\nb",
        "\x1b[31m", "\udcff", "é", "0x10", "1,,2", ",", "*", "/", ".", "..", "none.json", "folder", "torus", "ring",
        "allreduce", "'", '"', "{}", "%s", "--help", "[red]"]
SIZES = ["1", "8", "64", "4KiB", "1.5kB", "0"], ["0.3B", "-8", "999999999999", "8,8,64", "0,8,8,8", "1B,2B"]
GRIDS = {"1": ["torus 4", "mesh 5", "grid 1"], "2": ["torus 3x3", "mesh 4x2", "grid 4px3", "grid 1x1", "mesh 100x100"],
         "3": ["torus 2x2x2", "mesh 3x1x2"]}
STENCILS = {"1": ["moore 1 1", "offsets 1: 1", "von_neumann 1 2", "offsets 1: 999999999"],
            "2": ["moore 2 1", "von_neumann 2 1", "positive_octant 2 1", "box 2 3 -1", "offsets 2: 1,0 0,1", "offsets 2:",
                  "box 2 0 0"],
            "3": ["moore 3 1", "von_neumann 3 1", "moore 3 2"]}
OTHERS = ["ring 8", "star 5", "complete 6", "hot 8 senders 2", "groups 8 size 4", "rowtocolumn 9", "ring 1",
          "manytomany 16 degree 3", "random 12 density 0.3 seed 1", "edges.txt", "rows.mtx", "mesh.graph", "barrier 4",
          "bcast 8 root 3", "gather 5", "scatter 4 root 1", "allgather 4", "alltoall 8", "reduce 6", "allreduce 8",
          "reduce_scatter 4", "scan 5", "exscan 4"]
WRONG_PLACES = ["torus 0x3", "torus 4x", "mesh", "torus 100000x100000", "torus 99999999999x4", "random 12 density 2",
                "random 12", "ring", "ring 0", "ring -3", "ring 1000000000", "complete 100000", "none.mtx", "folder",
                "bcast 8 root 8", "allreduce 0", "allreduce 99999999", "allreduce x", "allreduce 8 root 1"]
WRONG_STENCILS = ["shales 2 1", "offsets 0:", "offsets", "moore", "moore 2", "moore 2 0", "moore -1 1", "moore 9 9",
                  "moore 2 100000", "moore 99 99", "offsets 1: 999999999999"]
PLATFORMS = ["cluster:2x4", "cluster:4x2", "cluster:100x32"]

# By option those that may be right, and those that are not.
VALUES = {
    "block": SIZES, "segment": SIZES, "swept": SIZES, "element": SIZES,
    "operation": (["alltoall", "allgather", "reduce", "reduce_scatter_block"], ["sum"]),
    "algorithm": (["auto", "direct", "cartesian", "basis", "basis:4/2", "node:1", "friends", "digits", "hypercube", "ring",
                   "binomial"], ["all", "basis:", "node:0", "node:x", "node:"]),
    "digits": (["2", "3", "2x2x2", "64"], ["0", "1x1", "x", "999999999", "2x"]),
    "per_node": (["1", "2", "4", "1000"], ["3,1", "2,2,2,2", "0", "1000000000000", "4,"]),
    "shape": (["4", "4x4", "4x4x4"], ["1x9", "0x4", "99999999x4", "x"]),
    "platform": (PLATFORMS, ["cluster:", "cluster:2", "cluster:0x1", "none.xml", "net.xml", "tree:2x2", "fattree:2"]),
    "machine": (["laptop", "infiniband", "omnipath", "machine.json"], ["none.json", "folder/", "abacus"]),
    "tuning": (["tuning.json"], ["none.json", "report.json", "folder"]),
    "plot": (["a.svg", "a.png"], ["a.pdf", "no/such/a.svg"]),
    "schedules": (["out.jsonl"], ["no/such/out.jsonl", "folder"]),
    "file": (["report.json", "tuning.json"], ["none.json", "edges.txt", "folder", "no/such/file.json"]),
    "topic": (["tuning", "simulating", "THREADS"], ["t", "nothing"]), "launch": (["no-such-launcher"], ["'"]),
    "calls": (["all", "none", "allreduce,bcast"], ["nothing"]), "after": (["0", "20"], ["x"]),
    "report": (["out.json"], [""]), "command": (["no-such-program"], [""])}
NUMBERS = ["1", "2", "3"], ["0", "1e-6", "-1", "1e9", "2147483648"]

# How likely an option is. Pictures and SimGrid take long, and graphs for --ids and --ranks are few.
USUAL, LIKELY = 0.05, {"plot": 0.02, "engine": 0.02, "per_node": 0.2, "as_json": 0.3, "ids": 0.01, "ranks": 0.01}

FILES = {
    "edges.txt": "0 1\n1 2\n2 3\n3 0\n", "mesh.graph": "3 2\n2\n1 3\n2\n", "report.json": '{"carpool_report": 1}',
    "rows.mtx": "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 1\n3 1 1\n4 4 1\n",
    "tuning.json": '{"carpool_tuning": 1, "machines": []}',
    "net.xml": "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-3'/></platform>",
    "machine.json": json.dumps({"send_overhead": 1e-6, "receive_overhead": 1e-6, "latency": 1e-6, "bandwidth": 1e9,
                                "adapter_bandwidth": 1e10, "node_overhead": 1e-7, "node_latency": 1e-7,
                                "node_bandwidth": 1e10, "copy_bandwidth": 1e10})}


class Option:
    """An argument or an option of a command, by either of the two libraries that read them."""

    def __init__(self, names, key, choices, is_flag):
        self.name = max(names, key=len) if names[0].startswith("-") else None
        self.key, self.choices, self.is_flag = key, choices, is_flag

    def words(self, draw):
        if self.is_flag:
            return [self.name]
        value = self.value(draw)
        return [value] if self.name is None else draw.choice([[self.name, value], [f"{self.name}={value}"]])

    def value(self, draw):
        right, wrong = VALUES.get(self.key) or ((self.choices, ["none"]) if self.choices else NUMBERS)
        return draw.choices([draw.choice(right), draw.choice(wrong), draw.choice(JUNK)], [0.9, 0.07, 0.03])[0]

    def is_drawn(self, draw):
        usual = 0.97 if self.name is None else USUAL
        return draw.random() < LIKELY.get(self.key, usual)


def of_click(one):
    choices = list(one.type.choices) if isinstance(one.type, click.Choice) else []
    return Option(one.opts, one.name, choices, getattr(one, "is_flag", False))


def of_argparse(one):
    return Option(one.option_strings or [one.dest], one.dest, [], one.nargs == 0)


def options_of(name):
    """Those that a command says it has."""
    own = {"run": unchanged.parser, "report": reports.parser}.get(name)
    if own is None:
        return [of_click(one) for one in app.main.commands[name].params]
    return [of_argparse(one) for one in own()._actions if not isinstance(one, argparse._HelpAction)]


OPTIONS = {name: options_of(name) for name in app.main.commands}
WEIGHTS = {"explain": 12, "plan": 8, "verify": 6, "simulate": 6, "tune": 3, "report": 2, "run": 2}


def place(draw):
    """A grid with a stencil, another place, or what is wrong."""
    if draw.random() < 0.1:
        return [draw.choice([*WRONG_PLACES, *JUNK]), *draw.choice([[], [draw.choice([*WRONG_STENCILS, *JUNK])]])]
    dimensions = draw.choice([None, *GRIDS])
    if dimensions is None:
        return [draw.choice(OTHERS)]
    stencils = WRONG_STENCILS if draw.random() < 0.05 else STENCILS[dimensions]
    return [draw.choice(GRIDS[dimensions]), draw.choice(stencils)]


def command_line(draw):
    (name,) = draw.choices(list(OPTIONS), [WEIGHTS.get(name, 1) for name in OPTIONS])
    options = [option for option in OPTIONS[name] if option.key not in ("place", "stencil")]
    words = [word for option in options if option.is_drawn(draw) for word in option.words(draw)]
    if len(options) < len(OPTIONS[name]):
        words = place(draw) + words
    if name == "simulate" and draw.random() < 0.9:
        words += ["--platform", draw.choice(PLATFORMS)]
    if name == "tune":  # else it would measure this machine
        words += ["--launch", "no-such-launcher"]
    if draw.random() < 0.02:
        words.insert(draw.randrange(len(words) + 1), draw.choice(JUNK))
    if name == "run":  # else it would become another program
        words = [word for word in words if word.startswith("--")] + ["no-such-program"]
    return [name, *words]


class TooSlow(Exception):
    pass


def too_slow(*_):
    raise TooSlow


def within_time(*words):
    signal.signal(signal.SIGALRM, too_slow)
    signal.alarm(MOST_SECONDS)
    try:
        return carpool(*words)
    finally:
        signal.alarm(0)


def check_told(words, done):
    for line in (done.stdout + done.stderr).split("\n"):
        assert len(line) <= MOST_CHARACTERS, (words, line)
        assert line.isprintable(), (words, line)
    assert "Traceback" not in done.stderr, (words, done)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("CARPOOL_PRELOAD", str(tmp_path / "net.xml"))  # there is one, so `run` runs a program


def test_every_command_line_is_answered_or_refused_in_one_line(folder):
    statuses = set()

    def check(draw):
        words = command_line(draw)
        done = within_time(*words)
        statuses.add(done.returncode)
        assert done.returncode in (0, 1, 2), (words, done)
        check_told(words, done)
        if done.returncode == 2:
            assert done.stderr.splitlines()[-1].startswith("carpool: "), (words, done)
            written = ("--plot", "--schedules")  # what was found is shown before it is written
            assert not done.stdout or any(word.startswith(written) for word in words), (words, done)

    assert each_case(250, check) < 250 or {0, 2} <= statuses
