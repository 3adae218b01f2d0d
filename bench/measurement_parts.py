# SPDX-License-Identifier: MIT
"""What makes tables and pictures of stored results, by the names that measurements.toml has for them."""

import cell_tables
import cells_plot
import cell_results
import cg_tables
import collectives_plot
import gains_plot
import grid_tables
import persistence_tables
import personalized_tables
import race_tables
import sort_tables


def race(found):
    """The table of a race with one MPI, and the means of its columns."""
    result, = found
    name = result["what"].removeprefix("race ")
    yield from race_tables.table_of(name, result["cases"])
    yield from race_tables.means(name, result["cases"])


def persistence(found):
    result, = found
    return persistence_tables.tables(result)


def cells(found):
    return cell_tables.summary(cell_results.cells(found))


def cells_below(found):
    return cell_tables.below(cell_results.cells(found))


def draw_cells(found, file, sources):
    cells_plot.draw(cell_results.cells(found), file, sources)


# Each takes a list of results and gives lines of Markdown.
TABLES = {"race": race, "grids": grid_tables.table, "grid cases": grid_tables.cases, "cells": cells, "cells below": cells_below,
          "collectives": collectives_plot.tables, "sort": sort_tables.table, "persistence": persistence, "cg": cg_tables.table,
          "personalized": personalized_tables.gain_table, "cpu time": personalized_tables.cpu_table}

# Each takes a list of results, the file to draw, and what the file is to remember of its sources.
FIGURES = {"gains": gains_plot.draw, "cells": draw_cells, "personalized": personalized_tables.draw,
           "collectives": collectives_plot.overview}
