"""Parsers of arguments for commands that need no third-party package."""

import argparse


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"carpool: {message}\n")
