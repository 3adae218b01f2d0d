"""The times that were measured for a tuning file, and those that the fitted costs say."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from carpool_cli.fits import fitted
from carpool_cli.style import INK, PALE, PHASES, SOFT, STYLE, WIDTH
from carpool_cli.tune_tables import WORDS

HEIGHT = 4.4


def draw(machine, fits, file):
    works = list(dict.fromkeys(one.work for one in fits))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, len(works), figsize=(WIDTH, HEIGHT), squeeze=False)
        for panel, work in zip(axes[0], works, strict=True):
            compare(panel, work, [one for one in fits if one.work == work])
        axes[0][0].set_ylabel("fitted, µs")
        figure.suptitle(f"{machine['mpi']}, {machine['ranks']} ranks: what costs explain",
                        color=INK, fontweight="bold")
        figure.tight_layout()
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)


def compare(axes, work, fits):
    """A point per exchange; on the line, its time is what the costs say."""
    for shade, one in zip(PHASES, fits, strict=False):
        axes.loglog([at["seconds"] * 1e6 for at in one.equations],
                    [fitted(one.costs, at) * 1e6 for at in one.equations], "o", color=shade,
                    alpha=0.75, mec="white", ms=7, label=WORDS[one.level])
    low, high = axes.get_xlim()
    axes.plot([low, high], [low, high], color=PALE, zorder=0)
    axes.set_title(work, color=INK)
    axes.set_xlabel("measured, µs", color=SOFT)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
