# SPDX-License-Identifier: MIT
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


# What each operation does, for the docstring of its blocking form.
BLOCK_I = "Sends block i of sendbuf to {0} i, and receives block i of recvbuf from {1} i."
DOES = {
    "neighbor_alltoall": BLOCK_I.format("target", "source"),
    "neighbor_alltoallv": "Like alltoall, with blocks of different sizes.",
    "neighbor_alltoallw": "Like alltoall, with a datatype for each block.",
    "neighbor_allgather": "Sends sendbuf to all targets, and receives block i of recvbuf from source i.",
    "neighbor_allgatherv": "Like allgather, with received blocks of different sizes.",
    "neighbor_allgatherw": "Like allgather, with a datatype for each received block.",
    "neighbor_reduce": "Sends sendbuf to all targets, and reduces the blocks of all sources into recvbuf.",
    "neighbor_reduce_scatter_block":
        "Sends block i of sendbuf to target i, and reduces the blocks of all sources into recvbuf.",
    "barrier": "Waits until all ranks have called it.",
    "bcast": "Sends buffer of the root to buffer of all other ranks.",
    "gather": "Sends sendbuf of every rank to the root, which receives block i of recvbuf from rank i.",
    "gatherv": "Like gather, with received blocks of different sizes.",
    "scatter": "Sends block i of sendbuf of the root to recvbuf of rank i.",
    "scatterv": "Like scatter, with sent blocks of different sizes.",
    "allgather": "Sends sendbuf to all ranks, and receives block i of recvbuf from rank i.",
    "allgatherv": "Like allgather, with received blocks of different sizes.",
    "alltoall": BLOCK_I.format("rank", "rank"),
    "alltoallv": "Like alltoall, with blocks of different sizes.",
    "alltoallw": "Like alltoall, with a datatype for each block.",
    "reduce": "Reduces sendbuf of all ranks into recvbuf of the root.",
    "allreduce": "Reduces sendbuf of all ranks into recvbuf of every rank.",
    "reduce_scatter_block":
        "Reduces sendbuf of all ranks, and gives block i of the result to recvbuf of rank i.",
    "reduce_scatter": "Like reduce_scatter_block; block i has recvcounts[i] elements.",
    "scan": "Reduces sendbuf of the ranks up to this one into recvbuf.",
    "exscan": "Reduces sendbuf of the ranks before this one into recvbuf. Rank 0 keeps its recvbuf.",
    "sparse_alltoallv":
        "Sends block i of sendbuf to destinations[i], and receives block i of recvbuf from sources[i].",
}

RING = """\
>>> with carpool.Neighborhood(comm, offsets=[[1], [-1]]) as ring:
...     ring.{0}
>>> came.tolist()
{1}"""

# Examples for the operations that are used most.
EXAMPLES = {
    "neighbor_alltoall":
        ">>> came = np.zeros(2)\n" + RING.format("alltoall(np.array([1.0, 2.0]), came)", "[1.0, 2.0]"),
    "neighbor_alltoallv":
        ">>> came = np.zeros(3)\n"
        + RING.format("alltoallv([np.arange(3.0), [1, 2]], [came, [1, 2]])", "[0.0, 1.0, 2.0]"),
    "neighbor_alltoallw":
        ">>> came, division = np.zeros(2), ([1, 1], [0, 8], [MPI.DOUBLE, MPI.DOUBLE])\n"
        + RING.format("alltoallw([np.ones(2), *division], [came, *division])", "[1.0, 1.0]"),
    "neighbor_allgather":
        ">>> came = np.zeros(2)\n" + RING.format("allgather(np.array([7.0]), came)", "[7.0, 7.0]"),
    "bcast": """\
>>> came = np.array([5.0 if comm.rank == 0 else 0.0])
>>> carpool.bcast(comm, came)
>>> came.tolist()
[5.0]""",
    "allgather": """\
>>> came = np.zeros(comm.size, dtype=int)
>>> carpool.allgather(comm, np.array([comm.rank]), came)
>>> came.tolist() == list(range(comm.size))
True""",
    "alltoall": """\
>>> came = np.zeros(comm.size, dtype=int)
>>> carpool.alltoall(comm, np.full(comm.size, comm.rank), came)
>>> came.tolist() == list(range(comm.size))
True""",
    "allreduce": """\
>>> total = np.zeros(1)
>>> carpool.allreduce(comm, np.ones(1), total)
>>> bool(total[0] == comm.size)
True""",
    "sparse_alltoallv": """\
>>> right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
>>> came = np.zeros(3)
>>> carpool.sparse_alltoallv(comm, [right], [np.ones(3), [3]], [left], [came, [3]])
>>> came.tolist()
[1.0, 1.0, 1.0]""",
}


def docstring(operation, form, name):
    """The lines of the docstring, without indentation."""
    if form.name == "nonblocking":
        return [f"The nonblocking form of {name[1:]}. Returns a request of MPI."]
    if form.name == "persistent":
        return [f"The persistent form of {name.removesuffix('_init')}: plans it, and returns a request."]
    if form.name == "background":
        return [f"Like {name[1:]}, but returns at once and plans in the background."]
    source = "MPI" if operation.in_mpi else "Carpool"
    lines = [DOES[operation.full_name], "",
             f"The function is {source}_{operation.full_name.capitalize()}. Collective."]
    if operation.full_name in EXAMPLES:
        example = EXAMPLES[operation.full_name].split("\n")
        lines += ["", "Example:", "", *(f"    {line}" for line in example)]
    return lines


def quoted(lines):
    """A docstring in a body, on one line or several."""
    if len(lines) == 1:
        return [f'    """{lines[0]}"""']
    first, *rest = lines
    return [f'    """{first}', *(f"    {line}".rstrip() for line in rest), '    """']


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
    head = f"def {name}({', '.join([first, *own, *settings])}) -> {RESULTS[form.name]}:"
    body = (f"    {'' if form.name == 'blocking' else 'return '}"
            f'{call}("{form.functions[-1].name}", {reads}{read})'
            f"{', settings' if is_init else ''})")
    return "\n".join([wrapped(head), *quoted(docstring(operation, form, name)), wrapped(body)])


def wrapped(line, width=96, margin=None):
    """Breaks what is too long behind a comma, as far to the right as can be."""
    if len(line) <= width:
        return line
    at = line.rindex(", ", 0, width) + 1
    margin = margin or line.index("(") + 1
    return line[:at] + "\n" + wrapped(" " * margin + line[at + 1:], width, margin)


FILTERS = {"prototype": prototype, "definition": definition, "exported": exported}
