# SPDX-License-Identifier: MIT
"""Compares the function step of two object files: C++ takes the instructions of C, up to where all is
well.

    compare.py OBJDUMP STEP_IN_C.o STEP_IN_CXX.o
"""

import re
import subprocess
import sys


def instructions(objdump, file):
    """From the entry to the first return; without the addresses that it jumps to and calls."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", "--disassemble=step", file],
                          check=True, capture_output=True, text=True).stdout
    found = []
    for line in text.splitlines():
        if match := re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*([^#<]*)", line):
            name, operands = match[1], match[2].strip()
            is_jump = name.startswith(("call", "j", "b")) or "rip" in operands
            found.append(name if is_jump else f"{name} {operands}".strip())
            if name.startswith("ret"):
                return found
    sys.exit(f"{file}: no function step that returns")


def main():
    objdump, in_c, in_cxx = sys.argv[1:]
    wanted, found = instructions(objdump, in_c), instructions(objdump, in_cxx)
    print(f"C: {len(wanted)} instructions, C++: {len(found)}")
    if len(found) > len(wanted):
        print("C:", *wanted, "C++:", *found, sep="\n  ")
        sys.exit(1)


if __name__ == "__main__":
    main()
