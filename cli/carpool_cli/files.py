# SPDX-License-Identifier: MIT
"""The files that users name. They are opened here, and whatever goes wrong with one is an error of
the command's own. Needs no third-party package."""

import bz2
import codecs
import gzip
import io
import os
import sys
import zlib

MOST_BYTES = 1 << 32  # of one file, unpacked
PIECE = 1 << 20

# What packed files begin with, and what opens them.
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open}
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
STANDARD_INPUT = "-"


class Unreadable(Exception):
    """A file that cannot be read; the text says which one and why."""


class Missing(Unreadable):
    """A file that is not there."""


def mistake_in(file, line, what):
    return Unreadable(f"{file} line {line}: {what}")


def is_there(name):
    """Is it the name of a file, or -?"""
    return name == STANDARD_INPUT or os.path.exists(name)


def content(file):
    """All bytes, unpacked."""
    try:
        with opened(file) as stream:
            return unpacked(file, stream)
    except (EOFError, zlib.error) as error:
        raise Unreadable(f"{file}: a packed file that ends too soon or is damaged: {error}") from None
    except FileNotFoundError as error:
        raise Missing(f"{file}: {error.strerror}") from None
    except OSError as error:
        raise Unreadable(f"{file}: {error.strerror or error}") from None
    except ValueError as error:  # of a name with a zero byte
        raise Unreadable(f"{file}: {error}") from None
    except MemoryError:
        raise Unreadable(f"{file}: too large for the memory of this machine") from None


def opened(file):
    if str(file) == STANDARD_INPUT:
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    return open(file, "rb")


def unpacked(file, stream):
    start = stream.peek(max(map(len, PACKED)))
    unpack = next((unpack for magic, unpack in PACKED.items() if start.startswith(magic)), None)
    if unpack is None:
        return pieces_of(file, stream)
    with unpack(stream) as unpacking:
        return pieces_of(file, unpacking)


def pieces_of(file, stream):
    pieces, size = [], 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise Unreadable(f"{file}: more than 4 GiB, expected at most 4 GiB")
    return b"".join(pieces)


def decoded(file, found, errors="strict"):
    """The text of bytes: in UTF-8, unless they begin with another mark."""
    encoding = next((name for mark, name in MARKS.items() if found.startswith(mark)), "utf-8")
    try:
        return found.decode(encoding, errors)
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        raise mistake_in(file, line, f"no text in {encoding}: {error.reason}") from None


def without_mark(file, found):
    """Bytes that begin with a mark of an encoding in UTF-8, without it; others as they are."""
    return decoded(file, found).encode() if found.startswith(tuple(MARKS)) else found


def text(file, errors="strict"):
    return decoded(file, content(file), errors)


def numbered_lines(found):
    """The lines of a text as editors count them, each with its number."""
    return enumerate(io.StringIO(found, newline=None), start=1)
