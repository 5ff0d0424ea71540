"""What models that are networks share: their options, words, training, files and the way they rewrite.

A file of such a model says its paper and Options, and builds its network:

    class Seq2Seq(NetworkTransfer):
        label, paper = "Seq2Seq", MEDLANE
        def build(self, words: Words, options: Options) -> Network: ...

A kept model is `weights.safetensors`, `model.json` (its name, options, directions) and its words, a line each. Only
functions that train or rewrite import torch.
"""

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import option, options_as_stored, validate_options
from modelserving.interface.transfer_model import Direction, Model, Needs, Transfer
from modelserving.training import vocabulary
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.training.decoding import BeamSearchOptions
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.tokenization import Tokenizer, Vocabularies, detokenize

if TYPE_CHECKING:
    from modelserving.nets.beam_search import Hypothesis
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.trainer import Validation

ABOUT, SOURCE_WORDS, TARGET_WORDS = "model.json", "source-words.txt", "target-words.txt"
WINDOW = 2_000  # texts that are put in order of length at a time
TEXTS, WORDS = 64, 4_096  # that are rewritten at a time, padding counted


@dataclass(frozen=True)
class NetworkOptions(TrainingRecipe):
    """Options that all networks have. Sizes are MedLane's; where the paper is silent, ours."""

    hidden: int = option(256, "Size of the hidden states", low=1, high=4096)
    embedding: int = option(256, "Size of the embeddings", low=1, high=4096)
    dropout: float = option(0.2, "Share of the activations that are dropped in training", low=0, high=0.9)
    words: int = option(50_000, "Words that are known on a side, at most", low=1, high=1_000_000)
    least: int = option(1, "How often a word stands in the training texts to be known", low=1, rare=True)
    longest: int = option(
        100, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True
    )
    lowercase: bool = option(False, "Train on and write lower case", rare=True)
    read: int = option(
        2_000, "Words of a text that are read when it is rewritten, at most", low=1, high=10_000, rare=True
    )


class NetworkModel(Model):
    """A network with its words, on its device."""

    def __init__(self, kind: "NetworkTransfer", net: "Network", words: Vocabularies, options: Any, device: str) -> None:
        self.kind, self.net, self.words, self.options, self.device = kind, net, words, options, device

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        if direction not in self.directions:
            raise self._refuse(direction)
        return self._transfer(texts, direction, decoding)

    def _refuse(self, direction: Direction) -> UserError:
        served = ", ".join(" to ".join(each) for each in self.directions)
        return UserError(f"This model was trained for {served}, not for {' to '.join(direction)}.")

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            cut = [self.words.tokenizer.tokenize(text)[: self.options.read] for text in texts[start : start + WINDOW]]
            yield from map(detokenize, self.rewrite(cut, direction, decoding))

    def rewrite(self, texts: Sequence[list[str]], direction: Direction, decoding: BeamSearchOptions) -> list[list[str]]:
        """The words of each text's output, those of about one length at a time."""
        from modelserving.nets.beam_search import beam_search, in_batches

        outputs: list[list[str]] = [[] for _ in texts]
        there = [place for place, words in enumerate(texts) if words]
        self.net.eval()
        for group in in_batches([len(texts[place]) for place in there], TEXTS, WORDS):
            places = [there[i] for i in group]
            batch = self.kind.reading(self, [texts[place] for place in places], direction).to(self.device)
            for place, found in zip(places, beam_search(self.net, batch, decoding), strict=True):
                outputs[place] = self._written(found, texts[place], decoding)
        return outputs

    def _written(self, found: "Hypothesis", source: list[str], decoding: BeamSearchOptions) -> list[str]:
        """The words: those that were copied, and for unknown ones the source's that was attended to."""
        known = self.words.target
        unknown = list(dict.fromkeys(word for word in source if word not in self.words.source))
        written = []
        for one, place in zip(found.ids, found.places, strict=True):
            if one >= len(known):
                written.append(unknown[one - len(known)])
            elif one == vocabulary.UNKNOWN and decoding.replace_unknown and place >= 0:
                written.append(source[place])
            else:
                written.append(known.words[one])
        return written

    def signature(self, direction: Direction, decoding: BeamSearchOptions) -> str:
        parts = {"model": self.kind.name, "direction": "-".join(direction), **options_as_stored(decoding)}
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def save(self, folder: Path) -> None:
        from modelserving.training import weights

        about = {"model": self.kind.name, "directions": self.directions, "options": options_as_stored(self.options)}
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
        self.words.source.write(folder / SOURCE_WORDS)
        if not self.words.shared:
            self.words.target.write(folder / TARGET_WORDS)
        weights.write_network(folder / weights.FILE, self.net)


class NetworkTransfer(Transfer):
    """A kind of model that is a network, trained on pairs. `copies`: it needs ids of the extended vocabulary."""

    needs: ClassVar[Needs] = "parallel"
    device = "gpu"
    Options: ClassVar[type] = NetworkOptions
    Decoding = BeamSearchOptions
    Ready: ClassVar[type[NetworkModel]] = NetworkModel
    """What rewrites, once it is trained or loaded."""
    shared: ClassVar[bool] = False
    """One vocabulary for both sides."""
    copies: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def build(self, words: Vocabularies, options: Any) -> "Network":
        """The network, with weights by chance (torch's generator is seeded)."""

    def begin(self, net: "Network", words: Vocabularies, options: Any) -> None:
        """Change a new network before it is trained, to put word vectors in for one."""

    # What a kind trained on other data than pairs replaces.

    def directions_of(self, data: TrainingData) -> tuple[Direction, ...]:
        return (data.direction,)

    def words_of(self, data: TrainingData, options: Any) -> Vocabularies:
        """The words of the training data."""
        tokenizer = Tokenizer(options.lowercase)
        self._check(data.train)
        source = vocabulary.count(map(tokenizer.tokenize, data.train.sources))
        target = vocabulary.count(map(tokenizer.tokenize, data.train.targets))
        if self.shared:
            both = vocabulary.of_counts(source + target, options.words, options.least)
            return Vocabularies(tokenizer, both, both)
        sizes = options.words, options.least
        return Vocabularies(tokenizer, vocabulary.of_counts(source, *sizes), vocabulary.of_counts(target, *sizes))

    def _check(self, pairs: Pairs) -> None:
        if not len(pairs):
            raise UserError(f"{self.label} is trained on pairs, and there are none.", where="train")

    def batches(
        self, data: TrainingData, words: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        """The training data as batches, its ids on disk in the training's folder; the first process writes them."""
        from modelserving.training.pair_dataset import pair_batches

        return pair_batches(data.train, words, options, callbacks, group, self.copies)

    def tuning(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        """How the tune set is scored; None where there is none."""
        from modelserving.neural.validation import by_loss, by_metric

        if options.tune_by == "perplexity":
            return by_loss(model, data, options, callbacks)
        return by_metric(model, data, options)

    def reading(self, model: NetworkModel, texts: Sequence[list[str]], direction: Direction) -> "Batch":
        """The batch of sources, none of them empty, which the search is given."""
        from modelserving.training.pair_dataset import reading

        return reading(texts, model.words, self.copies)

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        from modelserving.neural.fitting import fitted

        return fitted(self, data, options, callbacks)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.training import weights

        if folder is None:
            raise UserError(f"{self.label} has to be trained first.")
        directions, options = self._about(folder / ABOUT)
        words = self._words(folder, options)
        net = self.build(words, options)
        weights.read_network(folder / weights.FILE, net)
        return self.model(net.to(device).eval(), words, options, directions, device)

    def model(
        self, net: "Network", words: Vocabularies, options: Any, directions: tuple[Direction, ...], device: str
    ) -> NetworkModel:
        made = self.Ready(self, net, words, options, device)
        made.directions = directions
        return made

    def _about(self, path: Path) -> tuple[tuple[Direction, ...], Any]:
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            name, options = about["model"], dict(about["options"])
            directions = tuple((str(source), str(target)) for source, target in about["directions"])
        except (OSError, KeyError, TypeError, ValueError):
            raise UserError("The file that describes the model is missing or broken.", where=path.name) from None
        if name != self.name:
            raise UserError(f"This is a model of another kind, {name}.", where=path.name)
        return directions, validate_options(self.Options, options, f"{path.name}: ")

    def _words(self, folder: Path, options: Any) -> Vocabularies:
        source = vocabulary.read(folder / SOURCE_WORDS)
        target = source if self.shared else vocabulary.read(folder / TARGET_WORDS)
        return Vocabularies(Tokenizer(options.lowercase), source, target)
