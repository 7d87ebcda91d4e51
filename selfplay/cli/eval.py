"""`selfplay eval MODEL_OR_RUN`: the fixed measures of a recipe's ending, without training."""

from __future__ import annotations

from pathlib import Path

from selfplay.cli.common import Parser, runs_root, show
from selfplay.errors import UserError


def main(argv: list[str]) -> int:
    parser = Parser("eval", "The fixed measures, without training.")
    parser.add_argument(
        "what", metavar="MODEL_OR_RUN", help="`embedded`, `scratch`, a model's folder, a hub name, or a run's folder"
    )
    parser.add_argument(
        "--recipe", default=None, help="whose measures and prompts to use (a run's own; else quickstart)"
    )
    call = parser.parse(argv)

    from selfplay.config import load
    from selfplay.evaluation.alone import evaluate_alone
    from selfplay.training import checkpoint

    run = next((path for path in (Path(call.what), runs_root() / call.what) if (path / "run.db").is_file()), None)
    if run:
        step = checkpoint.newest_kept(run / "checkpoints")
        if not step:
            raise UserError(f"The run {run} has no checkpoint yet, so there is nothing of it to evaluate.")
        model = str(run / "checkpoints" / checkpoint.name(step) / "policy")
        config = load(call.recipe or str(run))
    else:
        model, config = call.what, load(call.recipe or "quickstart")
    config = config.model_copy(update={"model": config.model.model_copy(update={"source": model})})
    show(evaluate_alone(config), _render, call.json)
    return 0


def _render(measures: dict[str, float]) -> object:
    from selfplay.views.text import number, table

    return table(["measure", "value"], [[key, number(value)] for key, value in measures.items()], right=[1])
