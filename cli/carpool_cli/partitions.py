# SPDX-License-Identifier: MIT
"""Rows dealt to ranks by METIS, so that few values have to be sent."""

import numpy as np
import pymetis
from scipy.sparse import csr_array


def parts(pattern, ranks):
    """The part of each row. METIS wants each edge in both directions, and none from a row to itself."""
    others = pattern.needing != pattern.needed
    ends = pattern.needing[others], pattern.needed[others]
    entries = csr_array((np.ones(len(ends[0]), bool), ends), shape=(pattern.rows, pattern.columns))
    both = csr_array(entries + entries.T)
    _, found = pymetis.part_graph(ranks, pymetis.CSRAdjacency(both.indptr, both.indices))
    return np.asarray(found, np.int64)
