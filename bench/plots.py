# SPDX-License-Identifier: MIT
"""The plots of one run: normalised bars, gain over block size, floor, planning."""

import math

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from results import gain, median_seconds

COLORS = {
    "host nonblocking": "#9aa5b1",
    "host persistent": "#697586",
    "hand-written": "#1f2933",
    "hand-written nonblocking": "#5b3fa8",
    "hand-written in turn": "#c44569",
    "carpool direct": "#f0b429",
    "carpool torus": "#e66a1f",
    "carpool cartesian": "#2186eb",
    "carpool basis": "#7b3fb5",
    "carpool auto": "#0b8457",
    "carpool blocking": "#7fd1ae",
    "carpool blocking, all checked": "#3ebd93",
}

# Cases in one figure of bars.
BARS = 12


def javascript():
    return get_plotlyjs()


def styled(plot, title, height=460, **layout):
    plot.update_layout(title={"text": title, "y": 0.98, "yanchor": "top"},
                       template="plotly_white", height=height, width=1140,
                       legend={"orientation": "h", "y": 1.01, "yanchor": "bottom"},
                       margin={"t": 130, "b": 40}, **layout)
    return plot


def cases_of(result, ranks, operation):
    return [case for case in result["cases"]
            if (case["ranks"], case["operation"]) == (ranks, operation)]


def inverse(quartiles):
    """Normalised time from a gain: its median, and how far the quartiles are from it."""
    middle = 1 / quartiles["median"]
    return middle, 1 / quartiles["first"] - middle, middle - 1 / quartiles["third"]


def host_time(case):
    milliseconds = 1e3 * (median_seconds(case, "host blocking") or 0)
    return f"{milliseconds:.2f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def names_of(cases):
    """Two rows of names below an axis: pattern; size within it, and the host's absolute time."""
    return [[case["pattern"] for case in cases],
            [f"{case['base_bytes']} B<br>{host_time(case)}" for case in cases]]


def bar(cases, name):
    """One contender's normalised time in every case in which it was timed."""
    timed = [case for case in cases if gain(case, name)]
    values = [inverse(gain(case, name)) for case in timed]
    height, above, below = zip(*values) if values else ((), (), ())
    return go.Bar(
        name=name, marker_color=COLORS[name], y=height,
        x=names_of(timed),
        error_y={"array": above, "arrayminus": below, "thickness": 1, "width": 0},
        customdata=[1e3 * median_seconds(case, name) for case in timed],
        hovertemplate=f"{name}, %{{x}}<br>%{{y:.3g}}, %{{customdata:.3g}} ms<extra></extra>")


def bars(cases, title):
    plot = go.Figure([bar(cases, name) for name in COLORS])
    plot.add_hline(y=1, line={"color": "#bbb", "width": 1})
    plot.update_yaxes(type="log", title="time / host's blocking form")
    return styled(plot, title, 520, barmode="group")


def all_bars(cases, title):
    """As many figures as it takes to stay legible."""
    size = math.ceil(len(cases) / math.ceil(len(cases) / BARS))
    parts = [cases[start:start + size] for start in range(0, len(cases), size)]
    for number, part in enumerate(parts, 1):
        yield bars(part, title if len(parts) == 1 else f"{title} ({number} of {len(parts)})")


def gain_line(cases, pattern):
    chosen = sorted((c for c in cases if c["pattern"] == pattern and gain(c, "carpool auto")),
                    key=lambda case: case["base_bytes"])
    quartiles = [gain(case, "carpool auto") for case in chosen]
    return go.Scatter(
        name=pattern, mode="lines+markers", x=[case["base_bytes"] for case in chosen],
        y=[q["median"] for q in quartiles],
        error_y={"array": [q["third"] - q["median"] for q in quartiles],
                 "arrayminus": [q["median"] - q["first"] for q in quartiles], "thickness": 1})


def gain_over_size(result, ranks, operation):
    cases = cases_of(result, ranks, operation)
    patterns = dict.fromkeys(case["pattern"] for case in cases)
    lines = [gain_line(cases, pattern) for pattern in patterns]
    plot = go.Figure([line for line in lines if len(line.x) > 1])
    plot.add_hline(y=1, line={"color": "#bbb", "width": 1})
    plot.update_xaxes(type="log", title="bytes of a block (base size)")
    plot.update_yaxes(type="log", title="host's blocking time / auto's")
    return styled(plot, f"{operation}, {ranks} ranks: gain of auto over block size")


def floor_points(cases, operation):
    chosen = [case for case in cases if case["operation"] == operation and case["floor"]]
    return go.Scatter(
        name=operation, mode="markers", marker={"size": 9},
        x=[1e3 * case["floor"]["seconds"]["median"] for case in chosen],
        y=[1e3 * median_seconds(case, "carpool cartesian") for case in chosen],
        text=[f"{case['case']}, {case['ranks']} ranks" for case in chosen],
        hovertemplate="%{text}<br>floor %{x:.3g} ms, cartesian %{y:.3g} ms<extra></extra>")


def floor(result):
    cases = [case for case in result["cases"] if case["floor"]]
    plot = go.Figure([floor_points(cases, operation)
                      for operation in dict.fromkeys(case["operation"] for case in cases)])
    ends = [1e3 * f(case["floor"]["seconds"]["median"] for case in cases) for f in (min, max)]
    plot.add_scatter(x=ends, y=ends, mode="lines", name="the floor", line={"color": "#bbb"})
    plot.update_xaxes(type="log", title="its messages and bytes alone, ms")
    plot.update_yaxes(type="log", title="cartesian, ms")
    return styled(plot, "cartesian above its floor")


def planning(result):
    plot = go.Figure()
    for plan in result["planning"]:
        steps = plan["steps"]
        plot.add_bar(name=f"{plan['case']} (t={plan['t']})", x=[step["name"] for step in steps],
                     y=[1e3 * step["wall"]["median"] for step in steps],
                     customdata=[1e3 * step["cpu"]["median"] for step in steps],
                     hovertemplate="%{x}<br>%{y:.3g} ms, processor %{customdata:.3g} ms")
    plot.update_yaxes(type="log", title="ms, slowest rank")
    return styled(plot, "planning, once per communicator or request", barmode="group")


def plots_of_operation(result, ranks, operation):
    cases = cases_of(result, ranks, operation)
    for plot in all_bars(cases, f"{operation}, {ranks} ranks"):
        yield plot, ("Below 1 is faster than the host's blocking form, whose time stands below "
                     "the size of a block.")
    lines = gain_over_size(result, ranks, operation)
    if lines.data:
        yield lines, "Above 1 Carpool is faster."


def of(result):
    """(plot, caption) of everything that a result holds."""
    for ranks, operation in dict.fromkeys((c["ranks"], c["operation"]) for c in result["cases"]):
        yield from plots_of_operation(result, ranks, operation)
    if any(case["floor"] for case in result["cases"]):
        yield floor(result), ("The floor is measured beside: as many persistent messages with as "
                              "many bytes, to the same ranks, contiguous and all at once.")
    if result["planning"]:
        yield planning(result), "Wall time with more ranks than cores; hover for processor time."
