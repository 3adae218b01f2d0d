# SPDX-License-Identifier: MIT
"""`carpool tune`: an MPI program measures, costs are fitted, a file keeps them."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

import command
from command import CARPOOL, NESTED, without
from in_process import carpool, refusal, said

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "cli"))

from carpool_cli import cut_offs, fits, tune  # noqa: E402

LAUNCHER = f"{ROOT}/tools/launch --mpi {os.environ['CARPOOL_MPI']} --timeout 180"
LAUNCH = f"{LAUNCHER} -n 3"


def equation(messages, size, phases, costs):
    one = {"messages": messages, "bytes": size, "phases": phases}
    return {**one, "seconds": fits.fitted(costs, one)}


def test_costs_that_explain_all_times_are_found():
    costs = {"alpha": 3e-6, "beta": 2e-9, "sigma": 11e-6}
    found = fits.fit("neighborhoods", "by_mpi", [
        equation(m, m * size, phases, costs)
        for m in (1, 3, 8) for size in (8, 4096) for phases in (1, 4)])
    assert found.costs == pytest.approx(costs)
    assert found.ratios() == pytest.approx([1] * 12)


def test_no_cost_is_negative():
    found = fits.fit("neighborhoods", "by_mpi", [
        {"messages": 1, "bytes": 100, "phases": 1, "seconds": 5e-6},
        {"messages": 1, "bytes": 9000, "phases": 1, "seconds": 4e-6},
        {"messages": 9, "bytes": 900, "phases": 1, "seconds": 20e-6}])
    assert min(found.costs.values()) >= 0


USUAL = {"whole_through_memory": 16384, "put_together_through_memory": 1 << 20,
         "packed_below": 4096, "packed_below_per_part": 1024, "packed_below_per_piece": 0}


def timed(parts, pieces, size, **seconds):
    return [{"way": way, "parts": parts, "pieces": pieces, "bytes": size, "seconds": time}
            for way, time in seconds.items()]


def on_a_machine(whole, put_together, per_piece):
    """What is timed where memory is faster up to these lengths, and packing below that."""
    lines = []
    for size in (2**k for k in range(11, 22)):
        lines += timed(1, 1, size, memory=2, whole=3 if size <= whole else 1)
    for parts in (1, 4, 16):
        for size in (4**k for k in range(5, 12)):
            lines += timed(parts, 16, size, memory=4 if size <= put_together else 9,
                           packed=5 if size < 16 * per_piece else 8,
                           typed=8 if size < 16 * per_piece else 5)
    return lines


def test_cut_offs_are_where_another_transport_begins_to_be_faster():
    lines = on_a_machine(whole=65536, put_together=262144, per_piece=2048)
    found = cut_offs.found(lines, {**USUAL, "packed_below": 0, "packed_below_per_part": 0}).lengths
    assert found == {"whole_through_memory": 65536, "put_together_through_memory": 262144,
                     "packed_below": 0, "packed_below_per_part": 0, "packed_below_per_piece": 2048}


def test_a_transport_that_is_never_faster_is_never_chosen():
    lines = on_a_machine(whole=0, put_together=0, per_piece=0)
    found = cut_offs.found(lines, USUAL).lengths
    assert found["whole_through_memory"] < 2048
    assert found["put_together_through_memory"] < 1024
    assert not any(cut_offs.packs(found, one) for one in cut_offs.messages(lines))


def test_one_time_that_was_disturbed_moves_no_cut_off_by_more_than_a_step():
    lines = on_a_machine(whole=65536, put_together=262144, per_piece=2048)
    expected = cut_offs.found(lines, USUAL).lengths
    for at in range(0, len(lines), 5):
        disturbed = [{**one, "seconds": 100} if i == at else one for i, one in enumerate(lines)]
        found = cut_offs.found(disturbed, USUAL).lengths
        for name in cut_offs.THROUGH_MEMORY:
            assert expected[name] / 4 <= found[name] <= 4 * expected[name], lines[at]


def test_cut_offs_keep_their_defaults_where_no_transport_is_faster():
    lines = [{**one, "seconds": 1} for one in on_a_machine(1, 1, 1)]
    assert cut_offs.found(lines, USUAL).lengths == USUAL


def test_transports_that_were_not_timed_have_no_cut_off():
    lines = [{**one, "seconds": None} if one["way"] == "memory" else one  # no memory to share
             for one in on_a_machine(1, 1, 1)]
    assert set(cut_offs.found(lines, USUAL).lengths) == set(cut_offs.PACKING)
    assert cut_offs.found([], USUAL).lengths == {}


def test_a_machine_replaces_only_the_one_of_the_same_mpi(tmp_path):
    file = tmp_path / "tuning.json"
    for machine in ({"mpi": "A", "ranks": 1}, {"mpi": "B", "ranks": 2}, {"mpi": "A", "ranks": 3}):
        tune.keep(file, machine)
    assert json.loads(file.read_text())["machines"] == [{"mpi": "B", "ranks": 2},
                                                        {"mpi": "A", "ranks": 3}]
    assert [one.name for one in tmp_path.iterdir()] == ["tuning.json"]


def test_choices_found_by_requests_stay_as_long_as_the_costs(tmp_path):
    file = tmp_path / "tuning.json"
    found = [{"problem": "allgather, 4 ranks", "taken": "direct"}]
    costs = {"collectives": {"by_mpi": {"alpha": 1e-6}}}
    tune.keep(file, {"mpi": "A", "ranks": 1, "choices": found} | costs)
    tune.keep(file, {"mpi": "A", "ranks": 2} | costs)
    assert json.loads(file.read_text())["machines"] == [
        {"mpi": "A", "ranks": 2, "choices": found} | costs]
    others = {"mpi": "A", "ranks": 2, "collectives": {"by_mpi": {"alpha": 2e-6}}}
    tune.keep(file, others)
    assert json.loads(file.read_text())["machines"] == [others]


def test_the_file_keeps_its_mode_and_links_to_it_stay(tmp_path):
    file, link = tmp_path / "tuning.json", tmp_path / "link.json"
    link.symlink_to("tuning.json")
    tune.keep(link, {"mpi": "A"})
    file.chmod(0o600)
    tune.keep(link, {"mpi": "B"})
    assert link.is_symlink()
    assert len(json.loads(file.read_text())["machines"]) == 2
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.fixture(scope="module", name="tuned")
def measured_once(tmp_path_factory):
    """The file and the picture that it has written, and its answer."""
    folder = tmp_path_factory.mktemp("tuned")
    file, picture = folder / "tuning.json", folder / "fits.svg"
    run = carpool("tune", str(file), "--launch", LAUNCH, "--rounds", "1", "--minutes", "0.01",
                  "--plot", str(picture), "--json")
    assert run.returncode == 0, run.stderr
    return file, picture, json.loads(run.stdout)


def test_it_measures_and_writes(tuned):
    file, picture, answer = tuned
    (machine,) = json.loads(file.read_text())["machines"]
    assert machine["ranks"] == 3
    assert machine["mpi"] == answer["mpi"]
    for work in ("neighborhoods", "collectives"):
        assert set(machine[work]) == {"by_mpi", "through_memory"}
        for costs in machine[work].values():
            assert set(costs) == {"alpha", "beta", "sigma"}
            assert sum(costs.values()) > 0
    assert set(machine["cut_offs"]) == set(USUAL)
    for word in ("through memory", "one piece", "by a datatype"):
        assert word in picture.read_text()


def choices(file):
    (machine,) = json.loads(file.read_text())["machines"]
    return {one["problem"]: one["taken"] for one in machine["choices"]}


def test_inits_find_algorithms_and_explain_knows_them(tuned, monkeypatch):
    file, _, answer = tuned
    first = choices(file)
    assert {one["taken"] for one in answer["algorithms"]} >= set(first.values())
    assert any(problem.startswith("alltoall, 3 ranks") for problem in first)
    assert any(problem.startswith("neighbor_alltoall, 3 ranks") for problem in first)
    monkeypatch.setenv("CARPOOL_TUNE", str(Path(CARPOOL).parents[1] / "libexec/carpool-tune"))
    tune.told(LAUNCH, ("algorithms", 1), lambda done: None, tuning=file)
    again = choices(file)
    assert again.keys() >= first.keys()
    mpi = "openmpi" if answer["mpi"].startswith("Open MPI") else "mpich"
    size = next(name for name in first if name.startswith("alltoall, 3 ranks"))
    bits = int(re.search(r"2\^(\d+), among", size)[1])  # of the bytes of two messages
    told = carpool("explain", "alltoall 3", "--block", str(2 ** (bits - 2)), "--tuning", str(file),
                   "--mpi", mpi).stdout
    assert f"by {file}: {again[size]}." in " ".join(told.split())


def test_mistakes_cost_one_line_and_no_minutes(tmp_path):
    assert "FILE" in refusal("tune")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert "no JSON" in refusal("tune", str(broken))
    broken.write_text(NESTED)
    assert "nested too deep" in refusal("tune", str(broken))
    good = str(tmp_path / "good.json")
    assert "say --launch" in refusal("tune", good, "--launch", "no-such-launcher")
    assert "No closing quotation" in refusal("tune", good, "--launch", "'a")
    few = command.carpool("tune", good, "--launch", f"{LAUNCHER} -n 1")
    assert "three ranks" in few.stderr
    assert not Path(good).exists()


def test_errors_are_found_before_measuring(tmp_path):
    never = ("--launch", "no-such-launcher")
    good = str(tmp_path / "good.json")
    assert "x.json: No such file" in refusal("tune", f"{tmp_path}/none/x.json", *never)
    assert "x.svg: No such file" in refusal("tune", good, "--plot", f"{tmp_path}/none/x.svg",
                                            *never)
    lacking = without(["scipy"], tmp_path, "tune", good, *never)
    assert lacking.stderr == "carpool: carpool tune needs scipy; try: pip install scipy\n"


@pytest.mark.parametrize("machines", [None, 1, [1], [{}], [{"mpi": 1}],
                                      [{"mpi": "A", "choices": 1}]])
def test_a_file_that_holds_something_else_is_left_alone(machines, tmp_path):
    file = tmp_path / "tuning.json"
    text = json.dumps({"carpool_tuning": 1, "machines": machines})
    file.write_text(text)
    assert "machines, expected" in refusal("tune", str(file), "--launch", "none")
    assert file.read_text() == text


def test_explain_assumes_what_the_file_says(tmp_path):
    file = tmp_path / "tuning.json"
    levels = {"through_memory": {"alpha": 1, "beta": 0, "sigma": 0},
              "between_nodes": {"alpha": 0, "beta": 0, "sigma": 3}}
    file.write_text(json.dumps({"carpool_tuning": 1, "machines": [
        {"mpi": "Open MPI 5.0.11", "neighborhoods": levels}]}))
    asked = ("explain", "torus 4x4", "moore 2 1", "--algorithm", "direct", "--json",
             "--tuning", str(file))
    answer = json.loads(carpool(*asked, "--mpi", "openmpi").stdout)
    assert answer["rules"][0]["estimate"] == 8
    assert str(file) in answer["assumed"]
    nodes = json.loads(carpool(*asked, "--mpi", "openmpi", "--per-node", "4").stdout)
    assert nodes["rules"][0]["estimate"] == 3 + 2  # of 8 messages 2 stay on the node
    assert json.loads(carpool(*asked).stdout)["rules"][0]["estimate"] < 1  # of another MPI
    file.write_text('{"carpool_tuning": 2}')
    assert "its version" in refusal(*asked)


def test_explain_says_at_which_lengths_messages_go_by_mpi(tmp_path):
    file = tmp_path / "tuning.json"
    file.write_text(json.dumps({"carpool_tuning": 1, "machines": [
        {"mpi": "MPICH 5.0.2", "cut_offs": {"whole_through_memory": 4096}}]}))
    asked = ("explain", "torus 4x4", "moore 2 1", "--mpi", "mpich", "--block")
    assert "go by MPI" not in said(*asked, "8")
    assert "of one piece beyond 128 KiB" in said(*asked, "200000")
    assert "of one piece beyond 4 KiB" in said(*asked, "8192", "--tuning", str(file))
    assert "go by MPI:" not in said(*asked, "200000", "--transport", "mpi")
    answer = json.loads(carpool(*asked, "8", "--json", "--tuning", str(file)).stdout)
    assert answer["message_cut_offs"]["whole_through_memory"] == 4096
    assert answer["message_cut_offs"]["packed_below_per_piece"] == 8192
    file.write_text(json.dumps({"carpool_tuning": 1, "machines": [
        {"mpi": "MPICH 5.0.2", "cut_offs": {"whole_through_memory": -1}}]}))
    assert "whole_through_memory, expected" in refusal(*asked, "8", "--tuning", str(file))


def test_explain_shows_what_requests_have_found(tmp_path):
    file = tmp_path / "tuning.json"
    problem = "neighbor_alltoall, 16 ranks, messages, blocks and bytes below 2^4, 2^4, 2^10, among {}"
    found = [{"problem": problem.format("1a"), "taken": "host"},
             {"problem": problem.format("2b"), "taken": "basis"},
             {"problem": problem.format("3c"), "taken": "host"}]
    file.write_text(json.dumps({"carpool_tuning": 1, "machines": [
        {"mpi": "MPICH 5.0.2", "choices": found}, {"mpi": "Open MPI 5"}]}))
    asked = ("explain", "torus 4x4", "moore 2 1", "--json", "--tuning", str(file))
    assert json.loads(carpool(*asked, "--mpi", "mpich").stdout)["remembered"] == ["host", "basis"]
    for other in (("--mpi", "openmpi"), ("--block", "8"), ("--per-node", "4"),
                  ("--algorithm", "direct"), ("--op", "allgather")):
        assert json.loads(carpool(*asked, *other).stdout)["remembered"] == []


def test_a_name_that_no_file_can_have_is_told_before_minutes_pass():
    assert "File name too long" in refusal("tune", "a" * 300, "--launch", "none")


def test_the_environment_names_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("CARPOOL_TUNING", str(tmp_path))
    assert os.path.isfile(CARPOOL)
    assert "directory" in refusal("tune")
