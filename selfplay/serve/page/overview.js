// The first page: everything at a glance, the fixed evaluation first.

import { bar, curve } from "./charts.js";
import { clip, duration, el, link, name, number, percent, section, table } from "./dom.js";
import { gameTable, taskTable } from "./lists.js";

const SHOWN = 12;
const SPREAD = ["0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1"]; // an object would put "1" second

export function overview({ show, evaluation, tasks, episodes }) {
  return el("div", { class: "cards" },
    fixed(evaluation), curves(show), proposals(show), difficulty(show), cost(show),
    section("Last games", false, episodes.episodes.length ? gameTable(episodes.episodes) : none("No game was played.")),
    section("Newest tasks", true, tasks.tasks.length ? taskTable(tasks.tasks) : none("No task was admitted yet.")),
    events(show));
}

const none = (words) => el("p", { class: "soft" }, words);

function fixed({ labels, rows }) {
  const shown = rows.filter((row) => !/\/(low|high)$/.test(row.key));
  if (!shown.length) return section("Before and after", true, none("The run was not evaluated yet."));
  const bounds = Object.fromEntries(rows.map((row) => [row.key, row]));
  const value = (row, label) => {
    const low = bounds[`${row.key}/low`]?.[label], high = bounds[`${row.key}/high`]?.[label];
    return low === undefined || low === null ? number(row[label]) : `${number(row[label])} (${number(low)} to ${number(high)})`;
  };
  const change = (row) => {
    if (row.difference === null) return "–";
    const kind = { better: "good", worse: "bad" }[row.outcome] ?? "";
    return el("span", { class: kind }, `${row.difference > 0 ? "+" : ""}${row.difference.toFixed(3)} ${row.outcome ?? ""}`);
  };
  const columns = [["measure"], ...labels.map((label) => [label, "n"]), ["difference", "n"], ["ratio", "n extra"]];
  const part = (rows, caption) => rows.length
    ? table(columns, rows.map((row) => [
      [...name(row.key), row.better === "lower" ? el("span", { class: "aside" }, " (lower is better)") : null], ...labels.map((label) => value(row, label)), change(row),
      row.ratio === null ? "–" : `×${row.ratio.toFixed(2)}`]), caption) : null;
  return section("Before and after", true,
    part(shown.filter((row) => !row.self_play), "Held-out tasks and fixed opponents"),
    part(shown.filter((row) => row.self_play), "What it made itself (self-play)"));
}

function curves(show) {
  const all = Object.entries(show.curves);
  const outside = all.filter(([key]) => /exploitability|vs_|legal_mass/.test(key)), inside = all.filter((each) => !outside.includes(each));
  const draw = (some) => el("div", { class: "curves" }, some.map(([key, pairs]) => curve(key, pairs)));
  return section("Curves", true,
    all.length ? null : none("No step is finished yet."),
    outside.length ? [el("h3", {}, "Measured exactly, or against fixed opponents"), draw(outside)] : null,
    inside.length ? [el("h3", {}, "In self-play, as it trained"), draw(inside.slice(0, SHOWN))] : null,
    inside.length > SHOWN
      ? el("details", { id: "more-curves" }, el("summary", {}, `${inside.length - SHOWN} more`), draw(inside.slice(SHOWN))) : null);
}

function proposals(show) {
  const { total, last } = show.funnel;
  if (!total.proposed) return section("Proposals", false, none("This run proposed no tasks so far."));
  const refusals = Object.entries(show.refusals.total);
  const most = Math.max(...refusals.map(([, count]) => count), 1);
  const families = Object.entries(show.asked.total);
  return section("Proposals", false,
    table([["stage"], ["all steps", "n"], ["last step", "n"], ["", "draw"]],
      Object.entries(total).map(([stage, count]) => [stage, number(count), number(last[stage]), bar(count, total.proposed)]),
      "From proposed to admitted"),
    refusals.length ? table([["gate"], ["all steps", "n"], ["last step", "n"], ["", "draw"]],
      refusals.map(([gate, count]) => [link(["refused", gate, "0"], gate), number(count), number(show.refusals.last[gate] ?? 0), bar(count, most)]),
      "Refused, by gate") : none("Nothing was refused."),
    families.length > 1 ? table([["family"], ["proposed", "n"], ["admitted", "n"]],
      families.map(([name, count]) => [name, number(count), number(show.made.total[name] ?? 0)]), "By family") : null);
}

function difficulty(show) {
  const spread = SPREAD.map((name) => [name, show.spread.total[name] ?? 0]), most = Math.max(...spread.map(([, count]) => count), 1);
  const verdicts = Object.entries(show.verdicts.total);
  const games = Object.entries(show.games.total), ends = Object.entries(show.ends.total);
  return section("Attempts and games (self-play)", false,
    verdicts.length ? table([["solve rate"], ["all steps", "n"], ["last step", "n"], ["", "draw"]],
      spread.map(([name, count]) => [name, number(count), number(show.spread.last[name] ?? 0), bar(count, most)]), "Tasks by solve rate, as measured in each step") : none("No task was attempted."),
    verdicts.length ? el("p", { class: "small" }, `Attempts: ${verdicts.map(([name, count]) => `${name} ${number(count)}`).join(", ")}.`) : null,
    games.length ? table([["game"], ["all steps", "n"], ["last step", "n"]],
      games.map(([name, count]) => [name, number(count), number(show.games.last[name] ?? 0)]), "Games played") : null,
    games.length ? el("p", { class: "small" }, `Ended ${ends.map(([name, count]) => `${name} ${number(count)}`).join(", ")}; ${percent(show.illegal.total, show.moves.total)} of ${number(show.moves.total)} moves illegal, ${percent(show.illegal.last, show.moves.last)} in the last step.`) : null);
}

function cost(show) {
  const total = Object.entries(show.seconds.total), whole = total.reduce((sum, [, value]) => sum + value, 0);
  if (!total.length) return section("Cost by phase", false, none("No step is finished yet."));
  return section("Cost by phase", false,
    table([["phase"], ["all steps", "n"], ["share", "n"], ["last step", "n"], ["", "draw"]],
      total.map(([phase, value]) => [phase, duration(value), percent(value, whole), duration(show.seconds.last[phase] ?? 0), bar(value, whole)]),
      `${duration(whole)} in all`));
}

function events(show) {
  const newest = show.events.slice(-20).reverse();
  return section("Events and alarms", true, newest.length
    ? table([["step"], ["kind"], ["what", "words"]], newest.map((event) => [
      String(event.step), event.kind === "alarm" ? el("strong", { class: "bad" }, "alarm") : event.kind, clip(event.detail, 300)]))
    : none("Nothing happened that a reader should know."));
}
