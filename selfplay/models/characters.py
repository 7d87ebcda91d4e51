"""A tokenizer of single characters: a token's id is its ASCII code.

Printable ASCII and the newline stand for themselves. The other codes appear as Unicode's pictures of control characters
(code 3 is `␃`), so every one of the 128 ids has a visible text of its own, and text made of them comes back unchanged.
Three of the pictures have a use: `␀` pads, `␄` (end of transmission) ends a completion, and `␚` (substitute) replaces
every character that the tokenizer does not know. No text in ASCII can be mistaken for one of them.
"""

from __future__ import annotations

import json
from pathlib import Path

SIZE = 128
PAD, EOS, UNKNOWN = 0, 4, 26


def symbol(code: int) -> str:
    """The text of the token with id `code`, one character."""
    if code == ord("\n") or chr(code).isprintable():
        return chr(code)
    return "␡" if code == 127 else chr(0x2400 + code)


def write(folder: Path, context: int) -> None:
    """Write `tokenizer.json` and `tokenizer_config.json` to `folder`; `context` is the longest input in tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models

    vocabulary = {symbol(code): code for code in range(SIZE)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges=[], unk_token=symbol(UNKNOWN), fuse_unk=False))
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken(symbol(code), special=True, normalized=False) for code in (PAD, EOS)])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": context,
        "pad_token": symbol(PAD),
        "eos_token": symbol(EOS),
        "padding_side": "left",
        "clean_up_tokenization_spaces": False,
    }
    text = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")
