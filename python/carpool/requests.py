"""Persistent requests, which are started often, and what completes a nonblocking call.

Either keeps its buffers. One that is dropped while it is active goes on, and its buffers stay until it
has completed.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Unpack

from mpi4py import MPI

from carpool._library import check, ffi, handle, lib, refused_as
from carpool.plans import Plan, plan_by
from carpool.settings import Settings, info_of

_ignored = MPI.Status()
_IGNORED = MPI._addressof(_ignored)  # for statuses that nobody reads
_NULL = ffi.NULL

# Looked up beforehand: cffi looks up under a lock, which may be taken where Python collects garbage.
_test, _free, _FLAG = lib.Carpool_Test, lib.Carpool_Request_free, ffi.typeof("int *")

# Dropped while active: what asks whether one has completed, and what it keeps until then. MPI may
# still write to its buffers when Python ends, so the list outlives Python.
_dropped: list[tuple[Callable[[], bool], Any]] = []
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_dropped))


def sweep() -> None:
    """Lets go what was dropped and has completed."""
    if _dropped:
        _dropped[:] = [one for one in _dropped if not one[0]()]


def _completed_call(request: MPI.Request) -> bool:
    try:
        return request.Test()
    except MPI.Exception:
        return True


def _freed(made, call: MPI.Request | None) -> bool:
    """Frees a request if it is not active; `call` is that of MPI to which it may belong."""
    if call is not None and not _completed_call(call):
        return False
    done = ffi.new(_FLAG)
    if _test(made, done, _IGNORED) == 0 and not done[0]:
        return False
    _free(made)
    return True


class Call(MPI.Request):
    """A request of MPI that keeps the buffers of the call it stands for."""

    def __new__(cls, kept: Any = None):
        return super().__new__(cls)

    def __init__(self, kept: Any = None):
        self._kept = kept

    def __del__(self):
        if self and not MPI.Is_finalized():
            request = MPI.Request(self)
            _dropped.append((lambda: _completed_call(request), self._kept))


class Request:
    """An exchange that is planned once and started often; it keeps its buffers.

    Made by a function whose name ends in _init. `with` frees it at the end.
    """

    _made = (_NULL, )  # where the handle of C is; none until it is planned
    _call: "Call | None" = None

    def __init__(self, made, kept: Any, question: tuple[str, ...] = ()):
        sweep()
        self._made = made
        self._kept = kept
        self._question = question

    def start(self) -> "Request":
        check(lib.Carpool_Start(self._made))
        return self

    def wait(self) -> None:
        check(lib.Carpool_Wait(self._made, _IGNORED))

    def test(self) -> bool:
        """Has the exchange completed? True for one that is not active."""
        done = ffi.new("int *")
        check(lib.Carpool_Test(self._made, done, _IGNORED))
        return bool(done[0])

    def free(self) -> None:
        """Local. A request that is active is an error. After MPI_Finalize there is nothing to free."""
        if not MPI.Is_finalized():
            check(lib.Carpool_Request_free(self._made))
            self._kept = None

    def as_call(self) -> Call:
        """A request of MPI for one that has been started, to be waited for among others."""
        self._call = Call(kept=self)
        check(lib.Carpool_Request_get_mpi(self._made[0], MPI._addressof(self._call)))
        return self._call

    @property
    def plan(self) -> Plan:
        return plan_by(lib.Carpool_Request_get_plan, self._made[0], question=self._question)

    def __enter__(self) -> "Request":
        return self

    def __exit__(self, *error) -> None:
        if self and error[0] is None:
            self.free()

    def __bool__(self) -> bool:
        """False once freed, and after MPI_Finalize."""
        return self._made[0] != _NULL and not MPI.Is_finalized()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.plan if self else 'freed'}>"

    def _repr_html_(self) -> str:
        return self.plan._repr_html_() if self else "freed"

    def __del__(self):
        if not self:
            return
        made, call = self._made, self._call and MPI.Request(self._call)
        if not _freed(made, call):
            _dropped.append((lambda: _freed(made, call), self._kept))


def bundle_init(comm: MPI.Intracomm, requests: Sequence[Request], /,
                **settings: Unpack[Settings]) -> Request:
    """One request of several, whose messages share rides; each start of it starts all."""
    made = ffi.new("Carpool_Request *")
    nothing = -1, _NULL, handle(comm), handle(MPI.INFO_NULL), made
    with refused_as(lib.Carpool_Bundle_init, *nothing):
        array = _array(requests)
    with info_of(settings) as info:
        check(lib.Carpool_Bundle_init(len(array), array, handle(comm), handle(info), made))
    return Request(made, [request._kept for request in requests])


class _Statuses:
    """The statuses of a call on several requests, read if it has failed."""

    def __init__(self, number: int):
        self.size = MPI._sizeof(MPI.Status)
        self.memory = ffi.new("char[]", number * self.size)
        self.address = int(ffi.cast("uintptr_t", self.memory))

    def check(self, code: int) -> None:
        if code and MPI.Get_error_class(code) == MPI.ERR_IN_STATUS:
            code = next(filter(None, self._errors()), code)
        check(code)

    def _errors(self):
        status = MPI.Status()
        for start in range(0, len(self.memory), self.size):
            ffi.memmove(ffi.cast("char *", MPI._addressof(status)), self.memory + start, self.size)
            yield status.Get_error()


def _array(requests: Sequence[Request]):
    for place, request in enumerate(requests):
        if not isinstance(request, Request):
            raise TypeError(f"requests[{place}] is of type {type(request).__name__}, expected a "
                            "Request")
    return ffi.new("Carpool_Request[]", [request._made[0] for request in requests])


def startall(requests: Sequence[Request]) -> None:
    """Starts all."""
    check(lib.Carpool_Startall(len(requests), _array(requests)))


def waitall(requests: Sequence[Request]) -> None:
    """Waits until all that are active have completed."""
    statuses = _Statuses(len(requests))
    statuses.check(lib.Carpool_Waitall(len(requests), _array(requests), statuses.address))


def testall(requests: Sequence[Request]) -> bool:
    """Have all that are active completed?"""
    statuses, done = _Statuses(len(requests)), ffi.new("int *")
    statuses.check(lib.Carpool_Testall(len(requests), _array(requests), done, statuses.address))
    return bool(done[0])


def waitany(requests: Sequence[Request]) -> int | None:
    """The index of one that has completed; None where none is active."""
    index = ffi.new("int *")
    check(lib.Carpool_Waitany(len(requests), _array(requests), index, _IGNORED))
    return None if index[0] == MPI.UNDEFINED else index[0]


def testany(requests: Sequence[Request]) -> tuple[int | None, bool]:
    """As waitany, and whether one has completed or none is active."""
    index, done = ffi.new("int *"), ffi.new("int *")
    check(lib.Carpool_Testany(len(requests), _array(requests), index, done, _IGNORED))
    return None if index[0] == MPI.UNDEFINED else index[0], bool(done[0])


def waitsome(requests: Sequence[Request]) -> list[int] | None:
    """The indices of those that have completed, at least one; None where none is active."""
    return _some(lib.Carpool_Waitsome, requests)


def testsome(requests: Sequence[Request]) -> list[int] | None:
    """The indices of those that have completed, also none; None where none is active."""
    return _some(lib.Carpool_Testsome, requests)


def _some(function, requests: Sequence[Request]) -> list[int] | None:
    number, indices = ffi.new("int *"), ffi.new("int[]", len(requests))
    statuses = _Statuses(len(requests))
    statuses.check(function(len(requests), _array(requests), number, indices, statuses.address))
    return None if number[0] == MPI.UNDEFINED else list(indices[0:number[0]])
