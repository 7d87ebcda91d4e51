"""Errors that a person caused and a person can mend. Everything else that is raised is a bug of ours."""

from __future__ import annotations


class UserError(Exception):
    """Its message is one sentence that says what is wrong and what to do; the command line prints it without a
    traceback."""


class WrongCall(UserError):
    """What was asked for does not exist or does not fit: the command line ends with status 2, not 1."""


class PluginNotFound(WrongCall):
    """No plug-in has this name. `nearest` is the most similar existing name, or None."""

    def __init__(self, kind: str, name: str, tried: list[str], exists: list[str], nearest: str | None):
        self.kind, self.name, self.tried, self.exists, self.nearest = kind, name, tried, exists, nearest
        guess = f" (did you mean `{nearest}`?)" if nearest else ""
        listed = ", ".join(exists) or "none"
        super().__init__(f"nothing in {kind} is called `{name}`{guess}: tried {', '.join(tried)}; there are: {listed}")
