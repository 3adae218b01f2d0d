"""Files of JSON that others have written, or nobody."""

import json

from carpool_cli import files


def read(file, missing=None):
    """@param missing: what stands for a file that there is not, if that may be"""
    if missing is not None and not files.is_there(file):
        return missing
    text = files.text(file)
    try:
        return json.loads(text)
    except ValueError as error:
        raise files.Unreadable(f"{file}: no JSON: {error}") from None
    except RecursionError:
        raise files.Unreadable(f"{file}: no JSON that can be read: nested too deep") from None
