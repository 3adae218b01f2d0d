# SPDX-License-Identifier: MIT
"""Matrices in Matrix Market's form."""

import io
import re

import numpy as np
from scipy.io import mmread
from scipy.sparse import coo_array

from carpool_cli import files, patterns

MOST_SIZE = 1 << 40  # of rows, which times ranks are numbers of 64 bits
NO_NUMBER = re.compile(rb"\S{60}")
PIECE = 30  # any 60 characters without a space contain a whole piece
SPACES = bytes(byte in b" \t\n\r\f\v" for byte in range(256))


def pattern(file, content, given):
    check(file, content)
    try:
        matrix = mmread(io.BytesIO(content + b"\n"))  # else it may read beyond the last line
        return patterns.of_matrix(coo_array(matrix))
    except (ValueError, OverflowError, TypeError, EOFError) as error:
        raise files.Unreadable(f"{file} is no Matrix Market file: {error}") from None
    except MemoryError:
        raise files.Unreadable(f"{file}: too large for the memory of this machine") from None


def check(file, content):
    """Refuses what scipy 1.17 would crash on, or ask for more memory than there is."""
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise files.mistake_in(file, line, "a zero byte, expected text")
    banner, number, words, body = beginning(content)
    if banner[:2] != ["%%matrixmarket", "matrix"] or len(banner) < 5:
        raise files.Unreadable(f"{file} is no Matrix Market file: line 1, expected a banner such as "
                               "%%MatrixMarket matrix coordinate real general")
    if len(words) != numbers_of(banner) or not all(map(is_size, words)):
        raise files.mistake_in(file, number, f"'{' '.join(words[:4])}', expected the numbers of rows and "
                               f"columns{' and entries' if numbers_of(banner) == 3 else ''}")
    sizes = [int(word) for word in words]
    if banner[4] != "general" and sizes[0] != sizes[1]:
        raise files.mistake_in(file, number, f"{sizes[0]} by {sizes[1]}, expected a square matrix, since "
                               f"it is {banner[4]}")
    entries = sizes[2] if numbers_of(banner) == 3 else sizes[0] * sizes[1] / 2
    if entries > len(content):  # of which each takes some characters
        raise files.mistake_in(file, number, f"{' by '.join(words[:2])} with {entries:,.0f} entries, more than "
                               f"the file of {len(content):,} bytes can have")
    check_entries(file, number, banner, sizes, body)


def check_entries(file, number, banner, sizes, body):
    """An array has one number per line. No number is longer than 60 characters."""
    if found := may_have_no_number(body) and NO_NUMBER.search(body):
        line = number + 1 + body.count(b"\n", 0, found.start())
        raise files.mistake_in(file, line, f"'{found[0][:20].decode(errors='replace')}…', expected a number")
    if numbers_of(banner) == 2:
        rows, columns = sizes
        below = {"general": rows * columns, "skew-symmetric": rows * (rows - 1) // 2}
        lines = [len(line.split()) for line in body.splitlines() if line.strip() and not line.startswith(b"%")]
        count, width = below.get(banner[4], rows * (rows + 1) // 2), 2 if banner[3] == "complex" else 1
        if lines != [width] * count:
            raise files.mistake_in(file, number, f"{' by '.join(map(str, sizes))}, expected {count} lines of "
                                   f"{width} numbers below")


def may_have_no_number(body):
    """Is there a piece without a space? Far faster than to search."""
    spaces = np.frombuffer(body.translate(SPACES), bool)
    pieces = spaces[:len(spaces) // PIECE * PIECE].reshape(-1, PIECE)
    return not pieces.any(axis=1).all()


def is_size(word):
    return word.isascii() and word.isdigit() and len(word) < 14 and int(word) <= MOST_SIZE


def numbers_of(banner):
    return 2 if banner[2] == "array" else 3


def beginning(content):
    """The words of the banner; the line of the sizes, and its words; and the rest."""
    banner, stream = [], io.BytesIO(content)
    for number, line in enumerate(stream, start=1):
        words = line.decode("utf-8", "replace").split()
        if number == 1:
            banner = [word.lower() for word in words]
        elif words and not words[0].startswith("%"):
            return banner, number, words, content[stream.tell():]
    return banner, 1, [], b""
