# SPDX-License-Identifier: MIT
"""What the templates say of MPI's functions for Fortran in unchanged programs. Those of Open MPI write
to the request of a nonblocking call with arrays as to one of its own, which none of Carpool's may be.
So Carpool takes these calls by their names in Fortran: all arguments come by address, and handles as
integers."""

from fortran import HANDLES, Declared


def passed(function):
    """The arguments in C, and what each is converted to."""
    for argument in map(Declared.of, function.arguments):
        name = argument.name
        kind = HANDLES.get(argument.type)
        if argument.is_buffer:
            yield f"void* {name}", f"address_of({name})"
        elif argument.type == "MPI_Request":
            yield f"MPI_Fint* {name}", f"&made_{name}"
        elif kind:
            yield f"const MPI_Fint* {name}", f"MPI_{kind}_f2c(*{name})"
        elif argument.is_array:
            yield f"const {argument.type}* {name}", name
        else:
            yield f"const {argument.type}* {name}", f"*{name}"


def has_arrays(function):
    return any("[]" in argument.declaration for argument in function.arguments)


def has_types(function):
    return any("MPI_Datatype" in a.declaration and "[]" in a.declaration for a in function.arguments)


def by_c_name(operation):
    """The functions that MPI's functions for Fortran may call in Carpool."""
    return [function for form in operation.forms.values() if form.name != "background"
            for function in form.functions if form.name != "nonblocking" or not has_arrays(function)]


def by_fortran_name(operations):
    """The other nonblocking ones, but for those whose arrays of datatypes would have to be kept."""
    functions = [operation.function("nonblocking") for operation in operations]
    return [f for f in functions if has_arrays(f) and not has_types(f)]


FILTERS = {"fortran_parameters": lambda f: ", ".join([p for p, _ in passed(f)] + ["MPI_Fint* ierror"]),
           "fortran_arguments": lambda f: ", ".join(c for _, c in passed(f)),
           "by_c_name": by_c_name, "by_fortran_name": by_fortran_name}
