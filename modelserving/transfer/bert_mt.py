"""BERT-MT of MedLane's paper (Luo et al. 2022, section 5.1 and appendix C): a BERT reads, an attending LSTM writes.

Values are the paper's, whose "786" is PubMedBERT's 768: the decoder is as wide as its encoder. Where it is silent they
are its authors' program's: 30 epochs of translation, 3% of the updates warmup (of MedLane's pairs in batches of 30: 400
in round numbers) and then a line to 0, weight decay 0.01, no longest gradient, texts of up to 64 pieces, greedy search.
The program drops 0.2 where PyTorch drops nothing (a decoder of one layer); here it is of embeddings and of what is
written from. Batches and the patience are those of the paper's other networks here.

The program's decoder is a GRU, and learns from what it has written itself; the paper's is an LSTM with the loss of the
reference's words (formula 4), which is what is trained here, each word behind those of the reference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge.brackets import bracketed
from foundation.base_folder import read_base_folder
from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MEDLANE
from modelserving.interface.length_limit import LengthLimit
from modelserving.interface.transfer_model import Direction, Model
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.model import ABOUT, NetworkModel
from modelserving.pretrained.encoder_folder import ENCODERS, encoder_folder, most_pieces, piece_lengths, width
from modelserving.pretrained.encoder_vocabulary import (
    EncoderVocabularies,
    encoder_vocabularies,
    read_encoder_vocabularies,
)
from modelserving.pretrained.folder_list import why_none
from modelserving.pretrained.marked_pairs import with_marks
from modelserving.pretrained.memory import KEPT, TRAINED, check_memory
from modelserving.pretrained.presets import BATCH, WARMUP
from modelserving.pretrained.subwords import can_count_tokens
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.decoding import BeamSearchOptions
from modelserving.training.option_groups import PRETRAINED, REGULARIZATION, TEXTS
from modelserving.training.recipe import OPTIMIZERS, SCHEDULES, TrainingRecipe
from modelserving.training.tokenization import Vocabularies
from modelserving.training.tune_metrics import LOSS

if TYPE_CHECKING:
    from modelserving.nets.encoder_lstm import EncoderLstm
    from modelserving.training.batches import Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class BertMtOptions(TrainingRecipe):
    """The paper's, where it is silent its authors' program's."""

    folder: str = option(
        "PubMedBERT", "Folder of a BERT or another encoder, below RESTYLE_MODELS", suggestions="model_folders",
        required=True, group=PRETRAINED,
    )  # fmt: skip
    optimizer: str = option("adamw", "How gradients move the weights", choices=OPTIMIZERS)
    rate: float = option(5e-5, "Learning rate; with a schedule its highest", low=1e-8, high=10)
    batch: int = option(BATCH, "Texts a batch", low=1, high=10_000)
    schedule: str = option("linear", "How the learning rate changes", choices=SCHEDULES, rare=True)
    warmup: int = option(
        WARMUP, "Updates in which the learning rate rises to its highest; patience begins after them", low=0, rare=True
    )
    decay: float = option(0.01, "Weight decay of adamw; none for biases and norms", low=0, high=1, rare=True)
    clip: float = option(0.0, "Longest gradient; 0 for none", low=0, rare=True)
    dropout: float = option(
        0.2, "Share of the decoder's activations that is dropped in training; the encoder's is in its folder", low=0,
        high=0.9, group=REGULARIZATION,
    )  # fmt: skip
    marked: bool = option(
        True, "Train on references with the brackets that mark replaced terms", rare=True, group=TEXTS
    )
    longest: int = option(
        64, "Tokens of a text that is trained on, at most; longer ones are left out", low=1, high=16_384, group=TEXTS
    )
    read: int = option(
        512, "Tokens of a text that are read when it is rewritten, at most; the encoder's own limit counts too", low=1,
        high=16_384, rare=True, group=TEXTS,
    )  # fmt: skip


@dataclass(frozen=True)
class BertMtDecoding(BeamSearchOptions):
    """Greedy, as the authors' program is."""

    beam: int = option(1, "Hypotheses of a text at a time; 1 is greedy search", low=1, high=100)


class BertMtModel(NetworkModel):
    """Reads no more than its encoder can, and takes brackets off that it was taught to write."""

    vocabularies: EncoderVocabularies

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        for text in super()._transfer(texts, direction, decoding):
            yield " ".join(bracketed(text)[0].split()) if self.options.marked else text

    def rewrite(self, texts: Sequence[list[str]], direction: Direction, decoding: BeamSearchOptions) -> list[list[str]]:
        most = most_pieces(self.vocabularies.folder)
        return super().rewrite([words[:most] for words in texts], direction, decoding)

    def signature(self, direction: Direction, decoding: BeamSearchOptions) -> str:
        return f"{super().signature(direction, decoding)}|base:{self.vocabularies.base['digest']}"

    def _about(self) -> dict[str, Any]:
        return {**super()._about(), "base": dict(self.vocabularies.base)}

    def _save_vocabularies(self, folder: Path) -> None:
        self.vocabularies.write(folder)


class BertMt(NetworkTransfer):
    label = "BERT-MT"
    paper = MEDLANE
    Options = BertMtOptions
    Decoding = BertMtDecoding
    Ready = BertMtModel

    def why_unavailable(self) -> str:
        return why_none(self.label, ENCODERS)

    def check_options(self, options: Mapping[str, Any]) -> None:
        encoder_folder(str(options["folder"]))

    def length_limit(self, options: BertMtOptions) -> LengthLimit | None:
        """None where there is no such folder, which is said elsewhere, and where nothing counts tokens."""
        if not can_count_tokens():
            return None
        try:
            most = min(options.longest, most_pieces(encoder_folder(options.folder)))
        except UserError:
            return None
        return LengthLimit(most, most, partial(piece_lengths, options.folder), "tokens", tune=options.tune_by == LOSS)

    def fit(self, data: TrainingData, options: BertMtOptions, callbacks: Callbacks) -> Model:
        self._check_memory(options, callbacks)
        return super().fit(data, options, callbacks)

    def _check_memory(self, options: BertMtOptions, callbacks: Callbacks) -> None:
        """Refuse what does not fit into the memory of the device; a start that is kept says its size when loaded."""
        from modelserving.training.process_group import local_device

        if options.start_from or callbacks.kept("last"):
            return
        folder = encoder_folder(options.folder)
        pieces, size = int(folder.config["vocab_size"]), width(folder)
        numbers = folder.numbers + 3 * pieces * size + 9 * size * size
        check_memory(numbers, TRAINED, local_device(callbacks.device), "folder")
        callbacks.say(f"{folder.path.name}: {folder.architecture}, {folder.numbers:,} numbers, digest {folder.digest}; "
                      f"with the decoder {numbers:,} or so.")  # fmt: skip

    def starting_point(
        self, data: TrainingData, options: BertMtOptions, callbacks: Callbacks, group: "ProcessGroup"
    ) -> Path | None:
        """What was kept goes before all else: it goes on where the encoder's folder is not."""
        return callbacks.kept("last") or super().starting_point(data, options, callbacks, group)

    def vocabularies_of(self, data: TrainingData, options: BertMtOptions) -> Vocabularies:
        self._check(data.train)
        return encoder_vocabularies(encoder_folder(options.folder))

    def read_vocabularies(self, folder: Path, options: BertMtOptions) -> Vocabularies:
        return read_encoder_vocabularies(folder, ABOUT)

    def build(self, vocabularies: Vocabularies, options: BertMtOptions) -> "EncoderLstm":
        from modelserving.nets.encoder_lstm import EncoderLstm, SpecialIds
        from modelserving.pretrained.encoder_loading import new_encoder

        known = _of_encoder(vocabularies)
        special = SpecialIds(*known.subwords.ends, known.padding)
        return EncoderLstm(new_encoder(known.folder), special, len(known.target), options.dropout)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: BertMtOptions) -> None:
        from modelserving.pretrained.encoder_loading import load_encoder

        net.encoder = load_encoder(_of_encoder(vocabularies).folder)

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: BertMtOptions, callbacks: Callbacks,
        group: "ProcessGroup",
    ) -> "Batches":  # fmt: skip
        most = min(options.longest, most_pieces(_of_encoder(vocabularies).folder))
        marked = with_marks(data) if options.marked else data
        return super().batches(marked, vocabularies, replace(options, longest=most), callbacks, group)

    def validation(
        self, model: NetworkModel, data: TrainingData, options: BertMtOptions, callbacks: Callbacks
    ) -> "Validation | None":
        """Outputs, whose brackets are taken off, are compared with references that have none."""
        own = with_marks(data) if options.marked and options.tune_by == LOSS else data
        return super().validation(model, own, options, callbacks)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        if folder is not None:
            check_memory(read_base_folder(folder, ENCODERS).numbers, KEPT, device)
        return super().load(folder, device)


def _of_encoder(vocabularies: Vocabularies) -> EncoderVocabularies:
    assert isinstance(vocabularies, EncoderVocabularies)
    return vocabularies


TRANSFER = BertMt()
