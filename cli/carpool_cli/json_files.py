# SPDX-License-Identifier: MIT
"""Files of JSON that others have written, or nobody."""

import json

from carpool_cli import files


def read(file, missing=None):
    """@param missing: what stands for a file that there is not, if that may be"""
    try:
        return json.loads(files.text(file))
    except files.Missing:
        if missing is None:
            raise
        return missing
    except ValueError as error:
        raise files.Unreadable(f"{file}: no JSON: {error}") from None
    except RecursionError:
        raise files.Unreadable(f"{file}: no JSON that can be read: nested too deep") from None
