"""BART, PEGASUS and T5 models in CTranslate2's form, which CPUs compute in 8-bit integers. CTranslate2 is optional."""

import copy
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from foundation.disk import exclusive_lock
from foundation.errors import UserError
from foundation.project import ROOT

PACKAGE = "ctranslate2"
INSTALL = "pip install 'ctranslate2~=4.8'"


def version() -> str:
    """As in "4.8.5"; a UserError where it is not installed."""
    try:
        return version_of(PACKAGE)
    except PackageNotFoundError:
        raise UserError(
            "CTranslate2 is not installed here: run {install} on each machine with a worker, or choose pytorch.",
            install=INSTALL,
            where="engine",
        ) from None


# A loaded BART, PEGASUS or T5 model written in CTranslate2's form.
#
# CTranslate2's own converter loads a model and its tokenizer by name, which may reach out to a hub. Here its loaders
# get the network that is loaded already, and the numbers of the ids for tokens: no tokenizer takes part.

CONVERTED = ("bart", "pegasus", "t5")
"""What transformers calls them (`model_type`)."""


class IdTokens:
    """Tokens for CTranslate2's loaders, in the place of a tokenizer: id 17 is the token "17"."""

    def __init__(self, config: Any) -> None:
        self._size = config.vocab_size
        self.pad_token = self.unk_token = str(config.pad_token_id)
        self.eos_token = str(config.eos_token_id)
        bos = getattr(config, "bos_token_id", None)
        self.bos_token = self.pad_token if bos is None else str(bos)

    def get_vocab(self) -> dict[str, int]:
        """Every token and its id."""
        return {str(number): number for number in range(self._size)}

    def convert_ids_to_tokens(self, number: int) -> str:
        """The token of an id."""
        return str(number)


def convert(net: Any, folder: Path, quantization: str) -> None:
    """Write the model into the empty folder; its weights are stored as `quantization` says.

    Args:
        net: A model of transformers with a decoder, on any device; it stays as it is.
        quantization: "int8" or "float32".

    Raises:
        UserError: It is of another architecture, or the disk is full.
    """
    kind = architecture_of(net)
    own = copy.deepcopy(net).to("cpu").float()  # CTranslate2 rounds the given weights in place
    spec = _t5(own) if kind == "t5" else _bart_or_pegasus(own, kind)
    spec.config.decoder_start_token = str(start_of(net))
    spec.validate()
    spec.optimize(quantization=quantization)
    try:
        spec.save(str(folder))
    except OSError as error:
        raise UserError(
            "The converted model cannot be written: {strerror}.", strerror=error.strerror, where="engine"
        ) from None


def architecture_of(net: Any) -> str:
    """One of CONVERTED; a UserError where the model is of another architecture."""
    kind = str(net.config.model_type)
    if kind not in CONVERTED:
        raise UserError(
            "CTranslate2 serves BART, PEGASUS and T5 models here, and this one is {kind}: choose pytorch.",
            kind=kind,
            where="engine",
        )
    return kind


def start_of(net: Any) -> int:
    """The id that the decoder is given first."""
    chosen = net.generation_config.decoder_start_token_id
    return int(net.config.decoder_start_token_id if chosen is None else chosen)


def ends_of(net: Any) -> list[int]:
    """The ids that end an output."""
    chosen = net.generation_config.eos_token_id
    ends = net.config.eos_token_id if chosen is None else chosen
    return list(ends) if isinstance(ends, list) else [int(ends)]


def _t5(net: Any) -> Any:
    """Outputs are scaled where transformers scales them: it says so apart from the tying of embeddings (version 5)."""
    from ctranslate2.converters.transformers import T5Loader
    from ctranslate2.specs.model_spec import OPTIONAL

    spec = T5Loader()(net, IdTokens(net.config))
    scaled = getattr(net.config, "scale_decoder_outputs", net.config.tie_word_embeddings)
    spec.decoder.scale_outputs = net.config.d_model**-0.5 if scaled else OPTIONAL
    return spec


def _bart_or_pegasus(net: Any, kind: str) -> Any:
    """The architecture sets the place of the normalization, whatever config.json says, as in transformers."""
    from ctranslate2.converters.transformers import BartLoader, PegasusLoader

    config = copy.copy(net.config)
    config.normalize_before, config.normalize_embedding = kind == "pegasus", kind == "bart"
    parts = SimpleNamespace(
        config=config, model=net.model, lm_head=net.lm_head, final_logits_bias=getattr(net, "final_logits_bias", None)
    )
    return (PegasusLoader if kind == "pegasus" else BartLoader)()(parts, IdTokens(config))


# Converted models, kept on this machine: one is made once for the same weights and quantization.
#
# They lie in `work/ctranslate2` below RESTYLE_DATA and may be removed at any time. The last eight of those that nobody
# has used for an hour stay.

FORM = 1  # the version of `convert`'s output; another number has all models converted anew
KEPT, IN_USE_SECONDS = 8, 3600
FRESH, LOCK = ".fresh-", ".lock"


def converted(net: Any, quantization: str, digest: str) -> Path:
    """The folder of the converted model, made where it is not there; two processes make it once.

    Args:
        digest: Of the model's weights and configuration (`digest_of`).

    Raises:
        UserError: CTranslate2 is not installed, cannot convert the model, or the folder cannot be written.
    """
    name = f"{net.config.model_type}-{quantization}-{_key(digest, quantization)}"
    return _kept(name, lambda folder: convert(net, folder, quantization))


def remove(folder: Path) -> None:
    """Have a converted model made anew the next time."""
    shutil.rmtree(folder, ignore_errors=True)


def digest_of(net: Any) -> str:
    """SHA-256 of a loaded model.

    It covers the configuration, the tokens that begin and end outputs, and each tensor's name, type, shape and bytes.
    """
    whole = hashlib.sha256(net.config.to_json_string(use_diff=False).encode())
    whole.update(f"{start_of(net)} {ends_of(net)}\n".encode())
    for name, tensor in sorted(net.state_dict().items()):
        values = tensor.detach().cpu().contiguous()
        whole.update(f"{name} {values.dtype} {tuple(values.shape)}\n".encode())
        whole.update(values.flatten().view(_bytes()).numpy())
    return whole.hexdigest()


def kept_in() -> Path:
    """The folder of all converted models on this machine."""
    return Path(os.environ.get("RESTYLE_DATA") or ROOT / ".data") / "work" / "ctranslate2"


def _bytes() -> Any:
    import torch

    return torch.uint8


def _key(digest: str, quantization: str) -> str:
    return hashlib.sha256(f"{FORM} {version()} {quantization} {digest}".encode()).hexdigest()[:20]


def _kept(name: str, write: Callable[[Path], None]) -> Path:
    """The folder of that name, whole: it is written under another name until it is done."""
    place = kept_in() / name
    if not place.exists():
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with exclusive_lock(place.parent / LOCK):
                _write_once(place, write)
        except OSError as error:
            raise UserError(
                "Converted models cannot be kept in {parent}: {strerror}.", parent=place.parent, strerror=error.strerror
            ) from None
    os.utime(place)
    return place


def _write_once(place: Path, write: Callable[[Path], None]) -> None:
    """Write while the lock is held; the unfinished files of another process are thrown away."""
    if place.exists():
        return
    for left in place.parent.glob(f"{FRESH}*"):
        remove(left)
    fresh = Path(tempfile.mkdtemp(prefix=FRESH, dir=place.parent))
    try:
        write(fresh)
        fresh.rename(place)
    finally:
        remove(fresh)
    _forget_old(place.parent)


def _forget_old(folder: Path) -> None:
    used = sorted(folder.glob("[!.]*"), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in used[KEPT:]:
        if time.time() - old.stat().st_mtime > IN_USE_SECONDS:
            remove(old)


# The settings of the search in CTranslate2's words, and the settings of transformers for which it has no equal.
#
# Greedy search and the beam give the outputs of transformers; tests compare them. CTranslate2 removes blocked words
# before the softmax and transformers after it, so that with a beam the scores of all others differ: such settings are
# refused rather than answered otherwise.


@dataclass(frozen=True)
class SearchSettings:
    """As `generate` of transformers names them: lengths in tokens, END counted, the token that begins an output not.

    `first` is the token that each output begins with (`forced_bos_token_id`), `last` the one that ends an output at the
    limit (`forced_eos_token_id`); None where there is none.
    """

    num_beams: int = 1
    length_penalty: float = 1.0
    max_new_tokens: int = 200
    min_new_tokens: int = 0
    no_repeat_ngram_size: int = 0
    early_stopping: bool = True
    do_sample: bool = False
    first: int | None = None
    last: int | None = None

    def check(self) -> None:
        """Raise a UserError that names a setting for which CTranslate2 would answer otherwise than transformers."""
        if self.do_sample:
            raise _refused("draws words by other chances", "search without sampling", "sample")
        if self.num_beams == 1:
            return
        if self.no_repeat_ngram_size or self.min_new_tokens > 1:
            named = "no_repeat" if self.no_repeat_ngram_size else "shortest"
            raise _refused("blocks words in another way than PyTorch's beam does", "a beam of 1", named)
        if self.length_penalty and not self.early_stopping:
            raise _refused("ends a beam as soon as it is full", "early stopping", "early_stopping")
        if not self.length_penalty and self.early_stopping:
            raise _refused("goes on until the best text ends where there is no length penalty", "no early stopping",
                           "early_stopping")  # fmt: skip


def _refused(why: str, otherwise: str, where: str) -> UserError:
    return UserError(
        "CTranslate2 {why}: choose {otherwise}, or the engine pytorch.", why=why, otherwise=otherwise, where=where
    )


TOGETHER = 4096
"""Tokens of the sources that are rewritten together, at most."""


class ConvertedModel:
    """Computes on this machine's CPU, with as many threads as PyTorch takes."""

    def __init__(self, net: Any, quantization: str) -> None:
        """Convert the loaded model, unless that was done before.

        Raises:
            UserError: CTranslate2 is not installed, or does not serve the model's architecture.
        """
        version()
        architecture_of(net)
        self._ends = ends_of(net)
        digest = digest_of(net)
        folder = converted(net, quantization, digest)
        try:
            self._translator = _translator(folder, quantization)
        except RuntimeError:  # a file was cut short or changed
            remove(folder)
            self._translator = _translator(converted(net, quantization, digest), quantization)

    def generate(self, sources: Sequence[Sequence[int]], settings: SearchSettings) -> list[list[int]]:
        """The ids of each output, without END and without the token before the first word.

        Args:
            sources: The ids of each source as the encoder reads them, END among them where the tokenizer puts it.

        Raises:
            UserError: The settings are none that it answers as PyTorch does.
        """
        settings.check()
        limit = settings.max_new_tokens - (settings.last is not None)
        if not sources or limit < 1:
            return [[] for _ in sources]
        begin = None if settings.first is None else [[str(settings.first)]] * len(sources)
        found = self._translator.translate_batch(
            [list(map(str, ids)) for ids in sources],
            target_prefix=begin,
            beam_size=settings.num_beams,
            length_penalty=settings.length_penalty,
            no_repeat_ngram_size=settings.no_repeat_ngram_size,
            min_decoding_length=settings.min_new_tokens,
            max_decoding_length=limit,
            max_input_length=0,
            max_batch_size=TOGETHER,
            batch_type="tokens",
            end_token=list(map(str, self._ends)),
            return_end_token=True,
        )
        return [self._without_end(one.hypotheses[0]) for one in found]

    def _without_end(self, tokens: Sequence[str]) -> list[int]:
        ids = list(map(int, tokens))
        return ids[:-1] if ids and ids[-1] in self._ends else ids


def _translator(folder: Path, quantization: str) -> Any:
    import torch
    from ctranslate2 import Translator

    return Translator(
        str(folder), device="cpu", compute_type=quantization, inter_threads=1, intra_threads=torch.get_num_threads()
    )
