"""The shared-weight trainer: TRL's GRPO loss over the turns of every role.

Source: TRL 1.16, `GRPOTrainer`. What is kept is its loss (`_compute_loss`), its optimizer and accelerate's wrapping
(run on one process so far). What is replaced: rollouts and rewards are made elsewhere, so a step takes finished samples
with one advantage a turn; rows are merged and packed (see `forest`); and one `step` is one batch, however many
micro-batches it takes.

Deviation: with one epoch, the ratio in the loss is trainer / sampler, so that it corrects for the sampler's numerics
without another forward pass: `dapo` clips it as it clips any ratio, `cispo` truncates it at `importance_cap`. With
several epochs the trainer's own log-probabilities, taken before the first update, are the old ones, and the sampler's
mismatch enters as a weight truncated at `importance_cap`. The magnet acts through the advantages (see `magnet`): TRL's
own penalty follows the gradient of the other divergence, KL(magnet, policy), which lets rare actions die.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfplay import quiet  # noqa: F401  isort: skip  (before torch)
import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging
from trl import GRPOConfig, GRPOTrainer

from selfplay.errors import UserError
from selfplay.records import Sample
from selfplay.seeds import rng
from selfplay.training import head
from selfplay.training.explore import pulled
from selfplay.training.forest import Forest, real_tokens
from selfplay.training.magnet import Magnet, pulls
from selfplay.training.rows import Row, collate, deal, grown, merge, split
from selfplay.training.thin import thin

if TYPE_CHECKING:
    from selfplay.config import SamplerConfig, TrainingConfig

Batch = dict[str, torch.Tensor]


class Trainer(GRPOTrainer):
    """One policy in training. `step` updates it, `weights` hands it to the sampler, `score` says what it thinks of
    given ids."""

    def __init__(
        self, model: Path, config: TrainingConfig, sampler: SamplerConfig, steps: int, seed: int, folder: Path
    ):
        transformers_logging.disable_progress_bar()
        network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, attn_implementation=_attention())
        tokenizer = AutoTokenizer.from_pretrained(model)
        super().__init__(
            network,
            reward_funcs=_rewards_come_from_elsewhere,
            args=_arguments(config, sampler, seed, folder),
            train_dataset=Dataset.from_dict({"prompt": ["", ""]}),
            processing_class=tokenizer,
            peft_config=_lora(config),
        )
        if config.pack:
            head.attach(self.model.get_base_model() if config.lora_rank else self.model, self.temperature)
        self.config, self._pad = config, int(tokenizer.pad_token_id or 0)
        self.current_gradient_accumulation_steps = 1
        self._wrapped, _ = self._prepare_for_training(steps * config.epochs * config.minibatches, None, None)
        self.magnet = Magnet(self._named(), config.magnet_rate) if config.magnet else None
        self._mask_type = torch.bfloat16 if config.autocast else torch.float32
        self._mismatch: list[tuple[float, float]] = []

    def step(self, samples: Sequence[Sample]) -> dict[str, float]:
        """One optimizer step an epoch and minibatch over all samples; metrics by `train/…`. No samples, no step."""
        started, tokens = time.perf_counter(), sum(len(sample.turn.completion.ids) for sample in samples)
        if not (self.magnet or self.config.entropy or self.config.explore):  # those act on every token
            samples = thin(samples, self.config.budget_tokens, rng(self.args.seed, self.state.global_step, "thin"))
        rows = merge(samples)
        if not rows:
            return {"train/rows": 0.0}
        rate = float(self.optimizer.param_groups[0]["lr"])
        if self.config.explore:
            extra = pulled(samples, self.config.explore * rate / self.config.learning_rate)
            rows = sorted([*rows, *extra], key=lambda row: (row.prompt, row.completion))
        hands = deal(rows, self.config.minibatches, rng(self.args.seed, self.state.global_step, "minibatches"))
        updates, parts = [], list[list[Row]]()
        for hand in hands:
            packs = split(hand, self.config.micro_tokens)
            share = round(tokens * _weight(hand) / _weight(rows))
            updates.append(self._equalised([collate(pack, self._pad, self._over_all(share)) for pack in packs]))
            parts += [*packs, *([[]] * (len(updates[-1]) - len(packs)))]
        batches = [batch for update in updates for batch in update]
        self._fix_references(batches, parts)
        self._mismatch.clear()
        norms = [self._update(update) for _ in range(self.config.epochs) for update in updates]
        mismatch = self._mismatch[: len(updates[0])]  # of the first update: after it the weights have moved
        if self.magnet:
            self.magnet.follow(self._named())
        metrics = {f"train/{key}": _mean(values) for key, values in self._metrics["train"].items() if values}
        self._metrics["train"].clear()
        return metrics | {
            "train/grad_norm": norms[-1],
            "train/rows": float(len(rows)),
            "train/nodes": float(sum(len(grown(part)) for part in parts)),
            "train/tokens": float(tokens),
            "train/micro_batches": float(len(batches)),
            "train/learning_rate": rate,
            "train/mismatch_mean": sum(mean for mean, _ in mismatch) / len(mismatch),
            "train/mismatch_max": max(most for _, most in mismatch),
            "train/seconds": time.perf_counter() - started,
        }

    def _over_all(self, tokens: int) -> int:
        """The sampled tokens of an update, over all processes: what its loss is a mean over."""
        found = self.accelerator.reduce(torch.tensor(tokens, device=self.accelerator.device), reduction="sum")
        return max(1, int(found))

    def _update(self, batches: list[Batch]) -> float:
        """Accumulate the gradient of every micro-batch, then one clipped optimizer step; the norm before the clip."""
        for index, batch in enumerate(batches):
            last = index == len(batches) - 1
            self.accelerator.gradient_state._set_sync_gradients(last)
            with torch.enable_grad() if last else self.accelerator.no_sync(self._wrapped):
                self.training_step(self._wrapped, dict(batch), None)
        norm = float(self._get_grad_norm(self._wrapped, self._clip_grad_norm(self._wrapped)))
        if not math.isfinite(norm):
            raise UserError(
                f"The gradient of update {self.state.global_step + 1} is not finite; the finished steps are kept. "
                "Start again with a lower training.learning_rate."
            )
        self.optimizer.step()
        self.lr_scheduler.step()
        self._wrapped.zero_grad()
        self.state.global_step += 1
        return norm

    def _prepare_inputs(self, batch: Batch) -> Batch:
        """TRL would generate here; ours are ready. Rows stand for `weights` samples each, through the mask that TRL
        multiplies by."""
        batch = {key: value.to(self.accelerator.device) for key, value in batch.items()}
        batch["tool_mask"] = batch.pop("weights").expand(-1, batch["completion_ids"].size(1))
        batch.setdefault("old_per_token_logps", batch["sampling_per_token_logps"])
        return batch

    def _compute_loss(self, model: torch.nn.Module, inputs: Batch) -> torch.Tensor:
        self._sampled = inputs["sampling_per_token_logps"], inputs["completion_mask"].bool()
        loss = super()._compute_loss(model, inputs)
        if (
            self.config.entropy
        ):  # TRL's own bonus is a mean over each micro-batch, so it would depend on how rows are split
            mask = inputs["completion_mask"] * inputs["tool_mask"]
            share = self.accelerator.num_processes / inputs["num_items_in_batch"]
            loss = loss - self.config.entropy * (self._entropies * mask).sum() * share
        return loss

    def _get_per_token_logps_and_entropies(
        self,
        model: torch.nn.Module,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        **kwargs: Any,
    ) -> tuple[torch.Tensor, torch.Tensor | None, None]:
        """Log-probabilities (B, C) and entropies (B, C) of the completion tokens; padding is 0. TRL's contract, packed
        inside."""
        if self.config.pack:
            logps, entropies = self._packed(model, input_ids, attention_mask, logits_to_keep)
        else:
            logps, entropies, _ = super()._get_per_token_logps_and_entropies(
                model, input_ids, attention_mask, logits_to_keep, compute_entropy=True
            )
        self._entropies = entropies
        if torch.is_grad_enabled():
            sampled, real = self._sampled
            gap = (logps.detach() - sampled)[real].abs()
            self._mismatch.append((gap.mean().item(), gap.max().item()) if gap.numel() else (0.0, 0.0))
        return logps, entropies, None

    def _packed(
        self, model: torch.nn.Module, input_ids: torch.Tensor, mask: torch.Tensor, width: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        forest, device = Forest(), input_ids.device
        where: list[tuple[int, int, int]] = []  # row, column, question
        for row, (prompt, completion) in enumerate(real_tokens(input_ids, mask, width)):
            questions = forest.grow(prompt, completion) if completion else []
            where += [(row, column, question) for column, question in enumerate(questions)]
        with self.accelerator.autocast():
            logps, entropies = model(**forest.inputs(device, self._mask_type))
        rows, columns, questions = torch.tensor(where, device=device).unbind(1)
        blank, at = torch.zeros(input_ids.size(0), width, device=device), (rows, columns)
        return blank.index_put(at, logps[0, questions]), blank.index_put(at, entropies[0, questions])

    def _fix_references(self, batches: list[Batch], parts: list[list[Row]]) -> None:
        """Everything that must be known before any update: our own log-probabilities, and the magnet's. What nobody
        said gets our own for the sampler's."""
        sampled = [batch.pop("sampled") for batch in batches]
        if self.config.epochs == 1 and not self.magnet and not self.config.explore:
            return
        for batch, said in zip(batches, sampled, strict=True):
            own = batch["old_per_token_logps"] = self._forward_only(batch)
            theirs = batch["sampling_per_token_logps"].to(own.device)
            batch["sampling_per_token_logps"] = torch.where(said.to(own.device), theirs, own)
            if self.config.importance_cap:
                ratio = (own - batch["sampling_per_token_logps"].to(own.device)).exp()
                batch["advantages"] = batch["advantages"].to(own.device) * ratio.clamp(max=self.config.importance_cap)
        if self.magnet:
            with self.magnet.in_place_of(self._named()):
                gaps = [batch["old_per_token_logps"] - self._forward_only(batch) for batch in batches]
            for batch, gap in zip(
                batches, pulls(parts, gaps), strict=False
            ):  # padding batches have no rows of their own
                batch["advantages"] = batch["advantages"].to(gap.device) - self.config.magnet * gap

    @torch.no_grad()
    def _forward_only(self, batch: Batch) -> torch.Tensor:
        batch = {key: value.to(self.accelerator.device) for key, value in batch.items()}
        ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
        mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
        return self._get_per_token_logps_and_entropies(self._wrapped, ids, mask, batch["completion_ids"].size(1))[0]

    def _equalised(self, batches: list[Batch]) -> list[Batch]:
        """Processes must run equally many micro-batches: the shorter ones add copies of weight 0, which are exactly
        neutral."""
        most = int(self.accelerator.gather(torch.tensor([len(batches)], device=self.accelerator.device)).max())
        blank = {**batches[0], "weights": torch.zeros_like(batches[0]["weights"])}
        return batches + [blank] * (most - len(batches))

    def score(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[tuple[float, ...]]:
        """The log-probability of each completion id of each (prompt, completion), in nats, under the weights being
        trained."""
        plain = [Row(tuple(prompt), tuple(completion), (0.0,) * len(completion), 0.0, 1) for prompt, completion in rows]
        found = self._forward_only(collate(plain, self._pad, 1))
        return [tuple(found[place, : len(row.completion)].tolist()) for place, row in enumerate(plain)]

    def weights(self) -> Iterator[tuple[str, torch.Tensor]]:
        """(name, tensor) as in the model's own `state_dict`; adapters are merged in, ties are named once."""
        network = self.accelerator.unwrap_model(self._wrapped)
        if self.config.lora_rank:
            network.merge_adapter()
        try:
            tied = getattr(network.config, "tie_word_embeddings", False)
            for name, tensor in network.state_dict().items():
                name = name.removeprefix("base_model.model.").replace(".base_layer", "")
                if "lora_" not in name and not (tied and name == "lm_head.weight"):
                    # an adapter is taken out again below, in place: what is handed on must not change with it
                    yield name, tensor.detach().clone() if self.config.lora_rank else tensor.detach()
        finally:
            if self.config.lora_rank:
                network.unmerge_adapter()

    def save_policy(self, folder: Path) -> None:
        """Weights and tokenizer in the format that transformers and vLLM load."""
        network = self.accelerator.unwrap_model(self._wrapped)
        if self.config.lora_rank:
            network.get_base_model().save_pretrained(folder, state_dict=dict(self.weights()))
        else:
            network.save_pretrained(folder)
        self.processing_class.save_pretrained(folder)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the weights: optimizer, schedule, step count, magnet; the adapter, where there is one."""
        return {
            "adapter": {name: w.detach() for name, w in self._named().items()} if self.config.lora_rank else None,
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.lr_scheduler.state_dict(),
            "global_step": self.state.global_step,
            "magnet": self.magnet.state_dict() if self.magnet else None,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.optimizer.load_state_dict(state["optimizer"])
        self.lr_scheduler.load_state_dict(state["scheduler"])
        self.state.global_step = state["global_step"]
        if self.config.lora_rank:
            with torch.no_grad():
                for name, weight in self._named().items():
                    weight.copy_(state["adapter"][name])
        if self.magnet:
            self.magnet.load_state_dict(state["magnet"])

    def _named(self) -> dict[str, torch.nn.Parameter]:
        return {name: weight for name, weight in self._wrapped.named_parameters() if weight.requires_grad}


def _weight(rows: Sequence[Row]) -> int:
    """How many tokens of the step these rows stand for."""
    return sum(row.weight * len(row.completion) for row in rows if row.sampled)


def _mean(values: Sequence[float]) -> float:
    """Of what is a number: a micro-batch that only keeps other processes company has none."""
    found = [value for value in values if not math.isnan(value)]
    return sum(found) / len(found) if found else math.nan


def _attention() -> str:
    """On CPU, torch's fused attention with a mask is slower than the plain one for packs of some hundred tokens."""
    return "sdpa" if torch.cuda.is_available() else "eager"


def _rewards_come_from_elsewhere(**_: Any) -> list[float]:
    raise AssertionError("rewards are computed by selfplay.credit; TRL must not ask for them")


def _arguments(config: TrainingConfig, sampler: SamplerConfig, seed: int, folder: Path) -> GRPOConfig:
    on_cpu = not torch.cuda.is_available()
    return GRPOConfig(
        output_dir=str(folder),
        use_cpu=on_cpu,
        bf16=config.autocast,
        learning_rate=config.learning_rate,
        lr_scheduler_type={"constant": "constant_with_warmup", "linear": "linear"}[config.schedule],
        warmup_steps=config.warmup * config.epochs * config.minibatches,
        adam_beta1=config.betas[0],
        adam_beta2=config.betas[1],
        weight_decay=config.weight_decay,
        max_grad_norm=config.grad_norm,
        loss_type=config.loss,
        epsilon=config.clip[0],
        epsilon_high=(config.importance_cap or math.inf) if config.loss == "cispo" else config.clip[1],
        beta=0.0,
        scale_rewards="none",
        temperature=sampler.temperature,
        per_device_train_batch_size=2,
        num_generations=2,
        steps_per_generation=1,
        gradient_accumulation_steps=1,
        gradient_checkpointing=False,
        report_to=[],
        save_strategy="no",
        seed=seed,
        dataloader_pin_memory=False,
    )


def _lora(config: TrainingConfig) -> Any:
    if not config.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=config.lora_rank, lora_alpha=2 * config.lora_rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
