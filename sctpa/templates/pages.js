/* SPDX-License-Identifier: GPL-2.0-or-later */
"use strict";
// Sorts tables by their heads, filters the long ones and shows the begin of very long ones, copies display filters. Without it the page is
// complete, in its own order.
(() => {
  const value = (row, column) => {
    const cell = row.cells[column], exact = cell.dataset.v;
    return exact === undefined ? cell.textContent.trim() : Number(exact);
  };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });

  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "descending" ? false : head.getAttribute("aria-sort") === "ascending" ? true : head.classList.contains("n");
    const rows = [...table.tBodies[0].rows].map(row => [value(row, column), row]);
    rows.sort((a, b) => down ? compare(b[0], a[0]) : compare(a[0], b[0]));
    table.tBodies[0].append(...rows.map(pair => pair[1]));
    rows.forEach((pair, i) => pair[1].classList.toggle("later", i >= Number(table.dataset.atOnce ?? Infinity)));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };

  const filter = (table) => {
    const label = document.createElement("label"), input = document.createElement("input"), count = document.createElement("output");
    input.type = "search";
    label.className = "filter";
    label.append("Show rows with ", input, " ", count);
    input.addEventListener("input", () => {
      table.classList.toggle("searched", input.value !== "");
      const words = input.value.toLowerCase().split(/\s+/);
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = input.value ? `${shown} of ${table.tBodies[0].rows.length}` : "";
    });
    table.closest(".scroll").before(label);
  };

  const shorten = (table) => {
    const rows = table.tBodies[0].rows.length, button = document.createElement("button");
    button.type = "button";
    button.className = "all";
    button.textContent = `Show all ${rows.toLocaleString("en")} rows`;
    button.addEventListener("click", () => {
      const next = table.tBodies[0].querySelector(".later");
      table.classList.add("whole");
      button.remove();
      next.tabIndex = -1;
      next.focus();
    });
    table.closest(".scroll").after(button);
  };

  // Pages that are files may have no clipboard to write to but that of a selection.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  for (const cell of document.querySelectorAll("td[data-frames]")) {
    if (!cell.dataset.frames) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy filter";
    button.addEventListener("click", async () => {
      await copy(`frame.number in {${cell.dataset.frames}}`);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy filter"; }, 1500);
    });
    cell.append(" ", button);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head, column));
    });
    if (table.querySelector(".later")) shorten(table);
    if (table.classList.contains("filtered") && table.tBodies[0].rows.length > 10) filter(table);
  }
})();
