"""Answers of an instruct model: what it writes for one prompt depends on this prompt alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from foundation.errors import UserError
from modelserving.adapters.chat import ChatTokenizer
from modelserving.adapters.options import ChatGenerationOptions
from modelserving.adapters.rows import prompts_batch
from modelserving.nets.beam_search import length_batches
from modelserving.pretrained.writing import TEXTS, TOKENS, configuration
from modelserving.training.gradients import seed_of
from modelserving.training.precision import autocast

if TYPE_CHECKING:
    from peft import PeftModel


def write_answers(
    net: "PeftModel", chat: ChatTokenizer, rows: Sequence[Sequence[int]], options: ChatGenerationOptions, longest: int
) -> list[list[int]]:
    """The ids that the model writes behind each prompt, at most `longest`, prompts of about one length at a time.

    With sampling each is drawn alone, by the seed and its own ids.
    """
    net.eval()
    outputs: list[list[int]] = [[] for _ in rows]
    for places in length_batches([len(row) * options.beam for row in rows], 1 if options.sample else TEXTS, TOKENS):
        if options.sample:
            torch.manual_seed(seed_of(options.seed, "sample", *rows[int(places[0])]))
        found = _answers(net, chat, [rows[int(place)] for place in places], options, longest)
        for place, ids in zip(places, found, strict=True):
            outputs[int(place)] = ids
    return outputs


def _configuration(net: Any, chat: ChatTokenizer, options: ChatGenerationOptions, longest: int) -> Any:
    """An answer ends with the template's token, or with one that the folder names."""
    config = configuration(net.generation_config, options)
    named = config.eos_token_id
    ends = named if isinstance(named, list) else [] if named is None else [named]
    config.eos_token_id = sorted({chat.end, *ends})
    config.pad_token_id, config.max_new_tokens = chat.pad, longest
    if config.min_new_tokens:
        config.min_new_tokens = min(config.min_new_tokens, longest)
    return config


@torch.inference_mode()
def _answers(
    net: Any, chat: ChatTokenizer, rows: list[Sequence[int]], options: ChatGenerationOptions, longest: int
) -> list[list[int]]:
    """Of one batch; where memory does not do, of its halves."""
    device = str(net.device)
    inputs = {name: tensor.to(device) for name, tensor in prompts_batch(rows, chat.pad).items()}
    del inputs["position_ids"]  # generate makes them of the mask
    try:
        with autocast(device, options.precision):
            found = net.generate(**inputs, generation_config=_configuration(net, chat, options, longest))
        return [list(map(int, row)) for row in found[:, inputs["input_ids"].shape[1] :].tolist()]
    except torch.OutOfMemoryError:
        if len(rows) == 1:
            raise UserError("The GPU's memory does not do for a text: choose fewer hypotheses (beam), or a shorter "
                            "longest output.", where="beam") from None  # fmt: skip
    torch.cuda.empty_cache()
    half = len(rows) // 2
    return [*_answers(net, chat, rows[:half], options, longest), *_answers(net, chat, rows[half:], options, longest)]
