"""`carpool tune`: an MPI program measures, costs are fitted, a file keeps them."""

import json
import os
import sys
from pathlib import Path

import pytest

from command import CARPOOL, NESTED, carpool, refusal, without_package

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "cli"))

from carpool_cli import fits, tune  # noqa: E402

LAUNCHER = f"{ROOT}/tools/launch --mpi {os.environ['CARPOOL_MPI']} --timeout 60"
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


def test_a_machine_replaces_what_was_said_of_its_mpi_and_nothing_else(tmp_path):
    file = tmp_path / "tuning.json"
    for machine in ({"mpi": "A", "ranks": 1}, {"mpi": "B", "ranks": 2}, {"mpi": "A", "ranks": 3}):
        tune.keep(file, machine)
    assert json.loads(file.read_text())["machines"] == [{"mpi": "B", "ranks": 2},
                                                        {"mpi": "A", "ranks": 3}]
    assert [one.name for one in tmp_path.iterdir()] == ["tuning.json"]


def test_what_requests_have_found_stays_when_costs_are_measured_anew(tmp_path):
    file = tmp_path / "tuning.json"
    found = [{"problem": "allgather, 4 ranks", "taken": "direct"}]
    tune.keep(file, {"mpi": "A", "ranks": 1, "choices": found})
    tune.keep(file, {"mpi": "A", "ranks": 2})
    assert json.loads(file.read_text())["machines"] == [{"mpi": "A", "ranks": 2, "choices": found}]


def test_the_file_keeps_its_mode_and_links_to_it_stay(tmp_path):
    file, link = tmp_path / "tuning.json", tmp_path / "link.json"
    link.symlink_to("tuning.json")
    tune.keep(link, {"mpi": "A"})
    file.chmod(0o600)
    tune.keep(link, {"mpi": "B"})
    assert link.is_symlink()
    assert len(json.loads(file.read_text())["machines"]) == 2
    assert file.stat().st_mode & 0o777 == 0o600


def test_it_measures_and_writes(tmp_path):
    file, picture = tmp_path / "tuning.json", tmp_path / "fits.svg"
    run = carpool("tune", str(file), "--launch", LAUNCH, "--rounds", "1", "--plot", str(picture))
    assert run.returncode == 0, run.stderr
    (machine,) = json.loads(file.read_text())["machines"]
    assert machine["ranks"] == 3
    assert machine["mpi"].split()[-1] in run.stdout
    for work in ("neighborhoods", "collectives"):
        assert set(machine[work]) == {"by_mpi", "through_memory"}
        for costs in machine[work].values():
            assert set(costs) == {"alpha", "beta", "sigma"}
            assert sum(costs.values()) > 0
    assert "through memory" in picture.read_text()


def test_mistakes_cost_one_line_and_no_minutes(tmp_path):
    assert "FILE" in refusal("tune")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert "no JSON" in refusal("tune", str(broken), status=1)
    broken.write_text(NESTED)
    assert "nested too deep" in refusal("tune", str(broken), status=1)
    good = str(tmp_path / "good.json")
    assert "say --launch" in refusal("tune", good, "--launch", "no-such-launcher", status=1)
    assert "No closing quotation" in refusal("tune", good, "--launch", "'a")
    few = carpool("tune", good, "--launch", f"{LAUNCHER} -n 1")
    assert "three ranks" in few.stderr
    assert not Path(good).exists()


def test_what_will_fail_fails_before_it_measures(tmp_path):
    never = ("--launch", "no-such-launcher")
    good = str(tmp_path / "good.json")
    assert "x.json: No such file" in refusal("tune", f"{tmp_path}/none/x.json", *never, status=1)
    assert "x.svg: No such file" in refusal("tune", good, "--plot", f"{tmp_path}/none/x.svg",
                                            *never, status=1)
    without = without_package("scipy", tmp_path, "tune", good, *never)
    assert without.stderr == "carpool: carpool tune needs scipy; try: pip install scipy\n"


@pytest.mark.parametrize("machines", [None, 1, [1], [{}], [{"mpi": 1}],
                                      [{"mpi": "A", "choices": 1}]])
def test_a_file_that_holds_something_else_is_left_alone(machines, tmp_path):
    file = tmp_path / "tuning.json"
    text = json.dumps({"carpool_tuning": 1, "machines": machines})
    file.write_text(text)
    assert "machines, expected" in refusal("tune", str(file), "--launch", "none", status=1)
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
    assert "its version" in refusal(*asked, status=1)


def test_the_environment_names_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("CARPOOL_TUNING", str(tmp_path))
    assert os.path.isfile(CARPOOL)
    assert "directory" in refusal("tune", status=1)
