# SPDX-License-Identifier: MIT
"""The pictures of the demo: how the vortices look as they fade and how fast they do, and how fast
their exchanges are."""

import math

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Affine2D

# The colours of the pictures that the command carpool draws.
INK, PAPER, SOFT, FAINT, CARPOOL = "#2B2B2B", "#FFFFFF", "#666666", "#B5B5B5", "#E69F00"
STYLE = {
    "text.color": INK, "axes.labelcolor": SOFT, "axes.edgecolor": FAINT,
    "xtick.color": SOFT, "ytick.color": SOFT, "font.size": 10,
}


def load(report):
    """Vorticity per picture, in units of the largest at the start."""
    fields = [np.load(entry["file"]) for entry in report["pictures"]]
    largest = np.abs(fields[0]).max()
    return [field / largest for field in fields]


def closed(field):
    """Repeats the first layer behind the last, so that a periodic field fills its box."""
    return np.pad(field, [(0, 1)] * field.ndim, mode="wrap")


def paint_plane(axes, vorticity):
    """One component; where it is equal is also where the fluid flows along."""
    field = closed(vorticity[0]).T
    axes.imshow(field, origin="lower", cmap="RdBu_r", vmin=-1, vmax=1, interpolation="bicubic")
    axes.contour(field, levels=np.linspace(-0.9, 0.9, 10), colors=INK, linewidths=0.6, alpha=0.5)
    axes.set_axis_off()


# Where the edges of a cube lie on paper, seen along its diagonal.
ALONG_X, ALONG_Y, ALONG_Z = np.array([[0.866, 0.5], [-0.866, 0.5], [0.0, 1.0]])
NEAR = np.zeros(2)


def paint_face(axes, face, corner, right, up):
    place = Affine2D.from_values(*right, *up, *corner) + axes.transData
    axes.imshow(face.T, origin="lower", extent=(0, 1, 0, 1), cmap="YlOrRd", vmin=0, vmax=1,
                interpolation="bicubic", transform=place)
    outline = np.array([corner, corner + right, corner + right + up, corner + up, corner])
    axes.plot(*outline.T, color=PAPER, lw=1.5)


def paint_cube(axes, vorticity):
    """The strength of the vorticity on the three faces of the cube that one sees."""
    strength = closed(np.sqrt((vorticity ** 2).sum(axis=0)))
    paint_face(axes, strength[:, 0, :], NEAR, ALONG_X, ALONG_Z)
    paint_face(axes, strength[0, :, :], NEAR, ALONG_Y, ALONG_Z)
    paint_face(axes, strength[:, :, -1], ALONG_Z, ALONG_X, ALONG_Y)
    axes.set(xlim=(-1, 1), ylim=(0, 2), aspect="equal")
    axes.set_axis_off()


def paint_decay(axes, report):
    steps = [sample["step"] for sample in report["energy"]]
    start = report["energy"][0]["measured"]
    axes.semilogy(steps, [s["analytic"] / start for s in report["energy"]], color=FAINT, lw=5,
                  label="analytic", solid_capstyle="round")
    axes.semilogy(steps, [s["measured"] / start for s in report["energy"]], color=CARPOOL, lw=1.5,
                  label="lattice Boltzmann")
    axes.set(xlabel="step", title="kinetic energy")
    axes.minorticks_off()
    ticks = [1, 0.5, 0.25]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left")


def paint_row(figure, grid, row, report, paint_field):
    for column, (entry, field) in enumerate(zip(report["pictures"], load(report))):
        axes = figure.add_subplot(grid[row, column])
        paint_field(axes, field)
        axes.set_title(f"step {entry['step']}", color=INK)
    paint_decay(figure.add_subplot(grid[row, -1]), report)


def paint(reports, path):
    """Paints the plane above the cube; returns path."""
    plane, cube = reports
    columns = len(plane["pictures"])
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(3 * columns + 4, 7.2))
        # A column of air keeps the numbers of the last one off the pictures.
        grid = figure.add_gridspec(2, columns + 2, width_ratios=[1] * columns + [0.1, 1.1],
                                   wspace=0.08, hspace=0.3, left=0.02, right=0.98, top=0.87,
                                   bottom=0.08)
        figure.suptitle("Vorticity of Taylor–Green vortices, D2Q9 and D3Q27", fontsize=15, y=0.97)
        paint_row(figure, grid, 0, plane, paint_plane)
        paint_row(figure, grid, 1, cube, paint_cube)
        figure.savefig(path, dpi=130)
        plt.close(figure)
    return path


def paint_bars(axes, table):
    """How often an exchange by each way fits into one of the host's, and how many messages it takes."""
    rows = [row for row in table.rows[::-1] if row.gain is not None]
    places = range(len(rows))
    gains = [row.gain for row in rows]
    colours = [CARPOOL if row.name.startswith("Carpool") else FAINT for row in rows]
    axes.barh(places, gains, color=colours, height=0.62)
    axes.axvline(1, color=INK, lw=0.8, ls=":")
    for place, row in zip(places, rows, strict=True):
        axes.text(row.gain, place, f"  {row.gain:.2f}×, {row.messages} messages",
                  va="center", color=INK, fontsize=9, bbox={"fc": PAPER, "ec": "none", "pad": 0.5})
    axes.set_yticks(places, [row.name for row in rows], color=INK)
    axes.set(title=table.title, xlim=(0, 1.75 * max(gains, default=1)))
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.set_xticks([])


def paint_exchanges(tables, path):
    """The tables of exchanges, two panels in a row; returns path."""
    with plt.rc_context(STYLE):
        rows = math.ceil(len(tables) / 2)
        figure = plt.figure(figsize=(11, 3.6 * rows), layout="constrained")
        figure.suptitle("One exchange: how many times as fast as the host's", fontsize=14)
        for number, table in enumerate(tables, 1):
            paint_bars(figure.add_subplot(rows, 2, number), table)
        figure.savefig(path, dpi=130)
        plt.close(figure)
    return path
