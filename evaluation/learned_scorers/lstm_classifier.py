"""An LSTM whose last state a sigmoid reads: a classifier of texts, trained on the spot."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.languages import lowered
from evaluation.learned_scorers.cross_fitting import LONGEST, Labels
from evaluation.learned_scorers.words import words_in
from foundation.seeds import generator

AT_ONCE = 512
DROPOUT = 0.2
CLOSE = 1e-3  # of logits between which a style is chosen: far above rounding
PAD, UNKNOWN = 0, 1
FIRST = 2  # number of the most frequent word; the one after the last is that of a beginning


@dataclass(frozen=True)
class Sizes:
    """The part of a text that a classifier reads, and the size of a step of training.

    Attributes:
        vocabulary: How many of the most frequent words are known.
        rarest: How often a word must occur to be known.
        longest: How many words of a text are read. They are the first ones, or with `at_end` the last ones.
        batch: Texts a step.
        at_spaces: Whether words are parted at spaces and kept as written. Else they are the language's words in small
            letters.
        at_end: Whether a text stands at the end of its line of `longest` words. The space before it is filled with a
            mark of its beginning, and the network reads all of the line.
    """

    vocabulary: int
    rarest: int
    longest: int
    batch: int
    at_spaces: bool = False
    at_end: bool = False


SIZES = {
    "keras": Sizes(vocabulary=20_000, rarest=1, longest=LONGEST, batch=32),
    "fu": Sizes(vocabulary=80_000, rarest=2, longest=20, batch=128, at_spaces=True, at_end=True),
}
"""Of Keras' example `imdb_lstm` that Fu et al. name, and of their own program (`eval/classification.py`)."""


class LstmClassifier:
    """One unit tells two styles apart; of more styles each has its own, and the surest counts."""

    def __init__(
        self,
        texts: Sequence[str],
        labels: Labels,
        styles: int,
        dimension: int,
        epochs: int,
        seed: int,
        language: str = "",
        sizes: Sizes = SIZES["keras"],
    ):
        import torch

        self.sizes, self.words = sizes, words_of(language, sizes)
        read = [self.words(text) for text in texts]
        counts = Counter(word for text in read for word in text)
        known = [word for word in counts if counts[word] >= sizes.rarest]
        frequent = sorted(known, key=lambda word: (-counts[word], word))[: sizes.vocabulary]
        self.vocabulary = {word: number for number, word in enumerate(frequent, start=FIRST)}
        with torch.random.fork_rng(devices=[]), _one_thread():
            torch.manual_seed(seed)
            self.net: Any = torch.nn.ModuleDict(
                {
                    "embedding": torch.nn.Embedding(
                        len(frequent) + FIRST + sizes.at_end, dimension, padding_idx=None if sizes.at_end else PAD
                    ),
                    "lstm": torch.nn.LSTM(dimension, dimension, batch_first=True),
                    "dropout": torch.nn.Dropout(DROPOUT),
                    "out": torch.nn.Linear(dimension, 1 if styles == 2 else styles),
                }
            )
            self._begin()
            self._fit([self._encode(text) for text in read], labels, epochs, seed)
        self.net.eval()

    def __call__(self, texts: Sequence[str]) -> Labels:
        """The number of each text's style, (n,)."""
        import torch

        encoded = [self._encode(self.words(text)) for text in texts]
        predicted = np.zeros(len(texts), dtype=np.int64)
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))  # little padding
        with torch.inference_mode(), _one_thread():
            for start in range(0, len(order), AT_ONCE):
                part = order[start : start + AT_ONCE]
                scores = self._scores([encoded[i] for i in part]).numpy()
                for row in np.flatnonzero(_margins(scores) < CLOSE):  # rounding depends on the texts beside a text
                    scores[row] = self._scores([encoded[part[row]]]).numpy()[0]
                predicted[part] = scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1)
        return predicted

    def _begin(self) -> None:
        """The first weights, drawn as Keras does: from torch's own, two epochs of 12,000 texts reach far less."""
        import torch

        torch.nn.init.uniform_(self.net["embedding"].weight, -0.05, 0.05)
        torch.nn.init.xavier_uniform_(self.net["lstm"].weight_ih_l0)
        torch.nn.init.orthogonal_(self.net["lstm"].weight_hh_l0)
        for name in ("bias_ih_l0", "bias_hh_l0"):
            torch.nn.init.zeros_(getattr(self.net["lstm"], name))
        size = self.net["lstm"].hidden_size
        torch.nn.init.ones_(self.net["lstm"].bias_ih_l0.data[size : 2 * size])  # the forget gate's
        torch.nn.init.xavier_uniform_(self.net["out"].weight)
        torch.nn.init.zeros_(self.net["out"].bias)

    def _fit(self, encoded: Sequence[list[int]], labels: Labels, epochs: int, seed: int) -> None:
        import torch

        units = self.net["out"].out_features
        wanted = torch.from_numpy(np.eye(units)[labels] if units > 1 else labels[:, None]).float()
        step = torch.optim.Adam(self.net.parameters(), fused=True)  # the embedding is large: one pass over it, not nine
        self.net.train()
        for epoch in range(epochs):
            for part in _batches([len(text) for text in encoded], seed, epoch, self.sizes.batch):
                step.zero_grad()
                scores = self._scores([encoded[i] for i in part])
                loss: Any = torch.nn.functional.binary_cross_entropy_with_logits(scores, wanted[part])
                loss.backward()
                step.step()

    def _encode(self, read: Sequence[str]) -> list[int]:
        numbers = [self.vocabulary.get(word, UNKNOWN) for word in read]
        if not self.sizes.at_end:
            return numbers or [UNKNOWN]
        line = [*[PAD] * self.sizes.longest, FIRST + len(self.vocabulary), *numbers]
        return line[-self.sizes.longest :]

    def _scores(self, encoded: Sequence[list[int]]) -> Any:
        """Logits, (n, units), from the state after each text's own last word."""
        import torch

        width = max(map(len, encoded))
        ids = torch.tensor([text + [PAD] * (width - len(text)) for text in encoded])
        last = torch.tensor([len(text) - 1 for text in encoded])
        states, _ = self.net["lstm"](self.net["dropout"](self.net["embedding"](ids)))
        return self.net["out"](self.net["dropout"](states[torch.arange(len(encoded)), last]))


@contextmanager
def _one_thread() -> Iterator[None]:
    """So small a network is several times slower on several cores when others work on them too."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _margins(scores: Any) -> Any:
    """How far each text is from another style, (n,)."""
    if scores.shape[1] == 1:
        return np.abs(scores[:, 0])
    best = np.sort(scores, axis=1)
    return best[:, -1] - best[:, -2]


def words_of(language: str, sizes: Sizes = SIZES["keras"]) -> Callable[[str], list[str]]:
    """From a text in a language to the words that are read of it."""
    if sizes.at_spaces:
        return lambda text: text.split()[-sizes.longest :]
    split = words_in(language)
    return lambda text: [lowered(token, language) for token in split(text)[: sizes.longest]]


def _batches(lengths: Sequence[int], seed: int, epoch: int, batch: int) -> Iterator[list[int]]:
    """Places in a drawn order, those of about one length together, the groups in a drawn order too."""
    draw = generator(seed, "lstm", epoch)
    mixed = draw.permutation(len(lengths))
    for start in range(0, len(mixed), batch * 64):
        near = sorted(mixed[start : start + batch * 64], key=lambda i: lengths[i])
        groups = [near[begin : begin + batch] for begin in range(0, len(near), batch)]
        for group in draw.permutation(len(groups)):
            yield [int(i) for i in groups[group]]
