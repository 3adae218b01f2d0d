# SPDX-License-Identifier: MIT
"""Pages of measurements show what is stored beside them, and nothing else; so do their pictures."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import docs_part  # noqa: E402
import measurement_pages  # noqa: E402
import results  # noqa: E402

MEASUREMENTS = measurement_pages.Measurements()
STORED = sorted(run.file for run in MEASUREMENTS.all_runs() if run.file.exists())
ORIGIN = {"what", "mpi", "version", "compiler", "machine", "settings", "commit", "date", "load", "command"}


@pytest.mark.parametrize("page", MEASUREMENTS.pages)
def test_tables_and_pictures_are_those_of_the_stored_results(page):
    assert list(MEASUREMENTS.differing(page)) == [], "make measurement-tables makes them"


@pytest.mark.parametrize("page", MEASUREMENTS.pages)
def test_each_page_has_the_places_that_it_should_have(page):
    text = (docs_part.DOCS / f"{page}.md").read_text()
    for part in MEASUREMENTS.parts(page):
        if part.is_figure:
            assert not part.can_be_made or f"]({part.place})" in text, part.place
        else:
            assert all(text.count(bound) == 1 for bound in docs_part.bounds(part.place)), part.place


def test_the_pages_that_are_described_exist():
    assert set(MEASUREMENTS.pages) <= {file.stem for file in docs_part.DOCS.glob("*.md")}


def test_each_run_is_of_use_to_a_page():
    used = MEASUREMENTS.runs(MEASUREMENTS.pages, MEASUREMENTS.mpis)
    assert set(used) == set(MEASUREMENTS.all_runs())


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_a_file_of_results_says_where_they_come_from(file):
    found = results.load(file)
    run, = (run for run in MEASUREMENTS.all_runs() if run.file == file)
    assert found.keys() >= ORIGIN
    assert found["mpi"] == run.mpi
    assert found["command"] == run.command
    assert re.fullmatch("[0-9a-f]{8}", found["commit"]), "sources that are in no commit"
    assert not found.get("failures")
    assert results.text_of(found) == file.read_text(), "it is as the scripts write it"


@pytest.fixture(name="copied")
def fixture_copied(tmp_path, monkeypatch):
    """Pages and results, which a test may change."""
    shutil.copytree(docs_part.DOCS, tmp_path / "pages")
    monkeypatch.setattr(docs_part, "DOCS", tmp_path / "pages")
    monkeypatch.setattr(measurement_pages, "DATA", tmp_path / "pages" / "data")
    return tmp_path / "pages"


def test_a_page_with_another_number_differs(copied):
    page = copied / "halo.md"
    begin, end = docs_part.bounds("halo mpich")
    before, rest = page.read_text().split(begin)
    table, after = rest.split(end)
    page.write_text(before + begin + table.replace("n8-w1 | ", "n8-w1 | 1", 1) + end + after)
    assert list(MEASUREMENTS.differing("halo")) == ["halo mpich"]


def test_a_page_and_its_picture_differ_from_other_results(copied):
    file = copied / "data" / "halo-openmpi.json"
    found = results.load(file)
    found["cases"][0]["racers"][0]["gain"] = {}
    found["cases"].pop()
    file.write_text(json.dumps(found))
    assert list(MEASUREMENTS.differing("halo")) == ["halo openmpi", "halo.svg"]
    MEASUREMENTS.make("halo")
    assert list(MEASUREMENTS.differing("halo")) == []


def test_what_has_no_results_stays_as_it_is(copied):
    for file in (copied / "data").glob("halo-*.json"):
        file.unlink()
    before = (copied / "halo.md").read_text()
    MEASUREMENTS.make("halo")
    assert (copied / "halo.md").read_text() == before
    assert list(MEASUREMENTS.differing("halo")) == []
