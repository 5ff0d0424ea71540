"""A ready model that deletes the markers of a text and writes a new text of what is left (Li et al. 2018)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from foundation.options import option
from modelserving.attribute_markers.style_markers import TOKENIZER, StyleMarkers
from modelserving.interface import Direction
from modelserving.neural_transfer.model import TEXTS, WINDOW, WORDS, NetworkModel
from modelserving.run_context import batchwise
from modelserving.training.decoding import BeamSearchOptions
from modelserving.training.tokenization import Tokenizer, Vocabularies, WordTokenizer

if TYPE_CHECKING:
    from modelserving.nets.delete_networks import DeleteAndRetrieve

Ids = list[int]


@dataclass(frozen=True)
class DeletingDecoding(BeamSearchOptions):
    """The paper's beam."""

    beam: int = option(10, "Hypotheses of a text at a time; 1 is greedy search", low=1, high=100)


@dataclass(frozen=True)
class RetrievingDecoding(DeletingDecoding):
    """How many texts lend their markers; the output that the target style's language model finds likeliest is kept."""

    retrieved: int = option(
        10, "Retrieved texts with whose markers an output is written; the likeliest output is taken", low=1, high=100
    )


@dataclass(frozen=True)
class MarkedVocabularies(Vocabularies):
    """The words of a model, and what it knows of markers."""

    known: StyleMarkers


class MarkedSource(NamedTuple):
    """What is written of: the place of its text, and the words of its content and of markers."""

    place: int
    content: list[str]
    markers: list[str]


class MarkedModel(NetworkModel):
    """`retrieves`: it is given the markers of retrieved texts, else the style alone."""

    retrieves = False

    @property
    def known(self) -> StyleMarkers:
        return cast(MarkedVocabularies, self.vocabularies).known

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            cut = [TOKENIZER.tokenize(text)[: self.options.read] for text in texts[start : start + WINDOW]]
            yield from map(self.vocabularies.tokenizer.detokenize, self.rewrite(cut, direction, decoding))

    def rewrite(self, texts: Sequence[list[str]], direction: Direction, decoding: BeamSearchOptions) -> list[list[str]]:
        """The words of each text's output; the words of texts are those between which markers are looked for."""
        sources = [
            one
            for place, words in enumerate(texts)
            if words
            for one in self._sources(place, words, direction, decoding)
        ]
        candidates: list[list[Ids]] = [[] for _ in texts]
        for source, ids in zip(sources, self._search(sources, direction, decoding), strict=True):
            candidates[source.place].append(ids)
        style = self.known.styles.index(direction[1])
        words = self.vocabularies.target.words
        return [[words[i] for i in self._likeliest(one, style)] if one else [] for one in candidates]

    def _sources(self, place: int, words: list[str], direction: Direction, decoding: Any) -> list[MarkedSource]:
        """What outputs are written of, those of retrieved texts with other markers, the nearest first."""
        content = self.known.mark_words(words, direction[0]).content
        if not self.retrieves:
            return [MarkedSource(place, content, [])]
        near = self.known.retrieve(content, direction[1], decoding.retrieved)
        markers = dict.fromkeys(tuple(word for marker in one.marked.markers for word in marker) for one in near)
        return [MarkedSource(place, content, list(one)) for one in markers]

    def _search(self, sources: Sequence[MarkedSource], direction: Direction, decoding: BeamSearchOptions) -> list[Ids]:
        """The ids of the output of each, those of about one length at a time."""
        if not sources:
            return []
        import torch

        from modelserving.nets.beam_search import beam_search, length_batches
        from modelserving.nets.sampling import sample
        from modelserving.training.batches import Batch, pad

        style = self.known.styles.index(direction[1])
        contents, markers = (
            [self._ids(words) for words in one] for one in zip(*(one[1:] for one in sources), strict=True)
        )
        search = sample if decoding.sample else beam_search
        self.net.eval()

        def write(rows: list[int]) -> list[tuple[int, Ids]]:
            read, lengths = pad([markers[row] for row in rows], end=True)
            batch = Batch(
                *pad([contents[row] for row in rows], end=True),
                styles=torch.full((len(rows),), style), markers=read, marker_lengths=lengths,
            )  # fmt: skip
            found = search(self.net, batch.to(self.device), decoding)
            return [(row, one.ids) for row, one in zip(rows, found, strict=True)]

        groups = length_batches([len(one) + 1 for one in contents], TEXTS, WORDS)
        batches = (group.tolist() for group in groups)
        written = dict(batchwise(write, batches, lambda row: self._too_large(contents[row]), self.context))
        return [written[row] for row in range(len(sources))]

    def _ids(self, words: Sequence[str]) -> Ids:
        return self.vocabularies.source.ids(cut_words(words, self.vocabularies.tokenizer))

    def _likeliest(self, candidates: list[Ids], style: int) -> Ids:
        """The output of lowest perplexity; of equal ones that of the nearest text."""
        if len(candidates) == 1:
            return candidates[0]
        import torch

        from modelserving.training.batches import pad

        texts, lengths = pad(candidates, end=True)
        with torch.inference_mode():
            found = cast("DeleteAndRetrieve", self.net).perplexities(texts.to(self.device), lengths, style)
        return candidates[int(found.argmin())]

    def _save_vocabularies(self, folder: Path) -> None:
        from modelserving.attribute_markers.files import save_style_markers

        super()._save_vocabularies(folder)
        save_style_markers(self.known, folder)


class RetrievingModel(MarkedModel):
    """It is given the markers of retrieved texts."""

    retrieves = True


def cut_words(words: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """Words between which markers were looked for, as the words or subwords that the network knows."""
    if isinstance(tokenizer, WordTokenizer):
        return tokenizer.normalize(words)
    return tokenizer.tokenize(" ".join(words))
