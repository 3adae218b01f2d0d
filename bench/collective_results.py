"""What a run found about the ordinary collectives, and whether it meets the goals."""

import math
from dataclasses import dataclass

FORMS = ("Carpool", "host blocking", "host nonblocking", "host persistent")
PERSISTENT = "host persistent"

# The goals are about latency: blocks up to so many bytes.
SMALL = 4096
MEAN_GAIN, LEAST_GAIN, MOST_STARTS = 1.3, 0.95, 5


def form(case, name):
    return next(form for form in case["forms"] if form["name"] == name)


def median(case, name, what="seconds"):
    """Of one form's seconds of start and wait, start, wait, test, first_init, later_init, overlap."""
    values = form(case, name)[what]
    return values and values["median"]


def gain(case, over=PERSISTENT):
    """Of Carpool: `of_medians`, and quartiles within repetitions."""
    return form(case, "Carpool")["gain"][over]


def starts_per_init(case, name="Carpool", what="later_init"):
    """How many starts, with their waits, an init costs."""
    return median(case, name, what) / median(case, name)


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


def is_below(case, least):
    """Not by chance: three quarters of the repetitions agree."""
    return gain(case)["of_medians"] < least and gain(case)["third"] < least


@dataclass
class Goal:
    text: str
    found: str
    met: bool


def mean_goal(cases):
    mean = geometric_mean(geometric_mean(gain(case)["of_medians"] for case in some)
                          for some in by_collective(cases).values())
    return Goal(f"host's persistent form / Carpool, geometric mean at least {MEAN_GAIN}",
                f"{mean:.2f}", mean >= MEAN_GAIN)


def least_goal(cases):
    worst = min(cases, key=lambda case: gain(case)["of_medians"])
    below = [case for case in cases if gain(case)["of_medians"] < LEAST_GAIN]
    clear = [case for case in below if is_below(case, LEAST_GAIN)]
    return Goal(f"none below {LEAST_GAIN}",
                f"{gain(worst)['of_medians']:.2f} ({name_of(worst)}); {len(below)} of {len(cases)} "
                f"below, {len(clear)} in three quarters of the repetitions", not below)


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
    return [mean_goal(cases), least_goal(cases), init_goal(cases)] if cases else []


def collective_row(name, cases):
    """Name, gains over the three forms of the host, slowest case, starts per init."""
    worst = min(cases, key=lambda case: gain(case)["of_medians"])
    means = [geometric_mean(gain(case, over)["of_medians"] for case in cases)
             for over in ("host persistent", "host nonblocking", "host blocking")]
    slowest = f"{gain(worst)['of_medians']:.2f}: {worst['ranks']} ranks, {worst['bytes']} B"
    host = geometric_mean(starts_per_init(case, PERSISTENT) for case in cases)
    return [name, *(f"{mean:.2f}" for mean in means), slowest,
            f"{geometric_mean(map(starts_per_init, cases)):.1f}", f"{host:.1f}"]


HEADINGS = ["collective", "over persistent", "over nonblocking", "over blocking", "slowest case",
            "init / start", "host's init / start"]


def summary_rows(result):
    """One row per collective over all cases up to SMALL."""
    return [collective_row(name, cases)
            for name, cases in by_collective(small(result["collectives"])).items()]
