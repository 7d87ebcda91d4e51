"""Holds every game of OpenSpiel and TextArena to the laws, and writes the outcome into games/adapters/README.md.

python scripts/check_adapters.py [open_spiel|textarena …]

Each game is examined by `selfplay check`, in a process of its own, on 2 random playouts, then on 10, 50 and 200 as long
as that is quick. Of TextArena's variants of one environment the plain one is taken. Needs both libraries.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "games" / "adapters" / "README.md"
LADDER = (2, 10, 50, 200)  # playouts
QUICK_S = 10.0  # processor time
LIMIT_S = 1200
REASONS = {
    r"two players: AssertionError: .*[Pp]layer": "for another number of players",
    r"it is not for two players|is for \d+ players": "for another number of players",
    r"two players: LookupError.*nltk|NLTK": "needs a word list that nltk would download",
    r"OPENROUTER_API_KEY": "asks a language model over the network",
    r"two players: SyntaxError": f"its source is no Python {sys.version_info[0]}.{sys.version_info[1]}",
    r"FileNotFoundError|No module named": "its package lacks files that it needs",
    r"it needs parameters": "needs parameters, in brackets behind its name",
    r"action 'pass' of a scripted player": "the scripted player finds no legal move by trying",
}


def main() -> None:
    for library in sys.argv[1:] or ("open_spiel", "textarena"):
        passed, broken, refused = defaultdict(list), list[tuple[str, str]](), defaultdict(list)
        for name in names(library):
            outcome = examine(f"{library}:{name}")
            print(json.dumps(outcome), flush=True)
            shown = outcome["game"].partition(":")[2]
            if "error" in outcome:
                refused[reason(outcome["error"])].append(shown)
            elif outcome["holds"]:
                passed[outcome["playouts"]].append(shown)
            else:
                broken.append((shown, "; ".join(why(each) for each in outcome["violations"])))
        write(library, table(passed, broken, refused))


def names(library: str) -> list[str]:
    if library == "open_spiel":
        import pyspiel

        return sorted(pyspiel.registered_names())
    from textarena.envs.registration import ENV_REGISTRY

    first: dict[object, str] = {}
    for id, spec in ENV_REGISTRY.items():
        known = first.setdefault(spec.entry_point, id)
        if re.fullmatch(r"[^-]+-v0", id) and not re.fullmatch(r"[^-]+-v0", known):
            first[spec.entry_point] = id
    return sorted(first.values())


def examine(game: str) -> dict:
    """The outcome of the longest check that takes about QUICK_S, going by the one before it."""
    outcome: dict = {}
    for playouts in LADDER:
        began = children_s()
        outcome = check(game, playouts)
        if hint := re.search(r"write `([^`]+\(players=2\))`", outcome.get("error", "")):
            return examine(hint[1])
        longer = next((more for more in LADDER if more > playouts), None)
        if not outcome.get("holds") or not longer or (children_s() - began) * longer / playouts > QUICK_S:
            break
    return outcome


def children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check(game: str, playouts: int) -> dict:
    command = [sys.executable, "-m", "selfplay.cli", "check", game, "--playouts", str(playouts), "--json"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return {"game": game, "error": f"not examined: {playouts} playouts take over {LIMIT_S} s"}
    if done.stdout.startswith("{"):
        return json.loads(done.stdout)
    lines = done.stderr.strip().splitlines() or ["it ended without a word"]
    return {"game": game, "error": next((line for line in reversed(lines) if "selfplay check:" in line), lines[-1])}


def reason(error: str) -> str:
    said = error.removeprefix("selfplay check: ")
    for pattern, words in REASONS.items():
        if re.search(pattern, said):
            return words
    return re.sub(r"^[^:]*cannot be played here: ", "", said).rstrip(".")


def why(violation: dict) -> str:
    return next(
        (w for p, w in REASONS.items() if re.search(p, violation["sentence"])),
        f"{violation['law']}: " + violation["sentence"][:200],
    )


def table(passed: dict, broken: list, refused: dict) -> str:
    lines = [f"{sum(map(len, passed.values()))} pass."]
    for playouts in sorted(passed, reverse=True):
        lines += ["", f"On {playouts} playouts: {', '.join(f'`{name}`' for name in passed[playouts])}."]
    lines += ["", "| not | why |", "| --- | --- |"]
    lines += [f"| `{name}` | {words.replace('|', '/')} |" for name, words in broken]
    lines += [
        f"| {', '.join(f'`{name}`' for name in sorted(found))} | {words.replace('|', '/')} |"
        for words, found in sorted(refused.items(), key=lambda item: -len(item[1]))
    ]
    return "\n".join(lines)


def write(library: str, text: str) -> None:
    begin, end = f"<!-- {library}: written by scripts/check_adapters.py -->", f"<!-- end of {library} -->"
    before, found, rest = README.read_text().partition(begin)
    if not found:
        raise SystemExit(f"{README} lacks the line {begin}")
    README.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}")


if __name__ == "__main__":
    main()
