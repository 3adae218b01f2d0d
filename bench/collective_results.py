# SPDX-License-Identifier: MIT
"""What a run found about the ordinary collectives."""

from statistics import geometric_mean

FORMS = ("Carpool", "host blocking", "host nonblocking", "host persistent")
PERSISTENT = "host persistent"

# The summary is about latency: blocks up to so many bytes.
SMALL = 4096
SLOWER = 0.95  # a gain below this counts as slower


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


def by_collective(cases):
    """Cases per collective, in the order in which they were run."""
    return {name: [case for case in cases if case["collective"] == name]
            for name in dict.fromkeys(case["collective"] for case in cases)}


def small(cases):
    return [case for case in cases if case["bytes"] <= SMALL]


def mean_gain(cases, what):
    """Each collective counts as much as another."""
    return geometric_mean(geometric_mean(gain(case)[what] for case in some) for some in by_collective(cases).values())


def facts(result):
    """What is said of all cases up to SMALL together: (what, found)."""
    cases = small(result["collectives"])
    worst = min(cases, key=lambda case: gain(case)["of_spans"])
    slower = sum(gain(case)["of_spans"] < SLOWER for case in cases)
    inits = [starts_per_init(case) for case in cases]
    first = geometric_mean(starts_per_init(case, what="first_init") for case in cases)
    return [("host's persistent form over Carpool, spans", f"{mean_gain(cases, 'of_spans'):.2f}"),
            ("the same, slowest rank", f"{mean_gain(cases, 'of_medians'):.2f}"),
            ("least case by spans", f"{gain(worst)['of_spans']:.2f} ({name_of(worst)})"),
            (f"cases below {SLOWER} by spans", f"{slower} of {len(cases)}"),
            ("a later init, in starts (mean, most)", f"{geometric_mean(inits):.1f}, {max(inits):.1f}"),
            ("the first init on a communicator, in starts", f"{first:.1f}")]


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
