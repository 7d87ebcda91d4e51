from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.errors import UserError
from selfplay.records import Event
from selfplay.report import write
from selfplay.report.gather import data
from selfplay.report.measures import measures
from selfplay.report.roles import on_the_way
from selfplay.report.steps import MOST, Groups
from selfplay.report.verdict import verdict
from selfplay.store.folder import RunFolder
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]
DONE = {"state": "finished", "step": 3, "steps": 3}
RECIPE = {
    "evaluation": {"proposals": 96, "tasks": 24, "attempts": 2, "games": 24},
    "games": {"names": ["kuhn_poker", "tic_tac_toe"]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.run(tmp_path_factory.mktemp("runs"), steps=4).path


@pytest.fixture(scope="module")
def html(folder: Path) -> str:
    return write(folder).read_text(encoding="utf-8")


class Outline(HTMLParser):
    """The tags, the sections' ids, and the text a reader sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sections: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "section":
            self.sections.append(dict(attrs)["id"] or "")
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag or tag in ("path", "rect"), tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data if "style" not in self.open else ""


def said(before: dict[str, float], after: dict[str, float], recipe: dict[str, Any] = RECIPE) -> dict[str, Any]:
    evaluation = {label: found for label, found in (("before", before), ("after", after)) if found}
    return verdict(measures(evaluation, recipe), DONE)


def test_the_sections_come_in_order_and_the_page_is_well_formed(html: str) -> None:
    outline = Outline(html)
    assert outline.open == []
    assert outline.sections == [
        "evaluation", "proposals", "frontier", "tasks", "diversity", "roles", "games", "cost", "lineage", "events",
        "settings",
    ]  # fmt: skip


def test_a_person_can_say_what_was_hardest_why_proposals_failed_and_whether_it_improved(html: str) -> None:
    text = " ".join(Outline(html).text.split())
    assert "The model improved at kuhn_poker." in text
    assert "parse 4 refused: its words hold nothing that can be read" in text and "refused by parse" in text
    hardest = text.index("Hardest: never solved, in the most attempts")
    assert "solved 0 of 4" in text[hardest : text.index("Hardest of those that were solved at all")]
    assert "step 2, alarm: entropy fell" in text


def test_a_run_without_games_tasks_or_evaluation_leaves_those_sections_out(tmp_path: Path) -> None:
    outline = Outline(write(made.run(tmp_path, steps=0, evaluated=False).path).read_text())
    assert outline.sections == ["events", "settings"]
    assert "this run holds no evaluation" in outline.text
    assert "Left out, for the run holds nothing of it: a fixed evaluation, proposals, attempts" in outline.text


def test_a_live_run_says_how_far_it_is_and_claims_nothing(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, "live", json.dumps({"name": "live", "steps": 9}), {"seed": 1})
    with run.writer() as writer:
        writer.evaluation("before", 0, made.BEFORE, seconds=1.0)
        for step in (1, 2):
            writer.commit(made.record(step))
        text = Outline(write(run.path).read_text()).text
    run.release()
    assert "Still running: step 2 of 9." in text and "The model improved" not in text
    assert verdict([], {"state": "running", "step": 2, "steps": 9})["outcome"] == "unmeasured"


def test_what_a_model_wrote_is_shown_as_text(html: str) -> None:
    outline = Outline(html)
    assert "script" not in outline.tags and "<script>alert(1)</script>" in outline.text
    assert "[bold red]loud[/]" in outline.text and "\\x1b[31mred" in outline.text and "\\u202e" in outline.text
    assert not set(html) & set("\x1b\x07\x9b\x00\r\u202e")


def test_hostile_names_gates_events_and_settings_are_text_too(tmp_path: Path) -> None:
    evil = '"><img src=x onerror=alert(1)>\u202e</style><script>'
    run = RunFolder.create(
        tmp_path, "evil", json.dumps({"name": evil, evil: evil, "steps": 1}), {"machine": {"cpu": evil}}
    )
    with run.writer() as writer:
        writer.evaluation("before", 0, {f"{evil}/exploitability": 0.5, evil: 1.0}, seconds=1.0)
        writer.commit(made.record(1))
        writer.event(Event(evil, evil), 1)
    run.release()
    with sqlite3.connect(run.database) as db:
        db.execute("UPDATE proposals SET gate = ? WHERE gate = 'run'", (evil,))
        db.execute("UPDATE tasks SET themes = ?, family = ?", (json.dumps([evil]), evil))
        db.execute("UPDATE episodes SET game = ?, opponents = ?", (evil, json.dumps([evil, "policy"])))
        db.execute("UPDATE steps SET digest = replace(digest, '\"deduction\"', ?)", (json.dumps(evil),))
    outline = Outline(write(run.path).read_text())
    assert not {"img", "script"} & set(outline.tags) and outline.tags.count("style") == 1
    assert outline.text.count("<img src=x onerror=alert(1)>") > 5


def test_the_page_needs_nothing_from_outside(html: str) -> None:
    assert not re.search(r"""(?i)(src|href|url)\s*[=(]\s*["']?[^"'#\s]""", html.split("</style>")[1])
    assert "@import" not in html and "url(" not in html and "default-src 'none'" in html


def test_the_same_run_gives_the_same_bytes(folder: Path, html: str, tmp_path: Path) -> None:
    assert write(folder, tmp_path / "again.html").read_text(encoding="utf-8") == html


def test_long_words_are_cut_and_the_page_stays_small(tmp_path: Path) -> None:
    run = made.run(tmp_path, steps=2)
    with sqlite3.connect(run.database) as db:
        db.execute("UPDATE turns SET text = ?", ("long " * 200_000,))
        db.execute("UPDATE tasks SET gold = ?", ("x" * 1_000_000,))
    size = write(run.path).stat().st_size
    assert size < 1_000_000
    assert "996,000 characters more" in write(run.path).read_text()


def test_many_steps_share_columns() -> None:
    groups = Groups.of(100_000)
    assert len(groups.names) <= MOST and groups.names[0] == "1–834" and groups.names[-1].endswith("–100000")
    assert Groups.of(MOST).width == 1 and Groups.of(MOST + 1).names[-1] == str(MOST + 1)
    steps = [{"step": n, "time": 0.0, "seconds": {"train": 1.0}, **_digest()} for n in range(1, MOST + 2)]
    sums = Groups.of(MOST + 1).sums(steps)
    assert [group["funnel"]["proposed"] for group in sums] == [4] * (MOST // 2) + [2]
    assert sums[0]["seconds"] == {"train": 2.0}


def test_a_difference_within_noise_is_no_improvement() -> None:
    found = said({"solver/solve_rate": 2 / 48}, {"solver/solve_rate": 5 / 48})
    assert found["outcome"] == "none" and found["headline"] == "No improvement is shown."
    assert "within noise" in found["sentences"][0] and "48 tries" in found["sentences"][0]
    found = said({"solver/solve_rate": 2 / 48}, {"solver/solve_rate": 20 / 48})
    assert found["outcome"] == "improved" and "held-out tasks" in found["headline"]
    found = said({"solver/solve_rate": 20 / 48}, {"solver/solve_rate": 2 / 48})
    assert found["outcome"] == "worse"


def test_learning_the_form_is_not_called_skill() -> None:
    before = {
        "player/score_vs_random": 0.0,
        "player/forfeit_rate": 1.0,
        "player/legal_rate": 0.08,
        "solver/solve_rate": 0.0,
    }
    after = {
        "player/score_vs_random": 0.3,
        "player/forfeit_rate": 0.4,
        "player/legal_rate": 0.9,
        "solver/solve_rate": 0.0,
    }
    found = said(before, after)
    assert found["outcome"] == "form" and "0.500 in the games it did not forfeit" in " ".join(found["sentences"])
    assert said(before, after | {"player/score_vs_random": 0.55})["outcome"] == "improved"


def test_an_exact_measure_that_hardly_moved_is_no_improvement() -> None:
    assert said({"kuhn_poker/exploitability": 0.367}, {"kuhn_poker/exploitability": 0.336})["outcome"] == "none"
    assert said({"kuhn_poker/exploitability": 0.458}, {"kuhn_poker/exploitability": 0.087})["outcome"] == "improved"
    assert said({"kuhn_poker/exploitability": 0.1}, {"kuhn_poker/exploitability": 0.4})["outcome"] == "worse"
    mixed = said(
        {"kuhn_poker/exploitability": 0.1, "solver/solve_rate": 0.0},
        {"kuhn_poker/exploitability": 0.4, "solver/solve_rate": 0.5},
    )
    assert mixed["outcome"] == "mixed"


def test_without_a_known_number_of_tries_nothing_is_claimed() -> None:
    found = said({"solver/solve_rate": 0.1}, {"solver/solve_rate": 0.9}, {})
    assert found["outcome"] == "unclear"
    assert said({"solver/solve_rate": 0.1}, {})["outcome"] == "unmeasured"


def test_intervals_that_the_run_stored_are_used() -> None:
    key = "kuhn_poker/vs_cfr/score"
    before = {key: 0.4, f"{key}/low": 0.3, f"{key}/high": 0.5}
    assert said(before, {key: 0.48, f"{key}/low": 0.4, f"{key}/high": 0.6})["outcome"] == "none"
    better = said(before, {key: 0.9, f"{key}/low": 0.8, f"{key}/high": 0.95})
    assert better["headline"] == "The model improved at play against cfr at kuhn_poker."


def test_the_tries_of_a_mean_over_families_are_theirs_together() -> None:
    found = {
        "solver/solve_rate": 0.1, "solver/a/solve_rate": 17 / 24, "solver/a/answered_rate": 1.0,
        "solver/b/solve_rate": 3 / 28, "solver/b/answered_rate": 1.0,
        "proposer/valid_rate": 0.5, "proposer/a/valid_rate": 0.5, "proposer/b/valid_rate": 0.5,
    }  # fmt: skip
    recipe = {"evaluation": {"proposals": 40, "tasks": 14, "attempts": 2}}
    tries = {row["key"]: row["tries"] for row in measures({"before": found, "after": found}, recipe)}
    assert tries["solver/a/solve_rate"] == 24 and tries["solver/b/solve_rate"] == 28
    assert tries["solver/solve_rate"] == 52 and tries["proposer/valid_rate"] == 80


def test_the_verb_prints_the_path_and_the_verdict_and_its_twin_the_data(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "there.html"
    assert main(["report", str(folder), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{out}\nThe model improved at kuhn_poker.") and out.is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["there.html"]
    assert main(["report", str(folder), "--json"]) == 0
    twin = capsys.readouterr().out
    assert json.loads(twin) == json.loads(json.dumps(data(folder))) and twin.count("\n") == 1


def test_what_is_no_run_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    with sqlite3.connect(foreign / "run.db") as db:
        db.execute("CREATE TABLE other (x)")
    broken = made.run(tmp_path, name="broken").path
    (broken / "run.db").write_bytes(b"no database at all" * 1000)
    for path in (tmp_path / "nowhere", tmp_path, foreign, broken):
        assert main(["report", str(path)]) == (1 if path.exists() else 2)
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("selfplay report: ") and err.count("\n") == 1
    with pytest.raises(UserError, match="cannot be written"):
        write(made.run(tmp_path, name="fine").path, tmp_path / "no" / "such" / "folder.html")


def test_the_report_loads_no_engine() -> None:
    code = (
        "import sys, selfplay.cli.report, selfplay.report.page; "
        "heavy = {'torch', 'transformers', 'trl', 'vllm'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def _digest() -> dict[str, Any]:
    zeros = dict.fromkeys(("proposed", "parsed", "valid", "new", "admitted"), 2)
    return {"funnel": zeros, "refusals": {}, "spread": {}}


def test_a_round_robin_and_alarms_are_on_the_page(tmp_path: Path) -> None:
    run = made.run(tmp_path, steps=4)
    folder = RunFolder.open(run.path, write=True)
    with folder.writer() as writer:
        league = {"g/elo/last": 120.0, "g/elo/last/low": 20.0, "g/elo/random": 0.0, "g/payoff/last/random": 0.75}
        writer.evaluation("league", 4, league, seconds=1.0)
        writer.event(Event("alarm", "nothing is learnt"), 4)
    folder.release()
    outline = Outline(write(run.path).read_text())
    text = " ".join(outline.text.split())
    assert "league" in outline.sections and "+120" in text and "0.75" in text and "0.25" in text
    assert text.index("nothing is learnt") < text.index("Before and after, measured")


def test_games_not_lost_to_random_are_judged_as_play_and_draws_not_at_all() -> None:
    before = {"kuhn_poker/not_lost_vs_random": 0.0, "t/vs_minimax/drawn": 0.0}
    before |= {"t/vs_minimax/drawn/low": 0.0, "t/vs_minimax/drawn/high": 0.1}
    after = {key: 0.9 if key.endswith("/high") else 0.8 for key in before}
    rows = {row["key"]: row for row in measures({"before": before, "after": after}, RECIPE)}
    found = rows["kuhn_poker/not_lost_vs_random"]
    assert (found["kind"], found["outcome"], found["tries"]) == ("play", "better", 24)
    assert rows["t/vs_minimax/drawn"]["outcome"] is None


def test_games_measured_on_the_way_have_a_curve_from_before_the_first_step(tmp_path: Path) -> None:
    run = made.run(tmp_path, steps=2)
    folder = RunFolder.open(run.path, write=True)
    with folder.writer() as writer:
        for step, value in ((3, 0.25), (4, 0.75)):
            measured = {
                "g/not_lost_vs_random": value,
                "g/vs_minimax/not_lost": value / 2,
                "g/exploitability": 1 - value,
            }
            writer.commit(replace(made.record(step), metrics=measured))
    folder.release()
    text = " ".join(Outline(write(run.path).read_text()).text.split())
    assert "Games not lost" in text and "g against random" in text and "g against minimax" in text
    assert "Exploitability" in text and "75%" in text
    assert [on_the_way(key) for key in ("player/not_lost_vs_random", "g/vs_minimax/not_lost/low", "g/legal_rate")] == [
        None, None, None,
    ]  # fmt: skip
