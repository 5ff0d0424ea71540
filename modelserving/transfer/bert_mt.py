"""BERT-MT of MedLane's paper (Luo et al. 2022, section 5.1 and appendix C): a BERT reads, an attending LSTM writes.

Values are the paper's, whose "786" is PubMedBERT's 768: the decoder is as wide as its encoder. Where it is silent they
are its authors' program's: 30 epochs of translation, warmup for 3% of the updates and then a linear fall to 0, weight
decay 0.01, no clipping of gradients, texts of up to 64 pieces, greedy search. For MedLane's pairs in batches of 30 the
warmup is about 400 updates. The program has a dropout of 0.2 where PyTorch drops nothing (a decoder of one layer);
here it is on embeddings and on the decoder's output. Batches and patience are those of the paper's other networks here.

The program's decoder is a GRU, and learns from its own output. The paper's is an LSTM with the loss of the reference's
words (formula 4), each written behind those of the reference; it is the one trained here.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge.brackets import bracketed, without_abbreviations
from foundation.base_folder import CONFIG, TOKENIZER, BaseFolder, read_base_folder
from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MEDLANE
from modelserving.interface import Direction, LengthLimit, Model
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.model import ABOUT, NetworkModel
from modelserving.neural_transfer.options import CopyingRecipe
from modelserving.pretrained.folder_list import (
    ENCODERS,
    KEPT,
    TRAINED,
    check_memory,
    encoder_folder,
    most_pieces,
    piece_lengths,
    why_none,
    width,
)
from modelserving.pretrained.options import BATCH, WARMUP
from modelserving.pretrained.subwords import Subwords, can_count_tokens, read_subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.training.recipe import (
    LOSS,
    OPTIMIZERS,
    PRETRAINED,
    REGULARIZATION,
    SCHEDULES,
    TEXTS,
    BeamSearchOptions,
)
from modelserving.training.tokenization import Tokenizer, Vocabularies, Vocabulary

if TYPE_CHECKING:
    from modelserving.nets.encoder_lstm import EncoderLstm
    from modelserving.training.batches import Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation

# The vocabularies of a network on a pretrained encoder: the encoder's own tokenization and pieces, on both sides.
#
# The encoder reads sources by its own ids. The decoder has the same pieces by ids of ours, without special ones.

PARTS = ("folder", "digest", "architecture")  # the kept facts of the folder that was trained from


@dataclass(frozen=True)
class PieceTokenizer(Tokenizer):
    """Cuts into the encoder's pieces. Text without a piece stays as it is spelt."""

    subwords: Subwords

    def tokenize(self, text: str) -> list[str]:
        unknown = self.subwords.unknown
        return [
            (text[slice(*one.place)] or one.spelling) if one.id == unknown else one.spelling
            for one in self.subwords.pieces(text)
        ]

    def detokenize(self, words: Sequence[str]) -> str:
        return self.subwords.joined(words)


class EncoderPieces(Vocabulary):
    """Pieces by the encoder's ids, each one higher: 0 stays padding."""

    def __init__(self, subwords: Subwords, size: int) -> None:
        self.words = ()
        self._size = size
        self._ids = {piece: id + 1 for piece, id in subwords.vocabulary.items()}
        self._unknown = 1 + (subwords.ends[1] if subwords.unknown is None else subwords.unknown)

    def __len__(self) -> int:
        return 1 + self._size

    def ids(self, words: Iterable[str]) -> list[int]:
        get = self._ids.get
        return [get(word, self._unknown) for word in words]


@dataclass(frozen=True)
class EncoderVocabularies(Vocabularies):
    """`folder` has the encoder's configuration; `base` names the folder that it was trained from, by `PARTS`."""

    folder: BaseFolder
    subwords: Subwords
    base: Mapping[str, str]

    @property
    def padding(self) -> int:
        """The encoder's id of padding; a UserError where it has none."""
        found = self.folder.config.get("pad_token_id", 0)
        if type(found) is not int or not 0 <= found < int(self.folder.config["vocab_size"]):
            raise UserError(
                "The special token pad_token_id is {found}, which the model has no piece for.",
                found=str(found)[:60],
                where=self.folder.where,
            )
        return found

    def write(self, folder: Path) -> None:
        """Write the encoder's configuration and tokenizer, from which it is built again."""
        shutil.copyfile(self.subwords.path, folder / TOKENIZER)
        (folder / CONFIG).write_text(json.dumps(dict(self.folder.config), indent=1), encoding="utf-8")


def encoder_vocabularies(folder: BaseFolder, base: Mapping[str, str] | None = None) -> EncoderVocabularies:
    """The vocabularies of a checked folder; a UserError where its tokenizer is unfit for an encoder."""
    subwords = read_subwords(folder)
    try:
        subwords.ends  # noqa: B018 (that there are some)
    except UserError as error:
        raise UserError(error.sentence, where=f"{folder.where}, {error.where}") from None
    source = EncoderPieces(subwords, int(folder.config["vocab_size"]))
    target = Vocabulary(list(subwords.vocabulary))
    about = base or dict(zip(PARTS, (folder.path.name, folder.digest, folder.architecture), strict=True))
    return EncoderVocabularies(PieceTokenizer(subwords), source, target, folder, subwords, about)


def read_encoder_vocabularies(folder: Path, about: str) -> EncoderVocabularies:
    """The vocabularies of a checkpoint's files; its file `about` names the folder that it was trained from."""
    try:
        found = json.loads((folder / about).read_text(encoding="utf-8"))["base"]
        base = {name: str(found[name])[:200] for name in PARTS}
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        raise UserError("The file that describes the model is missing or broken.", where=about) from None
    return encoder_vocabularies(read_base_folder(folder, ENCODERS), base)


class Changed(Sequence[str]):
    """Lines, each changed when it is asked for."""

    def __init__(self, lines: Sequence[str], change: Callable[[str], str]) -> None:
        self.lines, self.change = lines, change

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.change, self.lines[place]))
        return self.change(self.lines[place])


def with_marks(data: TrainingData) -> TrainingData:
    """The data with the marked rewrites, abbreviations left out, as targets and as references."""
    if not data.has_marks:
        return data
    references = [Changed(lines, without_abbreviations) for lines in data.dev.marked]
    return replace(
        data,
        train=Pairs(data.train.sources, Changed(data.train.marked, without_abbreviations)),
        dev=DevSet(data.dev.sources, references),
    )


@dataclass(frozen=True)
class BertMtOptions(CopyingRecipe):
    """The paper's options, or its authors' program's where it is silent."""

    folder: str = option(
        "PubMedBERT", "Folder of a BERT or another encoder, below RESTYLE_MODELS", suggestions="model_folders",
        required=True, group=PRETRAINED,
    )  # fmt: skip
    optimizer: str = option("adamw", "How gradients move the weights", choices=OPTIMIZERS)
    rate: float = option(5e-5, "Learning rate; with a schedule its highest", low=1e-8, high=10)
    batch: int = option(BATCH, "Texts per batch", low=1, high=10_000)
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
    """Greedy search, as in the authors' program."""

    beam: int = option(1, "Number of hypotheses (beam); 1 is greedy search", low=1, high=100)


class BertMtModel(NetworkModel):
    """Reads no more than its encoder can, and removes brackets that it was taught to write."""

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
        """The limit of options and encoder; None without such a folder, which is said elsewhere, or tokenizers."""
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
        """Refuse a model that does not fit into the device's memory; a kept state tells its size when loaded."""
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
        """The kept state, before all else: it lets a training resume without the encoder's folder."""
        return callbacks.kept("last") or super().starting_point(data, options, callbacks, group)

    def vocabularies_of(self, data: TrainingData, options: BertMtOptions) -> Vocabularies:
        self._check(data.train)
        return encoder_vocabularies(encoder_folder(options.folder))

    def read_vocabularies(self, folder: Path, options: BertMtOptions) -> Vocabularies:
        return read_encoder_vocabularies(folder, ABOUT)

    def build(self, vocabularies: Vocabularies, options: BertMtOptions) -> "EncoderLstm":
        from modelserving.nets.encoder_lstm import EncoderLstm, SpecialIds
        from modelserving.pretrained.loading import new_encoder

        known = _of_encoder(vocabularies)
        special = SpecialIds(*known.subwords.ends, known.padding)
        return EncoderLstm(new_encoder(known.folder), special, len(known.target), options.dropout)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: BertMtOptions) -> None:
        from modelserving.pretrained.loading import load_encoder

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
        """The validation; outputs, with their brackets removed, are compared with references that have none."""
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
