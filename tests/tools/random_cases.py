# SPDX-License-Identifier: MIT
"""Random cases: CARPOOL_RANDOM_CASES of them, from CARPOOL_SEED on; by default a few, always the same."""

import os
import random
import sys

MANY = os.environ.get("CARPOOL_RANDOM_CASES")
SEED = int(os.environ.get("CARPOOL_SEED", "0")) or (random.SystemRandom().randrange(1, 2**31) if MANY else 1)


def each_case(few, check):
    """Calls the check with a generator for each case, and returns their number. @param few: that by default"""
    count = int(MANY or few)
    for seed in range(SEED, SEED + count):
        try:
            check(random.Random(seed))
        except BaseException:
            print(f"CARPOOL_SEED={seed} CARPOOL_RANDOM_CASES=1", file=sys.stderr)
            raise
    return count
