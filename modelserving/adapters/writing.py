"""Pairs as chats on disk, batches padded on the left, and the answers that a model writes to chats.

A pair is the ids of a prompt, and those of its answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from foundation.errors import UserError
from modelserving.adapters.chat import ChatTokenizer, Prompt, prompt_ids
from modelserving.adapters.options import ChatGenerationOptions
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.pretrained.writing import configuration, generate, write_in_batches
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

if TYPE_CHECKING:
    from peft import PeftModel

PROMPTS, ANSWERS, WHOLE = "prompts", "answers", "whole"


class ChatRows:
    """Chats of ids; only the rows asked for are read from disk."""

    def __init__(self, folder: Path) -> None:
        self.prompts, self.answers = TokenizedDataset(folder / PROMPTS), TokenizedDataset(folder / ANSWERS)

    def __len__(self) -> int:
        return len(self.prompts)

    def __getitem__(self, place: int) -> tuple[Any, Any]:
        return self.prompts[place], self.answers[place]

    @property
    def keys(self) -> "NDArray[np.int64]":
        """Tokens of each, (n,)."""
        return self.prompts.lengths.astype(np.int64) + self.answers.lengths


def write_chats(
    folder: Path, sources: Sequence[str], targets: Sequence[str], chat: ChatTokenizer, prompt: Prompt, longest: int,
    callbacks: Callbacks,
) -> None:  # fmt: skip
    """Cut the pairs that are neither empty nor longer than `longest` ids, and say how many were left out; once.

    A UserError where no pair is left.
    """
    if (folder / WHOLE).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    kept = empty = 0
    with TokenizedDatasetWriter(folder / PROMPTS) as first, TokenizedDatasetWriter(folder / ANSWERS) as second:
        for source, target in zip(sources, targets, strict=True):
            if not source.strip() or not target.strip():
                empty += 1
            elif (row := cut_pair(chat, prompt, source, target, longest)) is not None:
                first.add(row[0])
                second.add(row[1])
                kept += 1
    if not kept:
        raise UserError(
            "There is no pair to train on: each is empty, or longer than {longest:,} tokens with its prompt.",
            longest=longest,
            where="longest",
        )
    callbacks.say(f"{kept:,} pairs; {empty:,} left out that are empty, {len(sources) - kept - empty:,} longer than "
                  f"{longest:,} tokens with their prompt.")  # fmt: skip
    (folder / WHOLE).touch()


def cut_pair(
    chat: ChatTokenizer, prompt: Prompt, source: str, target: str, longest: int
) -> tuple[list[int], list[int]] | None:
    """The ids of the prompt and of the answer; None where they are more than `longest`."""
    answer = chat.answer(target.strip())
    ids = prompt_ids(chat, prompt, source)
    return (ids, answer) if len(ids) + len(answer) <= longest else None


@dataclass(frozen=True)
class ChatCollator:
    """Makes batches for a causal model, padded with `pad` on the left."""

    pad: int

    def __call__(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Inputs:
        """Ids (n, T) without the last of each answer, their mask and positions, and labels.

        Labels (n, Ta) are the answers alone, padded with -100 on the left: those of the model's last Ta outputs.
        """
        whole = [[*prompt, *answer[:-1]] for prompt, answer in rows]
        inputs = prompts_batch(whole, self.pad)
        return {**inputs, "labels": pad_left([answer for _, answer in rows], IGNORED)}


def prompts_batch(rows: Sequence[Sequence[int]], pad: int) -> Inputs:
    """Ids (n, T), padded on the left, with mask and positions: each row's first id is at position 0."""
    lengths = torch.tensor([len(row) for row in rows])
    ids = pad_left(rows, pad)
    mask = (torch.arange(ids.shape[1]) >= ids.shape[1] - lengths[:, None]).long()
    return {"input_ids": ids, "attention_mask": mask, "position_ids": (mask.cumsum(dim=1) - 1).clamp(min=0)}


def pad_left(rows: Sequence[Sequence[int]], filler: int) -> Tensor:
    """Rows of different lengths as one array of int64, (n, T), padded on the left."""
    ids = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, ids.shape[1] - len(row) :] = row
    return torch.from_numpy(ids)


def write_answers(
    net: "PeftModel", chat: ChatTokenizer, rows: Sequence[Sequence[int]], options: ChatGenerationOptions, longest: int,
    context: RunContext | None = None,
) -> list[list[int]]:  # fmt: skip
    """The ids that the model writes behind each prompt, at most `longest`; prompts of about one length go together.

    With sampling each is drawn by the seed and its own ids.
    """
    net.eval()
    config = _configuration(net, chat, options, longest)

    def written(batch: list[Sequence[int]]) -> list[list[int]]:
        inputs = {name: tensor.to(net.device) for name, tensor in prompts_batch(batch, chat.pad).items()}
        del inputs["position_ids"]  # generate makes them of the mask
        found = generate(net, inputs, batch, config, options)
        return [row[inputs["input_ids"].shape[1] :] for row in found]

    return write_in_batches(written, rows, options, context or RunContext())


def _configuration(net: Any, chat: ChatTokenizer, options: ChatGenerationOptions, longest: int) -> Any:
    """The settings of generation; an answer ends with the template's token, or with one that the folder names."""
    config = configuration(net.generation_config, options)
    named = config.eos_token_id
    ends = named if isinstance(named, list) else [] if named is None else [named]
    config.eos_token_id = sorted({chat.end, *ends})
    config.pad_token_id, config.max_new_tokens = chat.pad, longest
    if config.min_new_tokens:
        config.min_new_tokens = min(config.min_new_tokens, longest)
    return config
