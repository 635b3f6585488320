# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures of one direction of data as SVG: TSN and SACK, windows, throughput, round trips. Leaves their values to plot_values.py.

Made from decimated traces (decimation.py): a pixel column shows the least and the greatest value in it. Colours and line styles are
classes of the style sheet. Everything written here is a number or a word of ours, or escaped by markupsafe.
"""

import math
from typing import NamedTuple

from markupsafe import Markup, escape

from . import plot_values
from .decimation import COLUMNS, PATHS_MAX

LEFT, TOP, WIDTH, HEIGHT, RIGHT, BOTTOM = 58, 12, COLUMNS, 180, 14, 34
X_TICKS, Y_TICKS = 6, 4


class Trace(NamedTuple):
    """How a trace is drawn: what the legend calls it, its class, as step (a value that lasts), bar (values as such) or band."""

    name: str
    label: str
    style: str
    shape: str


class Plot(NamedTuple):
    """What stands in a plot; of_path: names of traces that there is one of per path."""

    key: str
    title: str
    unit: str
    is_log: bool
    traces: tuple
    has_marks: bool = False


def _per_path(name, label, style, shape):
    return [Trace(f"{name} {path}", f"{label}, path {path}", f"{style} path{path}", shape) for path in range(PATHS_MAX)]


PLOTS = (
    Plot(
        "tsn",
        "TSN and SACK",
        "TSN, relative to the first",
        False,
        (
            Trace("gap", "gap blocks", "gap", "bar"),
            Trace("sent", "sent", "sent", "bar"),
            Trace("cum_ack", "acknowledged", "ack", "step"),
            Trace("resent", "retransmitted: probe, handover or other", "resent", "mark"),
            Trace("fast", "fast retransmission", "fast", "mark"),
            Trace("timeout", "retransmission after a timeout", "timeout", "mark"),
        ),
        True,
    ),
    Plot(
        "window",
        "Windows",
        "bytes",
        False,
        (
            Trace("a_rwnd", "a_rwnd announced", "rwnd", "step"),
            Trace("flight_total", "outstanding on all paths", "total", "step"),
            *_per_path("flight", "outstanding", "flight", "step"),
            *_per_path("cwnd", "cwnd of the reference sender", "cwnd", "step"),
        ),
    ),
    Plot(
        "rate",
        "Throughput",
        "bit/s",
        False,
        (
            Trace("throughput_bps", "IP packets with DATA", "wire", "step"),
            Trace("goodput_bps", "user data, each TSN once", "good", "step"),
        ),
    ),
    Plot(
        "rtt",
        "Round trips",
        "s (logarithmic)",
        True,
        (
            *_per_path("rto", "RTO of the reference sender", "rto", "step"),
            *_per_path("heartbeat_rtt", "HEARTBEAT", "beat", "mark"),
            *_per_path("rtt", "DATA", "rtt", "bar"),
        ),
    ),
)


def _nice_step(span, ticks):
    raw = span / max(ticks, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)


def si(value):
    """A number in four figures with k, M or G; small ones as they are."""
    for limit, word in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.4g} {word}"
    return f"{value:.4g}"


class _Scale:
    """Values to y."""

    def __init__(self, low, high, is_log):
        self.is_log = is_log
        if is_log:
            low, high = max(low, 1e-6), max(high, 1e-6)
            self.low, self.high = math.floor(math.log10(low)), max(
                math.ceil(math.log10(high)), math.floor(math.log10(low)) + 1
            )
            self.ticks = [10.0**power for power in range(self.low, self.high + 1)]
        else:
            step = _nice_step(max(high, 1.0), Y_TICKS)
            self.low, self.high = 0.0, step * math.ceil(max(high, 1.0) / step)
            self.ticks = [step * number for number in range(round(self.high / step) + 1)]

    def y(self, value):
        if self.is_log:
            value = math.log10(max(value, 10.0**self.low))
        part = (value - self.low) / (self.high - self.low)
        text = f"{TOP + HEIGHT * (1 - min(max(part, 0.0), 1.0)):.1f}"
        return text[:-2] if text.endswith(".0") else text


def _bars(points, scale):
    parts = []
    for column, low, high in points:
        y, top = scale.y(low), scale.y(high)
        parts.append(f"M{LEFT + column} {y}h0" if y == top else f"M{LEFT + column} {y}V{top}")
    return "".join(parts)


def _steps(points, scale):
    parts, last = [], None
    for column, low, high in points:
        y, top = scale.y(low), scale.y(high)
        # From the value before to the nearer end of the column's span first.
        first, second = (
            (top, y) if last is not None and abs(float(last) - float(top)) < abs(float(last) - float(y)) else (y, top)
        )
        if last is None:
            parts.append(f"M{LEFT + column} {first}")
        elif first != last or first != second:
            parts.append(f"H{LEFT + column}" + (f"V{first}" if first != last else ""))
        if second != first:
            parts.append(f"V{second}")
        last = second
    if points:
        parts.append(f"H{LEFT + points[-1][0]}h0")
    return "".join(parts)


def _marks(points, scale):
    """Crosses."""
    parts = []
    for column, low, high in points:
        for value in dict.fromkeys((scale.y(low), scale.y(high))):
            parts.append(f"M{LEFT + column - 3} {float(value) - 3:.1f}l6 6m-6 0l6-6")
    return "".join(parts)


DRAWN = {"bar": _bars, "step": _steps, "mark": _marks}


def _grid(scale, start_s, duration_s):
    parts = []
    for tick in scale.ticks:
        y = scale.y(tick)
        parts.append(
            f'<path class="grid" d="M{LEFT} {y}h{WIDTH}"/>'
            f'<text class="tick" x="{LEFT - 5}" y="{y}" dy=".32em" text-anchor="end">{si(tick)}</text>'
        )
    if duration_s > 0:
        step = _nice_step(duration_s, X_TICKS)
        first = math.ceil(start_s / step - 1e-9)
        # Bounded: where times are so large that a step is lost in their digits, no sum reaches the end.
        for number in range(first, first + 2 * X_TICKS):
            if number * step > start_s + duration_s * (1 + 1e-9):
                break
            x = LEFT + (number * step - start_s) / duration_s * (COLUMNS - 1)
            parts.append(
                f'<path class="grid" d="M{x:.1f} {TOP}v{HEIGHT}"/>'
                f'<text class="tick" x="{x:.1f}" y="{TOP + HEIGHT + 14}" text-anchor="middle">{_seconds(number * step, step)}</text>'
            )
    return "".join(parts)


def _seconds(value, step):
    return f"{value:.{max(0, -math.floor(math.log10(step)))}f}"


def _findings(marks):
    """Triangles at the top, each named when pointed at; an accessible list of them stands in the table of findings."""
    return "".join(
        f'<path class="finding" d="M{LEFT + column} {TOP + 1}l-4-8h8z"><title>{escape(rule)} at frame {frame}</title></path>'
        for column, frame, rule in marks
    )


def _label(trace, drawn):
    """The paths are told apart where there are several."""
    several = any(each.style.endswith(f"path{path}") for each, _ in drawn for path in range(1, PATHS_MAX))
    return trace.label if several else trace.label.removesuffix(", path 0")


def _description(plot, drawn, start_s, duration_s):
    said = "; ".join(
        f"{_label(trace, drawn)}: {si(min(low for _, low, _ in points))} to {si(max(high for _, _, high in points))}"
        for trace, points in drawn
    )
    return f"From {start_s:.3f} s to {start_s + duration_s:.3f} s of the capture. {plot.unit}. {said}."


def draw(plot, traces, marks, assoc, number, end):
    """{"title", "unit", "svg", "legend": [(label, style, shape)], "points"} of one plot of what endpoint `end` sent; None when it has
    no points. number makes the ids unique in the page; points: see plot_values.packed."""
    drawn = [(trace, traces[trace.name]) for trace in plot.traces if traces.get(trace.name)]
    if not drawn:
        return None
    start_s, duration_s = assoc["start_s"], assoc["duration_s"]
    scale = _Scale(
        min(low for _, points in drawn for _, low, _ in points),
        max(high for _, points in drawn for _, _, high in points),
        plot.is_log,
    )
    name = f"plot-{number}-{end}-{plot.key}"
    title = f"{plot.title}, endpoint {end} to {1 - end}"
    paths = "".join(
        f'<path class="{trace.style} {trace.shape}" d="{DRAWN[trace.shape](points, scale)}"/>'
        for trace, points in drawn
    )
    shown_marks = marks if plot.has_marks else []
    svg = (
        f'<svg class="plot" viewBox="0 0 {LEFT + WIDTH + RIGHT} {TOP + HEIGHT + BOTTOM}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(_description(plot, drawn, start_s, duration_s))}</desc>'
        f'{_grid(scale, start_s, duration_s)}<path class="frame" d="M{LEFT} {TOP}v{HEIGHT}h{WIDTH}"/>{paths}{_findings(shown_marks)}'
        f'<text class="tick" x="{LEFT + WIDTH / 2:.0f}" y="{TOP + HEIGHT + 29}" text-anchor="middle">seconds from the first frame</text></svg>'
    )
    legend = [(_label(trace, drawn), trace.style, trace.shape) for trace, _ in drawn]
    if shown_marks:
        legend.append(("finding", "finding", "triangle"))
    return {
        "title": title,
        "unit": plot.unit,
        "svg": Markup(svg),
        "legend": legend,
        "points": plot_values.packed(plot, drawn, shown_marks, start_s, duration_s),
    }


def of_direction(plots, assoc, number, end):
    """The plots of what an endpoint sent, of the result of decimation; an empty list without any."""
    pictures = (draw(plot, plots["traces"][end], plots["marks"][end], assoc, number, end) for plot in PLOTS)
    return [picture for picture in pictures if picture]
