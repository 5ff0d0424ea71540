"""Texts from a pretrained encoder and decoder: what it writes for one depends on this text alone."""

from collections.abc import Sequence
from typing import Any

import torch

from foundation.errors import UserError
from modelserving.nets.beam_search import length_batches
from modelserving.pretrained.options import GenerationOptions
from modelserving.pretrained.token_rows import pad
from modelserving.training.gradients import seed_of
from modelserving.training.precision import autocast

TEXTS, TOKENS = 32, 16_384  # that are written at a time; of the sources, padding counted, and of all hypotheses


def type_of_weights(device: str, precision: str) -> torch.dtype:
    """The type of weights that only write: that in which their products are worked out."""
    with autocast(device, precision):
        halved = torch.is_autocast_enabled(device.partition(":")[0])
    return torch.bfloat16 if halved else torch.float32


def configuration(tokens: Any, options: GenerationOptions, positions: int = 0) -> Any:
    """transformers' own form of the options.

    Args:
        tokens: The special tokens of the model, as transformers' GenerationConfig.
        options: How it is to write.
        positions: Tokens that the model can write at most; 0 where nothing limits them.
    """
    import transformers

    longest = min(options.longest, positions - 1) if positions else options.longest
    given: dict[str, Any] = {
        "max_new_tokens": longest, "num_beams": 1 if options.sample else options.beam, "do_sample": options.sample,
        "length_penalty": options.length_penalty, "no_repeat_ngram_size": options.no_repeat, "use_cache": True,
    }  # fmt: skip
    if given["num_beams"] > 1:
        given["early_stopping"] = options.early_stopping
    if options.shortest:
        given["min_new_tokens"] = min(options.shortest, longest)
    if options.sample:
        given |= {"temperature": options.temperature, "top_p": options.top_p, "top_k": 0}
    kind: Any = transformers.GenerationConfig
    return kind(**{**tokens.to_diff_dict(), **given})


def write(net: Any, rows: Sequence[Sequence[int]], options: GenerationOptions, positions: int = 0) -> list[list[int]]:
    """The ids that the model writes for each row of ids, those of about one length at a time.

    With sampling each is drawn alone, by the seed and its own ids.
    """
    config = configuration(net.generation_config, options, positions)
    outputs: list[list[int]] = [[] for _ in rows]
    most = 1 if options.sample else TEXTS
    for places in length_batches([len(row) * options.beam for row in rows], most, TOKENS):
        if options.sample:
            torch.manual_seed(seed_of(options.seed, "sample", *rows[int(places[0])]))
        for place, found in zip(places, _written(net, [rows[int(i)] for i in places], config, options), strict=True):
            outputs[int(place)] = found
    return outputs


@torch.inference_mode()
def _written(net: Any, rows: list[Sequence[int]], config: Any, options: GenerationOptions) -> list[list[int]]:
    """Of one batch; where memory does not do, of its halves."""
    filler = config.pad_token_id or 0
    ids = pad(rows, filler).to(net.device)
    mask = (torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]).long().to(net.device)
    try:
        with autocast(str(net.device), options.precision):
            found = net.generate(input_ids=ids, attention_mask=mask, generation_config=config)
        return [list(map(int, row)) for row in found.tolist()]
    except torch.OutOfMemoryError:
        if len(rows) == 1:
            raise UserError("The GPU's memory does not do for a text: choose fewer hypotheses (beam), or a shorter "
                            "longest output.", where="beam") from None  # fmt: skip
    torch.cuda.empty_cache()
    half = len(rows) // 2
    return [*_written(net, rows[:half], config, options), *_written(net, rows[half:], config, options)]
