# SPDX-License-Identifier: MIT
"""What the template of the test of all sections says of a function: a call in Fortran with arguments
that have one name in all calls, and what is known of its buffers."""

from fortran import ONLY_AT_ROOT, Declared, EntryPoint, folded


def argument(one, function, operation):
    """An argument of the call."""
    large = "large_" if one.type in ("MPI_Count", "MPI_Aint") else ""
    if one.is_buffer:
        return "sendbuf" if one.name == "sendbuf" else "recvbuf"
    if one.name.endswith("displs"):
        in_bytes = any("types[]" in other.declaration for other in function.arguments)
        return large + ("bytes" if in_bytes else "displs")
    if "count" in one.name:
        return f"{large}counts" + ("" if one.is_array else "(1)")
    if one.type == "MPI_Datatype":
        return "types" + ("" if one.is_array else "(1)")
    if one.type == "MPI_Comm":
        return "neighbors" if operation.full_name.startswith("neighbor_") else "MPI_COMM_WORLD"
    return "MPI_SUM" if one.type == "MPI_Op" else one.name


def call(function, operation):
    """The statement, which sets code."""
    given = [argument(Declared.of(each), function, operation) for each in function.arguments]
    return folded(f"call Carpool_{function.name.removesuffix('_c')}({', '.join([*given, 'code'])})", 4)


def side(function, operation, form, name):
    """A buffer as the test describes it: its blocks, whether a section is taken, and who reads it."""
    point = EntryPoint(function, operation)
    buffers = [one for one in point.all if one.is_buffer]
    one = next((one for one in buffers if one.name in (name, "buffer")), None)
    if one is None or (one.name == "buffer" and name == "sendbuf"):
        return "side('', 0, .true., all_read)"
    has_types = f"c_{one.name}.types" in point.in_call.values()
    taken = form == "blocking" or not (operation.reduces or has_types)
    return f"side('{one.name}', {number(point, one)}, .{str(taken).lower()}., {readers(operation, one)})"


def readers(operation, one):
    """The ranks on which the buffer is significant."""
    if ONLY_AT_ROOT.get(operation.full_name) == one.name:
        return "root_reads"
    return "first_does_not" if (operation.full_name, one.name) == ("exscan", "recvbuf") else "all_read"


def number(point, one):
    """The number of blocks."""
    if point.has_one_block(one):
        return "1"
    return "ranks" if "each_rank" in point.peers(one) else "degree"


FILTERS = {"fortran_call": call, "fortran_side": side}
