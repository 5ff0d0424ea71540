"""A model in CTranslate2's form that writes ids for ids."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modelserving.ctranslate2_models.conversion_store import converted, digest_of, remove
from modelserving.ctranslate2_models.installation import version
from modelserving.ctranslate2_models.model_conversion import architecture_of, ends_of
from modelserving.ctranslate2_models.search_settings import SearchSettings

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
        """The ids of each output, without END and what stands before the first word.

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
