# SPDX-License-Identifier: MIT
"""The packages that the command needs and Python may lack."""

import importlib
import sys

PACKAGES = ("click", "matplotlib", "rich", "scipy")  # of all commands and options together


def is_missing(package):
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        return True
    return False


def pip_install(missed):
    """What brings the package that was missed, and at once all others that are missing."""
    missing = {missed.partition(".")[0], *filter(is_missing, PACKAGES)}
    return f"pip install {' '.join(sorted(missing))}"


def advice(missed):
    return f"carpool: {sys.executable} lacks packages; try: {pip_install(missed)}"
