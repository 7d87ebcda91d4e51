"""Variations of a task's arguments, of the same types: do the program's answers depend on them at all?

Half of them are near (a comparison flips, a letter moves), half are far (zero, the other sign, another size), so that a
threshold or a maximum is not taken for a constant.
"""

from __future__ import annotations

import random

from verifiers.codec import Value, encode


def vary(arguments: tuple[Value, ...], rng: random.Random, count: int = 4) -> list[tuple[Value, ...]]:
    """`count` tuples like `arguments`, each argument changed (an empty or typeless one may stay)."""
    return [tuple(_other(value, rng) for value in arguments) for _ in range(count)]


def _other(value: Value, rng: random.Random) -> Value:
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        near = value + rng.choice((-3, -2, -1, 1, 2, 3, 5))
        return near if rng.random() < 0.5 else rng.choice((0, -value - 1, 2 * value + 1, 10 * value + 7))
    if kind is float:
        near = value + rng.choice((-1.5, -0.5, 0.25, 1.0, 2.5))
        return near if rng.random() < 0.5 else rng.choice((0.0, -value - 0.5, 10 * value + 7.0))
    if kind is complex:
        return value + complex(rng.choice((-1, 1)), rng.choice((-1, 1)))
    if kind is str:
        return _other_text(value, rng)
    if kind is bytes:
        return _other_text(value.decode("latin-1"), rng).encode("latin-1", "replace")
    if kind in (list, tuple):
        return kind(_other_items(list(value), rng))
    if kind in (set, frozenset):
        return kind(_other(item, rng) for item in value)
    if kind is dict:
        return {key: _other(item, rng) for key, item in value.items()}
    return value


def _other_text(value: str, rng: random.Random) -> str:
    letters = value or "ab"
    choice = rng.randrange(6)
    if choice == 4:
        return value + value[::-1] + rng.choice("xyz")
    if choice == 5:
        return "".join(rng.choice("abcxyz 019") for _ in range(rng.randrange(1, 4)))
    if choice == 0:
        return value + rng.choice(letters) + rng.choice("xyz")
    if choice == 1 and len(value) > 1:
        return value[1:]
    if choice == 2 and len(value) > 1:
        return "".join(rng.sample(value, len(value))) + rng.choice(letters)
    at = rng.randrange(len(value) + 1)
    return value[:at] + rng.choice("abcxyz 019") + value[at + 1 :]


def _other_items(items: list[Value], rng: random.Random) -> list[Value]:
    if not items:
        return items
    changed = [_other(item, rng) if rng.random() < 0.7 else item for item in items]
    choice = rng.randrange(3)
    if choice == 0:
        changed.append(_other(rng.choice(items), rng))
    elif choice == 1 and len(changed) > 1:
        changed.pop(rng.randrange(len(changed)))
    return changed


def battery(arguments: tuple[Value, ...], count: int = 12) -> list[tuple[Value, ...]]:
    """Arguments that depend on nothing but the *types* of the given ones: what programs are compared on."""
    plain = tuple(_plain(value) for value in arguments)
    return [plain, *vary(plain, random.Random(len(arguments)), count - 1)]


def _plain(value: Value) -> Value:
    kind = type(value)
    if kind is tuple:
        return tuple(map(_plain, value))
    if kind in (list, set, frozenset):
        first = [_plain(min(value, key=encode) if kind is not list else value[0])] if value else []
        return kind(_shifted(member, place) for member in first for place in range(3))
    if kind is dict:
        return {_shifted(_plain(key), place): _plain(item) for key, item in list(value.items())[:1] for place in (0, 1)}
    return _PLAIN.get(kind, value)


def _shifted(value: Value, place: int) -> Value:
    kind = type(value)
    if kind in (int, float):
        return value + (0, 3, -5)[place]
    if kind is str:
        return value + ("", "s", "abc")[place]
    return value


_PLAIN: dict[type, Value] = {
    bool: True,
    int: 7,
    float: 2.5,
    complex: 1 + 2j,
    str: "stone",
    bytes: b"stone",
    type(None): None,
}
