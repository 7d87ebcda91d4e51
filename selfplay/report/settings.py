"""What the recipe chose: where the run's `config.json` differs from the defaults of this version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.config import keys


def settings(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`key`, `value`, `default` and `known` of each difference; a key that this version has not is not `known`."""
    defaults = json.loads(json.dumps(keys()))
    return [
        {"key": key, "value": value, "default": defaults.get(key), "known": key in defaults}
        for key, value in sorted(_flat(config, defaults))
        if key not in defaults or value != defaults[key]
    ]


def _flat(config: Mapping[str, Any], known: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A table that is itself a value (samplers by share) stays whole."""
    for name, value in config.items():
        key = prefix + name
        if isinstance(value, Mapping) and key not in known:
            yield from _flat(value, known, f"{key}.")
        else:
            yield key, value
