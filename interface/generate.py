#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the files that follow from functions.toml; README.md says which.

    interface/generate.py           rewrites them
    interface/generate.py --check   rewrites none, prints those that would change, fails if any does

templates/PATH.jinja becomes PATH, laid out by clang-format, which is looked for beside this python;
Fortran and Python are left as they are.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import jinja2

import fortran
import fortran_calls
import interposed_fortran
import kernel
import on_device
import python_calls

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TEMPLATES = HERE / "templates"
CLANG_FORMAT = Path(sys.executable).with_name("clang-format")


@dataclass(frozen=True)
class Argument:
    """One declaration in C, such as `const int counts[]`."""
    declaration: str

    @property
    def name(self):
        return re.search(r"(\w+)(\[\])?$", self.declaration)[1]

    @property
    def depends_on_count(self):
        return bool(re.search(r"\b(Count|Displacement)\b", self.declaration))

    def of(self, count, displacement):
        declaration = re.sub(r"\bCount\b", count, self.declaration)
        return Argument(re.sub(r"\bDisplacement\b", displacement, declaration))

    def renamed(self, new_names):
        return Argument(re.sub(r"\w+(?=(\[\])?$)", lambda name: new_names.get(name[0], name[0]),
                               self.declaration))


def parameters(arguments):
    return ", ".join(argument.declaration for argument in arguments) or "void"


def names(arguments):
    return ", ".join(argument.name for argument in arguments)


def renamed(arguments, new_names):
    """The same with other names: a function's own, for arguments of another."""
    return [argument.renamed(new_names) for argument in arguments]


def in_mpi(arguments):
    """The arguments of MPI's own function: a persistent request is an MPI_Request."""
    return [Argument(re.sub("^Carpool_Request ", "MPI_Request ", argument.declaration))
            for argument in arguments]


@dataclass(frozen=True)
class Function:
    """A public function in C; name is without the prefix Carpool_."""
    name: str
    arguments: tuple
    is_large: bool = False


@dataclass(frozen=True)
class Operation:
    """What several functions do, each in one form; name is without the prefix of its family."""
    name: str
    full_name: str
    arguments: tuple
    in_mpi: bool
    forms: dict  # by name
    words: tuple  # the names of its argument lists, as the table has them

    @property
    def functions(self):
        return [function for form in self.forms.values() for function in form.functions]

    @property
    def reduces(self):
        return any(argument.declaration.startswith("MPI_Op ") for argument in self.arguments)

    def function(self, form, is_large=False):
        """The one with large counts if it is asked for and there is one."""
        return self.forms[form].functions[-1 if is_large else 0]


@dataclass(frozen=True)
class Form:
    """One form of an operation."""
    name: str
    extra: tuple  # the arguments that follow those of the operation
    functions: tuple  # the one with int counts, and the one with large counts if there is one


def words_of(text):
    return tuple(word.strip() for word in text.split(",") if word.strip())


class Table:
    """functions.toml, with its abbreviations written out."""

    def __init__(self, path):
        table = tomllib.loads(path.read_text())
        self._named = table["arguments"]
        self._forms = table["forms"]
        self.functions = self._plain(table["functions"])
        self.functions_not_in_fortran = self._plain(table["functions_not_in_fortran"])
        self.mpi_requests = self._plain(table["mpi_requests"])
        self.mpi_topologies = self._plain(table["mpi_topologies"])
        self.families = {name: self._family(family) for name, family in table["families"].items()}

    def all_functions(self):
        yield from self.functions.values()
        yield from self.functions_not_in_fortran.values()
        for family in self.families.values():
            for operation in family.values():
                yield from operation.functions

    def mpi_operations(self):
        """Those that MPI has, too; neighborhood collectives come first."""
        return [operation for family in ("neighborhood", "collectives")
                for operation in self.families[family].values() if operation.in_mpi]

    def _plain(self, functions):
        return {name: Function(name, self._arguments(arguments))
                for name, arguments in functions.items()}

    def _arguments(self, text):
        lists = (word if " " in word else self._named[word] for word in words_of(text))
        return tuple(Argument(one.strip()) for many in lists for one in many.split(","))

    def _family(self, family):
        operations = {}
        for name, entry in family["operations"].items():
            entry = {"arguments": entry} if isinstance(entry, str) else entry
            operations[name] = self._operation(family["prefix"] + name, name, {**family, **entry})
        return operations

    def _operation(self, full_name, name, entry):
        arguments = self._arguments(entry["arguments"])
        forms = {form: self._form(form, full_name, arguments) for form in entry["forms"]}
        return Operation(name, full_name, arguments, entry.get("in_mpi", True), forms,
                         words_of(entry["arguments"]))

    def _form(self, form, operation, arguments):
        name = self._forms[form]["name"].format(
            operation=operation, Operation=operation.capitalize())
        extra = self._arguments(self._forms[form]["arguments"])
        whole = arguments + extra
        kinds = [(name, "int", "int", False)]
        if any(argument.depends_on_count for argument in whole):
            kinds.append((name + "_c", "MPI_Count", "MPI_Aint", True))
        return Form(form, extra, tuple(
            Function(n, tuple(argument.of(count, displacement) for argument in whole), large)
            for n, count, displacement, large in kinds))


def note(template, path):
    lines = "SPDX-License-Identifier: MIT", f"Generated by make generate from interface/{template.relative_to(HERE)}."
    frames = {".h": "/* {} */", ".c": "/* {} */", ".py": "# {}", ".f90": "! {}"}
    return "".join(frames.get(path.suffix, "// {}").format(line) + "\n" for line in lines)


def formatted(text, path):
    if path.suffix in (".f90", ".py"):
        return text
    run = subprocess.run([CLANG_FORMAT, f"--assume-filename={path}"], input=text, text=True,
                         cwd=ROOT, capture_output=True)
    if run.returncode != 0:
        sys.exit(f"generate: clang-format refuses {path}: {run.stderr}")
    return run.stdout


def generated(table):
    """Path and text of every file."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True)
    environment.filters |= {"parameters": parameters, "names": names, "renamed": renamed, "in_mpi": in_mpi,
                            "lookup": lambda key, table: table[key]}
    environment.filters |= {"interface": fortran.interface, "public": fortran.public,
                            "entry_point": fortran.entry_point,
                            "with_int_count": fortran.with_int_count, "form": fortran.form_of}
    environment.tests |= {"with_count": fortran.takes_count}
    environment.filters |= fortran_calls.FILTERS
    environment.filters |= python_calls.FILTERS
    environment.filters |= interposed_fortran.FILTERS
    environment.filters |= on_device.FILTERS
    environment.globals |= {"families": table.families, "functions": table.functions,
                            "functions_not_in_fortran": table.functions_not_in_fortran,
                            "mpi_operations": table.mpi_operations(),
                            "mpi_requests": table.mpi_requests,
                            "mpi_topologies": table.mpi_topologies}
    for template in sorted(TEMPLATES.rglob("*.jinja")):
        path = ROOT / template.relative_to(TEMPLATES).with_suffix("")
        text = environment.get_template(str(template.relative_to(HERE))).render()
        yield path, formatted(note(template, path) + text, path)
    yield from kernel.generated(ROOT)


def check_declared(table, files):
    """Fails if a header's template has left out a function."""
    headers = "".join(text for path, text in files if path.suffix == ".h")
    missing = [function.name for function in table.all_functions()
               if f"int Carpool_{function.name}(" not in headers]
    if missing:
        sys.exit(f"generate: no template declares {', '.join(missing)}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="only look")
    check = options.parse_args().check
    table = Table(HERE / "functions.toml")
    files = list(generated(table))
    check_declared(table, files)
    stale = [(path, text) for path, text in files
             if not path.exists() or path.read_text() != text]
    for path, text in stale:
        print(f"{path.relative_to(ROOT)}: " + ("not as generated" if check else "written"))
        if not check:
            path.write_text(text)
    if check and stale:
        sys.exit("generate: run `make generate`, and change templates or the table, not these files")


if __name__ == "__main__":
    main()
