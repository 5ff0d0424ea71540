"""Li et al.'s (2018) networks: a text written of its content and an attribute, which is a style or markers.

    c   = [last state of a GRU that read the content; attribute]     h_t = GRU([E y_{t-1}; c], h_{t-1}), h_0 = 0
    r_t = [h_t; c; E y_{t-1}]                                        p(y_t) = softmax(E W_o maxout(W_t r_t))

The paper names GRUs and maxout (Goodfellow et al. 2013), and weights drawn from [-0.1, 0.1]. Its authors' program says
how they are put together: one embedding E for all that is read and written, maxout over pairs, no biases. PyTorch's
reset gate acts on U h_{t-1}, the program's on h_{t-1}.
"""

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from modelserving.nets.fused_cross_entropy import cross_entropy, row_losses
from modelserving.nets.gru import Gru
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, not_padding, shift_right
from modelserving.training.tokenization import PAD

BOUND = 0.1  # of the weights at first


@dataclass(frozen=True)
class DeleteSizes:
    """Words known, word embeddings, states, and how many styles there are."""

    words: int
    embedding: int = 128
    hidden: int = 512
    styles: int = 2
    dropout: float = 0.0


class Maxout(nn.Module):
    """The higher of each pair of `W_t [state; context; word]` (n, R), R being their sizes together."""

    def __init__(self, state: int, context: int, word: int) -> None:
        super().__init__()
        self.size = state + context + word
        self.of_state = nn.Linear(state, 2 * self.size, bias=False)
        self.of_context = nn.Linear(context, 2 * self.size, bias=False)
        self.of_word = nn.Linear(word, 2 * self.size, bias=False)

    def forward(self, state: Tensor, context: Tensor, word: Tensor) -> Tensor:
        """`context` has been through `of_context` already: it is the same for all places of a text."""
        pairs = self.of_state(state) + context + self.of_word(word)
        found: Tensor = pairs.unflatten(-1, (self.size, 2)).amax(-1)
        return found


class DeleteNetwork(Network):
    """The common part of both networks; each has an `attribute` of its own."""

    attends = False

    def __init__(self, sizes: DeleteSizes) -> None:
        super().__init__()
        embedding, hidden = sizes.embedding, sizes.hidden
        self.embed = nn.Embedding(sizes.words, embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(sizes.dropout)
        self.content = Gru(embedding, hidden)
        self.decoder = Gru(embedding + 2 * hidden, hidden)
        self.maxout = Maxout(hidden, 2 * hidden, embedding)
        self.project = nn.Linear(self.maxout.size, embedding, bias=False)

    def _draw_weights(self) -> None:
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -BOUND, BOUND)
        for part in self.modules():
            if isinstance(part, nn.Embedding) and part.padding_idx is not None:
                nn.init.zeros_(part.weight.data[part.padding_idx])

    @abstractmethod
    def attribute(self, batch: Batch) -> Tensor:
        """The attribute that is joined to the content, (n, H)."""

    def read(self, gru: Gru, ids: Tensor, lengths: Tensor) -> Tensor:
        """The last states (n, H) of rows of ids (n, T)."""
        states, _ = gru(self.dropout(self.embed(ids)))
        last: Tensor = states[torch.arange(len(ids), device=ids.device), lengths.to(ids.device) - 1]
        return last

    def context(self, batch: Batch) -> Tensor:
        """c (n, 2H)."""
        return torch.cat([self.read(self.content, batch.sources, batch.source_lengths), self.attribute(batch)], dim=-1)

    def losses(self, batch: Batch) -> list[Loss]:
        return [Loss(self.generation(batch), int(batch.target_lengths.sum()))]

    def generation(self, batch: Batch) -> Tensor:
        """The sum of -log P of the batch's targets."""
        context, words = self.context(batch), self.dropout(self.embed(shift_right(batch.targets)))
        there = not_padding(batch.targets)
        spread = context.unsqueeze(1).expand(-1, words.shape[1], -1)
        states, _ = self.decoder(torch.cat([words, spread], dim=-1))
        rows = there.nonzero()[:, 0]
        high = self.maxout(self.dropout(states[there]), self.maxout.of_context(context)[rows], words[there])
        return cross_entropy(self.project(high), self.embed.weight, batch.targets[there], self.label_smoothing)

    def start(self, batch: Batch) -> Start:
        context = self.context(batch)
        memory = {"context": context, "maxout": self.maxout.of_context(context)}
        return Start(memory, {"hidden": context.new_zeros(len(batch), self.decoder.hidden_size)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        each = len(last) // len(memory["context"])
        context, of_context = (memory[name].repeat_interleave(each, 0) for name in ("context", "maxout"))
        word = self.embed(last)
        given = torch.cat([word, context], dim=-1).unsqueeze(1)
        hidden = self.decoder(given, state["hidden"].unsqueeze(0).contiguous())[1][0]
        logits = nn.functional.linear(self.project(self.maxout(hidden, of_context, word)), self.embed.weight)
        return Step(torch.log_softmax(logits.float(), dim=-1), None, {"hidden": hidden})


class DeleteOnly(DeleteNetwork):
    """The attribute is the embedding of the style to write in."""

    def __init__(self, sizes: DeleteSizes) -> None:
        super().__init__(sizes)
        self.style = nn.Embedding(sizes.styles, sizes.hidden)
        self._draw_weights()

    def attribute(self, batch: Batch) -> Tensor:
        assert batch.styles is not None, "the batch says no styles"
        found: Tensor = self.style(batch.styles)
        return found


class DeleteAndRetrieve(DeleteNetwork):
    """The attribute is the last state of another GRU, which read markers.

    A language model of each style, which has its own weights and is moved by its own loss, tells outputs apart.
    """

    def __init__(self, sizes: DeleteSizes) -> None:
        super().__init__(sizes)
        self.markers = Gru(sizes.embedding, sizes.hidden)
        self.language_models = nn.ModuleList(LanguageModel(sizes) for _ in range(sizes.styles))
        self._draw_weights()

    def attribute(self, batch: Batch) -> Tensor:
        return self.read(self.markers, batch.markers, batch.marker_lengths)

    def losses(self, batch: Batch) -> list[Loss]:
        assert batch.styles is not None, "the batch says no styles"
        own = [one for name, one in self.named_parameters() if not name.startswith("language_models.")]
        words = int(batch.target_lengths.sum())
        total = torch.stack([
            self._language_model(style)(batch.targets[batch.styles == style]).sum()
            for style in sorted(set(batch.styles.tolist()))
        ]).sum()  # fmt: skip
        return [
            Loss(self.generation(batch), words, parameters=own),
            Loss(total, words, "language model loss", list(self.language_models.parameters())),
        ]

    def perplexities(self, texts: Tensor, lengths: Tensor, style: int) -> Tensor:
        """The perplexities (n,) of texts (n, T), END behind each, by the language model of a style."""
        rows = not_padding(texts).nonzero()[:, 0]
        losses = self._language_model(style)(texts)
        totals = losses.new_zeros(len(texts)).index_add_(0, rows, losses)
        return torch.exp(totals / lengths.to(totals.device))

    def _language_model(self, style: int) -> "LanguageModel":
        one = self.language_models[style]
        assert isinstance(one, LanguageModel)
        return one


class LanguageModel(nn.Module):
    """A GRU over the words before; it shares no weight."""

    def __init__(self, sizes: DeleteSizes) -> None:
        super().__init__()
        self.embed = nn.Embedding(sizes.words, sizes.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(sizes.dropout)
        self.gru = Gru(sizes.embedding, sizes.hidden)
        self.project = nn.Linear(sizes.hidden, sizes.embedding, bias=False)

    def forward(self, texts: Tensor) -> Tensor:
        """-log p of each word of the texts (n, T), padding aside, row by row."""
        states, _ = self.gru(self.dropout(self.embed(shift_right(texts))))
        there = not_padding(texts)
        vectors = self.project(self.dropout(states[there]))
        return row_losses(vectors, self.embed.weight, texts[there])
