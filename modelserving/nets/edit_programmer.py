"""EditNTS (Dong et al. 2019): a programmer says the next edit, an interpreter remembers the text written so far.

    [z_1 .. z_t-1] -> LSTM -> e_t     [words written by them] -> LSTM -> w_t     source, END -> BiLSTM -> s_1 .. s_Tx
    a_t = softmax_i((A e_t) . s_i)     p(z_t) = softmax(O tanh(M [e_t; sum_i a_ti s_i; s_k; w_t]))

k is the source word that the edits have come to: KEEP and DELETE go on by one, ADD and STOP do not. Both LSTMs begin
with the last states and cells of the encoder's two directions. One embedding serves words and edits; O begins as its
copy, as in the authors' program. Two things differ from that: attention leaves out padding, and dropout is on the
encoder's inputs, as the paper says. Shapes are those of `training.network`, with Tz edits and 2H for the states.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.edit_operations import (
    OPERATIONS,
    TaggedVocabularies,
    delete_id,
    keep_id,
    label_ids,
    label_weights,
    oracle_edits,
)
from modelserving.nets.fused_cross_entropy import beyond_target, row_losses
from modelserving.training.batches import NO_IDS, Batch, PairBatches, Rows, pad, write_pair_ids
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.network import Loss, Network, Start, Step, Tensors, in_float32, not_padding, shift_right
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import BEGIN, END, PAD, Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset

# Pairs of texts with the edits between them, as ids on disk and as batches.

PLAIN, TAGGED = ("source", "target", "edits"), ("source", "target", "edits", "tags")


@dataclass(frozen=True)
class EditBatch(Batch):
    """n texts, END behind each source too. The vocabulary is one for both sides.

    `edits` (n, Tz) are labels with END as STOP, `weights` (n, Tz) those of their losses, `edit_lengths` (n,) how many
    of a text count anything; `tags` (n, Tx) are ids of parts of speech, and empty where there are none.
    """

    edits: Tensor = NO_IDS
    weights: Tensor = NO_IDS
    edit_lengths: Tensor = NO_IDS
    tags: Tensor = NO_IDS


class EditBatches(PairBatches):
    """`weights` (V + 2,) are those of each label's loss."""

    def __init__(
        self, sources: TokenizedDataset, targets: TokenizedDataset, edits: TokenizedDataset,
        tags: TokenizedDataset | None, weights: NDArray[np.float32], size: int, seed: int, tokens: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(sources, targets, size, seed, tokens=tokens)
        self.edits, self.tags, self.weights = edits, tags, torch.from_numpy(weights)

    def batch(self, rows: Rows) -> EditBatch:
        edits, _ = pad([self.edits[i] for i in rows], end=True)
        weights = self.weights[edits]
        return EditBatch(
            *pad([self.sources[i] for i in rows], end=True),
            *pad([self.targets[i] for i in rows], end=True),
            edits=edits,
            weights=weights,
            edit_lengths=(weights > 0).sum(1),
            tags=NO_IDS if self.tags is None else pad([self.tags[i] for i in rows], end=True)[0],
        )


def edit_batches(
    pairs: Pairs, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> EditBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    names = TAGGED if isinstance(vocabularies, TaggedVocabularies) else PLAIN
    if group.first:
        write_pair_ids(
            folder, pairs, vocabularies, options.longest, callbacks, names, edit_columns, identical=options.identical
        )
    group.wait()
    source, target, edits, *tags = [TokenizedDataset(folder / name) for name in names]
    weights = label_weights(
        edits, len(vocabularies.target), options.balance, options.add_weight, options.keep_weight, options.delete_weight
    )
    return EditBatches(
        source, target, edits, tags[0] if tags else None, weights,
        options.batch, callbacks.seed, options.batch_tokens,
    )  # fmt: skip


def edit_columns(source: list[str], target: list[str], vocabularies: Vocabularies) -> Iterator[list[int]]:
    """The ids of a pair: source, target, the edits between them, and the source's parts of speech where known.

    The edits are those of the words, not of the ids: two unknown words are not one.
    """
    yield vocabularies.source.ids(source)
    yield vocabularies.target.ids(target)
    yield label_ids(oracle_edits(source, target), vocabularies.target)
    if isinstance(vocabularies, TaggedVocabularies):
        yield vocabularies.tagger.ids(source)


def source_batch(texts: Sequence[list[str]], vocabularies: Vocabularies) -> EditBatch:
    """A batch of sources alone."""
    tags = NO_IDS
    if isinstance(vocabularies, TaggedVocabularies):
        tags, _ = pad([vocabularies.tagger.ids(text) for text in texts], end=True)
    return EditBatch(*pad([vocabularies.source.ids(text) for text in texts], end=True), tags=tags)


LOWEST = float("-inf")


@dataclass(frozen=True)
class EditSizes:
    """Words known, embeddings, the encoder's states each way, parts of speech (0 for none), their embeddings."""

    words: int
    embedding: int = 100
    hidden: int = 200
    tags: int = 0
    tag: int = 30
    dropout: float = 0.0


class EditProgrammer(Network):
    """Writes labels of edits: ids of words to add, END to stop, and KEEP and DELETE behind the V words."""

    attends = False  # an unknown word is kept as it is written: no word stands for one that an ADD does not know

    def __init__(self, sizes: EditSizes) -> None:
        super().__init__()
        self.sizes = sizes
        states, labels = 2 * sizes.hidden, sizes.words + OPERATIONS
        self.embed = nn.Embedding(labels, sizes.embedding, padding_idx=PAD)
        self.embed_tag = nn.Embedding(sizes.tags, sizes.tag, padding_idx=PAD) if sizes.tags else None
        read = sizes.embedding + (sizes.tag if sizes.tags else 0)
        self.encoder = nn.LSTM(read, sizes.hidden, batch_first=True, bidirectional=True)
        self.programmer = nn.LSTM(sizes.embedding, states, batch_first=True)
        self.interpreter = nn.LSTM(sizes.embedding, states, batch_first=True)
        self.query = nn.Linear(states, states, bias=False)
        self.combine = nn.Linear(4 * states, sizes.embedding)
        self.output = nn.Linear(sizes.embedding, labels)
        self.dropout = nn.Dropout(sizes.dropout)
        self.begin_output()

    def begin_output(self) -> None:
        """Have the output's matrix be a copy of the embeddings."""
        with torch.no_grad():
            self.output.weight.copy_(self.embed.weight)

    def losses(self, batch: Batch) -> list[Loss]:
        """The sum over labels of -log p, each counted by its weight in training; by 1, or not at all, otherwise."""
        assert isinstance(batch, EditBatch)
        vectors = self.teacher_force(*self.start(batch), batch)
        weights = batch.weights if self.training else (batch.weights > 0).float()
        there = weights > 0
        rows = row_losses(*self._logits_of(vectors[there]), batch.edits[there])
        if smoothing := self.label_smoothing:
            rows = rows + smoothing * beyond_target(*self._logits_of(vectors[there]), batch.edits[there])
        return [Loss((weights[there] * rows).sum(), int(batch.edit_lengths.sum()))]

    def _logits_of(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors (N, E + 1) and a matrix (V + 2, E + 1) whose products are the logits, biases among them."""
        ones = torch.ones_like(vectors[:, :1])
        return torch.cat([vectors, ones], 1), torch.cat([self.output.weight, self.output.bias.unsqueeze(1)], 1)

    def start(self, batch: Batch) -> Start:
        assert isinstance(batch, EditBatch)
        values, hidden, cell = self._encode(batch)
        bias = torch.zeros(batch.sources.shape, device=values.device).masked_fill(~not_padding(batch.sources), LOWEST)
        ends = (batch.sources == END).int().argmax(1)
        memory = {"values": values, "bias": bias, "sources": batch.sources, "ends": ends}
        state = {
            "hidden": hidden,
            "cell": cell,
            "written hidden": hidden,
            "written cell": cell,
            "at": torch.zeros_like(ends),
        }
        return Start(memory, state)

    def _encode(self, batch: EditBatch) -> tuple[Tensor, Tensor, Tensor]:
        """States (n, Tx, 2H), and the last states and cells of both directions, side by side (n, 2H)."""
        read = self.embed(batch.sources)
        if self.embed_tag is not None:
            read = torch.cat([read, self.embed_tag(batch.tags)], dim=-1)
        packed = pack_padded_sequence(self.dropout(read), batch.source_lengths, batch_first=True, enforce_sorted=False)
        with torch.autocast(read.device.type, enabled=False):
            states, (hidden, cell) = self.encoder(packed)
        values, _ = pad_packed_sequence(states, batch_first=True, total_length=batch.sources.shape[1])
        return values, torch.cat([*hidden], dim=-1), torch.cat([*cell], dim=-1)

    def teacher_force(self, memory: Tensors, state: Tensors, batch: EditBatch) -> Tensor:
        """The softmax's input (n, Tz, E) when the batch's edits are taken."""
        programmed, _ = in_float32(self.programmer, self.embed(shift_right(batch.edits)), _first(state, ""))
        written, _ = in_float32(self.interpreter, self.embed(shift_right(batch.targets)), _first(state, "written "))
        passed, wrote = self._moves(batch.edits)
        at, words = (moves.cumsum(1) - moves.long() for moves in (passed, wrote))
        return self._combined(memory, programmed, at, _gather(written, words))

    def _moves(self, edits: Tensor) -> tuple[Tensor, Tensor]:
        """The edits (n, Tz) that go on to the next source word, and those that write a word."""
        keeps, deletes = edits == keep_id(self.sizes.words), edits == delete_id(self.sizes.words)
        return keeps | deletes, ~(deletes | (edits == PAD) | (edits == BEGIN) | (edits == END))

    def _combined(self, memory: Tensors, programmed: Tensor, at: Tensor, written: Tensor) -> Tensor:
        """The softmax's input at t steps (n, t, E), from e and w (n, t, 2H) and the places k in the source (n, t)."""
        values = memory["values"]
        scores = torch.bmm(self.query(programmed), values.transpose(1, 2)) + memory["bias"].unsqueeze(1)
        context = torch.bmm(torch.softmax(scores, dim=-1), values)
        return torch.tanh(self.combine(torch.cat([programmed, context, _gather(values, at), written], dim=-1)))

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        """The next edit after `last` (n*k,). Behind the source's last word nothing can be kept or deleted."""
        n, known = len(memory["ends"]), self.sizes.words
        passed, wrote = self._moves(last)
        word = memory["sources"].gather(1, state["at"].view(n, -1)).flatten()
        fed = self.embed(torch.where(last == keep_id(known), word, last))
        state = {
            **state,
            "at": state["at"] + passed.long(),
            **self._lstm_step(self.programmer, "", self.embed(last), state),
        }
        reads = (wrote | (last == BEGIN)).unsqueeze(1)
        for name, after in self._lstm_step(self.interpreter, "written ", fed, state).items():
            state[name] = torch.where(reads, after, state[name])
        at = state["at"].view(n, -1)
        vectors = self._combined(
            memory, state["hidden"].view(n, at.shape[1], -1), at, state["written hidden"].view(n, at.shape[1], -1)
        )
        scores = torch.log_softmax(self.output(vectors.flatten(0, 1)).float(), dim=-1)
        over = (at == memory["ends"].unsqueeze(1)).flatten()
        operations = torch.arange(scores.shape[1], device=scores.device) >= known
        scores = scores.masked_fill(over.unsqueeze(1) & operations, LOWEST)
        return Step(scores, None, state)

    def _lstm_step(self, lstm: nn.LSTM, name: str, given: Tensor, state: Tensors) -> Tensors:
        """The states by name after one more input (n*k, E)."""
        _, (hidden, cell) = in_float32(lstm, given.unsqueeze(1), _first(state, name))
        return {f"{name}hidden": hidden[0], f"{name}cell": cell[0]}


def _first(state: Tensors, name: str) -> tuple[Tensor, Tensor]:
    return state[f"{name}hidden"].unsqueeze(0).contiguous(), state[f"{name}cell"].unsqueeze(0).contiguous()


def _gather(states: Tensor, places: Tensor) -> Tensor:
    """The states (n, T, H) at places (n, t): (n, t, H)."""
    return states.gather(1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
