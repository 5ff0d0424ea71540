"""Answers of an instruct model: what it writes for one prompt depends on this prompt alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from modelserving.adapters.chat import ChatTokenizer
from modelserving.adapters.options import ChatGenerationOptions
from modelserving.adapters.rows import prompts_batch
from modelserving.pretrained.writing import configuration, generate, write_in_batches
from modelserving.run_context import RunContext

if TYPE_CHECKING:
    from peft import PeftModel


def write_answers(
    net: "PeftModel", chat: ChatTokenizer, rows: Sequence[Sequence[int]], options: ChatGenerationOptions, longest: int,
    context: RunContext | None = None,
) -> list[list[int]]:  # fmt: skip
    """The ids that the model writes behind each prompt, at most `longest`, prompts of about one length at a time.

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
    """An answer ends with the template's token, or with one that the folder names."""
    config = configuration(net.generation_config, options)
    named = config.eos_token_id
    ends = named if isinstance(named, list) else [] if named is None else [named]
    config.eos_token_id = sorted({chat.end, *ends})
    config.pad_token_id, config.max_new_tokens = chat.pad, longest
    if config.min_new_tokens:
        config.min_new_tokens = min(config.min_new_tokens, longest)
    return config
