# SPDX-License-Identifier: MIT
"""What the templates in templates/fortran say of a function: its interface in Fortran, and the entry
point in C behind that, which takes handles as Fortran's integers and buffers as descriptors."""

import re
from dataclasses import dataclass, replace

HANDLES = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Info": "Info", "MPI_Op": "Op",
           "MPI_Request": "Request"}
KINDS = {"int": "integer(c_int)", "MPI_Count": "integer(MPI_COUNT_KIND)",
         "MPI_Aint": "integer(MPI_ADDRESS_KIND)"}
OWN = {"Carpool_Request", "Carpool_Delivery", "Carpool_Ghosts"}

# Rooted operations, and which of their buffers other ranks than the root do not look at.
ONLY_AT_ROOT = {"gather": "recvbuf", "gatherv": "recvbuf", "scatter": "sendbuf",
                "scatterv": "sendbuf", "reduce": "recvbuf"}

# Arrays whose shapes are checked: those of offsets, and those with an element for each dimension, or of as
# many as another argument says.
OFFSETS = ("targetrelative", "relative_coordinates", "offsets", "stencil")
LISTS = {"dims": None, "periods": None, "relative": None, "lower": None, "upper": None, "radii": "n"}

COUNTS = ("count", "recvcount", "recvcounts")  # of a reduction
PEERS = ("outdegree", "destinations", "indegree", "sources")


@dataclass(frozen=True)
class Declared:
    """A declaration in C, taken apart: const, the type, stars, the name, brackets."""
    constant: bool
    type: str
    stars: str
    name: str
    is_array: bool

    @classmethod
    def of(cls, argument):
        found = re.fullmatch(r"(const )?(\w+) (\**)(\w+)(\[\])?", argument.declaration)
        if not found:
            raise ValueError(f"no Fortran for {argument.declaration}")
        constant, kind, stars, name, brackets = found.groups()
        return cls(bool(constant), kind, stars, name, bool(brackets) or name == "statuses"
                   or bool(re.search("weights?$", name)))

    @property
    def is_buffer(self):
        return self.type == "void" and self.stars == "*" and not self.is_opaque

    @property
    def is_opaque(self):
        """True for an address that is given on as it is."""
        return self.name == "stream"

    @property
    def has_shape(self):
        """True if it is passed as a descriptor, which has a shape to check."""
        return self.is_array and (self.name in OFFSETS or self.name in LISTS)

    @property
    def is_output(self):
        return bool(self.stars or self.is_array) and not self.constant


def folded(text, indent, width=98):
    """A statement on as many lines as it takes, broken behind commas."""
    lines, line = [], " " * indent
    for word in re.split(r"(?<=,) ", text):
        if len(line) + len(word) + 3 > width and line.strip():
            lines.append(line.rstrip() + " &")
            line = " " * (indent + 4)
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


def fortran_name(name):
    """Fortran, to which upper and lower case are one, has a type of that name."""
    return "host_request" if name == "mpi_request" else name


def fortran_type(one, form):
    """How it is declared in Fortran, but for its name."""
    if one.is_buffer:
        words = ["type(*)", "dimension(..)"]
        words += ["intent(in)"] if one.constant else []
        return ", ".join(words + (["asynchronous"] if form != "blocking" else []))
    if one.type == "void":
        return f"type(c_ptr), intent({'in' if one.is_opaque else 'out'})"
    if one.type == "char":
        return "character(kind=c_char), intent(in)"
    if one.type == "MPI_Status":
        return "type(MPI_Status)"
    intent = "out" if one.is_output else "in"
    if one.type in OWN and one.is_output and form is None and one.name != "bundle":
        intent = "inout"
    name = "C_plan" if one.type == "Carpool_Plan" else one.type
    words = [KINDS.get(one.type) or f"type({name})", f"intent({intent})"]
    return ", ".join(words + (["contiguous"] if one.has_shape else []))


def brackets(one):
    """Those behind its name."""
    if one.has_shape:
        return "(..)" if one.name in OFFSETS else "(:)"
    return "(*)" if one.is_array or one.type == "char" else ""


def fortran_declarations(arguments, form):
    """Those of one type in one statement."""
    names = {}
    for one in map(Declared.of, arguments):
        names.setdefault(fortran_type(one, form), []).append(fortran_name(one.name) + brackets(one))
    return [folded(f"{kind} :: {', '.join(those)}", 6) for kind, those in names.items()]


def public(names):
    """The statement that makes functions of these names public."""
    return folded(f"public :: {', '.join('Carpool_' + name for name in names)}", 2)


def takes_count(function):
    """True for the exchanges of ghosts, which have no variant of their own for an int count in C."""
    return any(argument.declaration == "MPI_Count count" for argument in function.arguments)


def form_of(function):
    """The form of an exchange of ghosts."""
    if function.name.endswith("_init"):
        return "persistent"
    return "nonblocking" if function.name.startswith("I") else "blocking"


def with_int_count(function):
    """The same for a count that is an int."""
    return replace(function, arguments=tuple(
        replace(argument, declaration=re.sub("^MPI_Count count$", "int count", argument.declaration))
        for argument in function.arguments))


def symbol(function):
    """The name of its entry point in C."""
    is_int = any(argument.declaration == "int count" for argument in function.arguments)
    is_exchange = "ghosts_" in function.name.lower()
    return f"Carpool_{function.name}{'_int' if is_int and is_exchange else ''}_f08ts"


def interface(function, name, form=None):
    """Its interface body."""
    arguments = ", ".join([fortran_name(argument.name) for argument in function.arguments] + ["ierror"])
    lines = [folded(f"subroutine {name}({arguments})", 4) + " &",
             f"        bind(C, name='{symbol(function)}')", "      import"]
    lines += fortran_declarations(function.arguments, form)
    lines += ["      integer(c_int), optional, intent(out) :: ierror", "    end subroutine"]
    return "\n".join(lines)


def c_parameter(argument):
    one = Declared.of(argument)
    if one.is_buffer or one.has_shape:
        return f"const CFI_cdesc_t *{one.name}"
    if one.type == "void":
        return f"void *const *{one.name}" if one.is_opaque else f"const void **{one.name}"
    kind = "MPI_Fint" if one.type in HANDLES or one.type == "MPI_Status" else one.type
    if one.is_output:
        return f"{kind} *{one.name}"
    return f"const {kind} {one.name + '[]' if one.is_array else '*' + one.name}"


def c_parameters(function):
    return ", ".join([c_parameter(argument) for argument in function.arguments] + ["int *ierror"])


class EntryPoint:
    """The statements of an entry point: what comes before the call, its arguments, what follows."""

    def __init__(self, function, operation=None):
        self.function, self.operation = function, operation
        self.all = [Declared.of(argument) for argument in function.arguments]
        self.before, self.after, self.choices = [], [], []
        self.checks = []  # calls that return an error code, before the call itself
        self.in_call = {}
        # buffers last: what they need must be there
        for one in self.all:
            if not one.is_buffer and not (one.type == "MPI_Datatype" and one.is_array):
                self.take(one)
        for place, one in enumerate(self.all):
            if one.is_buffer:
                self.take_buffer(one, self.all[place + 1:])

    @property
    def arguments(self):
        return ", ".join(self.in_call[one.name] for one in self.all)

    @property
    def comm(self):
        return next((self.in_call[one.name] for one in self.all
                     if one.type == "MPI_Comm" and not one.is_output), "MPI_COMM_NULL")

    def take(self, one):
        is_address = not one.is_opaque and (one.is_output or one.is_array or one.type in ("void", "char"))
        self.in_call[one.name] = one.name if is_address else f"*{one.name}"
        if one.type in HANDLES:
            self.take_handle(one, HANDLES[one.type])
        elif one.type == "MPI_Status":
            count = next((f"*{other.name}" for other in self.all
                          if other.name in ("count", "incount") and one.is_array), "1")
            self.before.append(f"Statuses c_{one.name}; statuses_of(&c_{one.name}, {one.name}, {count});")
            self.in_call[one.name] = f"c_{one.name}.c"
            self.after.append(f"end_statuses(&c_{one.name});")
        elif one.has_shape:
            self.in_call[one.name] = f"{one.name}->base_addr"
            self.check_shape(one)
        elif re.search("weights?$", one.name):
            way = "out" if one.is_output else "in"
            self.in_call[one.name] = f"weights_{way}({one.name})"

    def check_shape(self, one):
        """Adds a check of an array."""
        names = {other.name: other for other in self.all}
        head = f'"Carpool_{self.function.name}", {self.comm}, "{one.name}", {one.name}'
        d = "*d" if "d" in names else f"Carpool_f08_dimensions({self.comm})"
        if one.name in LISTS:
            n = LISTS[one.name]
            self.checks.append(f"check_list({head}, {f'*{n}' if n else d})")
            return
        if "d" in names and names["d"].is_output:
            self.checks.append("FROM_FORTRAN(Carpool_Stencil(text, 0, d, t, NULL))")  # finds d and t
            self.checks.append(f"check_offsets({head}, *d, *t < *maxoffsets ? *t : *maxoffsets)")
            return
        n = next(name for name in ("maxoffsets", "s", "t") if name in names)
        self.checks.append(f"check_offsets({head}, {d}, *{n})")

    def take_handle(self, one, name):
        c = f"c_{one.name}"
        self.in_call[one.name] = c
        if one.is_output:
            self.before.append(f"{one.type} {c} = {one.type.upper()}_NULL;")
            self.in_call[one.name] = f"&{c}"
            self.after.append(f"if (code == MPI_SUCCESS) *{one.name} = MPI_{name}_c2f({c});")
        else:
            self.before.append(f"const {one.type} {c} = MPI_{name}_f2c(*{one.name});")

    def take_buffer(self, one, following):
        name = f"c_{one.name}"
        self.choices.append(name)
        self.in_call[one.name] = f"{name}.address"
        made = self.made(one, following[:3])
        if condition := self.is_read(one):
            made = f"if ({condition}) {made} else as_given(&{name}, {one.name});"
        self.before.append(f"Choice {name}; {made}")
        if self.is_blocking:
            self.before.append(f"copy_instead(&{name}, {one.name}, {int(not one.constant)});")

    def is_read(self, one):
        """The condition on which this rank reads the buffer; None if it always does."""
        if ONLY_AT_ROOT.get(self.name_of_operation) == one.name:
            return f"is_read({one.name}, {self.comm}, *root)"
        if self.name_of_operation == "exscan" and one.name == "recvbuf":
            return f"is_read_in_exscan({one.name}, {self.comm}, &c_sendbuf)"
        return None

    def made(self, one, following):
        """The statement that makes the choice, from the arguments that describe the blocks."""
        if self.operation is None:  # a delivery, or a map of ghosts, knows the blocks
            return f'contiguous(&c_{one.name}, "{one.name}", {one.name});'
        if self.operation.reduces:
            count, datatype = (other for other in self.all if other.name in ("datatype", *COUNTS))
            return self.choice("summands", one, count, f".type = {self.in_call[datatype.name]}")
        count = following[0]
        datatype = next(other for other in following if other.type == "MPI_Datatype")
        if datatype.is_array:
            self.in_call[datatype.name] = f"c_{one.name}.types"
            return self.choice("typed_blocks", one, count, f".types = {datatype.name}",
                               f".displs = INTEGERS({following[1].name})")
        given = self.in_call[datatype.name]
        self.in_call[datatype.name] = f"c_{one.name}.type"
        if count.is_array:
            return self.choice("displaced_blocks", one, count, f".type = {given}",
                               f".displs = INTEGERS({following[1].name})")
        self.in_call[count.name] = ("(int)" if count.type == "int" else "") + f"c_{one.name}.count"
        maker = "one_block" if self.has_one_block(one) else "equal_blocks"
        return self.choice(maker, one, count, f".type = {given}")

    def choice(self, maker, one, count, *others):
        """The call of a function of choice.h with the blocks."""
        counts = f"{'INTEGERS' if count.is_array else 'INTEGER'}({count.name})"
        fields = [f'.name = "{one.name}"', f".buffer = {one.name}", f".peers = {{{self.peers(one)}}}",
                  f".counts = {counts}", *others]
        return f"{maker}(&c_{one.name}, &(Blocks){{{', '.join(fields)}}});"

    def has_one_block(self, one):
        """True if it is a buffer with a single block, not one for each rank or neighbor."""
        operation = self.name_of_operation
        if "scatter" in operation:
            return one.name == "recvbuf"
        return one.name == "buffer" or self.operation.reduces or "gather" in operation and one.name == "sendbuf"

    def peers(self, one):
        """Those of a buffer's blocks."""
        outgoing = one.name == "sendbuf"
        operation = self.name_of_operation
        if operation.startswith("sparse_"):
            degree, ranks = PEERS[:2] if outgoing else PEERS[2:]
            return f".kind = each_listed, .listed = *{degree}, .list = {ranks}, .comm = {self.comm}"
        if operation.startswith("neighbor_"):
            kind = "any_neighbor" if self.has_one_block(one) else "each_neighbor"
            return f".kind = {kind}, .comm = {self.comm}, .direction = {'outgoing' if outgoing else 'incoming'}"
        kind = "anyone" if self.has_one_block(one) else "each_rank"
        if operation.startswith("reduce_scatter") and not outgoing:
            own = "anyone" if operation.endswith("block") else "own_rank"
            kind = f"is_in_place(&c_sendbuf) ? each_rank : {own}"
        return f".kind = {kind}, .comm = {self.comm}"

    @property
    def is_blocking(self):
        return bool(self.operation) and self.function in self.operation.forms["blocking"].functions

    @property
    def name_of_operation(self):
        return self.operation.full_name if self.operation else ""


def entry_point(function, operation=None):
    """Its definition."""
    point = EntryPoint(function, operation)
    lines = [f"void {symbol(function)}({c_parameters(function)}) {{", *point.before]
    call = f"FROM_FORTRAN(Carpool_{function.name}({point.arguments}))"
    checks = list(point.checks)
    if point.choices:
        mistakes = "".join(f", &{name}" for name in point.choices)
        checks.append(f'refused{len(point.choices)}("Carpool_{function.name}", {point.comm}{mistakes})')
    first, *others = [*checks, call]
    lines.append(f"{'int' if others else 'const int'} code = {first};")
    lines += [f"if (code == MPI_SUCCESS) code = {other};" for other in others]
    lines += [f"end_choice(&{name});" for name in point.choices]
    lines += [*point.after, "if (ierror != NULL) *ierror = code;", "}"]
    return "\n".join(lines)
