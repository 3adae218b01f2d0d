# SPDX-License-Identifier: MIT
"""What the template of src/interpose's Fortran functions says of an operation: Open MPI's functions
for Fortran take all arguments by address, and handles as integers."""

from fortran import HANDLES, Declared

FORMS = ("blocking", "nonblocking")


def passed(function):
    """The arguments in C, and what each is converted to."""
    for argument in map(Declared.of, function.arguments):
        name = argument.name
        kind = HANDLES.get(argument.type)
        if argument.is_buffer:
            yield f"void* {name}", f"address_of({name})"
        elif argument.type == "MPI_Request":
            yield f"MPI_Fint* {name}", f"&made_{name}"
        elif kind and argument.is_array:
            yield f"const MPI_Fint* {name}", f"c_{name}.data()"
        elif kind:
            yield f"const MPI_Fint* {name}", f"MPI_{kind}_f2c(*{name})"
        elif argument.is_array:
            yield f"const {argument.type}* {name}", name
        else:
            yield f"const {argument.type}* {name}", f"*{name}"


def has_types(function):
    return any("MPI_Datatype" in a.declaration and "[]" in a.declaration for a in function.arguments)


def functions(operation):
    """Those that are taken. The arrays of datatypes of a nonblocking call would have to be kept."""
    for form in FORMS:
        function = operation.function(form)
        if form == "blocking" or not has_types(function):
            yield form, function


FILTERS = {"fortran_parameters": lambda f: ", ".join([p for p, _ in passed(f)] + ["MPI_Fint* ierror"]),
           "fortran_arguments": lambda f: ", ".join(c for _, c in passed(f)),
           "fortran_functions": lambda operation: list(functions(operation)),
           "has_types": has_types}
