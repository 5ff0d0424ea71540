"""Greedy search, beam search and drawing with the outputs of transformers' `generate`, in less time on a CPU.

It serves a T5, BART or PEGASUS in float32 (`serves`). Texts that are done leave their batch, and a token that is forced
costs nothing. The scores are those of transformers 5: a hypothesis that ends has its log-probability divided by its
length, the token that begins it not counted, to the power of the length penalty.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from modelserving.nets.beam_search import forbid_repeats
from modelserving.pretrained.decoder_steps import DECODERS, Decoder, Steps, begin
from modelserving.pretrained.loading import TOKENS

NEVER = -1.0e9  # transformers' score of what is not there
BLOCK = 64  # tokens whose highest score is looked for at a time
ROWS = 8  # of scores over a vocabulary that a processor's cache holds
DONE = 8  # a batch is made smaller once such a part of it is done
SETTINGS = {
    *TOKENS, "max_new_tokens", "min_new_tokens", "num_beams", "do_sample", "early_stopping", "length_penalty",
    "no_repeat_ngram_size", "use_cache", "transformers_version", "_from_model_config",
}  # fmt: skip


def serves(net: Any, config: Any) -> bool:
    """Whether the search is for this model, on its device, in its numbers and by its GenerationConfig."""
    return (
        type(net).__name__ in DECODERS
        and not any(value for name, value in config.to_diff_dict().items() if name not in SETTINGS)
        and net.device.type == "cpu"
        and {one.dtype for one in net.parameters()} == {torch.float32}
        and not torch.is_autocast_enabled("cpu")
    )


class HeldDecoder:
    """A model's decoder with its weights in order, 1 GiB at most, made at the first search."""

    def __init__(self) -> None:
        self._decoder: Decoder | None = None

    def of(self, net: Any) -> Decoder:
        if self._decoder is None:
            self._decoder = DECODERS[type(net).__name__](net)
        return self._decoder


class QuickSearch:
    """A search with one model, whose weights do not change meanwhile.

    Args:
        net: A model that is served.
        config: How it is to write, as transformers' GenerationConfig.
        held: What outlives the search, where the weights do not change behind it either.
    """

    def __init__(self, net: Any, config: Any, held: "HeldDecoder | None" = None) -> None:
        self.net, self.config = net, config
        self.decoder = (held or HeldDecoder()).of(net)
        self.rules = Rules(net, config)

    def written(self, ids: Tensor, mask: Tensor, draw: "Draws | None" = None) -> list[list[int]]:
        """The ids of each output, from the token that begins it to one that ends it.

        Args:
            ids: The sources (n, Tx).
            mask: 1 at their tokens, 0 at padding.
            draw: Chooses the next tokens, in place of the search.
        """
        states = self.net.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        k = int(self.config.num_beams)
        steps = begin(self.decoder, states, mask, k)
        return _Line(steps, self.rules, draw).run() if k == 1 else _Beams(steps, self.rules, self.config).run()


class Draws(Protocol):
    """Chooses the next token of each text."""

    def tokens(self, scores: Tensor) -> Tensor:
        """The ids (n,) that come next by the scores (n, V)."""

    def skip(self) -> None:
        """Pass over a token that is forced."""

    def keep(self, places: Sequence[int]) -> None:
        """Go on with the texts at these places alone."""


class Rules:
    """The tokens that may come next, as transformers says for the settings that are offered here."""

    def __init__(self, net: Any, config: Any) -> None:
        ends = config.eos_token_id
        self.ends = torch.tensor([] if ends is None else ends if isinstance(ends, list) else [ends], dtype=torch.int64)
        start = config.decoder_start_token_id
        self.start = int(net.config.decoder_start_token_id if start is None else start)
        self.longest, self.shortest = int(config.max_new_tokens), int(config.min_new_tokens or 0)
        self.run = int(config.no_repeat_ngram_size or 0)
        self._first, self._last = config.forced_bos_token_id, config.forced_eos_token_id

    def forced(self, number: int) -> int | None:
        """The id that token `number` of an output must have, counted from 1; None where it is free."""
        last = min(self._last) if isinstance(self._last, list) else self._last
        found = last if number == self.longest and last is not None else self._first if number == 1 else None
        return None if found is None else int(found)

    def allow(self, scores: Tensor, texts: Tensor) -> Tensor:
        """The scores (m, V), in place, of what comes behind the texts (m, t), of which the first id begins them."""
        if self.run:
            forbid_repeats(scores, texts, self.run)
        if texts.shape[1] <= self.shortest and len(self.ends):
            scores[:, self.ends] = -torch.inf
        return scores


class _Line:
    """One hypothesis of each text: the likeliest next token, or the drawn one."""

    def __init__(self, steps: Steps, rules: Rules, draw: Draws | None) -> None:
        self.steps, self.rules, self.draw = steps, rules, draw
        self.left = list(range(steps.texts))
        self.found: list[list[int]] = [[] for _ in self.left]
        self.texts = torch.full((len(self.left), 1), rules.start)
        self.done = torch.zeros(len(self.left), dtype=torch.bool)

    def run(self) -> list[list[int]]:
        for number in range(1, self.rules.longest + 1):
            last = self._next(number)
            self.texts = torch.cat([self.texts, last.unsqueeze(1)], 1)
            self.done |= torch.isin(last, self.rules.ends)
            if number == self.rules.longest or bool(self.done.all()):
                break
            if int(self.done.sum()) * DONE >= len(self.left):
                self._drop()
        self._record(range(len(self.left)))
        return self.found

    def _next(self, number: int) -> Tensor:
        """Token `number` (n,) of the texts, counted from 1."""
        last, forced = self.texts[:, -1], self.rules.forced(number)
        if forced is None:
            scores = self.rules.allow(self.steps.scores(last), self.texts)
            return best(scores) if self.draw is None else self.draw.tokens(scores)
        if number < self.rules.longest:
            self.steps.states(last)
        if self.draw is not None:
            self.draw.skip()
        return torch.full_like(last, forced)

    def _drop(self) -> None:
        """Go on without the texts that are done."""
        self._record(self.done.nonzero()[:, 0].tolist())
        keep = (~self.done).nonzero()[:, 0]
        self.steps.keep(keep)
        self.texts, self.done = self.texts[keep], self.done[keep]
        self.left = [self.left[place] for place in keep.tolist()]
        if self.draw is not None:
            self.draw.keep(keep.tolist())

    def _record(self, places: Sequence[int]) -> None:
        ends = set(self.rules.ends.tolist())
        for place in places:
            ids = self.texts[place].tolist()
            last = next((at for at, one in enumerate(ids[1:], 1) if one in ends), len(ids) - 1)
            self.found[self.left[place]] = ids[: last + 1]


class Ended(NamedTuple):
    """A hypothesis that ended; the token that begins it is the first of its ids."""

    score: float
    ids: list[int]


class _Beams:
    """k hypotheses of each text."""

    def __init__(self, steps: Steps, rules: Rules, config: Any) -> None:
        self.steps, self.rules, self.k = steps, rules, steps.k
        self.early, self.power = bool(config.early_stopping), float(config.length_penalty)
        self.wide = max(2, 1 + len(rules.ends)) * self.k  # so many candidates that k of them go on
        n = steps.texts
        self.left = list(range(n))
        self.ended: list[list[Ended]] = [[] for _ in range(n)]
        self.texts = torch.full((n, self.k, 1), rules.start)
        self.running = torch.full((n, self.k), NEVER)
        self.running[:, 0] = 0.0  # all hypotheses are the same at first
        self.open = [True] * n

    def run(self) -> list[list[int]]:
        for number in range(1, self.rules.longest + 1):
            scores, parents, ids = self._candidates(number)
            ends = torch.isin(ids, self.rules.ends) if number < self.rules.longest else torch.ones_like(ids).bool()
            self._take_ended(number, scores, parents, ids, ends)
            if number == self.rules.longest:
                break
            self.running, chosen = torch.topk(scores + ends * NEVER, self.k)
            parents, ids = parents.gather(1, chosen), ids.gather(1, chosen)
            self._close(number)
            if not any(self.open):
                break
            self._go_on(parents, ids)
        return [texts[0].ids if texts else [self.rules.start] for texts in self.ended]

    def _candidates(self, number: int) -> tuple[Tensor, Tensor, Tensor]:
        """The scores (n, c) of the best continuations, their hypotheses and their tokens."""
        last, forced = self.texts[:, :, -1], self.rules.forced(number)
        if forced is not None:
            if number < self.rules.longest:
                self.steps.states(last.flatten())
            return self.running, torch.arange(self.k).expand_as(last), torch.full_like(last, forced)
        parts = (torch.split(one, ROWS) for one in (self.steps.scores(last.flatten()), self.texts.flatten(0, 1)))
        found = [self._likeliest(scores, texts) for scores, texts in zip(*parts, strict=True)]
        values, ids = (torch.cat(part) for part in zip(*found, strict=True))
        values = values.view(*last.shape, -1) + self.running.unsqueeze(-1)
        scores, places = torch.topk(values.flatten(1), min(self.wide, values[0].numel()))
        return scores, places // values.shape[2], ids.view(len(last), -1).gather(1, places)

    def _likeliest(self, scores: Tensor, texts: Tensor) -> tuple[Tensor, Tensor]:
        """The highest log-probabilities (m, c) of what comes behind texts (m, t), and their tokens."""
        logs = self.rules.allow(torch.log_softmax(scores, -1), texts)
        return highest(logs, min(self.wide, logs.shape[1]))

    def _take_ended(self, number: int, scores: Tensor, parents: Tensor, ids: Tensor, ends: Tensor) -> None:
        """Take those of the k best candidates that end; the best k of each text stay."""
        rows, ranks = ends[:, : self.k].nonzero(as_tuple=True)
        final = (scores / number**self.power)[rows, ranks].tolist()
        before = self.texts[rows, parents[rows, ranks]].tolist()
        for row, score, begun, last in zip(rows.tolist(), final, before, ids[rows, ranks].tolist(), strict=True):
            if self.open[row]:
                self.ended[self.left[row]].append(Ended(score, [*begun, last]))
        for row in set(rows.tolist()):
            kept = sorted(self.ended[self.left[row]], key=lambda one: -one.score)[: self.k]
            self.ended[self.left[row]] = kept

    def _close(self, number: int) -> None:
        """Close the texts that have k ends, where that does, or that no hypothesis can make better."""
        reach = (self.running[:, 0] / number**self.power).tolist()
        for row, text in enumerate(self.left):
            ended = self.ended[text]
            if len(ended) == self.k and (self.early or not reach[row] > ended[-1].score):
                self.open[row] = False

    def _go_on(self, parents: Tensor, ids: Tensor) -> None:
        rows = (torch.arange(len(parents)).unsqueeze(1) * self.k + parents).flatten()
        self.texts = torch.cat([self.texts.flatten(0, 1)[rows].view(*ids.shape, -1), ids.unsqueeze(2)], 2)
        self.steps.follow(rows)
        if self.open.count(False) * DONE < len(self.open):
            return
        keep = torch.tensor([row for row, goes in enumerate(self.open) if goes])
        self.steps.keep(keep)
        self.texts, self.running = self.texts[keep], self.running[keep]
        self.left = [self.left[row] for row in keep.tolist()]
        self.open = [True] * len(self.left)


def highest(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The highest of each row (m, V) and their places, (m, count) each.

    Those of a row lie in its `count` blocks of the highest maxima: maxima are found ten times as quickly as an order.
    """
    m, wide = scores.shape
    blocks = wide // BLOCK
    if blocks < 2 * count:
        return torch.topk(scores, count)
    maxima = scores[:, : blocks * BLOCK].view(m, blocks, BLOCK).amax(-1)
    chosen = torch.topk(maxima, count, sorted=False).indices
    places = (chosen.unsqueeze(-1) * BLOCK + torch.arange(BLOCK)).flatten(1)
    places = torch.cat([places, torch.arange(blocks * BLOCK, wide).expand(m, -1)], 1)
    values, ranks = torch.topk(scores.gather(1, places), count)
    return values, places.gather(1, ranks)


def best(scores: Tensor) -> Tensor:
    """The place (m,) of the highest of each row (m, V), the first one of several."""
    m, wide = scores.shape
    blocks = wide // BLOCK
    if not blocks:
        return scores.argmax(1)
    whole = scores[:, : blocks * BLOCK].view(m, blocks, BLOCK)
    block = whole.amax(-1).argmax(1)
    rows = torch.arange(m)
    place: Tensor = block * BLOCK + whole[rows, block].argmax(1)
    if wide == blocks * BLOCK:
        return place
    rest = scores[:, blocks * BLOCK :]
    last = rest.argmax(1)
    return torch.where(rest[rows, last] > scores[rows, place], blocks * BLOCK + last, place)
