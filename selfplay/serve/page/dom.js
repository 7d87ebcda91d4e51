// Elements made of text alone: nothing that a run wrote is ever read as markup.

const SPELT = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

// The text with what could hide or turn it round written out (\x1b, \u202e); newlines stay when `lines`.
export function safe(value, lines = false) {
  return String(value).replace(HIDDEN, (c) => {
    if (lines && (c === "\n" || c === "\t")) return c;
    if (SPELT[c]) return SPELT[c];
    const code = c.codePointAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
}

const SVG = new Set(["svg", "path", "circle", "line", "rect", "text", "title"]);

// el("p", {class: "soft"}, "words", el(…)); null children are left out, strings become text.
export function el(tag, attributes = {}, ...children) {
  const made = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, safe(value));
  made.append(...children.flat().filter((child) => child !== null).map((child) => (child instanceof Node ? child : safe(child))));
  return made;
}

// A name that may be broken after its slashes and underscores.
export const name = (text) => text.split(/(?<=[/_])/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));

const lined = (tag, text) => {
  const made = el(tag);
  made.textContent = safe(text, true);
  return made;
};
export const block = (text) => lined("pre", text);
export const code = (text) => lined("code", text);

export const link = (parts, ...children) => el("a", { href: "#/" + parts.map(encodeURIComponent).join("/") }, ...children);

export const section = (title, wide, ...children) => el("section", { class: wide ? "wide" : null }, el("h2", {}, title), ...children);

// columns: [heading, class?]; rows: lists of cells; the first cell heads its row. A quiet caption is only spoken.
export function table(columns, rows, caption = null, quiet = false) {
  const head = el("tr", {}, columns.map(([heading, kind]) => el("th", { scope: "col", class: kind ?? null }, heading)));
  const body = rows.map((cells) =>
    el("tr", {}, cells.map((cell, i) => el(i ? "td" : "th", { scope: i ? null : "row", class: columns[i][1] ?? null }, ...[cell].flat()))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption ?? columns[0][0] },
    el("table", {}, caption && el("caption", { class: quiet ? "unseen" : null }, caption), el("thead", {}, head), el("tbody", {}, body)));
}

export function number(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size < 0.0005 ? value.toExponential(1) : size < 10 ? value.toFixed(3) : size < 1000 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

export function duration(seconds) {
  if (seconds < 60) return `${seconds < 9.95 ? seconds.toFixed(1) : seconds.toFixed(0)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return minutes < 60 ? `${minutes} min ${String(Math.round(seconds) % 60).padStart(2, "0")} s` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)} %` : "–");

export const clip = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
