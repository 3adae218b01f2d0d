"""How long each operation has taken in all, by algorithm."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from carpool_cli import costs
from carpool_cli.style import INK, RULES, SOFT, STYLE, WIDTH

MOST = 30  # rows that can be read


def draw(lines, file):
    shown = lines[:MOST]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(WIDTH, 1.3 + 0.34 * len(shown)))
        shades = {name: RULES[number % len(RULES)] for number, name in
                  enumerate(dict.fromkeys(line["algorithm"] for line in shown))}
        for row, line in enumerate(shown):
            axes.barh(row, line["seconds"], color=shades[line["algorithm"]], height=0.7)
            axes.text(line["seconds"], row, f"  {line['starts']:,} of "
                      f"{costs.seconds(line['median'])}", va="center", color=SOFT, fontsize=9)
        axes.set_yticks(range(len(shown)), [
            f"{line['operation']}, {costs.size(line['bytes_within'] + line['bytes_between'])}"
            f"\n{line['algorithm']}" for line in shown], fontsize=9)
        axes.invert_yaxis()
        axes.set_xmargin(0.25)
        axes.set_xlabel("seconds in all, on rank 0", color=SOFT)
        axes.set_title("Where the time went", color=INK, fontweight="bold")
        axes.spines[["top", "right"]].set_visible(False)
        figure.tight_layout()
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)
