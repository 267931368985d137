"use strict";
// Tables: a click on a column sorts, numbers as numbers and NA last; the search
// keeps the rows that hold all of its words.
for (const box of document.querySelectorAll(".table")) {
  const body = box.querySelector("tbody"), heads = [...box.querySelectorAll("th")];
  const count = box.querySelector(".count"), all = [...body.rows];
  const number = (s) => (s.trim() === "" || Number.isNaN(Number(s)) ? null : Number(s));
  const missing = (s) => s === "NA" || s === "";
  const numeric = heads.map((_, c) => all.some((r) => number(r.cells[c].textContent) !== null) &&
    all.every((r) => missing(r.cells[c].textContent) || number(r.cells[c].textContent) !== null));
  for (const r of all) numeric.forEach((n, c) => { if (n) r.cells[c].className = "number"; });
  const tell = () => { count.textContent = all.filter((r) => !r.hidden).length + " of " + all.length + " rows"; };
  heads.forEach((head, c) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((h) => h.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    const key = (r) => r.cells[c].textContent;
    const sorted = all.slice().sort((a, b) => {
      const x = key(a), y = key(b);
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      return sign * (numeric[c] ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0);
    });
    body.append(...sorted);
  }));
  box.querySelector("input").addEventListener("input", (e) => {
    const words = e.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const r of all) {
      const text = r.textContent.toLowerCase();
      r.hidden = !words.every((w) => text.includes(w));
    }
    tell();
  });
  tell();
}
// Heat maps: resting on a cell tells its pair and value.
for (const fig of document.querySelectorAll("figure.heat")) {
  const data = JSON.parse(fig.querySelector("script").textContent);
  const img = fig.querySelector("image"), tip = fig.querySelector("output"), n = data.labels.length;
  img.addEventListener("pointermove", (e) => {
    const r = img.getBoundingClientRect();
    const cell = (at, from, size) => Math.min(n - 1, Math.max(0, Math.floor((at - from) / size * n)));
    const x = cell(e.clientX, r.left, r.width), y = cell(e.clientY, r.top, r.height);
    const i = Math.max(x, y), j = Math.min(x, y), v = data.values[i * (i + 1) / 2 + j];
    tip.textContent = data.labels[y] + " × " + data.labels[x] + ": " + data.name + " " + (v === null ? "NA" : v);
    tip.style.display = "block";
    tip.style.left = Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = (e.clientY + 14) + "px";
  });
  img.addEventListener("pointerleave", () => { tip.style.display = "none"; });
}
