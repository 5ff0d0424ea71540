"""Texts from a pretrained encoder and decoder: the output for a text depends on this text alone."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.nets.beam_search import length_batches
from modelserving.nets.sampling import draw
from modelserving.pretrained.options import GenerationOptions
from modelserving.pretrained.quick_search import HeldDecoder, QuickSearch, serves
from modelserving.pretrained.token_rows import pad
from modelserving.run_context import RunContext, batchwise
from modelserving.training.network import autocast
from modelserving.training.products import quick_layers, searching_layers

# Sampling in a batch with a source of chance for each text, so that it does not depend on its neighbours.
#
# transformers' own sampling draws the tokens of all texts of a batch from one generator, so a text would change with
# those beside it. Here the draw comes before: only the score of the drawn token is left, which greedy search then
# takes. It comes behind transformers' own rules (shortest length, no repetition, forced tokens).


class Draw(list[int]):
    """A row of ids of which several texts are drawn: the `number` of the text goes into its chance."""

    def __init__(self, row: Sequence[int], number: int) -> None:
        super().__init__(row)
        self.number = number


class DrawnTokens(LogitsProcessor):
    """A text's chance comes from the seed and its row of ids."""

    def __init__(self, rows: Sequence[Sequence[int]], options: GenerationOptions) -> None:
        self.options = options
        self.chances = [generator(options.seed, "sample", *map(int, row), *_number(row)) for row in rows]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores (n, V) that are -inf except for the drawn token's; n texts in the order of the rows."""
        return torch.full_like(scores, -torch.inf).scatter(1, self.tokens(scores).unsqueeze(1), 0.0)

    def tokens(self, scores: Tensor) -> Tensor:
        """The ids (n,) that are drawn by the scores (n, V)."""
        chances = torch.tensor(self._next(), dtype=torch.float64, device=scores.device)
        return draw(scores, chances, self.options.temperature, self.options.top_p)

    def skip(self) -> None:
        """Pass over a token that is forced, which takes a chance too."""
        self._next()

    def keep(self, places: Sequence[int]) -> None:
        """Go on with the texts at these places alone."""
        self.chances = [self.chances[place] for place in places]

    def _next(self) -> list[float]:
        return [one.random() for one in self.chances]


def _number(row: Sequence[int]) -> tuple[str, ...]:
    return (f"draw {row.number}",) if isinstance(row, Draw) else ()


TEXTS, TOKENS = 32, 16_384  # that are written at a time; of the sources, padding counted, and of all hypotheses


def type_of_weights(device: str, precision: str) -> torch.dtype:
    """The type of weights that only write: that in which their products are computed."""
    with autocast(device, precision):
        halved = torch.is_autocast_enabled(device.partition(":")[0])
    return torch.bfloat16 if halved else torch.float32


def configuration(tokens: Any, options: GenerationOptions, positions: int = 0) -> Any:
    """transformers' own form of the options; tokens are drawn by `DrawnTokens`, not by its `do_sample`.

    Args:
        tokens: The special tokens of the model, as transformers' GenerationConfig.
        options: How it is to write.
        positions: Tokens that the model can write at most; 0 where nothing limits them.
    """
    import transformers

    longest = min(options.longest, positions - 1) if positions else options.longest
    given: dict[str, Any] = {
        "max_new_tokens": longest, "num_beams": 1 if options.sample else options.beam, "do_sample": False,
        "length_penalty": options.length_penalty, "no_repeat_ngram_size": options.no_repeat, "use_cache": True,
    }  # fmt: skip
    if given["num_beams"] > 1:
        given["early_stopping"] = options.early_stopping
    if options.shortest:
        given["min_new_tokens"] = min(options.shortest, longest)
    kind: Any = transformers.GenerationConfig
    return kind(**{**tokens.to_diff_dict(), **given})


def write(
    net: Any, rows: Sequence[Sequence[int]], options: GenerationOptions, positions: int = 0,
    context: RunContext | None = None, held: HeldDecoder | None = None,
) -> list[list[int]]:  # fmt: skip
    """The ids that the model writes for each row of ids; rows of about one length are taken together.

    With sampling each is drawn by the seed and its own ids. `held` is given where the weights never change.
    """
    config = configuration(net.generation_config, options, positions)
    filler = config.pad_token_id or 0
    with torch.inference_mode(), autocast(str(net.device), options.precision), searching_layers(net):
        search = QuickSearch(net, config, held) if serves(net, config) else None

        def written(batch: list[Sequence[int]]) -> list[list[int]]:
            ids = pad(batch, filler).to(net.device)
            mask = torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in batch])[:, None]
            if search:
                return search.written(ids, mask.long(), DrawnTokens(batch, options) if options.sample else None)
            inputs = {"input_ids": ids, "attention_mask": mask.long().to(net.device)}
            return generate(net, inputs, batch, config, options)

        return write_in_batches(written, rows, options, context or RunContext())


def write_in_batches(
    written: Callable[[list[Sequence[int]]], list[list[int]]], rows: Sequence[Sequence[int]],
    options: GenerationOptions, context: RunContext,
) -> list[list[int]]:  # fmt: skip
    """The results of `written` for batches of rows of about one length, in the order of the rows."""

    def of_places(places: list[int]) -> list[tuple[int, list[int]]]:
        return list(zip(places, written([rows[place] for place in places]), strict=True))

    hypotheses = 1 if options.sample else options.beam
    groups = length_batches([len(row) * hypotheses for row in rows], TEXTS, TOKENS)
    found = dict(batchwise(of_places, (list(map(int, group)) for group in groups), _too_large, context))
    return [found[place] for place in range(len(rows))]


def _too_large(place: int) -> UserError:
    return UserError("The GPU's memory is too small for a text: choose fewer hypotheses (beam), or a shorter longest "
    "output.", where="beam")  # fmt: skip


@torch.inference_mode()
def generate(
    net: Any, inputs: dict[str, Tensor], rows: Sequence[Sequence[int]], config: Any, options: GenerationOptions
) -> list[list[int]]:
    """The output of transformers' generate for the inputs, which are the rows in the model's form."""
    drawn: list[Any] = [DrawnTokens(rows, options)] if options.sample else []
    with autocast(str(net.device), options.precision), quick_layers(net):
        found = net.generate(**inputs, generation_config=config, logits_processor=drawn)
    return [list(map(int, row)) for row in found.tolist()]
