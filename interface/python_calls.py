"""How the table's operations are called from Python; templates/python/ is made by it."""

import re

# What each kind of argument is in Python; all others follow from a buffer or the communicator.
PARAMETERS = {
    "send": "sendbuf: Blocks", "recv": "recvbuf: Blocks",
    "send_v": "sendbuf: Pieces", "recv_v": "recvbuf: Pieces",
    "send_displs": "sendbuf: Pieces", "recv_displs": "recvbuf: Pieces",
    "send_w": "sendbuf: Typed", "recv_w": "recvbuf: Typed",
    "send_bytes": "sendbuf: Typed", "recv_bytes": "recvbuf: Typed",
    "void *buffer": "buffer: Blocks", "buffers": "sendbuf: Blocks, recvbuf: Blocks",
    "scattered_v": "recvcounts: Sequence[int]",
    "op": "op: MPI.Op = MPI.SUM", "root": "root: int = 0",
    "destinations": "destinations: Sequence[int]",
    "sources": "sources: Sequence[int]",
}
RESULTS = {"blocking": "None", "nonblocking": "Call", "persistent": "Request",
           "background": "Request"}


def prototype(function):
    """That of C, with integers for pointers to what Python knows by its address."""
    declarations = ", ".join(argument.declaration for argument in function.arguments)
    return f"int Carpool_{function.name}(" + re.sub(
        r"(const )?\b(void|MPI_(Comm|Request|Status)) \*(?!\*)", "uintptr_t ", declarations) + ");"


def parameters(operation):
    declared = [PARAMETERS[word] for word in operation.words if word in PARAMETERS]
    return ", ".join(one for many in declared for one in many.split(", "))


def names(operation):
    return ", ".join(one.split(":")[0] for one in parameters(operation).split(", "))


def name_of(form, prefix):
    """neighbor_alltoall of MPI is a method alltoall."""
    return form.functions[0].name.lower().replace(prefix, "")


def sentence(operation, form, name):
    if form.name == "nonblocking":
        return f"{name[1:]} that returns at once, with a request of MPI."
    if form.name == "persistent":
        return f"{name.removesuffix('_init')} that is planned once and started often."
    if form.name == "background":
        return f"{name[1:]} that returns at once and plans in the background."
    source = "MPI" if operation.in_mpi else "Carpool"
    return f"{source}_{operation.full_name.capitalize()}; buffers as mpi4py takes them."


def exported(operation):
    names = [f'"{name_of(form, "")}"' for form in operation.forms.values()]
    return ",\n    ".join([", ".join(names[:2]), ", ".join(names[2:])])


def definition(operation, form, first, prefix, reads):
    """A function that calls one form: `first` is its first parameter, `reads` what reads the others."""
    name = name_of(form, prefix)
    is_init = "info" in [argument.name for argument in form.extra]
    settings = ["**settings: Unpack[Settings]"] if is_init else []
    own = [parameters(operation)] if parameters(operation) else []
    read = ", ".join([f'"{operation.full_name}"', *([names(operation)] if own else [])])
    call = "persistent" if is_init else form.name
    lines = [f"def {name}({', '.join([first, *own, *settings])}) -> {RESULTS[form.name]}:",
             f'    """{sentence(operation, form, name)}"""',
             f"    {'' if form.name == 'blocking' else 'return '}"
             f'{call}("{form.functions[-1].name}", {reads}{read})'
             f"{', settings' if is_init else ''})"]
    return "\n".join(wrapped(line) for line in lines)


def wrapped(line, width=96, margin=None):
    """Breaks what is too long behind a comma, as far to the right as can be."""
    if len(line) <= width:
        return line
    at = line.rindex(", ", 0, width) + 1
    margin = margin or line.index("(") + 1
    return line[:at] + "\n" + wrapped(" " * margin + line[at + 1:], width, margin)


FILTERS = {"prototype": prototype, "definition": definition, "exported": exported}
