"""The common parts of the networks of GYAFC's paper (Rao and Tetreault 2018, section 4.3): rules, and word vectors.

In a direction between formal and informal, texts go through the rules first, in training and in rewriting. The paper
leaves sizes to its supplementary material: the defaults are those of the other networks here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.options import option
from foundation.papers import GYAFC
from modelserving.formality_rules.preprocessing import rules_of, version_of
from modelserving.interface import Direction, Model, Preset
from modelserving.neural_transfer.kind import NetworkTransfer, check_vectors, load_vectors
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Lines, TrainingData, write_lines
from modelserving.training.recipe import NETWORK, TEXTS, BeamSearchOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class GyafcOptions(NetworkOptions):
    rules: bool = option(True, "Rules first, between formal and informal", group=TEXTS)
    vectors: str = option(
        "", "File of word vectors (GloVe's form) that the source's embeddings begin with", group=NETWORK
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)


class RuledModel(NetworkModel):
    """A network behind the rules."""

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        first = rules_of(direction, self.options.rules)
        yield from super()._transfer([first(text) for text in texts], direction, decoding)

    def signature(self, direction: Direction, decoding: BeamSearchOptions) -> str:
        return f"{super().signature(direction, decoding)}|rules:{version_of(direction, self.options.rules)}"


class GyafcNetwork(NetworkTransfer):
    paper = GYAFC
    Options = GyafcOptions
    Ready = RuledModel
    presets: ClassVar[Mapping[str, Preset]] = {
        "gyafc": Preset("GYAFC: word vectors", GYAFC, {"vectors": "glove.txt", "embedding": 300})
    }

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        return super().fit(self.prepare(data, options, callbacks), options, callbacks)

    def prepare(self, data: TrainingData, options: Any, callbacks: Callbacks) -> TrainingData:
        """The network's training data, written by the first process; the others wait and read it."""
        from modelserving.training.process_group import join_process_group, local_device

        processes = join_process_group(local_device(callbacks.device))
        written = self.apply_rules(data, options, callbacks) if processes.first else None
        processes.wait()
        return written or self.apply_rules(data, options, callbacks)

    def apply_rules(self, data: TrainingData, options: Any, callbacks: Callbacks) -> TrainingData:
        """The data with the rules' output as sources, written once; the tune set stays as it is."""
        first = rules_of(data.direction, options.rules)
        if first is str:
            return data
        sources = write_once(callbacks, "ruled.source", map(first, data.train.sources))
        return replace(data, train=replace(data.train, sources=sources))

    def validation(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        if options.tune_by == "perplexity":  # the network gives it; a metric needs the model, which has the rules
            first = rules_of(data.direction, options.rules)
            data = replace(data, dev=replace(data.dev, sources=[first(text) for text in data.dev.sources]))
        return super().validation(model, data, options, callbacks)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: Any) -> None:
        if options.vectors:
            load_vectors(net.get_parameter("encoder.embed.weight"), vocabularies.source, options)


def write_once(callbacks: Callbacks, name: str, lines: Iterator[str]) -> Lines:
    """The lines as a file of the training's folder; one that an earlier try completed is taken as it is."""
    path = callbacks.folder / name
    if not path.exists():
        part = path.with_suffix(".part")
        write_lines(part, _looked_at(lines, lambda: callbacks.at(0, 1)))
        part.rename(path)
    return Lines(path)


def _looked_at(lines: Iterator[str], look: Callable[[], None]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number % 256 == 0:
            look()
        yield line
