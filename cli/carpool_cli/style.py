# SPDX-License-Identifier: MIT
"""What all pictures share. At 96 dots per inch they are as wide as a README."""

from carpool_cli.printable import shown

WIDTH = 9.4
INK, SOFT, PALE, FAINT = "#2B2B2B", "#666666", "#B5B5B5", "#E4E4E4"

# Okabe and Ito's colours, which all eyes can tell apart.
PHASES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
RULES = [INK, "#CC79A7", "#56B4E9", "#E69F00", "#009E73", "#D55E00"]

# Of nodes, pale enough to lie under everything: that of the rank itself, and others in turn.
OWN_NODE, NODES = "#F3E3B3", ["#DCE8F2", "#E6EFDD", "#F1E1EA", "#E9E4F3"]

STYLE = {"svg.hashsalt": "carpool", "font.family": "DejaVu Sans", "font.size": 10,
         "axes.edgecolor": PALE, "text.color": INK, "axes.labelcolor": SOFT,
         "xtick.color": SOFT, "ytick.color": SOFT}


def literal(text):
    """A text of the user's or of a file, in which a $ begins no formula."""
    return shown(text).replace("$", r"\$")
