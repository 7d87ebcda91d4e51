"""The model made of random numbers, and its tokenizer of characters."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from selfplay.errors import UserError
from selfplay.models import characters, resolve, scratch

SMALL = scratch.Shape(layers=1, width=32)
PRINTABLE = "\n" + "".join(map(chr, range(32, 127)))


def weights(folder):
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("characters")
    characters.write(folder, 64)
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def test_the_same_seed_gives_the_same_weights_and_another_seed_gives_others(tmp_path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        (tmp_path / name).mkdir()
        scratch.write(tmp_path / name, SMALL, seed)
    assert weights(tmp_path / "a") == weights(tmp_path / "b") != weights(tmp_path / "c")


def test_a_seed_means_the_same_weights_on_every_machine(tmp_path):
    from safetensors.numpy import load_file

    scratch.write(tmp_path, SMALL, 0)
    head = load_file(tmp_path / "model.safetensors")["model.embed_tokens.weight"].ravel()[:3]
    assert [f"{value:.9g}" for value in head] == ["0.0223524403", "-0.0277424976", "-0.00853143167"]


def test_the_default_shape_has_between_one_and_three_million_parameters():
    count = 0
    for size in scratch.Shape().tensors().values():
        count += size[0] * (size[1] if len(size) > 1 else 1)
    assert 1_000_000 < count < 3_000_000


def test_a_second_call_finds_the_first_one_s_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path))
    first = resolve("scratch:1x32", seed=3)
    stamp = (first / "model.safetensors").stat().st_mtime_ns
    assert resolve("scratch:1x32", seed=3) == first and (first / "model.safetensors").stat().st_mtime_ns == stamp
    assert resolve("scratch:1x32", seed=4) != first


def test_a_name_may_say_how_far_the_first_weights_deviate(tmp_path, monkeypatch):
    from safetensors.numpy import load_file

    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path))
    plain, wide = resolve("scratch:1x32", seed=3), resolve("scratch:1x32@0.1", seed=3)
    assert plain != wide and resolve("scratch:1x32@0.02", seed=3) == plain
    before, after = (load_file(folder / "model.safetensors") for folder in (plain, wide))
    name = "model.layers.0.self_attn.q_proj.weight"
    assert after[name] / before[name] == pytest.approx(5.0)
    assert not after["lm_head.weight"].any(), "the first policy is uniform all the same"


@pytest.mark.parametrize("shape", ["4", "0x32", "2x33", "2x0", "twox32", "1x32@", "1x32@2", "1x32@0.0"])
def test_a_shape_that_is_none_says_how_to_write_one(shape):
    with pytest.raises(UserError, match="scratch:4x192"):
        resolve(f"scratch:{shape}")


@given(st.text(st.sampled_from(PRINTABLE)))
def test_a_character_s_id_is_its_ascii_code_and_text_comes_back_unchanged(tokenizer, text):
    ids = tokenizer.encode(text).ids
    assert ids == [ord(character) for character in text]
    assert tokenizer.decode(ids, skip_special_tokens=True) == text


@given(st.lists(st.integers(0, characters.SIZE - 1)))
def test_whatever_a_random_policy_samples_has_a_text_that_encodes_to_it(tokenizer, ids):
    text = tokenizer.decode(ids, skip_special_tokens=False)
    assert len(text) == len(ids) and tokenizer.encode(text).ids == ids


def test_unknown_characters_become_one_replacement_each(tokenizer):
    ids = tokenizer.encode("é♠😀a").ids
    assert ids == [characters.UNKNOWN] * 3 + [ord("a")]
    assert tokenizer.decode(ids) == "␚␚␚a"


@pytest.mark.model
def test_transformers_loads_every_weight_and_needs_no_other(tmp_path):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    scratch.write(tmp_path, scratch.Shape(), 0)
    model, loading = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32, output_loading_info=True)
    assert not any(loading.values()), loading
    assert model.get_output_embeddings().weight.data_ptr() != model.get_input_embeddings().weight.data_ptr()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    assert (tokenizer.pad_token_id, tokenizer.eos_token_id) == (characters.PAD, characters.EOS)
    prompt = tokenizer("You hold the K.\n", return_tensors="pt")
    entropy = torch.distributions.Categorical(logits=model(**prompt).logits[0, -1]).entropy()
    assert entropy > 4.7, "log(128) is 4.85: a random model prefers next to nothing"
