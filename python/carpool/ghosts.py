# SPDX-License-Identifier: MIT
"""Exchanges by index, for sparse matrices, unstructured meshes and graphs."""

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from mpi4py import MPI
from numpy.typing import ArrayLike

from carpool._arguments import Arguments
from carpool._calls import blocking, nonblocking, persistent
from carpool._ghost_arrays import KnownArrays
from carpool._ghost_values import REFUSED, REFUSED_FIELDS, field, fields_for_c
from carpool._integers import integers
from carpool._library import check, ffi, handle, lib, refused_as
from carpool.requests import Call, Request
from carpool.settings import Settings, info_of

_free = lib.Carpool_Ghosts_free  # looked up beforehand, as in requests.py
_update, _reduce = lib.Carpool_Ghosts_update, lib.Carpool_Ghosts_reduce

# An array with the values of the owned entries and then of the ghosts; a tuple of these two arrays;
# a list of such fields, which share messages.
Values = Any


def _counts(numbers):
    return ffi.from_buffer("MPI_Count[]", integers(numbers, np.int64).reshape(-1))


class Ghosts:
    """A map of ghosts: copies of entries that other ranks own.

    Each rank owns entries, numbered from 0. The map knows the owner of each ghost, and finds out who
    has ghosts of this rank's entries. Collective over comm. `with` frees the map; requests that were
    made with it remain valid.

    owners    for each ghost the rank that owns the entry
    indices   for each ghost the index of the entry on its owner
    owned     the number of entries that this rank owns
    settings  defaults of the exchanges, such as algorithm="node"

    The values of an exchange are an array of the owned entries and then the ghosts, or a tuple
    (owned_values, ghost_values) of two arrays. Their first dimension counts entries; all others are
    the components of an entry. A list of these are several fields, which share messages. Arrays may
    lie on a GPU (cupy, torch, numba).

    Example:

        >>> right = (comm.rank + 1) % comm.size
        >>> ghosts = carpool.Ghosts(comm, owners=[right], indices=[0], owned=2)
        >>> x = np.array([comm.rank, -1, 0])
        >>> ghosts.update(x)
        >>> bool(x[2] == right)
        True
    """

    _made = (ffi.NULL, )  # the place of the C handle; null until there is one

    def __init__(self, comm: MPI.Intracomm, owners: ArrayLike, indices: ArrayLike, *, owned: int,
                 **settings: Unpack[Settings]):
        made = ffi.new("Carpool_Ghosts *")
        create = lib.Carpool_Ghosts_create
        nothing = -1, -1, ffi.NULL, ffi.NULL, handle(MPI.INFO_NULL), made
        with refused_as(create, handle(comm), *nothing):
            given = int(integers(owned, np.int64)), *_listed(owners, indices)
        with info_of(settings) as info:
            check(create(handle(comm), *given, handle(info), made))
        self._take(comm, made)

    @classmethod
    def of_ranges(cls, comm: MPI.Intracomm, ranges: Sequence[int] | np.ndarray, numbers: ArrayLike,
                  **settings: Unpack[Settings]) -> "Ghosts":
        """A map from global numbers: rank r owns the entries ranges[r] to ranges[r + 1] - 1, and
        numbers has the global number of each ghost. Collective over comm.

        Example:

            >>> ranges = 2 * np.arange(comm.size + 1)
            >>> ghosts = carpool.Ghosts.of_ranges(comm, ranges, [0, 2 * comm.size - 1])
            >>> ghosts.owned, ghosts.size
            (2, 2)
        """
        made = ffi.new("Carpool_Ghosts *")
        create = lib.Carpool_Ghosts_create_ranges
        nothing = ffi.NULL, -1, ffi.NULL, handle(MPI.INFO_NULL), made
        with refused_as(create, handle(comm), *nothing):
            bounds, ghosts = _ranges(ranges, comm.size), _counts(numbers)
        with info_of(settings) as info:
            check(create(handle(comm), _counts(bounds), len(ghosts), ghosts, handle(info), made))
        self = cls.__new__(cls)
        self._take(comm, made)
        return self

    def _take(self, comm: MPI.Intracomm, made) -> None:
        self._made = made
        self.comm = comm
        self._rank = comm.rank  # comm may be freed before this object
        owned, ghosts = ffi.new("MPI_Count *"), ffi.new("MPI_Count *")
        targets, sources = ffi.new("int *"), ffi.new("int *")
        check(lib.Carpool_Ghosts_get(made[0], owned, ghosts, targets, sources))
        self.owned = owned[0]
        self.size = ghosts[0]
        self._targets, self._sources = targets[0], sources[0]
        self._updated = KnownArrays(self.owned, is_reduction=False)
        self._reduced = KnownArrays(self.owned, is_reduction=True)

    @property
    def targets(self) -> dict[int, np.ndarray]:
        """The ranks that have ghosts of this rank's entries, with the indices of these. Local."""
        return self._neighbors(lib.Carpool_Ghosts_get_target, self._targets)

    @property
    def sources(self) -> dict[int, np.ndarray]:
        """The ranks that own this rank's ghosts, with the positions of these. Local."""
        return self._neighbors(lib.Carpool_Ghosts_get_source, self._sources)

    def _neighbors(self, get, number: int) -> dict[int, np.ndarray]:
        rank, count = ffi.new("int *"), ffi.new("MPI_Count *")
        found = {}
        for index in range(number):
            check(get(self._made[0], index, rank, count, 0, ffi.NULL))
            indices = np.zeros(count[0], dtype=np.int64)
            check(get(self._made[0], index, rank, count, len(indices), _counts(indices)))
            found[rank[0]] = indices
        return found

    def update(self, values: Values) -> None:
        """Gives every ghost the value of its entry. Collective.

        Example:

            >>> ghosts = carpool.Ghosts(comm, owners=[0, 0], indices=[1, 0], owned=2)
            >>> x, copies = np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros((2, 2))
            >>> ghosts.update((x, copies))
            >>> copies.tolist()
            [[3.0, 4.0], [1.0, 2.0]]
        """
        if known := self._updated.arguments(values):
            check(_update(*known, self._made[0]))
        else:
            blocking(_named(values, "Ghosts_update", "Ghosts_update_fields"),
                     self._read(values))

    def iupdate(self, values: Values) -> Call:
        """The nonblocking form of update. Returns a request of MPI."""
        return nonblocking(_named(values, "Ighosts_update", "Ighosts_update_fields"),
                           self._read(values))

    def update_init(self, values: Values, **settings: Unpack[Settings]) -> Request:
        """The persistent form of update: plans it, and returns a request."""
        return persistent(_named(values, "Ghosts_update_init", "Ghosts_update_fields_init"),
                          self._read(values), settings)

    def reduce(self, values: Values, op: MPI.Op = MPI.SUM) -> None:
        """Combines the value of each entry with those of all its ghosts. The ghosts keep their
        values. Collective.

        Example:

            >>> ghosts = carpool.Ghosts(comm, owners=[0], indices=[0], owned=1)
            >>> y = np.array([0.0, 1.0])
            >>> ghosts.reduce(y)
            >>> bool(y[0] == (comm.size if comm.rank == 0 else 0))
            True
        """
        if known := self._reduced.arguments(values):
            check(_reduce(*known, handle(op), self._made[0]))
        else:
            blocking(_named(values, "Ghosts_reduce", "Ghosts_reduce_fields"),
                     self._read(values, op))

    def ireduce(self, values: Values, op: MPI.Op = MPI.SUM) -> Call:
        """The nonblocking form of reduce. Returns a request of MPI."""
        return nonblocking(_named(values, "Ighosts_reduce", "Ighosts_reduce_fields"),
                           self._read(values, op))

    def reduce_init(self, values: Values, op: MPI.Op = MPI.SUM,
                    **settings: Unpack[Settings]) -> Request:
        """The persistent form of reduce: plans it, and returns a request."""
        return persistent(_named(values, "Ghosts_reduce_init", "Ghosts_reduce_fields_init"),
                          self._read(values, op), settings)

    def _read(self, values: Values, *op) -> Arguments:
        """The arguments of an exchange, which is a reduction if there is an operator."""
        arguments = Arguments(None, owner=self.comm)
        is_list = isinstance(values, list)
        try:
            ops = [handle(one) for one in op]
            fields = [field(one, self.owned, self.size, is_reduction=bool(op))
                      for one in (values if is_list else [values])]
            kept = [op, *(side.owner for one in fields for side in (one.source, one.target))]
            arguments.take((fields_for_c(fields) if is_list else fields[0].for_c(), kept))
            if not is_list:
                (self._reduced if op else self._updated).add(values, fields[0])
        except Exception as mistake:
            ops = [handle(MPI.OP_NULL)] * len(op)
            arguments.refuse(mistake, REFUSED_FIELDS if is_list else REFUSED)
        arguments.c += [*ops, self._made[0]]
        return arguments

    def free(self) -> None:
        """Frees the map. Local; does nothing after MPI_Finalize."""
        if not MPI.Is_finalized():
            check(lib.Carpool_Ghosts_free(self._made))

    def __enter__(self) -> "Ghosts":
        return self

    def __exit__(self, *error) -> None:
        if self._made[0] != ffi.NULL and error[0] is None:
            self.free()

    def __repr__(self) -> str:
        return f"<Ghosts: {self.owned} entries and {self.size} ghosts of rank {self._rank}>"

    def __del__(self):
        if self._made[0] != ffi.NULL and not MPI.Is_finalized():
            _free(self._made)


def _named(values: Values, of_one: str, of_several: str) -> str:
    """The function of C for one field, or that for several."""
    return of_several if isinstance(values, list) else of_one


def _listed(owners, indices):
    """The number of ghosts, their owners and their indices."""
    ranks, places = integers(owners).reshape(-1), integers(indices, np.int64).reshape(-1)
    if len(ranks) != len(places):
        raise ValueError(f"{len(ranks)} owners and {len(places)} indices, expected one of each for "
                         "every ghost")
    return len(ranks), ffi.from_buffer("int[]", ranks), _counts(places)


def _ranges(given, ranks: int) -> np.ndarray:
    found = integers(given, np.int64)
    if found.shape != (ranks + 1, ):
        raise ValueError(f"ranges of shape {found.shape}, expected {ranks + 1}: one more than there "
                         "are ranks")
    return found


def ghosts_of(matrix, ranges: Sequence[int] | np.ndarray, comm: MPI.Intracomm = MPI.COMM_WORLD,
              **settings: Unpack[Settings]) -> tuple[Ghosts, Any]:
    """The ghosts of x for a product y = A x, and this rank's rows of A with the columns numbered as
    the entries of x: owned ones first, then ghosts.

    Collective over comm. The rows that are returned share their values with matrix.

    matrix    this rank's rows of A as a sparse matrix of scipy, with global numbers of columns
    ranges    rank r owns the entries ranges[r] to ranges[r + 1] - 1 of x
    settings  as of Ghosts

    Example:

        >>> from scipy.sparse import csr_array
        >>> n, right = comm.size, (comm.rank + 1) % comm.size
        >>> row = csr_array(([2.0, -1.0], [comm.rank, right], [0, 2]), shape=(1, n))
        >>> ghosts, local = carpool.ghosts_of(row, np.arange(n + 1), comm)
        >>> x = np.ones(ghosts.owned + ghosts.size)
        >>> ghosts.update(x)
        >>> (local @ x).tolist()
        [1.0]
    """
    nothing = ffi.NULL, -1, ffi.NULL, handle(MPI.INFO_NULL), ffi.new("Carpool_Ghosts *")
    with refused_as(lib.Carpool_Ghosts_create_ranges, handle(comm), *nothing):
        rows = _csr(matrix)
        bounds = _ranges(ranges, comm.size)
        first, last = bounds[comm.rank:comm.rank + 2]
        columns = rows.indices[:rows.nnz]
        is_own = (first <= columns) & (columns < last)
        numbers = np.unique(columns[~is_own])
        entries = np.where(is_own, columns - first,
                           last - first + np.searchsorted(numbers, columns))
    ghosts = Ghosts.of_ranges(comm, bounds, numbers, **settings)
    return ghosts, type(rows)((rows.data[:rows.nnz], entries, rows.indptr),
                              shape=(rows.shape[0], ghosts.owned + ghosts.size))


def _csr(matrix):
    if not hasattr(matrix, "tocsr"):
        raise TypeError(f"matrix is of type {type(matrix).__name__}, expected a sparse matrix of "
                        "scipy")
    return matrix.tocsr()
