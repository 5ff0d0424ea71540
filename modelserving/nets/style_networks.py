"""Fu et al.'s (2018) networks: a text's content as one vector, and texts written from it in a style; equations 1 to 12.

    s_j = z_j h_j + (1 - z_j) s_{j-1}                     h_j = tanh(W E[x_{j-1}] + r_j (U s_{j-1}))
    r_j = sigmoid(W_r E[x_{j-1}] + U_r s_{j-1})           z_j = sigmoid(W_z E[x_{j-1}] + U_z s_{j-1})

PyTorch's GRU without biases is this one: its reset gate, too, acts on U s_{j-1}, and its update gate is 1 - z_j, which
is the same but for the sign of what is learnt. The content is the encoder's last state, and the decoder's first.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.gru import Gru
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, not_padding, shift_right
from modelserving.training.tokenization import PAD


@dataclass(frozen=True)
class Sizes:
    """Words known, word embeddings, the encoder's states, style embeddings, and how many styles there are."""

    words: int
    embedding: int = 64
    hidden: int = 64
    style: int = 64
    styles: int = 2
    dropout: float = 0.0


class Encoder(nn.Module):
    """Equation 5: the source, as the last state (n, H)."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.embed = nn.Embedding(sizes.words, sizes.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(sizes.dropout)
        self.gru = Gru(sizes.embedding, sizes.hidden)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        states, _ = self.gru(self.dropout(self.embed(ids)))
        last: Tensor = states[torch.arange(len(ids), device=ids.device), lengths.to(ids.device) - 1]
        return last


class Decoder(nn.Module):
    """Equation 6: the words, each given those before it, from the first state on."""

    def __init__(self, sizes: Sizes, hidden: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(sizes.words, sizes.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(sizes.dropout)
        self.gru = Gru(sizes.embedding, hidden)
        self.output = nn.Linear(hidden, sizes.words, bias=False)

    def forward(self, state: Tensor, targets: Tensor, smoothing: float = 0.0) -> Tensor:
        """Equation 7: -log P of all targets (n, Ty) together, from the states (n, H); with label smoothing."""
        states, _ = self.gru(self.dropout(self.embed(shift_right(targets))), state.unsqueeze(0).contiguous())
        there = not_padding(targets)
        return cross_entropy(self.dropout(states[there]), self.output.weight, targets[there], smoothing)

    def step(self, state: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the next word (n, V) and the state after `last` (n,)."""
        state = self.gru(self.embed(last).unsqueeze(1), state.unsqueeze(0).contiguous())[1][0]
        return torch.log_softmax(self.output(state).float(), dim=-1), state


class _Styled(Network):
    """A network with one encoder; its generation loss is its own."""

    attends = False

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.encoder = Encoder(sizes)

    def losses(self, batch: Batch) -> list[Loss]:
        content = self.encoder(batch.sources, batch.source_lengths)
        words = int(batch.target_lengths.sum())
        return [Loss(self.generation(content, batch), words, parameters=self.generation_parameters(), over=len(batch))]

    @abstractmethod
    def generation(self, content: Tensor, batch: Batch) -> Tensor:
        """The sum of -log P of the batch's targets, from contents (n, H)."""

    def generation_parameters(self) -> Sequence[nn.Parameter]:
        """The parameters that the generation loss moves."""
        return list(self.parameters())


class AutoEncoder(_Styled):
    """One decoder for all styles, without knowledge of the style."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.decoder = Decoder(sizes, sizes.hidden)

    def generation(self, content: Tensor, batch: Batch) -> Tensor:
        total: Tensor = self.decoder(content, batch.targets, self.label_smoothing)
        return total

    def start(self, batch: Batch) -> Start:
        return Start({}, {"hidden": self.encoder(batch.sources, batch.source_lengths)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        scores, hidden = self.decoder.step(state["hidden"], last)
        return Step(scores, None, {"hidden": hidden})


class _Adversarial(_Styled):
    """A network with a classifier that tells styles by the content, and an encoder that hides them from it.

    The classifier alone moves to lower -log p(style) (equation 8), the encoder alone to raise the entropy of the
    classifier's probabilities (9), and both count as much as the generation loss (11, 12): all are sums over the texts.
    """

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.classifier = nn.Sequential(
            nn.Linear(sizes.hidden, sizes.hidden), nn.Tanh(), nn.Linear(sizes.hidden, sizes.styles)
        )

    def losses(self, batch: Batch) -> list[Loss]:
        content = self.encoder(batch.sources, batch.source_lengths)
        words, n = int(batch.target_lengths.sum()), len(batch)
        return [
            Loss(self.generation(content, batch), words, parameters=self.generation_parameters(), over=n),
            Loss(self.style_loss(content, _styles(batch)), n, "style loss", list(self.classifier.parameters())),
            Loss(self.negative_entropy(content), n, "negative style entropy", list(self.encoder.parameters())),
        ]

    def generation_parameters(self) -> Sequence[nn.Parameter]:
        return [one for name, one in self.named_parameters() if not name.startswith("classifier.")]

    def style_loss(self, content: Tensor, styles: Tensor) -> Tensor:
        """Equation 8: -log p of the styles (n,) together."""
        return nn.functional.cross_entropy(self.classifier(content.detach()).float(), styles, reduction="sum")

    def negative_entropy(self, content: Tensor) -> Tensor:
        """Equation 9: the sum of p log p over styles and texts; -n log N where the classifier can tell nothing."""
        logs = torch.log_softmax(self.classifier(content).float(), dim=-1)
        return (logs.exp() * logs).sum()


class MultiDecoder(_Adversarial):
    """A decoder for each style (equations 10 and 11). Only those of the batch's styles move."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.decoders = nn.ModuleList(Decoder(sizes, sizes.hidden) for _ in range(sizes.styles))

    def generation(self, content: Tensor, batch: Batch) -> Tensor:
        parts = [
            self.decoders[style](content[rows], batch.targets[rows], self.label_smoothing)
            for style, rows in _rows_by_style(_styles(batch))
        ]
        return torch.stack(parts).sum()

    def start(self, batch: Batch) -> Start:
        hidden = self.encoder(batch.sources, batch.source_lengths)
        return Start({}, {"hidden": hidden, "style": _styles(batch)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        styles, hidden = state["style"], torch.empty_like(state["hidden"])
        scores = torch.empty(0)
        for style, rows in _rows_by_style(styles):
            found, hidden[rows] = self._decoder(style).step(state["hidden"][rows], last[rows])
            scores = scores if len(scores) else found.new_empty(len(last), found.shape[1])
            scores[rows] = found
        return Step(scores, None, {"hidden": hidden, "style": styles})

    def _decoder(self, style: int) -> Decoder:
        one = self.decoders[style]
        assert isinstance(one, Decoder)
        return one


class StyleEmbedding(_Adversarial):
    """One decoder, which starts from the content and the style's embedding side by side (equation 12)."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.style = nn.Embedding(sizes.styles, sizes.style)
        self.decoder = Decoder(sizes, sizes.hidden + sizes.style)

    def generation(self, content: Tensor, batch: Batch) -> Tensor:
        total: Tensor = self.decoder(self._with_style(content, batch), batch.targets, self.label_smoothing)
        return total

    def start(self, batch: Batch) -> Start:
        content = self.encoder(batch.sources, batch.source_lengths)
        return Start({}, {"hidden": self._with_style(content, batch)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        scores, hidden = self.decoder.step(state["hidden"], last)
        return Step(scores, None, {"hidden": hidden})

    def _with_style(self, content: Tensor, batch: Batch) -> Tensor:
        return torch.cat([content, self.style(_styles(batch))], dim=-1)


def _styles(batch: Batch) -> Tensor:
    assert batch.styles is not None, "the batch says no styles"
    return batch.styles


def _rows_by_style(styles: Tensor) -> Iterator[tuple[int, Tensor | slice]]:
    """Each style that is there, and its rows; all of them as a slice, which copies nothing."""
    there = sorted(set(styles.tolist()))
    if len(there) == 1:
        yield there[0], slice(None)
        return
    for style in there:
        yield style, styles == style
