# SPDX-License-Identifier: MIT
"""Parsers of arguments for commands that need no third-party package."""

import argparse

from carpool_cli.printable import complaint


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{complaint(message)}\n")
