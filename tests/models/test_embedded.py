"""The embedded model: it speaks, and its tokenizer is the one that its authors trained it with."""

from __future__ import annotations

import pytest

from selfplay.models import embedded, resolve

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def folder():
    return resolve("embedded")


@pytest.fixture(scope="module")
def tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def test_asked_for_the_capital_of_france_it_answers_paris(folder, tokenizer):
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    messages = [{"role": "user", "content": "What is the capital of France?"}]
    asked = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    wrote = model.generate(**asked, max_new_tokens=24, do_sample=False)[0, asked["input_ids"].shape[1] :]
    assert "Paris" in tokenizer.decode(wrote, skip_special_tokens=True)
    assert wrote[-1] == tokenizer.eos_token_id, "the answer ends with the token that ends a message"


def test_the_converted_weights_are_the_recorded_ones(folder):
    assert embedded.sha256(folder / "model.safetensors") == embedded.WEIGHTS_SHA256


def test_the_tokenizer_ends_messages_and_pads_with_the_end_of_message_token(tokenizer):
    assert tokenizer.eos_token == tokenizer.pad_token == "<|im_end|>"
    assert tokenizer.convert_tokens_to_ids("<|im_end|>") == 2


@pytest.mark.parametrize("text", ["x = 123 + 45\n    return  7", "def f(n):\n\treturn n**2  # é 😀 ▁ ", "a , b !"])
def test_text_comes_back_from_the_tokenizer_unchanged(tokenizer, text):
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_digits_stand_alone_even_behind_an_indent(tokenizer):
    tokens = tokenizer.convert_ids_to_tokens(tokenizer.encode("=  12"))
    assert tokens == ["=", "ĠĠ", "1", "2"]
