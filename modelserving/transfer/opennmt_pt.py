"""OpenNMT+PT: OpenNMT's LSTMs, whose unknown words a phrase table replaces (Shardlow and Nawaz 2019); MSD's baseline.

The network is that of the simplification models (Nisioi et al. 2017) whose output Shardlow and Nawaz changed: two
layers of 500, embeddings of 500, global attention, input feeding, dropout 0.3, batches of 64, uniform weights at first.
They train by SGD at a rate of 1 that falls from the seventh epoch on; here Adam at MSD's 0.001 is the default.

Where the network writes an unknown word, the source word of most attention is looked up in the phrase table, and copied
if the table lacks it, as OpenNMT does. Their table was mined from SNOMED CT; ours comes from the training pairs: their
phrases for single words (`phrase_based.table_builder`). A network writes unknown words only if it has seen some: by
default a word that stands once on its side is one.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from foundation.options import Value, option
from foundation.papers import Paper
from modelserving.interface import Model, Preset
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.phrase_based.word_translation_file import read_word_translations, write_word_translations
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.training.recipe import NETWORK, PHRASES, SEARCH, BeamSearchOptions
from modelserving.training.tokenization import Tokenizer, Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup

FILE = "phrase-table.json"
LOOK = 1000  # pairs between two looks whether somebody asked to stop


@dataclass(frozen=True)
class OpenNmtOptions(NetworkOptions):
    batch: int = option(64, "Texts per batch", low=1, high=10_000)
    hidden: int = option(500, "Size of the hidden states", low=1, high=4096)
    embedding: int = option(500, "Size of the embeddings", low=1, high=4096)
    layers: int = option(2, "Layers of LSTMs in encoder and decoder", low=1, high=16, rare=True)
    dropout: float = option(
        0.3, "Share of the activations that are dropped in training; MSD's paper has 0.5", low=0, high=0.9
    )
    least: int = option(2, "Least number of occurrences of a known word in the training texts", low=1, rare=True)
    init: float = option(
        0.1, "Weights begin evenly drawn from minus to plus this", low=1e-4, high=1, rare=True, group=NETWORK
    )
    init_embeddings: float = option(
        0.0, "Standard deviation of the normal distribution that embeddings begin with; 0 to draw them as the weights",
        low=0, high=10, rare=True, group=NETWORK,
    )  # fmt: skip
    phrase_length: int = option(
        7, "Words of the longest phrase that is put in for an unknown word", low=1, high=10, rare=True, group=PHRASES
    )
    phrase_seen: int = option(
        1, "Times that a phrase is seen as a word's translation at least, to be put in for it", low=1, high=1000,
        rare=True, group=PHRASES,
    )  # fmt: skip


NISIOI = Paper(
    "Nisioi, Štajner, Ponzetto and Dinu", 2017, "Exploring Neural Text Simplification Models",
    "https://aclanthology.org/P17-2014/",
)  # fmt: skip
OF_NTS: Mapping[str, Value] = {
    "optimizer": "sgd", "rate": 1.0, "schedule": "step", "rate_decay": 0.7, "decay_from": 7, "epochs": 14,
    "patience": 0, "longest": 80,
}  # fmt: skip
"""Of their program's NTS.cfg and preprocess.sh (senisioi/NeuralTextSimplification); the rest of it is the default."""

SMALL: Mapping[str, Value] = {"hidden": 128, "embedding": 128, "batch": 32, "init": 0.2, "init_embeddings": 1.0}
"""For a processor. The sums of narrower states are smaller: weights of 0.1 (500 / hidden)^0.5 keep those of OpenNMT's
width. With its 0.1 attention lay at one place before it aligned, and most seeds learnt nothing."""


@dataclass(frozen=True)
class OpenNmtDecoding(BeamSearchOptions):
    phrase_table: bool = option(
        True, "Look up that source word in the phrase table; OpenNMT without its table copies it", rare=True,
        group=SEARCH,
    )  # fmt: skip


class PhraseTableModel(NetworkModel):
    """Looks source words up where the network writes an unknown one."""

    phrase_table: Mapping[str, Sequence[str]] = {}

    def _in_place_of_unknown(self, attended: str, decoding: BeamSearchOptions) -> Sequence[str]:
        looked_up = getattr(decoding, "phrase_table", True)  # tune scores are of the options that all networks have
        return self.phrase_table.get(attended, [attended]) if looked_up else [attended]

    def save(self, folder: Path) -> None:
        super().save(folder)
        if not self.options.subwords:
            write_word_translations(self.phrase_table, folder / FILE)


class OpenNmtWithPhraseTable(NetworkTransfer):
    label = "OpenNMT+PT"
    paper = Paper(
        "Shardlow and Nawaz",
        2019,
        "Neural Text Simplification of Clinical Letters with a Domain Specific Phrase Table",
        "https://aclanthology.org/P19-1037/",
    )
    Options = OpenNmtOptions
    presets: ClassVar[Mapping[str, Preset]] = {
        "nts": Preset("Nisioi et al.: NTS", NISIOI, OF_NTS),
        "small": Preset("Small states", None, SMALL),
    }
    Decoding = OpenNmtDecoding
    Ready = PhraseTableModel

    def build(self, vocabularies: Vocabularies, options: OpenNmtOptions) -> "Network":
        from modelserving.nets.recurrent import GlobalAttentionNetwork, Shape

        return GlobalAttentionNetwork(Shape.of(vocabularies, options), options.init, options.init_embeddings)

    def equip(
        self, model: NetworkModel, data: TrainingData, options: OpenNmtOptions, callbacks: Callbacks,
        group: "ProcessGroup",
    ) -> None:  # fmt: skip
        """Make the phrase table of the pairs, once, in the first process. With subwords no word is unknown."""
        assert isinstance(model, PhraseTableModel)
        if options.subwords:
            return
        path = callbacks.folder / FILE
        if group.first and not path.exists():
            part = path.with_suffix(".part")
            write_word_translations(self._learn(model, data, options, callbacks), part)
            part.rename(path)
        group.wait()
        model.phrase_table = read_word_translations(path)

    def _learn(
        self, model: NetworkModel, data: TrainingData, options: OpenNmtOptions, callbacks: Callbacks
    ) -> Mapping[str, Sequence[str]]:
        from modelserving.phrase_based import word_alignment
        from modelserving.phrase_based.table_builder import Shape, learn_word_translations

        callbacks.say("Extracting the phrase table.")
        folder = callbacks.folder / "phrases"
        texts = word_alignment.write(folder, _cut(data.train, model.vocabularies.tokenizer, callbacks), options.longest)
        shape = Shape(options.phrase_length, seen=options.phrase_seen, lexicalized=False)
        found = learn_word_translations(texts, shape, callbacks.seed, lambda: callbacks.at(0, 1))
        callbacks.say(f"The phrase table has {len(found):,} words.")
        shutil.rmtree(folder)
        return found

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        model = super().load(folder, device)
        assert isinstance(model, PhraseTableModel)
        if folder and not model.options.subwords:
            model.phrase_table = read_word_translations(folder / FILE)
        return model


def _cut(pairs: Pairs, tokenizer: Tokenizer, callbacks: Callbacks) -> Iterator[tuple[list[str], list[str], int]]:
    """The words of each pair; a pair counts once."""
    for number, (source, target) in enumerate(zip(pairs.sources, pairs.targets, strict=True)):
        if number % LOOK == 0:
            callbacks.at(0, 1)
        yield tokenizer.tokenize(source), tokenizer.tokenize(target), 1


TRANSFER = OpenNmtWithPhraseTable()
