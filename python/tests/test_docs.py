"""The examples of pages do what they say."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "least"), [("python.md", 20), ("tutorial/halo.md", 8)])
def test_examples_do_what_they_say(page, least):
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert tried > least and failed == 0
