"use strict";
// Sorts tables by their heads, filters the long ones, copies display filters. Without it the page is complete, in its own order.
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
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };

  const filter = (table) => {
    const label = document.createElement("label"), input = document.createElement("input"), count = document.createElement("output");
    input.type = "search";
    label.className = "filter";
    label.append("Show rows with ", input, " ", count);
    input.addEventListener("input", () => {
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
    if (table.classList.contains("filtered") && table.tBodies[0].rows.length > 10) filter(table);
  }
})();
