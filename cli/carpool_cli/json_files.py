"""Files of JSON that others have written, or nobody."""

import json
from pathlib import Path


class Unreadable(Exception):
    """A file that cannot be read; the text says why."""


def read(file, missing=None):
    """@param missing: what stands for a file that there is not, if that may be"""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        if missing is not None and isinstance(error, FileNotFoundError):
            return missing
        raise Unreadable(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise Unreadable(f"{file}: no JSON: {error}") from None
    except RecursionError:
        raise Unreadable(f"{file}: no JSON that can be read: nested too deep") from None
