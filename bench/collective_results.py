# SPDX-License-Identifier: MIT
"""What a run found about the ordinary collectives, and whether it meets the goals."""

import math
from dataclasses import dataclass

FORMS = ("Carpool", "host blocking", "host nonblocking", "host persistent")
PERSISTENT = "host persistent"

# The goals are about latency: blocks up to so many bytes.
SMALL = 4096
MEAN_GAIN, LEAST_GAIN, MOST_STARTS = 1.3, 0.95, 5

# Both times of a start and its wait, and their names.
WAYS = (("of_medians", "slowest rank"), ("of_spans", "from the first rank's start on"))


def form(case, name):
    return next(form for form in case["forms"] if form["name"] == name)


def median(case, name, what="seconds"):
    """Of one form: its seconds (start and wait), span, start, wait, test, an init, or overlap."""
    values = form(case, name)[what]
    return values and values["median"]


def gain(case, over=PERSISTENT):
    """Of Carpool: `of_medians`, and quartiles within repetitions."""
    return form(case, "Carpool")["gain"][over]


def starts_per_init(case, name="Carpool", what="later_init"):
    """How many starts an init costs, each from the first rank's start to the last wait's end."""
    return median(case, name, what) / median(case, name, "span")


def name_of(case):
    size = "" if case["collective"] == "barrier" else f" {case['bytes']} B"
    return f"{case['collective']}{size} on {case['ranks']} ranks"


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def by_collective(cases):
    """Cases per collective, in the order in which they were run."""
    return {name: [case for case in cases if case["collective"] == name]
            for name in dict.fromkeys(case["collective"] for case in cases)}


def small(cases):
    return [case for case in cases if case["bytes"] <= SMALL]


@dataclass
class Goal:
    text: str
    found: str
    met: bool


def mean_goal(cases, what, words):
    mean = geometric_mean(geometric_mean(gain(case)[what] for case in some)
                          for some in by_collective(cases).values())
    return Goal(f"host's persistent form / Carpool, {words}: geometric mean at least {MEAN_GAIN}",
                f"{mean:.2f}", mean >= MEAN_GAIN)


def least_goal(cases, what, words):
    worst = min(cases, key=lambda case: gain(case)[what])
    below = [case for case in cases if gain(case)[what] < LEAST_GAIN]
    return Goal(f"the same, none below {LEAST_GAIN}",
                f"{gain(worst)[what]:.2f} ({name_of(worst)}); {len(below)} of {len(cases)} below"
                + clearly(below, what), not below)


def clearly(below, what):
    """Of how many three quarters of the repetitions agree; spans are not paired."""
    if what != "of_medians":
        return ""
    return f", {sum(gain(case)['third'] < LEAST_GAIN for case in below)} of them beyond the spread"


def init_goal(cases):
    worst = max(cases, key=starts_per_init)
    mean = geometric_mean(map(starts_per_init, cases))
    above = sum(starts_per_init(case) > MOST_STARTS for case in cases)
    first = geometric_mean(starts_per_init(case, what="first_init") for case in cases)
    return Goal(f"an init costs at most {MOST_STARTS} starts",
                f"{starts_per_init(worst):.1f} ({name_of(worst)}); {above} of {len(cases)} above; "
                f"mean {mean:.1f}, of the first on a communicator {first:.1f}", not above)


def goals(result):
    cases = small(result["collectives"])
    gains = [goal(cases, *way) for way in WAYS for goal in (mean_goal, least_goal)]
    return [*gains, init_goal(cases)]


def collective_row(name, cases):
    """As HEADINGS say; gains and inits are geometric means."""
    worst = min(cases, key=lambda case: gain(case)["of_medians"])
    means = [geometric_mean(gain(case, over)["of_medians"] for case in cases)
             for over in ("host persistent", "host nonblocking", "host blocking")]
    span = geometric_mean(gain(case)["of_spans"] for case in cases)
    slowest = f"{gain(worst)['of_medians']:.2f}: {worst['ranks']} ranks, {worst['bytes']} B"
    host = geometric_mean(starts_per_init(case, PERSISTENT) for case in cases)
    return [name, f"{means[0]:.2f}", f"{span:.2f}", *(f"{mean:.2f}" for mean in means[1:]), slowest,
            f"{geometric_mean(map(starts_per_init, cases)):.1f}", f"{host:.2f}"]


HEADINGS = ["collective", "over persistent", "the same, spans", "over nonblocking", "over blocking",
            "slowest case", "init / start", "host's init / start"]


def summary_rows(result):
    """One row per collective over all cases up to SMALL."""
    return [collective_row(name, cases)
            for name, cases in by_collective(small(result["collectives"])).items()]
