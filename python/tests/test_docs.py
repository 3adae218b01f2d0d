"""The examples of docs/python.md do what they say."""

import doctest
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_do_what_they_say():
    failed, tried = doctest.testfile(str(DOCS), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20 and failed == 0
