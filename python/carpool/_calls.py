"""The forms in which an operation is called."""

from mpi4py import MPI

from carpool._arguments import Arguments
from carpool._library import check, ffi, handle, lib
from carpool.requests import Call, Request
from carpool.settings import Settings, info_of


def blocking(function: str, arguments: Arguments) -> None:
    check(getattr(lib, f"Carpool_{function}")(*arguments.c, handle(arguments.comm)))


def nonblocking(function: str, arguments: Arguments) -> Call:
    call = Call(kept=arguments.kept)
    check(getattr(lib, f"Carpool_{function}")(*arguments.c, handle(arguments.comm),
                                              MPI._addressof(call)))
    return call


def persistent(function: str, arguments: Arguments, settings: Settings) -> Request:
    made = ffi.new("Carpool_Request *")
    with info_of(settings) as info:
        check(getattr(lib, f"Carpool_{function}")(*arguments.c, handle(arguments.comm),
                                                  handle(info), made))
    return Request(made, arguments.kept, arguments.question)
