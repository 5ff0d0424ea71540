"""A loaded BART, PEGASUS or T5 model written in CTranslate2's form.

CTranslate2's own converter loads a model and its tokenizer by name, which may reach out to a hub. Here its loaders are
given the network that is loaded already, and for tokens the numbers of the ids: no tokenizer takes part.
"""

import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from foundation.errors import UserError

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
    own = copy.deepcopy(net).to("cpu").float()  # CTranslate2 rounds the weights that it is given, where they lie
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
    """Where the normalization stands is the architecture's, whatever config.json may say: so it is in transformers."""
    from ctranslate2.converters.transformers import BartLoader, PegasusLoader

    config = copy.copy(net.config)
    config.normalize_before, config.normalize_embedding = kind == "pegasus", kind == "bart"
    parts = SimpleNamespace(
        config=config, model=net.model, lm_head=net.lm_head, final_logits_bias=getattr(net, "final_logits_bias", None)
    )
    return (PegasusLoader if kind == "pegasus" else BartLoader)()(parts, IdTokens(config))
