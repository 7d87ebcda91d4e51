// Pictures drawn from numbers: a curve, and bars beside their counts.

import { el, name, number } from "./dom.js";

// One metric over the steps. Gaps (not-a-number) break the line. pairs: [[step, value], …].
export function curve(key, pairs) {
  const known = pairs.filter(([, value]) => value !== null);
  const values = known.map(([, value]) => value);
  const first = values[0] ?? null, last = values.at(-1) ?? null;
  const told = `${number(first)} → ${number(last)}`;
  const caption = el("figcaption", {}, name(key), el("br"), el("span", { class: "soft" }, told));
  if (!known.length) return el("figure", {}, caption);
  const [x0, x1] = [pairs[0][0], pairs.at(-1)[0]];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (step) => 4 + (252 * (step - x0)) / (x1 - x0 || 1);
  const y = (value) => (high === low ? 40 : 72 - (64 * (value - low)) / (high - low));
  let d = "", pen = false;
  for (const [step, value] of pairs) {
    if (value !== null) d += `${pen ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = value !== null;
  }
  const [endStep, endValue] = known.at(-1);
  const label = `${key}: from ${number(first)} at step ${known[0][0]} to ${number(last)} at step ${endStep}, least ${number(low)}, greatest ${number(high)}`;
  return el("figure", {}, caption,
    el("svg", { viewBox: "0 0 260 90", role: "img", "aria-label": label },
      el("line", { class: "grid", x1: 0, x2: 260, y1: 76, y2: 76 }),
      el("path", { class: "line", d }),
      el("circle", { class: "dot", cx: x(endStep).toFixed(1), cy: y(endValue).toFixed(1), r: 2.5 }),
      el("text", { x: 4, y: 87 }, `step ${x0}`),
      el("text", { x: 256, y: 87, "text-anchor": "end" }, `${x1}`),
      el("text", { x: 130, y: 87, "text-anchor": "middle" }, `${number(low)} to ${number(high)}`)));
}

// A bar of `part` out of `whole`, for a table's cell.
export function bar(part, whole) {
  const width = whole ? (100 * part) / whole : 0;
  return el("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", height: 12, "aria-hidden": "true", class: "meter" },
    el("rect", { class: "bar", x: 0, y: 0, width: width.toFixed(2), height: 10 }));
}
