# SPDX-License-Identifier: MIT
"""One self-contained HTML page with the plots of the newest run of each MPI."""

import base64
import html

import collectives_plot
import origin
import plots
from results import OUT, wrong

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 1180px; margin: 2rem auto;
       padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 1px solid #ddd; }
.facts { color: #666; } .wrong { color: #b00020; } figure { margin: 1.5rem 0; }
figcaption { color: #555; max-width: 60rem; }
"""


def facts(result):
    return f"<p class='facts'>{html.escape(origin.sentence(result))}</p>"


def failures(result):
    lines = (f"<li>{html.escape(': '.join(what))}</li>" for what in wrong(result))
    return f"<ul class='wrong'>{''.join(lines)}</ul>"


def figure(plot, caption):
    drawn = plot.to_html(full_html=False, include_plotlyjs=False, config={"displaylogo": False})
    return f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"


def picture(path):
    drawn = base64.b64encode(path.read_bytes()).decode()
    return f"<figure><img alt='{path.stem}' src='data:image/svg+xml;base64,{drawn}'></figure>"


def section(result):
    parts = [f"<h2>{result['mpi']}</h2>", facts(result), failures(result)]
    parts += [figure(plot, caption) for plot, caption in plots.of(result)]
    parts += [picture(path) for path in collectives_plot.draw(result)]
    return "\n".join(parts)


def document(found):
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Carpool benches</title>
<style>{STYLE}</style><script>{plots.javascript()}</script>
<h1>Carpool against the host</h1>
<p class="facts">All contenders of a case are run interleaved, in random order, in one job; the time
of an exchange is that of its slowest rank. Ratios are medians of ratios within a repetition, bars
of error their quartiles.</p>
{"".join(section(result) for result in found)}</html>"""


def write(found):
    """Writes the page of these results and returns its path."""
    OUT.mkdir(exist_ok=True)
    path = OUT / "index.html"
    path.write_text(document(found))
    return path
