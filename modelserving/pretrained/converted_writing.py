"""Texts from a pretrained encoder and decoder by CTranslate2, looked for as PyTorch looks for them."""

from collections.abc import Sequence
from typing import Any

from modelserving.ctranslate2_models import ConvertedModel, SearchSettings, version
from modelserving.pretrained.options import CTRANSLATE2, SidesGenerationOptions


class ConvertedWriter:
    """Holds the converted model of the quantization that was asked for last; `net` must not be trained any more."""

    def __init__(self, net: Any) -> None:
        self._net = net
        self._held: tuple[str, ConvertedModel] | None = None

    def write(
        self, rows: Sequence[Sequence[int]], options: SidesGenerationOptions, positions: int = 0
    ) -> list[list[int]]:
        """The ids that the model writes for each row of ids; arguments and errors are those of `writing.write`."""
        tokens = self._net.generation_config
        settings = search_settings(options, positions, tokens.forced_bos_token_id, tokens.forced_eos_token_id)
        settings.check()
        if self._held is None or self._held[0] != options.quantization:
            self._held = None  # its memory is needed
            self._held = options.quantization, ConvertedModel(self._net, options.quantization)
        return self._held[1].generate(rows, settings)


def search_settings(
    options: SidesGenerationOptions, positions: int = 0, first: int | None = None, last: int | None = None
) -> SearchSettings:
    """The options as CTranslate2 is told of them; outputs have less than `positions` tokens, where that is not 0."""
    longest = min(options.longest, positions - 1) if positions else options.longest
    return SearchSettings(
        options.beam, options.length_penalty, longest, min(options.shortest, longest), options.no_repeat,
        options.early_stopping, options.sample, first, last,
    )  # fmt: skip


def check_engine(options: SidesGenerationOptions) -> None:
    """A UserError where CTranslate2 is to do what it would do otherwise than PyTorch."""
    if options.engine == CTRANSLATE2:
        search_settings(options).check()


def engine_version(options: SidesGenerationOptions) -> dict[str, str]:
    """The version of CTranslate2, where it computes, for a signature; a UserError where it is not installed."""
    return {"ctranslate2": version()} if options.engine == CTRANSLATE2 else {}
