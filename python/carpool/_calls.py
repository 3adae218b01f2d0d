# SPDX-License-Identifier: MIT
"""Calls the C function of an operation, in each of its forms."""

from mpi4py import MPI

from carpool._arguments import Arguments
from carpool._library import check, ffi, handle, lib
from carpool.requests import Call, Request
from carpool.settings import Settings, info_of
from carpool.streams import stream_for_call


def call(function: str, arguments: Arguments, *others) -> None:
    """Calls C even if an argument is wrong, so that the other ranks get an error from C."""
    comm = [] if arguments.comm is None else [handle(arguments.comm)]
    code = getattr(lib, f"Carpool_{function}")(*arguments.c, *comm, *others)
    mistake, arguments.mistake = arguments.mistake, None
    if mistake:
        try:
            raise mistake
        finally:
            del mistake  # its traceback would keep the buffers, and the mistake itself
    check(code)


def blocking(function: str, arguments: Arguments) -> None:
    _on_stream(function, arguments)


def nonblocking(function: str, arguments: Arguments) -> Call:
    made = Call(kept=arguments.kept)
    _on_stream(function, arguments, MPI._addressof(made))
    return made


def _on_stream(function: str, arguments: Arguments, *others) -> None:
    """Calls C with the stream of the arrays, if they tell one."""
    if arguments.stream is None:
        call(function, arguments, *others)
    else:
        comm = arguments.owner if arguments.comm is None else arguments.comm
        with stream_for_call(comm, arguments.stream):
            call(function, arguments, *others)


def persistent(function: str, arguments: Arguments, settings: Settings) -> Request:
    request = Request(ffi.new("Carpool_Request *"), arguments.kept, arguments.question)
    with info_of(settings) as info:
        call(function, arguments, handle(info), request._made)
    request._take_stream(arguments.stream)
    return request
