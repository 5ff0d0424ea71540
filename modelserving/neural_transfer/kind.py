"""A kind of model that is a network: its data, and how it is trained, validated and loaded.

A file of such a model says its paper and Options, and builds its network:

    class Seq2Seq(NetworkTransfer):
        label, paper = "Seq2Seq", MEDLANE
        def build(self, vocabularies: Vocabularies, options: NetworkOptions) -> Network: ...

Only functions that train or rewrite import torch.
"""

import dataclasses
import json
import shutil
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.options import validate_options
from foundation.translation import translatable
from modelserving.interface import Direction, LengthLimit, Model, Needs, Transfer, white_space_lengths
from modelserving.neural_transfer.model import ABOUT, SOURCE_WORDS, TARGET_WORDS, NetworkModel
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training import subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.checkpoint import unpack
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.training.recipe import LOSS, OBJECTIVE, BeamSearchOptions, TrainingRecipe
from modelserving.training.tokenization import (
    Vocabularies,
    Vocabulary,
    WordTokenizer,
    count_words,
    read_vocabulary,
    vocabulary_of_counts,
    word_lengths,
)

if TYPE_CHECKING:
    from torch import Tensor

    from modelserving.training.batches import Batch, Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation

# The checkpoint that a training starts from: one of the same kind; the training keeps its words and sizes.

WHERE = "start_from"
OF_WORDS = ("lowercase", "numbers", "subwords", "tagger")  # options by which texts are read: ids would mean other words


def starting_point(data: TrainingData, options: Any, callbacks: Callbacks, group: "ProcessGroup") -> Path | None:
    """The folder of the checkpoint's files, which the first process unpacks; None if the training starts afresh.

    The data's own checkpoint goes before a file of that name below RESTYLE_MODELS, which may have changed since.
    """
    if not options.start_from:
        return None
    folder = callbacks.folder / "start"
    if group.first:
        shutil.rmtree(folder, ignore_errors=True)
        with naming_start():
            unpack(data.start or start_file(options.start_from), folder)
    group.wait()
    return folder


def start_file(name: str, where: str = WHERE) -> Path:
    """The checkpoint of that name below RESTYLE_MODELS; if there is none, a UserError that names the option."""
    path = local_path(name, where=where)
    if path is None or not path.is_file():
        raise UserError(missing_resource_message(translatable("checkpoint"), name), where=where)
    return path


@contextmanager
def naming_start() -> Iterator[None]:
    """Have a UserError inside the block name the option."""
    try:
        yield
    except UserError as error:
        raise UserError(
            error.sentence, where=WHERE if error.where in ("", WHERE) else f"{WHERE}, {error.where}"
        ) from None


def check_same_words(trained: Any, options: Any) -> None:
    """Raise a UserError where the checkpoint's texts were cut in another way."""
    for name in OF_WORDS:
        if getattr(trained, name, None) != getattr(options, name, None):
            raise UserError(
                "{differing}: texts would be cut into other words.",
                differing=_differing(name, trained, options),
                where=WHERE,
            )


def read_start(net: "Network", folder: Path, trained: Any, options: Any) -> None:
    """Fill the network with the checkpoint's weights; a UserError names the options by which they do not fit."""
    from modelserving.training import weights

    try:
        weights.read_network(folder / weights.FILE, net)
    except UserError as error:
        own = {field.name for field in dataclasses.fields(options)} - {
            field.name for field in dataclasses.fields(TrainingRecipe)
        }
        others = [name for name in sorted(own) if getattr(trained, name) != getattr(options, name)]
        listed = "; ".join(_differing(name, trained, options) for name in others)
        raise UserError(f"{error.sentence} {listed}.".replace(" .", ""), where=WHERE) from None


def _differing(name: str, trained: Any, options: Any) -> str:
    return f"{name} is {getattr(trained, name, None)} in the checkpoint and {getattr(options, name, None)} here"


# Word vectors (GloVe's form) of a file below RESTYLE_MODELS that a network's embeddings begin with.

VECTORS = "vectors"
LOOKED_THROUGH = 200  # dev texts, among which are those whose attention is watched


def check_vectors(options: Any) -> None:
    """Raise a UserError where `vectors` are named and the model has subwords."""
    if options.vectors and options.subwords:
        raise UserError("Word vectors are of whole words: subwords must be 0 with them.", where=VECTORS)


def load_vectors(weight: "Tensor", words: Vocabulary, options: Any, width: str = "embedding") -> None:
    """Put the file's vectors into the embeddings (V, E): those of the words, or of the words in lower case.

    `width` is the option that sets E. A UserError where there is no such file, or its vectors are not of E numbers.
    """
    import torch

    from evaluation.learned_scorers.word_vectors import read_vectors

    path = local_path(options.vectors, where=VECTORS)
    if path is None:
        raise UserError(missing_resource_message(translatable("file of word vectors"), options.vectors), where=VECTORS)
    listed = words.words
    found = read_vectors(path, set(listed) | {word.lower() for word in listed})
    size, numbers = weight.shape[1], next(map(len, found.values()), weight.shape[1])
    if numbers != size:
        raise UserError(
            "The vectors have {numbers} numbers: {width} must be {numbers} too.",
            numbers=numbers,
            width=width,
            where=VECTORS,
        )
    with torch.no_grad():
        for place, word in enumerate(listed):
            vector = found.get(word, found.get(word.lower()))
            if vector is not None:
                weight[place] = torch.from_numpy(vector)


class NetworkTransfer(Transfer):
    """A kind of model that is a network, trained on pairs. `copies`: it needs ids of the extended vocabulary."""

    needs: ClassVar[Needs] = "parallel"
    device = "gpu"
    Options: ClassVar[type] = NetworkOptions
    Decoding: ClassVar[type[BeamSearchOptions]] = BeamSearchOptions
    Ready: ClassVar[type[NetworkModel]] = NetworkModel
    """What rewrites, once it is trained or loaded."""
    shared: ClassVar[bool] = False
    """One vocabulary for both sides."""
    copies: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def build(self, vocabularies: Vocabularies, options: Any) -> "Network":
        """The network, with random weights (torch's generator is seeded)."""

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: Any) -> None:
        """Change a new network before it is trained, e.g. to put word vectors in."""

    def equip(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> None:
        """Give a model further parts from the training data, beside words and weights, before it is trained."""

    def length_limit(self, options: Any) -> LengthLimit | None:
        """The limit of lengths; the training learns subwords, so until then words give their least number."""
        tune = options.tune_by in (LOSS, OBJECTIVE)
        if options.subwords:
            return LengthLimit(
                options.longest, options.longest, white_space_lengths, "subwords", at_least=True, tune=tune
            )
        return LengthLimit(options.longest, options.longest, word_lengths, tune=tune)

    # The methods that a kind trained on other data than pairs replaces.

    def directions_of(self, data: TrainingData) -> tuple[Direction, ...]:
        return (data.direction,)

    def vocabularies_of(self, data: TrainingData, options: Any) -> Vocabularies:
        """The words or subwords of the training data."""
        self._check(data.train)
        if options.subwords:
            return self.of_subwords(
                subwords.learn(chain(data.train.sources, data.train.targets), options.subwords, options.lowercase)
            )
        tokenizer = WordTokenizer(options.lowercase)
        source = count_words(map(tokenizer.tokenize, data.train.sources))
        target = count_words(map(tokenizer.tokenize, data.train.targets))
        if self.shared:
            both = vocabulary_of_counts(source + target, options.words, options.least)
            return Vocabularies(tokenizer, both, both)
        sizes = options.words, options.least
        return Vocabularies(
            tokenizer,
            vocabulary_of_counts(source, *sizes),
            vocabulary_of_counts(target, *sizes),
        )

    def start_vocabularies(self, start: Path, trained: Any, data: TrainingData, options: Any) -> Vocabularies:
        """The words of the checkpoint that a training starts from, which was trained with the options `trained`."""
        return self.read_vocabularies(start, trained)

    def of_subwords(self, tokenizer: subwords.SubwordTokenizer) -> Vocabularies:
        """The vocabularies of subwords; both sides have the same pieces."""
        known = tokenizer.vocabulary()
        return Vocabularies(tokenizer, known, known)

    def _check(self, pairs: Pairs) -> None:
        if not len(pairs):
            raise UserError("{label} is trained on pairs, and there are none.", label=self.label, where="train")

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        """The training data as batches, its ids on disk in the training's folder; the first process writes them."""
        from modelserving.training.batches import pair_batches

        pairs = data.train.with_copies(options.copied_targets)
        return pair_batches(pairs, vocabularies, options, callbacks, group, self.copies)

    def validation(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        """How the tune set is scored; None where there is none."""
        from modelserving.neural_transfer.validation import by_loss, by_metric

        if options.tune_by == LOSS:
            return by_loss(model, data, options, callbacks)
        return by_metric(model, data, options)

    def watched(self, model: NetworkModel, data: TrainingData) -> tuple[Sequence[tuple[str, str]], Direction]:
        """The dev sources with their targets in a direction, by which the attention is watched."""
        from modelserving.training.validation import TuneTexts

        tune = TuneTexts.of(data, LOOKED_THROUGH)
        return (tune.pairs() if tune else []), model.directions[0]

    def source_batch(self, model: NetworkModel, texts: Sequence[list[str]], direction: Direction) -> "Batch":
        """The batch of sources, none of them empty, for the search."""
        from modelserving.training.batches import source_batch

        return source_batch(texts, model.vocabularies, self.copies)

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        import torch

        from modelserving.neural_transfer.validation import watch_attention
        from modelserving.training.gradients import seed_of
        from modelserving.training.process_group import join_process_group, local_device
        from modelserving.training.trainer import Trainer

        device = local_device(callbacks.device)
        processes = join_process_group(device)
        start = self.starting_point(data, options, callbacks, processes)
        trained = self.trained_at(start, options) if start else options
        vocabularies = (
            self.start_vocabularies(start, trained, data, options) if start else self.vocabularies_of(data, options)
        )
        torch.manual_seed(seed_of(callbacks.seed, "weights"))
        net = self.build(vocabularies, options)
        if start:
            read_start(net, start, trained, options)
        else:
            self.initialize(net, vocabularies, options)
        model = self.ready_model(net, vocabularies, options, self.directions_of(data), device)
        self.equip(model, data, options, callbacks, processes)
        batches = self.batches(data, vocabularies, options, callbacks, processes)
        validation = self.validation(model, data, options, callbacks)
        if validation:
            pairs, direction = self.watched(model, data)
            validation = replace(validation, watch=watch_attention(model, pairs, direction))
        Trainer(net, batches, options, callbacks, model.save, validation, processes, device).run()
        return model

    def starting_point(
        self, data: TrainingData, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> Path | None:
        """The saved model whose weights and words the training begins with; None if it begins afresh."""
        return starting_point(data, options, callbacks, group)

    def trained_at(self, start: Path, options: Any) -> Any:
        """The options of the checkpoint that a training with other `options` starts from."""
        with naming_start():
            _, trained = self._about(start / ABOUT)
        check_same_words(trained, options)
        return trained

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.training import weights

        if folder is None:
            raise UserError("{label} has to be trained first.", label=self.label)
        directions, options = self._about(folder / ABOUT)
        vocabularies = self.read_vocabularies(folder, options)
        net = self.build(vocabularies, options)
        weights.read_network(folder / weights.FILE, net)
        return self.ready_model(net.to(device).eval(), vocabularies, options, directions, device)

    def ready_model(
        self, net: "Network", vocabularies: Vocabularies, options: Any, directions: tuple[Direction, ...], device: str
    ) -> NetworkModel:
        model = self.Ready(self, net, vocabularies, options, device)
        model.directions = directions
        return model

    def _about(self, path: Path) -> tuple[tuple[Direction, ...], Any]:
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            name, options = about["model"], dict(about["options"])
            directions = tuple((str(source), str(target)) for source, target in about["directions"])
        except (OSError, KeyError, TypeError, ValueError):
            raise UserError("The file that describes the model is missing or broken.", where=path.name) from None
        if name != self.name:
            raise UserError("This is a model of another kind, {name}.", name=name, where=path.name)
        return directions, validate_options(self.Options, options, f"{path.name}: ")

    def read_vocabularies(self, folder: Path, options: Any) -> Vocabularies:
        if options.subwords:
            return self.of_subwords(subwords.read(folder / subwords.FILE, options.lowercase))
        source = read_vocabulary(folder / SOURCE_WORDS)
        target = source if self.shared else read_vocabulary(folder / TARGET_WORDS)
        return Vocabularies(WordTokenizer(options.lowercase), source, target)
