from __future__ import annotations

import pytest
import torch

from selfplay.policy.draw import invert

pytestmark = pytest.mark.model

LOGITS = torch.tensor([2.0, 1.0, 0.0, -1.0, -3.0, 0.5, 0.5, -6.0])


def draw(logits: torch.Tensor, seed: int) -> torch.Tensor:
    """One token a row, all rows from one generator."""
    generator = torch.Generator().manual_seed(seed)
    return invert(logits, dict.fromkeys(range(len(logits)), generator), None, None)[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tokens_come_from_the_softmax(seed: int) -> None:
    count = 20_000
    seen = torch.bincount(draw(LOGITS.expand(count, -1), seed), minlength=len(LOGITS)).double()
    expected = LOGITS.double().softmax(-1) * count
    chi_square = float(((seen - expected) ** 2 / expected).sum())
    assert chi_square < 24.3, "exceeded once in a thousand with 7 degrees of freedom"


def test_the_log_probabilities_are_those_of_the_whole_vocabulary_in_fp32() -> None:
    tokens, logprobs = invert(LOGITS.bfloat16().expand(3, -1), {}, None, None)
    assert logprobs.dtype == torch.float32 and logprobs.shape == (3, 8) and tokens.shape == (3,)
    torch.testing.assert_close(logprobs, LOGITS.log_softmax(-1).expand(3, -1), atol=1e-2, rtol=0)
    torch.testing.assert_close(logprobs.exp().sum(-1), torch.ones(3))


def test_the_same_seed_draws_the_same_token_whoever_else_is_in_the_batch() -> None:
    rows = torch.randn(6, 50, generator=torch.Generator().manual_seed(0))

    def tokens(order: list[int]) -> list[int]:
        generators = {place: torch.Generator().manual_seed(100 + row) for place, row in enumerate(order)}
        found = invert(rows[order], generators, None, None)[0].tolist()
        return [found[order.index(row)] for row in sorted(order)]

    alone = [tokens([row])[0] for row in range(6)]
    assert tokens([3, 1, 0, 5, 2, 4]) == alone
    assert tokens([0, 1, 2, 3, 4, 5]) == alone


def test_a_generator_moves_on_with_every_token_it_draws() -> None:
    generator = torch.Generator().manual_seed(0)
    flat = torch.zeros(1, 1000)
    assert len({int(invert(flat, {0: generator}, None, None)[0]) for _ in range(20)}) > 15


def test_what_has_no_probability_is_never_drawn() -> None:
    logits = torch.full((5000, 6), float("-inf"))
    logits[:, [1, 4]] = 0.0
    assert set(draw(logits, 0).tolist()) == {1, 4}


def test_top_k_and_top_p_are_refused() -> None:
    with pytest.raises(ValueError, match="top-k and top-p stay off"):
        invert(LOGITS[None], {}, torch.tensor([5]), None)
    with pytest.raises(ValueError, match="top-k and top-p stay off"):
        invert(LOGITS[None], {}, None, torch.tensor([0.9]))
