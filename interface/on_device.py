# SPDX-License-Identifier: MIT
"""How the tests' functions that put buffers on the device pass arguments on."""

import re


def _passed(argument):
    declaration = argument.declaration
    if re.match(r"const Carpool_Halo \*halo$", declaration):
        return "MovedHalo(halo)"
    if re.match(r"(const )?void \*\w+$", declaration):
        return f"moved({argument.name})"
    if re.match(r"const void \*const \w+\[\]$", declaration):
        return f"MovedLists<const void *>(fields, {argument.name})"
    if re.match(r"void \*const \w+\[\]$", declaration):
        return f"MovedLists<void *>(fields, {argument.name})"
    return argument.name


def on_device(arguments):
    return ", ".join(_passed(argument) for argument in arguments)


def takes_values(arguments):
    """Whether a function takes the values of ghosts."""
    return any("ghost_values" in argument.declaration for argument in arguments)


FILTERS = {"on_device": on_device, "takes_values": takes_values}
