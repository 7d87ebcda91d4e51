// One task in full, and one game replayed turn by turn.

import { block, code, el, link, number, section, table } from "./dom.js";

export function taskDetail(task) {
  const kin = (ids) => (ids.length ? ids.map((id) => [link(["task", id], id.slice(0, 10)), " "]).flat() : ["nothing"]);
  const moved = task.history.map((h) => `step ${h.step}: ${h.correct} of ${h.attempts}`).join(", ");
  return el("div", { class: "cards" },
    section(`Task ${task.id}`, true,
      el("p", {}, `${task.family}, made in step ${task.step}; solved ${task.correct} of ${task.attempts}, learnability ${number(task.learnability)}.`),
      task.evicted === null ? null : el("p", {}, `Let go in step ${task.evicted}: ${task.reason.gate}, ${task.reason.detail}`),
      Object.entries(task.body).map(([name, text]) => [el("h3", {}, name), block(text)]).flat(),
      el("h3", {}, "truth"), block(task.gold),
      task.themes.length ? el("p", {}, `About: ${task.themes.join(", ")}.`) : null),
    section("Lineage", true, el("p", {}, "Made from: ", ...kin(task.parents)), el("p", {}, "Led to: ", ...kin(task.children)),
      moved ? el("p", {}, `Solved: ${moved}.`) : null),
    section("Attempts", true, task.tries.length
      ? table([["step"], ["verdict"], ["answer", "words"], ["what was written", "words"], ["advantage", "n"]], task.tries.map((one) => [
        String(one.step), el("span", { class: one.verdict === "correct" ? "good" : null }, one.verdict), code(one.answer ?? "–"), code(one.turn?.text ?? "–"),
        number(one.turn?.advantage)]), "Attempts", true)
      : el("p", { class: "soft" }, "It was not attempted yet.")));
}

export function gameDetail(game) {
  const plies = game.plies.map((ply) => el("div", {},
    el("h3", {}, `Ply ${ply.ply + 1}, seat ${ply.seat} (${game.opponents[ply.seat]})`),
    block(ply.observation),
    ply.legal === null ? null : el("p", { class: "small" }, `Legal: ${ply.legal.join(", ")}`),
    ply.turn === null ? null : el("div", {}, el("p", { class: "small soft" }, `writes (${facts(ply.turn)})`), block(ply.turn.text)),
    el("p", { class: ply.action === null ? "bad" : null }, ply.action === null ? "Plays no legal move." : `Plays ${ply.action}.`)));
  const blame = game.offender === null ? "" : ` by seat ${game.offender}`;
  const end = `${game.end}${blame}: ${game.returns.map((value, seat) => `seat ${seat} gets ${number(value)}`).join(", ")}.`;
  return section(`Game ${game.id}: ${game.game}`, true,
    el("p", {}, `Step ${game.step}, seed ${game.seed}; ${game.opponents.map((who, seat) => `seat ${seat} ${who}`).join(", ")}. It ended ${end}`),
    el("p", { class: "row" }, game.id > 1 ? link(["game", String(game.id - 1)], "the game before") : null, link(["game", String(game.id + 1)], "the next game")),
    ...plies, el("p", {}, el("strong", {}, end)));
}

const facts = (turn) => `${turn.ids.length} tokens, ${turn.stop}, policy version ${turn.version}` +
  (turn.reward === null ? "" : `, reward ${number(turn.reward)}, advantage ${number(turn.advantage)}`);
