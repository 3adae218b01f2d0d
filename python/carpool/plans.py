# SPDX-License-Identifier: MIT
"""The plan of a request, or of the latest call of an operation."""

import subprocess
import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from mpi4py import MPI

from carpool._library import check, ffi, handle, lib

MEANINGS = {
    "algorithm": "the rule or algorithm in use",
    "phases": "steps that wait for each other",
    "rounds": "rounds of messages",
    "messages": "messages that this rank sends",
    "volume": "blocks sent",
    "bytes": "bytes that this rank sends",
    "shared_bytes": "bytes that a start puts into memory for other ranks of the node to read",
    "without_memory": "messages sent by MPI so far because no such memory was left",
}


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Plan:
    """The plan of a request: the work of this rank in one start.

    The rounds and the volume of a neighborhood are the same on all its ranks. Carpool_Plan in
    request.h describes each attribute. A plan is true once the request is planned.
    """
    algorithm: str
    phases: int
    rounds: int
    messages: int
    volume: int
    bytes: int
    shared_bytes: int
    without_memory: int
    question: tuple[str, ...] = field(default=(), repr=False, compare=False)  # to the command carpool

    def __bool__(self) -> bool:
        """False as long as the request is not planned."""
        return bool(self.algorithm)

    def __str__(self) -> str:
        if not self:
            return "not planned yet"
        volume = f", {counted(self.volume, 'block')}" if self.volume else ""
        return (f"{self.algorithm}: {counted(self.messages, 'message')} in "
                f"{counted(self.phases, 'phase')}{volume}, {counted(self.bytes, 'byte')}")

    def svg(self) -> str:
        """A picture of the plan of a Neighborhood, which the command carpool draws by matplotlib.

        Raises a RuntimeError with the reason if it cannot be drawn.
        """
        if not self:
            raise RuntimeError("the request is not planned yet")
        if not self.question:
            raise RuntimeError("only plans of operations on a Neighborhood are drawn")
        with TemporaryDirectory() as folder:
            file = Path(folder) / "plan.svg"
            run = subprocess.run([sys.executable, "-m", "carpool_cli", "plan", *self.question,
                                  "--algorithm", self.algorithm, "--plot", str(file)],
                                 capture_output=True, text=True, check=False)
            if run.returncode:
                raise RuntimeError(run.stderr.strip())
            return file.read_text()

    def _repr_html_(self) -> str:
        """A table for notebooks, with a picture or a sentence with the reason why there is none."""
        rows = "".join(f"<tr><td>{name.replace('_', ' ')}</td>"
                       f"<td>{escape(str(getattr(self, name)))}</td>"
                       f"<td style='text-align:left'>{meaning}</td></tr>"
                       for name, meaning in MEANINGS.items())
        try:
            picture = self.svg()
            shown = picture[picture.find("<svg"):]
        except RuntimeError as error:
            reason = (str(error).splitlines() or ["the command carpool has failed"])[-1]
            shown = f"<p>There is no picture of this plan: {escape(reason)}.</p>"
        return f"<table>{rows}</table>{shown}"


def plan_by(function, *arguments, question: tuple[str, ...] = ()) -> Plan:
    """The plan that a C function gives."""
    if MPI.Is_finalized():
        raise RuntimeError("plans are told before MPI_Finalize")
    told = ffi.new("Carpool_Plan *")
    check(function(*arguments, told))
    numbers = {name: getattr(told, name) for name in list(MEANINGS)[1:]}
    return Plan(algorithm=ffi.string(told.algorithm).decode(), question=question, **numbers)


def plan_of(comm: MPI.Comm, operation: str) -> Plan:
    """The plan of the latest blocking or nonblocking call of an operation on a communicator.
    Local.

    operation  the name of the function, such as "allreduce", "neighbor_alltoall" or
               "sparse_exchange"

    Example:

        >>> carpool.allreduce(comm, np.ones(1), np.zeros(1))
        >>> bool(carpool.plan_of(comm, "allreduce"))
        True
    """
    return plan_by(lib.Carpool_Comm_get_plan, handle(comm), operation.encode())
