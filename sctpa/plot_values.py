# SPDX-License-Identifier: GPL-2.0-or-later
"""The values of a plot as the page's script reads them, to zoom in and to name them below the cursor. Leaves the picture to plots.py.

They are those of the decimation: of each pixel column the least and the greatest value. Zooming shows single columns, not single packets.
"""

import json

from markupsafe import Markup

from .decimation import COLUMNS

FIGURES = 7


def _short(value):
    return value if isinstance(value, int) else float(f"{value:.{FIGURES}g}")


def _steps(values):
    return [value - last for last, value in zip([0, *values], values)]


def _trace(points):
    """[columns, least values, spans, are the values steps]: columns as steps from the one before; whole numbers likewise, since
    those of TSNs are small then; spans (greatest less least) are left out where all are 0."""
    columns, lows, highs = zip(*points)
    is_whole = all(isinstance(value, int) for value in (*lows, *highs))
    spans = [_short(high - low) for low, high in zip(lows, highs)]
    return [
        _steps(columns),
        _steps(lows) if is_whole else [_short(low) for low in lows],
        spans if any(spans) else [],
        int(is_whole),
    ]


def packed(plot, drawn, marks, start_s, duration_s):
    """JSON for a data block of the page: drawn, the traces with points in the order of the legend; marks: [[column, frame, rule]].
    Up to some 10 bytes per column and trace. Times to the nanosecond, other fractions to 7 figures."""
    words = {
        "columns": COLUMNS,
        "start_s": round(start_s, 9),
        "step_s": max(duration_s, 0.0) / (COLUMNS - 1),
        "is_log": plot.is_log,
        "traces": [_trace(points) for _, points in drawn],
        "marks": marks,
    }
    return Markup(json.dumps(words, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"))
