"use strict";
const $ = (id) => document.getElementById(id);
const element = (tag, text, attributes = {}) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};
const row = (cells, tag = "td") => { const r = element("tr"); for (const c of cells) r.append(c instanceof Node ? c : element(tag, c)); return r; };
const short = (x) => (Number.isInteger(x) ? String(x) : x === 0 ? "0" : Math.abs(x) < 1e-4 ? x.toExponential(3) : Number(x.toPrecision(6)).toString());

// The numbers are those of the Go code; this page only shows them.
async function start() {
  const packed = Uint8Array.from(atob($("wasm").textContent.trim()), (c) => c.charCodeAt(0));
  const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  go.run(instance);
  explorer(JSON.parse(gsketchClassroom()));
  laboratory();
  $("loading").remove();
  $("explorer").hidden = $("laboratory").hidden = false;
}

function explorer(c) {
  $("sets").append(row(["document", ...Array.from({ length: 13 }, (_, w) => w)], "th"));
  c.sets.forEach((set, i) => $("sets").append(row([c.names[i], ...Array.from({ length: 13 }, (_, w) => (set.includes(w) ? "●" : ""))])));
  const show = (cut) => {
    for (const b of $("cuts").children) b.setAttribute("aria-pressed", String(b.cut === cut));
    const joined = new Set(c.pairs.flatMap((p, i) => cut.meet[i].flatMap((band) => [p.a + ":" + band, p.b + ":" + band])));
    $("signatures").replaceChildren(row(["band", "row", ...c.names], "th"), ...c.functions.map(([a, b], r) => {
      const band = Math.floor(r / cut.rows), first = r % cut.rows === 0 ? "band" : "";
      const cells = [element("td", first ? band + 1 : "", { class: first }), element("td", `(${a}x + ${b}) mod 17`, { class: first })];
      c.rows.forEach((slots, i) => cells.push(element("td", slots[r], { class: first + (joined.has(i + ":" + band) ? " met" : "") })));
      return row(cells);
    }));
    $("pairs").replaceChildren(row(["pair", "Jaccard", "rows that agree", "candidate by band"], "th"), ...c.pairs.map((p, i) =>
      row([c.names[p.a] + c.names[p.b], `${p.shared}/${p.union} = ${(p.shared / p.union).toFixed(2)}`, p.estimate.toFixed(2), cut.meet[i].map((b) => b + 1).join(", ") || "no"])));
  };
  for (const cut of c.cuts) {
    const b = element("button", `${cut.bands} bands of ${cut.rows}: threshold ${cut.threshold.toFixed(2)}`, { class: "cut", type: "button" });
    b.cut = cut;
    b.addEventListener("click", () => show(cut));
    $("cuts").append(b);
  }
  show(c.cuts[1]);
}

function laboratory() {
  const first = JSON.parse(gsketchLab()), settings = { ...first.settings };
  const percent = (v) => Math.round(v * 100) + " %";
  for (const [key, name, low, high, step, spell] of [
    ["drift", "text drift", 0, 1, 0.01, percent], ["boilerplate", "boilerplate", 0, 1, 0.01, percent], ["width", "shingle width, words", 1, 12, 1, String],
    ["bands", "bands", 1, 60, 1, String], ["rows", "rows of a band", 1, 12, 1, String], ["documents", "documents", 2, 100000, 1, String]]) {
    const label = element("label", name), value = element("output", spell(settings[key]));
    const input = element("input", undefined, { type: "range", min: low, max: high, step, name: key });
    input.value = settings[key];
    input.addEventListener("input", () => { settings[key] = Number(input.value); value.textContent = spell(settings[key]); draw(JSON.parse(gsketchLab(JSON.stringify(settings)))); });
    label.append(value, input);
    $("controls").append(label);
  }
  draw(first);
}

function draw(x) {
  const failed = x.audit.filter((v) => !v.passed);
  $("badge").textContent = failed.length ? failed.length + " contracts FAIL" : "all " + x.audit.length + " contracts hold";
  $("badge").className = failed.length ? "badge failed" : "badge";
  $("contracts").replaceChildren(...x.audit.map((v) => element("li", v.name + ": " + (v.passed ? "passed" : "FAILED: " + v.reason))));
  const n = x.near, b = x.background;
  $("numbers").replaceChildren(row(["", "near", "background"], "th"), ...[
    ["shingles", n.shingles_b, b.shingles_b], ["shared", n.shared, b.shared], ["Jaccard, exact", n.jaccard, b.jaccard], ["estimate", n.estimate, b.estimate],
    ["rows that agree", n.matching_rows, b.matching_rows], ["bands that agree", n.matching_bands, b.matching_bands],
    ["probability", n.probability, b.probability], ["candidate", n.candidate, b.candidate],
    ["pairs before", x.near_pairs, x.background_pairs], ["expected after", x.near_pairs * n.probability, x.background_pairs * b.probability],
  ].map((cells) => row(cells.map((c) => (typeof c === "number" ? short(c) : String(c))))));
  for (const [id, agree] of [["near", x.near_rows], ["background", x.background_rows]]) {
    const bands = [];
    for (let at = 0; at < agree.length; at += x.settings.rows) {
      const rows = agree.slice(at, at + x.settings.rows), span = element("span", undefined, { class: rows.every(Boolean) ? "met" : "" });
      span.append(...rows.map((same) => element("i", undefined, { class: same ? "same" : "" })));
      bands.push(span);
    }
    $(id).replaceChildren(...bands);
  }
  curve(x);
}

function curve(x) {
  const W = 460, H = 300, left = 40, bottom = 40, at = (j, p) => [left + j * (W - left - 12), H - bottom - p * (H - bottom - 14)];
  const ns = "http://www.w3.org/2000/svg";
  const mark = (tag, attributes, text) => { const e = document.createElementNS(ns, tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); if (text !== undefined) e.textContent = text; return e; };
  const svg = mark("svg", { width: W, height: H, viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "probability to become a candidate against similarity" });
  for (const t of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    const [tx] = at(t, 0), [, ty] = at(0, t);
    svg.append(mark("line", { x1: left, x2: W - 12, y1: ty, y2: ty, stroke: "#e6e6e6" }), mark("text", { x: left - 6, y: ty + 4, "text-anchor": "end", "font-size": 11 }, t), mark("text", { x: tx, y: H - bottom + 16, "text-anchor": "middle", "font-size": 11 }, t));
  }
  svg.append(mark("text", { x: (W + left) / 2, y: H - 6, "text-anchor": "middle", "font-size": 12 }, "Jaccard similarity"));
  svg.append(mark("path", { d: "M" + x.curve.map(([j, p]) => at(j, p).join(" ")).join("L"), fill: "none", stroke: "#0072b2", "stroke-width": 2 }));
  const [tx] = at(x.threshold, 0);
  svg.append(mark("line", { x1: tx, x2: tx, y1: 14, y2: H - bottom, stroke: "#777", "stroke-dasharray": "4 3" }), mark("text", { x: Math.min(tx + 4, W - 90), y: 24, "font-size": 11 }, "threshold " + x.threshold.toFixed(3)));
  for (const [name, p, colour] of [["near", x.near, "#d55e00"], ["background", x.background, "#009e73"]]) {
    const [px, py] = at(p.jaccard, p.probability), right = px > W - 90;
    svg.append(mark("circle", { cx: px, cy: py, r: 5, fill: colour }), mark("text", { x: right ? px - 9 : px + 9, y: py - 7, "text-anchor": right ? "end" : "start", "font-size": 11, fill: colour }, name));
  }
  $("curve").replaceChildren(svg);
}

start();
