# SPDX-License-Identifier: MIT
"""The parts of the pages of docs/measurements that are made of stored results, as measurements.toml says."""

import itertools
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path

import docs_part
import measurement_parts
import origin
import results

FILE = Path(__file__).with_name("measurements.toml")
DATA = docs_part.DOCS / "data"
ONE_FOR_EACH = " MPI"


@dataclass(frozen=True)
class Run:
    """What one script measures with one MPI."""

    name: str
    mpi: str
    script: str

    @property
    def file(self):
        return DATA / f"{self.name}-{self.mpi}.json"

    @property
    def environment(self):
        """The settings before the script."""
        words = shlex.split(self.script)
        return dict(word.split("=") for word in itertools.takewhile(lambda word: "=" in word, words))

    @property
    def words(self):
        """The script and its arguments."""
        return shlex.split(self.script)[len(self.environment):]

    @property
    def command(self):
        script, *arguments = self.words
        return origin.command(script, arguments, self.environment)


@dataclass(frozen=True)
class Part:
    """A place of a page, or a picture beside it, and the runs of which it is made."""

    page: str
    place: str
    maker: str
    runs: tuple

    @property
    def can_be_made(self):
        return all(run.file.exists() for run in self.runs)

    @property
    def is_figure(self):
        return self.place.endswith(".svg")

    def found(self):
        return [results.load(run.file) for run in self.runs]


class Measurements:
    """What measurements.toml says."""

    def __init__(self, file=FILE):
        said = tomllib.loads(file.read_text(encoding="utf-8"))
        self.mpis, self.scripts, self.pages = said["mpis"], said["runs"], said["pages"]

    def runs(self, pages, mpis):
        """Each once, in the order of pages."""
        parts = [part for page in pages for part in self.parts(page)]
        return list(dict.fromkeys(run for part in parts for run in part.runs if run.mpi in mpis))

    def all_runs(self):
        return [Run(name, mpi, script) for name, script in self.scripts.items() for mpi in self.mpis]

    def parts(self, page):
        about = self.pages[page]
        for place, (maker, *names) in (about.get("tables", {}) | about.get("figures", {})).items():
            if place.endswith(ONE_FOR_EACH):
                for mpi in self.mpis:
                    yield Part(page, place.replace(ONE_FOR_EACH, f" {mpi}"), maker, self.runs_of(names, [mpi]))
            else:
                yield Part(page, place, maker, self.runs_of(names, self.mpis))

    def runs_of(self, names, mpis):
        return tuple(Run(name, mpi, self.scripts[name]) for name in names for mpi in mpis)

    def lines(self, part):
        """What stands in the place of a table."""
        if part.maker == "pages":
            return list(self.status())
        return [*described(part), "", *measurement_parts.TABLES[part.maker](part.found())]

    def status(self):
        """A row for each page: what of it is made of which runs, and what is older than that."""
        yield "| page | measured at | commits of what is older |"
        yield "|---|---|---|"
        for page, about in self.pages.items():
            runs = dict.fromkeys(run for part in self.parts(page) if part.can_be_made for run in part.runs)
            files = {run.file: f"{run.name} {origin.MPIS[run.mpi]}" for run in runs}
            files |= {DATA / name: name.removesuffix(".json") for name in about.get("files", [])}
            links = grouped([f"[{name}](data/{file.name})" for file, name in files.items()], map(measured_at, files))
            made = "; ".join(f"{when}: {', '.join(some)}" for when, some in links.items())
            yield f"| [{page}]({page}.md) | {made} | {about.get('before', '')} |"

    def differing(self, page):
        """Names of the parts that are not what their results make."""
        for part in self.parts(page):
            if part.can_be_made and not (is_drawn(part) if part.is_figure else is_told(part, self.lines(part))):
                yield part.place

    def make(self, page):
        for part in self.parts(page):
            if part.can_be_made and part.is_figure:
                draw(part)
            elif part.can_be_made:
                docs_part.fill(f"{page}.md", part.place, self.lines(part))


def measured_at(file):
    """Commits and day; each case of OSU's has a commit of its own."""
    found = results.load(file)
    commits = sorted({case["commit"] for case in found.get("cases", []) if "commit" in case}) or [found["commit"]]
    return f"{', '.join(commits)}, {found['date'][:10]}"


def grouped(items, keys):
    found = {}
    for item, key in zip(items, keys):
        found.setdefault(key, []).append(item)
    return found


def described(part):
    """A sentence on the runs of each machine and day, with their files, and their command if it is the same."""
    for number, (machine, runs) in enumerate(grouped(part.runs, map(machine_and_day_of, part.runs)).items()):
        yield from [""] * (number > 0)
        files = ", ".join(f"[{run.file.name}](data/{run.file.name})" for run in runs)
        commands = {results.load(run.file)["command"] for run in runs}
        yield f"{machine}; " + (f"`{commands.pop()}`: {files}" if len(commands) == 1 else f"{files} name their commands")


def machine_and_day_of(run):
    return origin.machine_and_day(results.load(run.file))


def sources(part):
    """Of a picture, which remembers them: versions of matplotlib may draw the same otherwise."""
    return ", ".join(f"{run.file.name} {results.digest(run.file)}" for run in part.runs)


def draw(part):
    measurement_parts.FIGURES[part.maker](part.found(), docs_part.DOCS / part.place, sources(part))


def is_drawn(part):
    picture = docs_part.DOCS / part.place
    return picture.exists() and sources(part) in picture.read_text(encoding="utf-8")


def is_told(part, lines):
    return docs_part.content(f"{part.page}.md", part.place) == docs_part.written(lines)
