# SPDX-License-Identifier: MIT
"""The check of words passes what is right and finds each fault that it claims to find."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="the check asks git for files")

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_words"
WITHOUT_GIT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
DESIGN = "# Design\n\n## Glossary\n\n| word | meaning |\n|---|---|\n| slot | a place |\n"


def check(root, files):
    for name, text in {"DESIGN.md": DESIGN, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, env=WITHOUT_GIT, check=True)
    return subprocess.run([sys.executable, CHECK], cwd=root, env=WITHOUT_GIT, capture_output=True,
                          text=True, check=False)


@pytest.mark.parametrize("text", [
    "struct Mailbox {};\n", "/// The mailbox of an endpoint.\nint estimate;\n",
    "/// A sentence that\n/// Of course goes on.\nint x;\n", "struct Outer;\nstruct Other {};\n"])
def test_correct_input_passes(tmp_path, text):
    result = check(tmp_path, {"src/base/one.hpp": text, "src/base/two.hpp": "struct Outer {};\n"})
    assert (result.returncode, result.stdout) == (0, "words: as the field has them\n")


@pytest.mark.parametrize(("files", "fault"), [
    ({"src/a.hpp": "int mates;\n"}, "src/a.hpp:1: 'mates' is now: endpoint"),
    ({"src/a.cpp": "class NoticeBoard {};\n"}, "is now: multicast ring"),
    ({"docs/a.md": "A rank reads its waybill.\n"}, "docs/a.md:1: 'waybill' is now"),
    ({"src/a.hpp": "/// Of a rank.\nint x;\n"}, "src/a.hpp:1: a comment begins with 'Of'"),
    ({"src/a.hpp": "struct A {};\n", "src/b.hpp": "class A final {};\n"}, "A is declared in"),
    ({"DESIGN.md": DESIGN + "| a | b |\n" * 25}, "the glossary has 26 rows"),
    ({"DESIGN.md": DESIGN + "| a, b | c |\n"}, "a row of the glossary has several words: a, b"),
    ({"DESIGN.md": "# Design\n"}, "the glossary has 0 rows")])
def test_each_fault_is_found(tmp_path, files, fault):
    result = check(tmp_path, files)
    assert result.returncode == 1
    assert fault in result.stdout
