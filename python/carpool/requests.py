# SPDX-License-Identifier: MIT
"""Persistent requests, and the requests of nonblocking calls.

A request keeps its buffers alive. If it is dropped while it is active, the exchange goes on, and
the buffers stay until it has completed.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Unpack

from mpi4py import MPI

from carpool._library import check, ffi, handle, lib, refused_as
from carpool.plans import Plan, plan_by
from carpool.settings import Settings, info_of
from carpool.streams import Stream, number

_ignored = MPI.Status()
_IGNORED = MPI._addressof(_ignored)  # for statuses that nobody reads
_NULL = ffi.NULL

# Looked up in advance, because cffi takes a lock for it, which may be held when Python collects
# garbage.
_test, _free, _FLAG = lib.Carpool_Test, lib.Carpool_Request_free, ffi.typeof("int *")

# Requests that were dropped while active: for each a function that returns whether it has
# completed, and the objects that it keeps until then. MPI may still write to its buffers when
# Python ends, so the list outlives Python.
_dropped: list[tuple[Callable[[], bool], Any]] = []
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_dropped))


def sweep() -> None:
    """Releases the dropped requests that have completed."""
    if _dropped:
        _dropped[:] = [one for one in _dropped if not one[0]()]


def _completed_call(request: MPI.Request) -> bool:
    try:
        return request.Test()
    except MPI.Exception:
        return True


def _freed(made, call: MPI.Request | None) -> bool:
    """Frees a request if it is not active. `call` is the request of MPI to which it may belong."""
    if call is not None and not _completed_call(call):
        return False
    done = ffi.new(_FLAG)
    if _test(made, done, _IGNORED) == 0 and not done[0]:
        return False
    _free(made)
    return True


class Call(MPI.Request):
    """The request of a nonblocking call: an MPI.Request that keeps the buffers of the call
    alive."""

    def __new__(cls, kept: Any = None):
        return super().__new__(cls)

    def __init__(self, kept: Any = None):
        self._kept = kept

    def __del__(self):
        if self and not MPI.Is_finalized():
            request = MPI.Request(self)
            _dropped.append((lambda: _completed_call(request), self._kept))


class Request:
    """A persistent request: an exchange that is planned once and started any number of times.

    Functions whose names end in _init make requests. A request keeps its buffers alive. `with`
    frees it at the end.

    Example:

        >>> total = np.zeros(1)
        >>> with carpool.allreduce_init(comm, np.ones(1), total) as request:
        ...     for step in range(3):
        ...         request.start().wait()
        >>> bool(total[0] == comm.size)
        True
    """

    _made = (_NULL, )  # the place of the C handle; null until there is one
    _call: "Call | None" = None
    _stream: Stream = None

    def __init__(self, made, kept: Any, question: tuple[str, ...] = ()):
        sweep()
        self._made = made
        self._kept = kept
        self._question = question

    def start(self) -> "Request":
        """Starts the exchange, and returns the request. The buffers belong to it until it
        completes.

        Example:

            >>> request = carpool.barrier_init(comm)
            >>> request.start().wait()
        """
        check(lib.Carpool_Start(self._made))
        return self

    def wait(self) -> None:
        """Waits until the exchange has completed; returns at once if the request is not active.

        Example:

            >>> request = carpool.barrier_init(comm)
            >>> request.start().wait()
        """
        check(lib.Carpool_Wait(self._made, _IGNORED))

    def test(self) -> bool:
        """True if the exchange has completed, or the request is not active. Does not wait."""
        done = ffi.new("int *")
        check(lib.Carpool_Test(self._made, done, _IGNORED))
        return bool(done[0])

    def free(self) -> None:
        """Frees the request. Local. An active request is an error. Does nothing after
        MPI_Finalize."""
        if not MPI.Is_finalized():
            check(lib.Carpool_Request_free(self._made))
            self._kept = None

    def set_stream(self, stream: Stream) -> None:
        """Sets the stream on which later starts pack and unpack buffers in memory of a GPU. Local. An
        active request is an error.

        Before that it is the stream that the arrays told when the request was made (cupy), else that
        of the communicator (carpool.set_stream).

        Example:

            >>> request = carpool.barrier_init(comm)
            >>> request.set_stream(None)
        """
        check(lib.Carpool_Request_set_stream(self._made[0], number(stream)))
        self._stream = stream

    def _take_stream(self, stream: int | None) -> None:
        """Takes the stream of the arrays, if they tell one."""
        if stream is not None:
            self.set_stream(stream)

    def as_call(self) -> Call:
        """An MPI.Request for a request that has been started, so that MPI.Request.Waitall and the
        like can wait for it among other requests.

        Example:

            >>> request = carpool.barrier_init(comm)
            >>> MPI.Request.Waitall([request.start().as_call()])
            True
        """
        self._call = Call(kept=self)
        check(lib.Carpool_Request_get_mpi(self._made[0], MPI._addressof(self._call)))
        return self._call

    @property
    def plan(self) -> Plan:
        """The plan of the request. Local.

        Example:

            >>> with carpool.Neighborhood(comm, offsets="moore 2 1", algorithm="cartesian") as grid:
            ...     grid.alltoall_init(np.ones(8), np.zeros(8)).plan.algorithm
            'cartesian'
        """
        return plan_by(lib.Carpool_Request_get_plan, self._made[0], question=self._question)

    def __enter__(self) -> "Request":
        return self

    def __exit__(self, *error) -> None:
        if self and error[0] is None:
            self.free()

    def __bool__(self) -> bool:
        """False once the request is freed, and after MPI_Finalize."""
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
    """One request of several, whose messages are combined. Each start of it starts all of them.

    Collective over comm. All ranks give the same requests in the same order, inactive ones on comm
    or on a communicator with the same ranks in the same order. The requests may be dropped before
    the bundle.

    Example:

        >>> totals = np.zeros(1), np.zeros(1)
        >>> sums = [carpool.allreduce_init(comm, np.ones(1), total) for total in totals]
        >>> with carpool.bundle_init(comm, sums) as bundle:
        ...     bundle.start().wait()
    """
    made = ffi.new("Carpool_Request *")
    nothing = -1, _NULL, handle(comm), handle(MPI.INFO_NULL), made
    with refused_as(lib.Carpool_Bundle_init, *nothing):
        array = _array(requests)
        stream = _one_stream(requests)
    with info_of(settings) as info:
        check(lib.Carpool_Bundle_init(len(array), array, handle(comm), handle(info), made))
    bundle = Request(made, [request._kept for request in requests])
    bundle._take_stream(stream)
    return bundle


def _one_stream(requests: Sequence[Request]) -> Stream:
    """The stream of those requests that have one of their own."""
    numbers = {number(request._stream) for request in requests if request._stream is not None}
    if len(numbers) > 1:
        raise ValueError(f"requests have the streams {sorted(numbers)}, expected one")
    return numbers.pop() if numbers else None


class _Statuses:
    """The statuses of a call on several requests, which are read only if it has failed."""

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
    """Starts all requests."""
    check(lib.Carpool_Startall(len(requests), _array(requests)))


def waitall(requests: Sequence[Request]) -> None:
    """Waits until all requests that are active have completed.

    Example:

        >>> requests = [carpool.barrier_init(comm) for _ in range(2)]
        >>> carpool.startall(requests)
        >>> carpool.waitall(requests)
    """
    statuses = _Statuses(len(requests))
    statuses.check(lib.Carpool_Waitall(len(requests), _array(requests), statuses.address))


def testall(requests: Sequence[Request]) -> bool:
    """True if all requests that are active have completed. Does not wait."""
    statuses, done = _Statuses(len(requests)), ffi.new("int *")
    statuses.check(lib.Carpool_Testall(len(requests), _array(requests), done, statuses.address))
    return bool(done[0])


def waitany(requests: Sequence[Request]) -> int | None:
    """Waits until a request has completed, and returns its index; None if none is active."""
    index = ffi.new("int *")
    check(lib.Carpool_Waitany(len(requests), _array(requests), index, _IGNORED))
    return None if index[0] == MPI.UNDEFINED else index[0]


def testany(requests: Sequence[Request]) -> tuple[int | None, bool]:
    """The index of a request that has completed, and True; (None, True) if none is active, and
    (None, False) if none has completed. Does not wait."""
    index, done = ffi.new("int *"), ffi.new("int *")
    check(lib.Carpool_Testany(len(requests), _array(requests), index, done, _IGNORED))
    return None if index[0] == MPI.UNDEFINED else index[0], bool(done[0])


def waitsome(requests: Sequence[Request]) -> list[int] | None:
    """Waits until at least one request has completed, and returns the indices of all that have;
    None if none is active."""
    return _some(lib.Carpool_Waitsome, requests)


def testsome(requests: Sequence[Request]) -> list[int] | None:
    """The indices of the requests that have completed, possibly none; None if none is active. Does
    not wait."""
    return _some(lib.Carpool_Testsome, requests)


def _some(function, requests: Sequence[Request]) -> list[int] | None:
    number, indices = ffi.new("int *"), ffi.new("int[]", len(requests))
    statuses = _Statuses(len(requests))
    statuses.check(function(len(requests), _array(requests), number, indices, statuses.address))
    return None if number[0] == MPI.UNDEFINED else list(indices[0:number[0]])
