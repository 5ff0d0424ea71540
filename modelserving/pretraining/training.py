"""Pretraining itself: transformers' Trainer over pieces with noise, by the bridge of all pretrained models' trainings.

Its state lies in the callbacks' folder; each step is taken once:

    tokenizer/      tokenizer.json and the files beside it, made of the texts or copied from the base
    ids/            the texts as pieces (`corpus`)
    last/ best/     folders of transformers with the weights; the last has the optimizer's state too
"""

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerFast, Seq2SeqTrainer

from foundation.base_folder import BaseFolder, read_base_folder
from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.pretrained.folder_list import TRAINED, check_memory
from modelserving.pretrained.loading import load_network, quiet
from modelserving.pretrained.options import TunedOptions
from modelserving.pretrained.token_rows import Inputs, PairCollator
from modelserving.pretrained.trainer import Bridge, Bridged, Order, train
from modelserving.pretrained.tune_scores import mean_loss
from modelserving.pretraining.corpus import (
    Corpus,
    Counts,
    Texts,
    make_corpus,
    make_tokenizer,
    read_corpus,
    sentences_of,
)
from modelserving.pretraining.noise import Ids, corrupt_spans, infill, permute_sentences
from modelserving.pretraining.options import ARCHITECTURES, PretrainingOptions
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.training.gradients import seed_of
from modelserving.training.process_group import ProcessGroup, join_process_group, local_device
from modelserving.training.tokenized_dataset import TokenizedDataset
from modelserving.training.validation import Sampled, Validation

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# A corpus as shown to a model: inputs with noise, and the original, drawn anew each epoch, from the seed alone.


class Noise(Protocol):
    """The noise added to a piece, and the number of tokens of `length` that it takes for itself."""

    def longest(self, length: int) -> int: ...

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]: ...


@dataclass(frozen=True)
class SpanCorruption:
    """T5's: `sentinels` in their order, `end` behind inputs and targets."""

    sentinels: Ids
    end: int

    def longest(self, length: int) -> int:
        return length - 1

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]:
        inputs, targets = corrupt_spans(np.concatenate(sentences_of(piece)), self.sentinels, chance)
        return np.append(inputs, self.end), np.append(targets, self.end)


@dataclass(frozen=True)
class Infilling:
    """BART's: sentences in another order, spans masked; `begin` and `end` around inputs and targets."""

    mask: int
    begin: int
    end: int

    def longest(self, length: int) -> int:
        return length - 2

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]:
        whole = sentences_of(piece)
        inputs, targets = infill(permute_sentences(whole, chance), self.mask, chance), np.concatenate(whole)
        return self._around(inputs), self._around(targets)

    def _around(self, ids: Ids) -> Ids:
        return np.concatenate([[self.begin], ids, [self.end]]).astype(np.int32)


def noise_of(architecture: str, tokenizer: "PreTrainedTokenizerFast") -> Noise:
    """The noise that the architecture is pretrained by; a UserError where the tokenizer lacks a token for it."""
    if architecture == "t5":
        vocabulary = tokenizer.get_vocab()
        names = [f"<extra_id_{number}>" for number in range(len(vocabulary))]
        count = next(place for place, name in enumerate(names) if name not in vocabulary)
        if count < 2 or tokenizer.eos_token_id is None:
            raise UserError("The tokenizer lacks T5's sentinels, <extra_id_0> and on: this is not a T5 to pretrain.")
        return SpanCorruption(
            np.array([vocabulary[name] for name in names[:count]], dtype=np.int32), tokenizer.eos_token_id
        )
    if tokenizer.mask_token_id is None or tokenizer.bos_token_id is None or tokenizer.eos_token_id is None:
        raise UserError("The tokenizer lacks a mask, a begin or an end: this is not a BART to pretrain.")
    return Infilling(tokenizer.mask_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id)


class DenoisingRows(Sequence[tuple[Ids, Ids]]):
    """All rows of a training of `steps` batches, in order: every piece once in each epoch, with new noise."""

    def __init__(self, pieces: TokenizedDataset, noise: Noise, seed: int, rows: int) -> None:
        self.pieces, self.noise, self.seed, self.rows = pieces, noise, seed, rows
        self._order: tuple[int, Ids] = (-1, np.zeros(0, np.int32))

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> tuple[Ids, Ids]:  # type: ignore[override]
        """Inputs (Tx,) and targets (Ty,) of a row; a piece has other noise in each epoch."""
        epoch, place = divmod(range(self.rows)[row], len(self.pieces))
        piece = int(self._order_of(epoch)[place])
        return self.noise(self.pieces[piece], generator(self.seed, "noise", epoch, piece))

    @property
    def keys(self) -> "NDArray[np.int64]":
        """Equal numbers (rows,), so that rows keep their order."""
        return np.zeros(self.rows, dtype=np.int64)

    def _order_of(self, epoch: int) -> Ids:
        if self._order[0] != epoch:
            self._order = epoch, generator(self.seed, "order", epoch).permutation(len(self.pieces)).astype(np.int32)
        return self._order[1]


class Size(NamedTuple):
    """Layers on each side, the states' size, that of the feed-forward layers, and heads."""

    layers: int
    hidden: int
    inner: int
    heads: int


SIZES = {"tiny": Size(4, 256, 1024, 4), "mini": Size(4, 384, 1536, 8), "small": Size(6, 512, 2048, 8)}


def new_model(architecture: str, size: str, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    """A model for the tokenizer, with weights by `torch.manual_seed`; BART's reads at most `length` tokens."""
    return (_t5 if architecture == "t5" else _bart)(SIZES[size], tokenizer, length)


def _t5(size: Size, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    from transformers import T5Config, T5ForConditionalGeneration

    ids = {
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "decoder_start_token_id": tokenizer.pad_token_id,
    }
    sizes: dict[str, Any] = {
        "d_model": size.hidden, "d_kv": size.hidden // size.heads, "d_ff": size.inner, "num_layers": size.layers,
        "num_heads": size.heads, "n_positions": length,
    }  # fmt: skip
    return T5ForConditionalGeneration(T5Config(vocab_size=len(tokenizer), **sizes, **ids))


def _bart(size: Size, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig(
        vocab_size=len(tokenizer), d_model=size.hidden, max_position_embeddings=length,
        encoder_layers=size.layers, encoder_ffn_dim=size.inner, encoder_attention_heads=size.heads,
        decoder_layers=size.layers, decoder_ffn_dim=size.inner, decoder_attention_heads=size.heads,
        bos_token_id=tokenizer.bos_token_id, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id, forced_eos_token_id=tokenizer.eos_token_id,
    ))  # fmt: skip


TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
TUNE_MOST = 1_000  # pieces that the loss is measured by
TEXTS = 16  # of them at a time
CURVE = "validation_loss"


@dataclass(frozen=True)
class Pretrained:
    """The outcome: the folder of the best weights, their training data, its length, and their loss."""

    folder: Path
    counts: Counts
    steps: int
    validation_loss: float | None


def pretrain(
    texts: Texts | None, options: PretrainingOptions, callbacks: Callbacks, base: BaseFolder | None
) -> Pretrained:
    """Pretrain a new model, or `base` further; equal arguments give equal weights on the CPU.

    The first process of several has the texts; the others have None.

    Raises:
        Stopped: Somebody asked it to stop; equal arguments go on from there.
        UserError: The texts hold nothing, the base is not of the architecture or reads less than a piece, ...
    """
    quiet()
    device = local_device(callbacks.device)
    group = join_process_group(device)
    if base and base.positions and base.positions < options.length:
        raise UserError("The model reads at most {positions} tokens.", positions=base.positions, where="length")
    tokenizer = _tokenizer(texts, options, callbacks.folder, base, group)
    noise = noise_of(options.architecture, tokenizer)
    corpus = _corpus(texts, options, callbacks.folder, tokenizer, noise, group)
    steps = options.steps or math.ceil(len(corpus.train) * options.epochs / options.batch)
    counts = corpus.counts
    if group.first:
        callbacks.say(f"{counts.texts:,} texts, {counts.tokens:,} tokens in {counts.pieces:,} pieces; {steps:,} steps.")
    net: Any = _network(options, callbacks, tokenizer, base)
    net = net.to(device)
    rows = DenoisingRows(corpus.train, noise, callbacks.seed, steps * options.batch)
    collate = _collator(net)
    tune_score = _tune_score(net, corpus, noise, collate, callbacks.seed) if len(corpus.tune) else None

    def save(folder: Path) -> None:
        net.save_pretrained(folder, max_shard_size="1000GB")
        for path in (callbacks.folder / "tokenizer").iterdir():
            shutil.copyfile(path, folder / path.name)

    bridge = Bridge(_recipe(options, steps, len(corpus.train)), callbacks, save, tune_score, group)
    train(DenoisingTrainer, net, rows, collate, bridge)
    return Pretrained(callbacks.folder / "best", counts, steps, bridge.position.best)


class InOrder(Order):
    """Batches of rows in their order; this process's part of each."""

    def __iter__(self) -> Iterator[list[int]]:
        size = self.bridge.options.batch
        for start in range(0, len(self.rows), size):
            yield self.mine(range(start, min(start + size, len(self.rows))))


class DenoisingTrainer(Bridged, Seq2SeqTrainer):  # type: ignore[misc]
    """Seq2SeqTrainer, bridged, over rows that stand in their order already."""

    order_kind = InOrder


def _recipe(options: PretrainingOptions, steps: int, pieces: int) -> TunedOptions:
    """One epoch of all rows; the loss is measured once for each pass over all pieces, and ten times at least."""
    return TunedOptions(
        rate=options.rate, batch=options.batch, epochs=1, schedule="linear", warmup=round(options.warmup * steps),
        keep_every=options.keep_every, tune_every=max(1, min(pieces // options.batch, steps // 10)),
    )  # fmt: skip


def _tokenizer(
    texts: Texts | None, options: PretrainingOptions, state: Path, base: BaseFolder | None, group: ProcessGroup
) -> PreTrainedTokenizerFast:
    """The tokenizer, made once of the texts, or the base's own."""
    folder = state / "tokenizer"
    if texts and not folder.exists():
        fresh = state / ".tokenizer"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        if base is None:
            made = make_tokenizer(options.architecture, texts.train, options.words)
            made.model_max_length = options.length
            made.save_pretrained(fresh)
        else:
            for name in TOKENIZER_FILES:
                if (base.path / name).is_file():
                    shutil.copyfile(base.path / name, fresh / name)
        fresh.rename(folder)
    group.wait()
    return read_tokenizer(folder)


def read_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """tokenizer.json as it is, without a class of the model's own."""
    fast: Any = PreTrainedTokenizerFast
    try:
        found: PreTrainedTokenizerFast = fast.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception:  # whatever the library stumbles over in a stranger's file
        raise UserError("The tokenizer is missing or cannot be read.", where="tokenizer.json") from None
    return found


def _corpus(
    texts: Texts | None, options: PretrainingOptions, state: Path, tokenizer: PreTrainedTokenizerFast, noise: Noise,
    group: ProcessGroup,
) -> Corpus:  # fmt: skip
    """The corpus; the first process makes it, if it is missing, and all read it."""
    folder, longest = state / "ids", noise.longest(options.length)
    folder.mkdir(exist_ok=True)
    if texts:
        make_corpus(folder, texts, tokenizer, longest, options.packed)
    group.wait()
    return read_corpus(folder)


def _network(
    options: PretrainingOptions, callbacks: Callbacks, tokenizer: PreTrainedTokenizerFast, base: BaseFolder | None
) -> "PreTrainedModel":
    """The model in its last kept state, else the base's, else a new one."""
    last = callbacks.kept("last")
    folder = read_base_folder(last, ARCHITECTURES) if last else base
    if folder is not None:
        check_memory(folder.numbers, TRAINED, callbacks.device, "--from")
        net: PreTrainedModel = load_network(folder)
        return net
    torch.manual_seed(seed_of(callbacks.seed, "weights"))
    return new_model(options.architecture, options.size, tokenizer, options.length)


def _collator(net: "PreTrainedModel") -> PairCollator:
    return PairCollator(net.config.pad_token_id, net.config.decoder_start_token_id)


def _tune_score(net: "PreTrainedModel", corpus: Corpus, noise: Noise, collate: PairCollator, seed: int) -> Validation:
    """The loss of the held-back pieces, nats a token, always with the same noise."""
    rows = DenoisingRows(corpus.tune, noise, seed, min(len(corpus.tune), TUNE_MOST))

    def batch(part: list[int]) -> Inputs:
        pieces: Any = [rows[row] for row in part]
        return collate(pieces)

    def score(context: RunContext) -> Sampled:
        return mean_loss(net, batch, range(len(rows)), TEXTS, "auto", context), []

    return Validation(CURVE, score, higher_is_better=False)
