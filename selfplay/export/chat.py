"""A prompt's text back into the messages it was made of.

The store keeps what the policy was given: text, after the model's chat template. TRL wants messages. Every prompt of
this engine is one message of the user, so the template around a mark tells what stands before and after the message;
whether that is so of a prompt is asked of the template itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selfplay.errors import UserError

Messages = list[dict[str, str]]

_MARK = "the-message-goes-here"


class Template:
    """The chat template of a tokenizer. UserError: it has none."""

    def __init__(self, tokenizer: Any) -> None:
        if not tokenizer.chat_template:
            raise UserError(
                "This run's prompts are chat, but its tokenizer has no chat template to read them by; leave out "
                "`sft` and `preferences` (`--what tasks,attempts,…`)."
            )
        self._tokenizer = tokenizer
        self._before, _, self._after = self._render([{"role": "user", "content": _MARK}]).partition(_MARK)

    def messages(self, prompt: str) -> Messages | None:
        """The messages that the template makes this prompt of; None when it does not (its beginning was cut off)."""
        if not (prompt.startswith(self._before) and prompt.endswith(self._after)):
            return None
        content = prompt[len(self._before) : len(prompt) - len(self._after)]
        found = [{"role": "user", "content": content}]
        return found if self._render(found) == prompt else None

    def _render(self, messages: Messages) -> str:
        return self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)


def template(model: Path) -> Template:
    """The template in a model's folder."""
    from transformers import AutoTokenizer

    return Template(AutoTokenizer.from_pretrained(model))


def said(text: str) -> Messages:
    return [{"role": "assistant", "content": text}]
