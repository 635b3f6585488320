/* SPDX-License-Identifier: GPL-2.0-or-later */
// Lets plots be zoomed and read with uPlot, which lies on the drawing that print, and a page without script, show. A plot is made when it is
// pointed at or focused, of the values beside its drawing, and goes again where it is not zoomed. Names, colours and shapes are those of the legend.
(() => {
  const COLUMNS_LEAST = 8, PADDING = 0.05, KEYS = "Arrow keys read values, plus and minus zoom, Escape resets";
  const HINT = "Drag or + and \u2212 zoom, arrows read, Escape or double-click resets.";
  const WIDTH = 552, LEFT = 58, TOP = 12, RIGHT = 14, BOTTOM = 34, FONT_PX = 10.5;
  const live = new Set();

  const text = value => value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 6 : 2 });
  const span = (low, high) => low === high ? text(low) : `${text(low)} to ${text(high)}`;
  const short = value => {
    for (const [limit, word] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]])
      if (Math.abs(value) >= limit) return Number((value / limit).toPrecision(6)) + word;
    return String(Number(value.toPrecision(6)));
  };

  // A trace as least and greatest value of each column; undefined where it has none.
  const unpack = ([columns, lows, spans, isDelta], count) => {
    const low = new Array(count), high = new Array(count);
    let column = 0, value = 0;
    columns.forEach((step, i) => {
      column += step;
      value = isDelta ? value + lows[i] : lows[i];
      low[column] = value;
      high[column] = value + (spans.length ? spans[i] : 0);
    });
    return { low, high };
  };

  // Where a trace lies in columns from..to; of steps also what lasts into them.
  const bounds = (traces, from, to) => {
    let low = Infinity, high = -Infinity;
    for (const trace of traces) {
      let first = from;
      if (trace.shape === "step") while (first > 0 && trace.low[first] === undefined) first--;
      for (let i = first; i <= to; i++) {
        if (trace.low[i] === undefined) continue;
        low = Math.min(low, trace.low[i]);
        high = Math.max(high, trace.high[i]);
      }
    }
    return low <= high ? [low, high] : null;
  };

  const draws = {
    bar: (path, x, y, top) => { path.moveTo(x, y); path.lineTo(x, y === top ? top - 0.1 : top); },
    mark: (path, x, y, top, size) => {
      for (const at of y === top ? [y] : [y, top]) {
        path.moveTo(x - size, at - size); path.lineTo(x + size, at + size);
        path.moveTo(x + size, at - size); path.lineTo(x - size, at + size);
      }
    },
  };

  const builder = trace => (u, _, from, to) => {
    const path = new Path2D(), y = value => u.valToPos(value, "y", true), x = column => u.valToPos(u.data[0][column], "x", true);
    if (trace.shape === "step") {
      let last;
      while (from > 0 && trace.low[--from] === undefined);
      for (let i = from; i <= Math.min(to + 1, trace.low.length - 1); i++) {
        if (trace.low[i] === undefined) continue;
        const ends = [y(trace.low[i]), y(trace.high[i])];
        if (last !== undefined && Math.abs(last - ends[1]) < Math.abs(last - ends[0])) ends.reverse();
        if (last === undefined) path.moveTo(x(i), ends[0]);
        else { path.lineTo(x(i), last); path.lineTo(x(i), ends[0]); }
        path.lineTo(x(i), ends[1]);
        last = ends[1];
      }
      const end = trace.low.findLastIndex(value => value !== undefined);
      if (last !== undefined && end <= to) path.lineTo(x(end) + 1, last);
    } else {
      const size = 3 * devicePixelRatio;
      for (let i = Math.max(from - 1, 0); i <= Math.min(to + 1, trace.low.length - 1); i++)
        if (trace.low[i] !== undefined) draws[trace.shape](path, x(i), y(trace.low[i]), y(trace.high[i]), size);
    }
    return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 0 };
  };

  class Plot {
    constructor(figure) {
      this.figure = figure;
      this.drawing = figure.querySelector(".drawing");
      this.svg = figure.querySelector("svg.plot");
      this.items = [...figure.querySelectorAll(".legend li")];
      this.at = figure.querySelector(".at");
      this.said = figure.querySelector("[role=status]");
    }

    read() {
      const packed = JSON.parse(this.figure.querySelector("script").textContent);
      this.step_s = packed.step_s;
      this.isLog = packed.is_log;
      this.marks = packed.marks;
      this.times = Array.from({ length: packed.columns }, (_, i) => packed.start_s + i * packed.step_s);
      this.traces = packed.traces.map((trace, i) => {
        const path = this.items[i].querySelector("path");
        return { ...unpack(trace, packed.columns), shape: ["bar", "step", "mark"].find(word => path.classList.contains(word)), path };
      });
    }

    get least() { return this.times[0]; }
    get greatest() { return this.times[this.times.length - 1]; }
    get isZoomed() { return this.u && (this.u.scales.x.min > this.least || this.u.scales.x.max < this.greatest || this.hasOwnHeight); }

    // No fewer columns than can be told apart, and none beside the plot.
    rangeX(min, max) {
      const width = Math.min(Math.max(max - min, COLUMNS_LEAST * this.step_s), this.greatest - this.least);
      const left = Math.min(Math.max((min + max - width) / 2, this.least), this.greatest - width);
      return [left, left + width];
    }

    rangeY([from, to]) {
      const found = bounds(this.traces, from, to) ?? this.lastRange ?? [0, 1];
      this.lastRange = found;
      let [low, high] = found;
      this.hasOwnHeight = false;
      if (this.isLog) {
        low = Math.max(low, 1e-6);
        return [10 ** Math.floor(Math.log10(low)), 10 ** Math.max(Math.ceil(Math.log10(Math.max(high, low))), Math.floor(Math.log10(low)) + 1)];
      }
      const isWhole = from === 0 && to === this.times.length - 1;
      const room = (high - low || Math.abs(high) || 1) * PADDING;
      return [isWhole ? Math.min(0, low) : Math.max(low - room, low < 0 ? -Infinity : 0), high + room];
    }

    show() {
      if (this.u || !this.svg.clientWidth && !this.svg.getBoundingClientRect().width) return;
      if (!this.times) this.read();
      if (!(this.step_s > 0)) return;
      const box = this.svg.getBoundingClientRect(), scale = box.width / WIDTH, style = name => getComputedStyle(this.figure).getPropertyValue(name).trim();
      const axis = { stroke: style("--soft"), font: `${FONT_PX * scale}px ${getComputedStyle(this.figure).fontFamily}`, grid: { stroke: style("--line"), width: 0.7 },
        ticks: { show: false }, border: { show: true, stroke: style("--soft"), width: 1 }, gap: 4 * scale };
      this.u = new uPlot({
        width: box.width, height: box.height, padding: [TOP * scale, RIGHT * scale, 0, 0], legend: { show: false },
        scales: { x: { time: false, range: (_, min, max) => this.rangeX(min, max) }, y: { distr: this.isLog ? 3 : 1, range: u => this.rangeY(u.series[0].idxs) } },
        axes: [{ ...axis, size: (BOTTOM - 14) * scale, label: "seconds from the first frame", labelFont: axis.font, labelSize: 14 * scale, labelGap: 0 },
          { ...axis, size: LEFT * scale, values: (_, ticks) => ticks.map(tick => tick === null ? "" : short(tick)) }],
        series: [{}, ...this.traces.map(trace => {
          const look = getComputedStyle(trace.path), dash = look.strokeDasharray;
          return { stroke: look.stroke, width: parseFloat(look.strokeWidth), dash: dash === "none" ? [] : dash.split(/[ ,]+/).map(parseFloat),
            cap: trace.shape === "step" ? "butt" : look.strokeLinecap, points: { show: false }, paths: builder(trace) };
        })],
        cursor: { drag: { x: true, y: true, uni: 30, dist: 4 }, points: { show: false }, y: false },
        hooks: { setCursor: [u => this.tell(u.cursor.idx)], draw: [u => this.drawMarks(u, style("--red"))],
          setSelect: [u => { this.hasOwnHeight = u.select.height < u.over.clientHeight - 1; }] },
      }, [this.times, ...this.traces.map(trace => trace.low)], this.drawing);
      this.u.root.setAttribute("aria-hidden", "true");
      this.at.textContent = HINT;
      live.add(this);
    }

    hide() {
      if (!this.u) return;
      this.u.destroy();
      this.u = null;
      this.tell(null);
      this.at.textContent = "";
      live.delete(this);
    }

    leave() {
      if (!this.isZoomed && document.activeElement !== this.drawing) this.hide();
    }

    redraw() {
      const x = this.u && { min: this.u.scales.x.min, max: this.u.scales.x.max };
      this.hide();
      this.show();
      if (x && this.u) this.u.setScale("x", x);
    }

    drawMarks(u, colour) {
      const size = 4 * devicePixelRatio;
      u.ctx.save();
      u.ctx.fillStyle = colour;
      for (const [column] of this.marks) {
        const time = this.times[column], x = u.valToPos(time, "x", true), y = u.bbox.top;
        if (time < u.scales.x.min || time > u.scales.x.max) continue;
        u.ctx.beginPath();
        u.ctx.moveTo(x, y + size / 4); u.ctx.lineTo(x - size, y - 2 * size); u.ctx.lineTo(x + size, y - 2 * size);
        u.ctx.fill();
      }
      u.ctx.restore();
    }

    // Of a trace at a column: what lasts there of steps, what stands there of others.
    value(trace, column) {
      let at = column;
      if (trace.shape === "step") while (at > 0 && trace.low[at] === undefined) at--;
      if (trace.low[at] === undefined) return "";
      return at === column ? span(trace.low[at], trace.high[at]) : text(trace.high[at]);
    }

    // Shows the values of a column in the legend; returns them as a sentence.
    tell(column) {
      const isKnown = column !== null && column !== undefined;
      const values = this.traces ? this.traces.map(trace => isKnown ? this.value(trace, column) : "") : [];
      values.forEach((value, i) => { this.items[i].querySelector(".value").textContent = value; });
      this.column = isKnown ? column : null;
      if (!isKnown) return "";
      const marks = this.marks.filter(mark => mark[0] === column).map(([, frame, rule]) => `${rule} at frame ${frame}`);
      const time = `${this.times[column].toFixed(Math.min(Math.max(2 - Math.floor(Math.log10(this.step_s)), 0), 9))} s`;
      this.at.textContent = [time, ...marks.slice(0, 4)].join(", ");
      return [time, ...values.map((value, i) => value && `${this.items[i].firstElementChild.nextSibling.data.trim()} ${value}`), ...marks].filter(Boolean).join("; ");
    }

    view(min, max) {
      const [left, right] = this.rangeX(min, max);
      this.u.batch(() => this.u.setScale("x", { min: left, max: right }));
    }

    zoom(factor) {
      const { min, max } = this.u.scales.x, centre = this.column === null ? (min + max) / 2 : this.times[this.column];
      const half = (max - min) * factor / 2;
      this.view(centre - half, centre + half);
      if (this.column !== null) this.point(this.column);
    }

    point(column) {
      const to = Math.min(Math.max(column, 0), this.times.length - 1), { min, max } = this.u.scales.x, time = this.times[to];
      if (time < min) this.view(time, time + max - min);
      if (time > max) this.view(time - max + min, time);
      this.u.setCursor({ left: this.u.valToPos(time, "x"), top: 1 });
      this.said.textContent = this.tell(to);
    }

    // Is it one of the plot's keys?
    press(event) {
      const from = this.column ?? Math.round(((this.u.scales.x.min + this.u.scales.x.max) / 2 - this.least) / this.step_s), far = event.shiftKey ? 10 : 1;
      switch (event.key) {
        case "ArrowLeft": this.point(from - far); break;
        case "ArrowRight": this.point(from + far); break;
        case "Home": this.point(0); break;
        case "End": this.point(this.times.length - 1); break;
        case "+": case "=": this.zoom(1 / 2); break;
        case "-": this.zoom(2); break;
        case "Escape": this.view(this.least, this.greatest); break;
        default: return false;
      }
      return true;
    }

    listen() {
      const title = this.figure.querySelector("figcaption").textContent.trim().replace(/\s+/g, " ");
      this.drawing.tabIndex = 0;
      this.drawing.setAttribute("role", "application");
      this.drawing.setAttribute("aria-label", `${title}. ${KEYS}`);
      this.figure.classList.add("zoomable");
      this.drawing.addEventListener("pointerenter", () => this.show());
      this.drawing.addEventListener("pointerleave", () => this.leave());
      this.drawing.addEventListener("focus", () => this.show());
      this.drawing.addEventListener("blur", () => { if (!this.drawing.matches(":hover")) this.leave(); });
      this.drawing.addEventListener("keydown", event => {
        if (this.u && !event.ctrlKey && !event.metaKey && !event.altKey && this.press(event)) event.preventDefault();
      });
    }
  }

  for (const figure of document.querySelectorAll(".plots figure")) new Plot(figure).listen();
  const again = () => { for (const plot of [...live]) plot.redraw(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(again, 150); });
})();
