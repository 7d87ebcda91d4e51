// Tables of tasks, games and refused proposals, and their pages.

import { clip, code, el, link, number, section, table } from "./dom.js";

export const STEP = 25;

const oneLine = (body) => Object.entries(body).map(([name, text]) => `${name} ${text.split(/\s+/).join(" ")}`).join("; ");

export const taskTable = (tasks) => table(
  [["task"], ["family"], ["step", "n"], ["tries", "n"], ["solved", "n"], ["learnable", "n"], ["what", "words"]],
  tasks.map((task) => [link(["task", task.id], task.id.slice(0, 10)), task.family, number(task.step), number(task.attempts),
    number(task.solve_rate), number(task.learnability), clip(`${oneLine(task.body)} → ${task.gold}`, 160)]), "Tasks", true);

export const gameTable = (episodes) => table(
  [["game"], ["step", "n"], ["seats"], ["plies", "n"], ["returns", "n"], ["end"]],
  episodes.map((one) => [link(["game", String(one.id)], `${one.game} ${one.id}`), number(one.step), one.opponents.join(", "), number(one.plies),
    one.returns.map((value) => number(value)).join(", "), one.end + (one.offender === null ? "" : ` (seat ${one.offender})`)]), "Games", true);

const refusedTable = (proposals) => table([["step"], ["gate"], ["why", "words"], ["what was written", "words"]],
  proposals.map((one) => [number(one.step), one.gate, clip(one.detail ?? "", 200), code(clip(one.turn?.text ?? "", 600))]), "Refused proposals", true);

export function taskPage(page) {
  const orders = ["newest", "oldest", "hardest", "easiest", "learnable", "attempts"];
  const pick = el("p", { class: "row" }, "First: ", orders.map((order) =>
    order === page.order ? el("strong", {}, order) : link(["tasks", order, "0"], order)));
  return section("Tasks", true, pick, paged(page, page.tasks, taskTable, (offset) => ["tasks", page.order, offset]));
}

export function refusedPage(page) {
  const gates = ["any", ...Object.keys(page.refusals)];
  const pick = el("p", { class: "row" }, "Gate: ", gates.map((gate) =>
    gate === page.gate ? el("strong", {}, gate) : link(["refused", gate, "0"], gate)));
  return section("Refused proposals", true, pick, paged(page, page.proposals, refusedTable, (offset) => ["refused", page.gate, offset]));
}

export const gamePage = (page) => section("Games", true, paged(page, page.episodes, gameTable, (offset) => ["games", offset]));

function paged(page, entries, draw, where) {
  if (!entries.length) return el("p", { class: "soft" }, "There is nothing here.");
  const last = page.offset + entries.length;
  const turns = el("p", { class: "row" }, `${number(page.offset + 1)} to ${number(last)} of ${number(page.total)}`,
    page.offset ? link(where(String(Math.max(0, page.offset - STEP))), "back") : null,
    last < page.total ? link(where(String(last)), "on") : null);
  return el("div", {}, turns, draw(entries));
}
