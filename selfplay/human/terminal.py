"""What is said to the person, and what the person types."""

from __future__ import annotations

from typing import IO

from selfplay.views.text import safe

LEAVE = ("q", "quit")


class Left(Exception):
    """The person has had enough: `q`, or the end of the input."""


class Terminal:
    """Works on a terminal and on a pipe; a pipe's words are repeated, since nobody saw them being typed."""

    def __init__(self, source: IO[str], out: IO[str]) -> None:
        self.source, self.out = source, out

    def say(self, *lines: str) -> None:
        """Lines of text, made harmless: games and models may have a hand in them."""
        for line in lines or ("",):
            print(safe(line, lines=True), file=self.out, flush=True)

    def ask(self, prompt: str) -> str:
        """One typed line. Raises Left at the end of the input."""
        print(safe(prompt), end="", file=self.out, flush=True)
        line = self.source.readline()
        if not line:
            self.say()
            raise Left
        if not self.source.isatty():
            self.say(line.rstrip("\r\n"))
        return line.rstrip("\r\n")
