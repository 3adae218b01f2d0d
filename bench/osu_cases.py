# SPDX-License-Identifier: MIT
"""Which of OSU's benchmarks are run on how many ranks, and what one of them prints."""

import re
from dataclasses import dataclass
from pathlib import Path

KINDS = ("blocking", "non_blocking", "persistent", "neighborhood")
LARGEST = 65536  # bytes
SMALLEST = 4

# Each size gets so many calls before those that are timed. Where OSU checks results it makes five more before each of
# them, so Carpool makes all calls that are timed, also where it leaves the first 200 to MPI.
WARMUP = 40
TIMED = 50


@dataclass(frozen=True)
class Case:
    kind: str
    program: Path
    ranks: int
    hosts: int

    @property
    def name(self):
        return self.program.name.removeprefix("osu_")

    @property
    def key(self):
        return f"{self.kind}/{self.name}/{self.ranks}" + (f"/{self.hosts} hosts" if self.hosts > 1 else "")

    @property
    def collective(self):
        """As MPI's blocking form is named: allreduce of iallreduce and of allreduce_persistent."""
        name = self.name.removesuffix("_persistent")
        return name[1:] if self.kind == "non_blocking" or name.startswith("ineighbor") else name

    @property
    def is_barrier(self):
        return "barrier" in self.name

    def arguments(self, checked=True, timed=TIMED, largest=LARGEST):
        """OSU checks the results (-c) and prints the median of the calls (-z). Unchecked it makes fewer calls ahead."""
        sizes = [] if self.is_barrier else ["-m", f"{SMALLEST}:{largest}"]
        checks = checked and not self.is_barrier
        return [*sizes, *(["-c"] if checks else []), *self.type(), "-z50", "-i", str(timed),
                "-x", str(WARMUP if checks else 6 * WARMUP)]

    def type(self):
        """OSU adds up MPI_CHAR, for which MPI defines no sum, and Open MPI's differ from what OSU expects."""
        return ["-T", "mpi_int"] if "reduce" in self.name else []


def programs_of(folder, kind):
    """Those of a kind, in a folder where OSU's benchmarks are installed, or were built."""
    found = {path.name: path for path in sorted(Path(folder).glob(f"**/collective/{kind}/osu_*"))
             if path.is_file() and path.stat().st_mode & 0o100}
    return list(found.values())


def cases_of(folder, kinds, pattern, places):
    """Place by place, and in it kind by kind. A place is a number of ranks and of hosts."""
    cases = [Case(kind, program.resolve(), ranks, hosts) for ranks, hosts in places for kind in kinds
             for program in programs_of(folder, kind)]
    return [case for case in cases if re.search(pattern, case.key)]


def titles(line):
    """The columns that a heading names: '# Size       Avg Latency(us)' has two."""
    return re.split(r"\s{2,}", line.lstrip("# ").strip())


def is_heading(line):
    return line.startswith("#") and "(us)" in line


def is_row(line):
    return re.match(r"\s*\d", line) is not None


def read(output):
    """What a benchmark has printed: a list of rows, each with its columns. A barrier's row has no size."""
    columns, rows = [], []
    for line in output.splitlines():
        if is_heading(line):
            columns = titles(line)
        elif is_row(line) and columns:
            rows.append(dict(zip(columns, line.split())))
    return [row_of(row) for row in rows]


def row_of(row):
    mean = row.get("Avg Latency(us)") or row.get("Overall(us)")
    found = {"bytes": int(row.get("Size", 0)), "median_us": float(row["P50 Tail Lat(us)"]), "mean_us": float(mean)}
    if "Overlap(%)" in row:
        found["overlap_percent"] = float(row["Overlap(%)"])
    return found | {"valid": row.get("Validation", "Pass") == "Pass"}


def version_in(output):
    found = re.search(r"^# OSU .* v(\S+)", output, re.MULTILINE)
    return found[1] if found else "unknown"
