"""What a rank does in one start of a request, or in the latest call of an operation."""

from dataclasses import dataclass, fields
from html import escape

from mpi4py import MPI

from carpool._library import check, ffi, handle, lib

MEANINGS = {
    "algorithm": "the rule or algorithm in use",
    "phases": "steps that wait for each other",
    "rounds": "rounds of messages",
    "messages": "messages that this rank sends",
    "volume": "blocks sent",
    "bytes": "bytes that this rank sends",
    "shared_bytes": "bytes of its memory for others of its node to read",
    "without_room": "messages by MPI, since no such memory was left",
}


@dataclass(frozen=True)
class Plan:
    """Rounds and volume of a neighborhood are those of all its ranks; request.h has the details."""
    algorithm: str
    phases: int
    rounds: int
    messages: int
    volume: int
    bytes: int
    shared_bytes: int
    without_room: int

    def __bool__(self) -> bool:
        """False as long as a request is not planned."""
        return bool(self.algorithm)

    def __str__(self) -> str:
        if not self:
            return "not planned yet"
        return (f"{self.algorithm}: {self.messages} messages in {self.phases} phases, "
                f"{self.volume} blocks, {self.bytes} bytes")

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        rows = "".join(f"<tr><td>{field.name.replace('_', ' ')}</td>"
                       f"<td>{escape(f'{getattr(self, field.name)}')}</td>"
                       f"<td style='text-align:left'>{MEANINGS[field.name]}</td></tr>"
                       for field in fields(self))
        return f"<table>{rows}</table>"


def plan_by(function, *arguments) -> Plan:
    """What a C function tells of a plan."""
    told = ffi.new("Carpool_Plan *")
    check(function(*arguments, told))
    return Plan(ffi.string(told.algorithm).decode(),
                *(getattr(told, field.name) for field in fields(Plan)[1:]))


def plan_of(comm: MPI.Comm, operation: str) -> Plan:
    """The plan of the latest blocking or nonblocking call of an operation, such as "allreduce"."""
    return plan_by(lib.Carpool_Comm_get_plan, handle(comm), operation.encode())
