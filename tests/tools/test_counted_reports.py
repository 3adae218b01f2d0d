# SPDX-License-Identifier: MIT
"""What report says of random files, counted again here on the entries of the file."""

import json
import re
from collections import defaultdict

import pytest

from counted import value
from in_process import run
from random_cases import each_case

KEY = ("operation", "communicator", "ranks")
WHYS = [("too long", "ask for it"), ("too few calls", "wait"), ("a type with holes", "")]


def seconds(draw):
    return draw.choice([1, 10, 100, 999]) * draw.random() * draw.choice([1e-6, 1e-3, 1])


def place(draw, several):
    return {"communicator": f"comm {draw.randrange(several)}", "operation": draw.choice(["neighbor_alltoall", "bcast"]),
            "ranks": 8}


def random_line(draw, number):
    """Of starts."""
    starts, first = draw.randrange(1, 2000), seconds(draw)
    return {**place(draw, 3), "algorithm": f"rule{number}", "starts": starts, "seconds": starts * first,
            "messages_within": draw.randrange(30), "messages_between": draw.choice([0, 0, 5]),
            "bytes_within": draw.randrange(5000), "bytes_between": draw.randrange(3_000_000),
            "guess": seconds(draw), "median": first, "first_quartile": first, "third_quartile": 2 * first,
            **draw.choice([{}, {"timed": draw.randrange(starts + 1)}]),
            **draw.choice([{}, {"saved": draw.choice([-1, 1]) * first}])}


def random_call(draw, number):
    calls, median = draw.randrange(1, 2000), seconds(draw)
    return {**place(draw, 3), "communicator": f"other {number}", "made_by": "Carpool", "size_class": number,
            "size": draw.randrange(1, 10**7), "calls": calls, "ended": draw.choice([calls, calls, 0]),
            "median": median, "seconds": calls * median, **draw.choice([{}, {"mean": median * 1.1}]),
            **draw.choice([{}, {"median_of_mpi": 2 * median}]), **draw.choice([{}, {"by_mpi": calls * median * 3, "seconds_of_first": median}])}


def random_host_call(draw):
    why, remedy = draw.choice(WHYS)
    return {"operation": f"MPI_{draw.randrange(10**6)}", "why": why, "remedy": remedy, "calls": draw.randrange(10**4),
            "seconds": seconds(draw)}


def random_report(draw):
    return {"carpool_report": 1, "run_seconds": draw.choice([0, 0.5, 300]),
            "lines": [random_line(draw, number) for number in range(draw.randrange(5))],
            "calls": [random_call(draw, number) for number in range(draw.randrange(3))],
            "host_calls": [random_host_call(draw) for _ in range(draw.randrange(4))]}


def is_near(shown, number):
    """Rounded to three digits."""
    assert value(shown.removeprefix("~").removeprefix("≤")) == pytest.approx(number, rel=6e-3, abs=5.1e-10), shown
    return True


def check_share(text, part, run_seconds):
    if not run_seconds:
        assert text == ""
    elif text.startswith("<"):
        assert part / run_seconds < 0.0005
    else:
        assert float(text.partition(" %")[0]) == pytest.approx(100 * part / run_seconds, abs=0.51, rel=0.1)


def check_title(said, one, every, run_seconds):
    """Of an operation on a communicator: how long all of it took."""
    title = f"{one['operation']} on {one['communicator']}, {one['ranks']} ranks:"
    cost, _, share = re.search(rf"^{re.escape(title)}\s(.*)$", said, re.MULTILINE)[1].strip().partition(", ")
    total = sum(other["seconds"] for other in every if all(other[key] == one[key] for key in KEY))
    assert is_near(cost, total)
    check_share(share, total, run_seconds)


def row(said, name):
    """The cells of the row that has that one."""
    (line,) = (line for line in said.splitlines() if re.search(rf" {re.escape(name)} {{2,}}\S", line))
    return re.split(r" {2,}", line.strip())


def check_times(cell, mean, quartiles, few):
    """The mean, and unless there are few of them the quartiles in its unit."""
    found = re.fullmatch(r"([\d.,e+]+) \(([\d.,e+]+)–([\d.,e+]+)\) (\w+)", cell)
    assert bool(found) == (not few), cell
    if few:
        return is_near(cell, mean)
    *numbers, unit = found.groups()
    return all(is_near(f"{float(number):f} {unit}", expected)
               for number, expected in zip(numbers, (mean, *quartiles), strict=True))


def check_line(said, line):
    size, name, starts, messages, mean, total = row(said, line["algorithm"])
    assert is_near(size, line["bytes_within"] + line["bytes_between"])
    assert (name, int(starts.replace(",", ""))) == (line["algorithm"], line["starts"])
    assert sum(map(int, messages.split("+"))) == line["messages_within"] + line["messages_between"]
    assert ("+" in messages) == (line["messages_between"] > 0)
    assert is_near(total, line["seconds"])
    assert total.startswith("~") == (line.get("timed", line["starts"]) < line["starts"])
    check_times(mean, line["seconds"] / line["starts"], (line["first_quartile"], line["third_quartile"]),
                line.get("timed", line["starts"]) < 4)
    spoken = " ".join(said.split())
    if "saved" in line:
        verb, amount = re.search(rf"{name}, \S+ \S+: (saved|lost) (\S+ \S+) compared", spoken).groups()
        assert verb == ("saved" if line["saved"] >= 0 else "lost") and is_near(amount, abs(line["saved"]))
    elif line["guess"]:
        assert is_near(re.search(rf"Estimated for a start:[^:]*?{name} (\S+ \S+) \(", spoken)[1], line["guess"])


def check_call(said, one):
    block = said[said.index(f"on {one['communicator']},"):].splitlines()
    (line,) = (line for line in block[:block.index("")] if " Carpool  " in line)
    size, _, calls, mean, total, *part = re.split(r" {2,}", line.strip())
    assert is_near(size, one["size"]) and int(calls.replace(",", "")) == one["calls"] and is_near(total, one["seconds"])
    assert mean == "?" if not one["ended"] else is_near(mean, one.get("mean", one["median"]))
    assert [float(number) for number in part] == ([0.5] if "median_of_mpi" in one else [])


def check_host_calls(said, calls, run_seconds):
    """The reasons that took longest come first."""
    by_why = defaultdict(float)
    for one in calls:
        _, count, cost, *share = row(said, one["operation"]) if run_seconds else (*row(said, one["operation"]), "")
        assert int(count.replace(",", "")) == one["calls"] and is_near(cost, one["seconds"])
        check_share(*share, one["seconds"], run_seconds)
        by_why[one["why"]] += one["seconds"]
    order = sorted(by_why, key=lambda why: said.index(f"  {why}"))
    assert order == sorted(by_why, key=lambda why: -by_why[why])


def check_comparison(said, calls):
    compared = [one for one in calls if "by_mpi" in one]
    found = re.search(r"Carpool took (\S+ \S+) for ([\d,]+) calls, (\S+ \S+) of it in first ones;.* taken about (\S+ \S+)\.", " ".join(said.split("\n\n")[0].split()))
    assert bool(found) == bool(compared)
    if compared:
        assert is_near(found[1], sum(one["seconds"] for one in compared))
        assert int(found[2].replace(",", "")) == sum(one["calls"] for one in compared)
        assert is_near(found[3], sum(one["seconds_of_first"] for one in compared))
        assert is_near(found[4], sum(one["by_mpi"] for one in compared))


def test_every_number_of_a_report_is_that_of_its_file(tmp_path):
    def check(draw):
        content = random_report(draw)
        file = tmp_path / "report.json"
        file.write_text(json.dumps(content))
        said = run("report", file).stdout
        check_comparison(said, content["calls"])
        for one in (*content["lines"], *content["calls"]):
            check_title(said, one, [*content["lines"], *content["calls"]], content["run_seconds"])
        for line in content["lines"]:
            check_line(said, line)
        for one in content["calls"]:
            check_call(said, one)
        check_host_calls(said, content["host_calls"], content["run_seconds"])

    each_case(100, check)
