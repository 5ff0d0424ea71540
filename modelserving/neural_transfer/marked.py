"""The common parts of Li et al.'s (2018) two networks: options, texts without their markers, tuning by perplexity.

The values are the paper's, section 4.4; where it is silent, they are its authors' program's, or ours: epochs, patience,
no clipping of gradients.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import LI, MSD
from foundation.seeds import generator
from modelserving.attribute_markers.options import MARKER_PRESETS, MarkerOptions
from modelserving.attribute_markers.style_markers import TOKENIZER, StyleMarkers
from modelserving.interface import Direction, Preset
from modelserving.neural_transfer.kind import check_vectors, load_vectors
from modelserving.neural_transfer.model import TEXTS, WINDOW, WORDS, NetworkModel
from modelserving.neural_transfer.styled import SHOWN, STYLES, StyledOptions, StyledTransfer
from modelserving.run_context import batchwise
from modelserving.training import subwords
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import ADAPTIVE_DECAY, LOSS, NETWORK, REGULARIZATION, BeamSearchOptions
from modelserving.training.tokenization import Tokenizer, Vocabularies, WordTokenizer, count_words, vocabulary_of_counts

if TYPE_CHECKING:
    from modelserving.nets.delete_networks import DeleteAndRetrieve, DeleteSizes
    from modelserving.run_context import RunContext
    from modelserving.training.batches import Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.style_dataset import MarkedRow
    from modelserving.training.validation import Validation

# A ready model that deletes the markers of a text and writes a new text from the rest (Li et al. 2018).

Ids = list[int]


@dataclass(frozen=True)
class DeletingDecoding(BeamSearchOptions):
    """The paper's beam."""

    beam: int = option(10, "Number of hypotheses (beam); 1 is greedy search", low=1, high=100)


@dataclass(frozen=True)
class RetrievingDecoding(DeletingDecoding):
    """How many texts lend their markers; the output likeliest under the target style's language model is kept."""

    retrieved: int = option(
        10, "Number of retrieved texts whose markers are tried; the likeliest output is kept", low=1, high=100
    )


@dataclass(frozen=True)
class MarkedVocabularies(Vocabularies):
    """The words of a model, and its markers."""

    known: StyleMarkers


class MarkedSource(NamedTuple):
    """The input for an output: the place of its text, and the words of its content and of markers."""

    place: int
    content: list[str]
    markers: list[str]


class MarkedModel(NetworkModel):
    """`retrieves`: its input has the markers of retrieved texts, else the style alone."""

    retrieves = False

    @property
    def known(self) -> StyleMarkers:
        return cast(MarkedVocabularies, self.vocabularies).known

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            cut = [TOKENIZER.tokenize(text)[: self.options.read] for text in texts[start : start + WINDOW]]
            yield from map(self.vocabularies.tokenizer.detokenize, self.rewrite(cut, direction, decoding))

    def rewrite(self, texts: Sequence[list[str]], direction: Direction, decoding: BeamSearchOptions) -> list[list[str]]:
        """The words of each text's output; markers are looked for among the words of the texts."""
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
        """The inputs for the outputs: one for each different list of markers of retrieved texts, the nearest first."""
        content = self.known.mark_words(words, direction[0]).content
        if not self.retrieves:
            return [MarkedSource(place, content, [])]
        near = self.known.retrieve(content, direction[1], decoding.retrieved)
        markers = dict.fromkeys(tuple(word for marker in one.marked.markers for word in marker) for one in near)
        return [MarkedSource(place, content, list(one)) for one in markers]

    def _search(self, sources: Sequence[MarkedSource], direction: Direction, decoding: BeamSearchOptions) -> list[Ids]:
        """The ids of the output of each; inputs of about one length are taken together."""
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
        written = dict(batchwise(write, batches, lambda row: self.too_large(contents[row]), self.context))
        return [written[row] for row in range(len(sources))]

    def _ids(self, words: Sequence[str]) -> Ids:
        return self.vocabularies.source.ids(cut_words(words, self.vocabularies.tokenizer))

    def _likeliest(self, candidates: list[Ids], style: int) -> Ids:
        """The output of lowest perplexity; that of the nearest text among equal ones."""
        if len(candidates) == 1:
            return candidates[0]
        import torch

        from modelserving.training.batches import pad

        texts, lengths = pad(candidates, end=True)
        with torch.inference_mode():
            found = cast("DeleteAndRetrieve", self.net).perplexities(texts.to(self.device), lengths, style)
        return candidates[int(found.argmin())]

    def _save_vocabularies(self, folder: Path) -> None:
        from modelserving.attribute_markers.style_markers import save_style_markers

        super()._save_vocabularies(folder)
        save_style_markers(self.known, folder)


class RetrievingModel(MarkedModel):
    """Its input has the markers of retrieved texts."""

    retrieves = True


def cut_words(words: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """The words in which markers were looked for, as the words or subwords that the network knows."""
    if isinstance(tokenizer, WordTokenizer):
        return tokenizer.normalize(words)
    return tokenizer.tokenize(" ".join(words))


MARKED_PRESETS: Mapping[str, Preset] = {
    **MARKER_PRESETS,
    "amazon": Preset("Li et al.: Amazon", LI, {"threshold": 5.5, "batch": 64}),
    "msd": Preset("Cao et al.: MSD", MSD, {
        "optimizer": "adam", "rate": 0.001, "batch": 32, "longest": 100, "embedding": 300, "dropout": 0.5,
        **ADAPTIVE_DECAY,
    }),
}  # fmt: skip


@dataclass(frozen=True)
class MarkedOptions(StyledOptions, MarkerOptions):
    """The options of the networks; `rate` is Zeiler's (2012), since the paper names none."""

    rate: float = option(1.0, "Learning rate; 1 is Adadelta as Zeiler (2012) has it", low=1e-8, high=10)
    batch: int = option(256, "Texts per batch", low=1, high=10_000)
    hidden: int = option(512, "Size of the states", low=1, high=4096)
    embedding: int = option(128, "Size of the word embeddings", low=1, high=4096)
    words: int = option(30_000, "Words that are known, at most", low=1, high=1_000_000)
    longest: int = option(
        150, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True
    )
    numbers: bool = option(False, "Put <NUM> for each number", rare=True)
    vectors: str = option(
        "", "File of word vectors (GloVe's form) that the embeddings begin with", rare=True, group=NETWORK
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)


@dataclass(frozen=True)
class NoisyOptions(MarkedOptions):
    """The options of the network that reads markers."""

    noise: float = option(
        0.1, "Share of the markers that are altered in training, for one at an edit distance of one word",
        low=0, high=1, group=REGULARIZATION,
    )  # fmt: skip


class MarkedTransfer(StyledTransfer):
    """A kind that is trained on contents, each with its style and its own markers, to write the whole text."""

    paper = LI
    Options: ClassVar[type] = MarkedOptions
    Decoding: ClassVar[type[BeamSearchOptions]] = DeletingDecoding
    Ready: ClassVar[type[MarkedModel]] = MarkedModel
    presets: ClassVar[Mapping[str, Preset]] = MARKED_PRESETS

    def vocabularies_of(self, data: TrainingData, options: Any) -> Vocabularies:
        known = self._learn(data, options)
        if options.subwords:
            texts = chain.from_iterable(data.texts.values())
            return _with(self.of_subwords(subwords.learn(texts, options.subwords, options.lowercase)), known)
        tokenizer = self._words(options)
        cut = (cut_words(words, tokenizer) for lines in data.texts.values() for words in _cut(lines, options.longest))
        words = vocabulary_of_counts(count_words(cut), options.words, options.least)
        return MarkedVocabularies(tokenizer, words, words, known)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: Any) -> None:
        if options.vectors:
            load_vectors(net.get_parameter("embed.weight"), vocabularies.source, options)

    def start_vocabularies(self, start: Path, trained: Any, data: TrainingData, options: Any) -> Vocabularies:
        """The checkpoint's words, with markers and texts of the data."""
        return _with(super().read_vocabularies(start, trained), self._learn(data, options))

    def read_vocabularies(self, folder: Path, options: Any) -> Vocabularies:
        from modelserving.attribute_markers.style_markers import load_style_markers
        from modelserving.neural_transfer.model import ABOUT

        directions, _ = self._about(folder / ABOUT)
        known = load_style_markers(folder, directions[0], options.marker_words, self.Ready.retrieves)
        return _with(super().read_vocabularies(folder, options), known)

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        from modelserving.training.style_dataset import marked_batches

        known = cast(MarkedVocabularies, vocabularies)
        return marked_batches(partial(_train_rows, data, known, options, callbacks), options, callbacks, group)

    def validation(
        self, model: "NetworkModel", data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        """The perplexity of tune texts, each written of its own content with its own style and markers."""
        from modelserving.neural_transfer.validation import perplexity
        from modelserving.training.process_group import ProcessGroup
        from modelserving.training.style_dataset import marked_batches
        from modelserving.training.validation import Validation

        texts = {style: data.dev_texts.get(style, ())[: options.tune_most] for style in data.styles}
        vocabularies = cast(MarkedVocabularies, model.vocabularies)
        if not all(any(map(str.strip, lines)) for lines in texts.values()):
            return None
        inner = Callbacks(callbacks.folder / "tune", callbacks.seed)
        rows = partial(_tune_rows, texts, vocabularies, options.read)
        batches = marked_batches(rows, options, inner, ProcessGroup())

        def score(context: "RunContext") -> tuple[float, Sequence[Sample]]:
            within = model.within(context)
            return perplexity(within, batches), self._samples(within, data)

        return Validation(LOSS, score, higher_is_better=False)

    def _samples(self, model: "NetworkModel", data: TrainingData) -> list[Sample]:
        """A few tune texts of each style, moved into the other."""
        greedy = replace(self.Decoding(), beam=1)
        return [
            Sample(source, output, "")
            for direction in model.directions
            for texts in [data.dev_texts[direction[0]][:SHOWN]]
            for source, output in zip(texts, model.transfer(texts, direction, greedy), strict=True)
        ]

    def _learn(self, data: TrainingData, options: Any) -> "StyleMarkers":
        from modelserving.attribute_markers.style_markers import learn_style_markers

        known = learn_style_markers(data, options, self.label)
        return known if self.Ready.retrieves else replace(known, texts={})


def sizes(vocabularies: Vocabularies, options: Any) -> "DeleteSizes":
    """The sizes of a network with these words."""
    from modelserving.nets.delete_networks import DeleteSizes

    return DeleteSizes(len(vocabularies.source), options.embedding, options.hidden, STYLES, options.dropout)


def _with(words: Vocabularies, known: "StyleMarkers") -> MarkedVocabularies:
    return MarkedVocabularies(words.tokenizer, words.source, words.target, known)


def _cut(lines: Sequence[str], longest: int) -> Iterator[list[str]]:
    """The words of the texts that are neither empty nor too long."""
    from modelserving.attribute_markers.style_markers import TOKENIZER

    return (words for words in map(TOKENIZER.tokenize, lines) if 0 < len(words) <= longest)


def _train_rows(
    data: TrainingData, vocabularies: MarkedVocabularies, options: Any, callbacks: Callbacks
) -> Iterator["MarkedRow"]:
    """Texts with enough content, their markers altered once."""
    from modelserving.attribute_markers.style_markers import MarkerNoise

    share, known = getattr(options, "noise", 0.0), vocabularies.known
    for place, (style, lines) in enumerate(data.texts.items()):
        noise, chance, kept = MarkerNoise(known.markers[style]), generator(callbacks.seed, "marker noise", place), 0
        for words in _cut(lines, options.longest):
            marked = known.mark_words(words, style)
            if len(marked.content) >= options.least_content:
                kept += 1
                yield _row(words, marked.content, noise.altered(marked.markers, share, chance), place, vocabularies)
        if not kept:
            raise UserError(
                "No text has 1 to {longest} words, {least_content} of them in no marker.",
                longest=options.longest,
                least_content=options.least_content,
                where=style,
            )
        left = len(lines) - kept
        callbacks.say(f"{style}: {len(known.markers[style]):,} markers; {kept:,} texts; {left:,} left out that are "
                      f"empty, longer than {options.longest} words, or have too little content.")  # fmt: skip


def _tune_rows(
    texts: Mapping[str, Sequence[str]], vocabularies: MarkedVocabularies, longest: int
) -> Iterator["MarkedRow"]:
    for place, (style, lines) in enumerate(texts.items()):
        for words in _cut(lines, longest):
            marked = vocabularies.known.mark_words(words, style)
            yield _row(words, marked.content, marked.markers, place, vocabularies)


def _row(
    words: Sequence[str], content: Sequence[str], markers: Sequence[Sequence[str]], style: int, known: Vocabularies
) -> "MarkedRow":
    from modelserving.training.style_dataset import MarkedRow

    joined = [word for marker in markers for word in marker]
    content_ids, marker_ids, ids = (
        known.source.ids(cut_words(one, known.tokenizer)) for one in (content, joined, words)
    )
    return MarkedRow(content_ids, marker_ids, ids, (style,))
