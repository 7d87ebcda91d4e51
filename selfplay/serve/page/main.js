// Which page the address names, and when it is drawn again: every two seconds the server is asked whether anything changed.

import { taskDetail, gameDetail } from "./detail.js";
import { duration, el, link, number, safe } from "./dom.js";
import { STEP, gamePage, refusedPage, taskPage } from "./lists.js";
import { overview } from "./overview.js";

const EVERY = 2000;
const PAGES = [["", "Overview"], ["tasks", "Tasks"], ["refused", "Refused"], ["games", "Games"]];
const $ = (id) => document.getElementById(id);
const seen = new Map();
let show = null;

class Refused extends Error {}

// The answer at `path`; `fresh` says whether it differs from the last one drawn there.
async function ask(path) {
  const response = await fetch(path);
  // A game's seed has more digits than a number here can hold.
  const answer = JSON.parse((await response.text()).replace(/("seed": )(\d{16,})/g, '$1"$2"'));
  if (!response.ok) throw new Refused(answer.error ?? "The server refused the question.");
  const tag = response.headers.get("ETag"), fresh = seen.get(path) !== tag;
  seen.set(path, tag);
  return { answer, fresh };
}

function route() {
  const [page = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const q = encodeURIComponent;
  if (page === "task") return [[`/api/task?id=${q(rest[0] ?? "")}`], ([task]) => taskDetail(task)];
  if (page === "game") return [[`/api/replay?episode=${q(rest[0] ?? "")}`], ([game]) => gameDetail(game)];
  if (page === "tasks") return [[`/api/tasks?limit=${STEP}&order=${q(rest[0] ?? "newest")}&offset=${q(rest[1] ?? "0")}`], ([page]) => taskPage(page)];
  if (page === "refused") return [[`/api/refused?limit=${STEP}&gate=${q(rest[0] ?? "any")}&offset=${q(rest[1] ?? "0")}`], ([page]) => refusedPage(page)];
  if (page === "games") return [[`/api/episodes?limit=${STEP}&offset=${q(rest[0] ?? "0")}`], ([page]) => gamePage(page)];
  return [["/api/evaluation", "/api/tasks?limit=10", "/api/episodes?limit=10"],
    ([evaluation, tasks, episodes]) => overview({ show, evaluation, tasks, episodes })];
}

async function draw(moved) {
  const here = location.hash;
  try {
    const first = await ask("/api/show?points=200");
    show = first.answer;
    if (first.fresh || moved) heading();
    const [paths, made] = route();
    const answers = await Promise.all(paths.map(ask));
    if (here !== location.hash) return;
    if (moved || first.fresh || answers.some((each) => each.fresh)) put(made(answers.map((each) => each.answer)), moved);
    trouble("");
  } catch (error) {
    if (here !== location.hash) return;
    if (error instanceof Refused && moved) put(el("p", {}, error.message), moved);
    else if (error instanceof Refused) trouble(error.message);
    else if (error instanceof TypeError || error instanceof SyntaxError) trouble("The server does not answer; this is what it said last.");
    else throw error;
  }
}

function trouble(words) {
  $("trouble").textContent = safe(words);
  $("trouble").hidden = !words;
}

function heading() {
  document.title = `${safe(show.run)}, step ${show.step}`;
  $("run").textContent = safe(show.run);
  $("state").textContent = safe(show.state);
  $("state").className = `badge ${show.state}`;
  const of = show.steps ?? show.step;
  $("progress").replaceChildren(
    el("progress", { max: of || 1, value: show.step, "aria-label": "Steps done" }), ` step ${show.step} of ${of}; `,
    safe(`recipe ${show.recipe}, seed ${show.seed}, ${number(show.tasks)} tasks, ${number(show.episodes)} games`), el("span", { id: "since" }));
  const now = location.hash.replace(/^#\/?/, "").split("/")[0];
  $("pages").replaceChildren(...PAGES.map(([page, name]) => {
    const made = link(page ? [page] : [], name);
    if (page === now) made.setAttribute("aria-current", "page");
    return made;
  }));
  since();
}

function since() {
  if (show?.started && $("since")) {
    const when = new Date(show.started * 1000).toLocaleString();
    $("since").textContent = show.state === "running" ? `; started ${when}, ${duration(Date.now() / 1000 - show.started)} ago` : `; started ${when}`;
  }
}

// A new drawing keeps open what was open, and the focus where it was.
function put(made, moved) {
  const main = $("main"), focused = main.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const open = [...main.querySelectorAll("details[open]")].map((each) => each.id);
  main.replaceChildren(made);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (moved === "by hand") {
    main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  } else if (focused) [...main.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus({ preventScroll: true });
}

let turn = Promise.resolve();
const next = (moved) => (turn = turn.then(() => draw(moved)));

window.addEventListener("hashchange", () => next("by hand"));
document.addEventListener("visibilitychange", () => document.hidden || next(false));
setInterval(() => { if (!document.hidden) { since(); next(false); } }, EVERY);
next("at the start");
