"""A translation model on this machine: a transformers folder for each pair of languages, `FOLDER/en-zh`.

Marian's models (Tiedemann and Thottingal 2020, OPUS-MT) are of this form; any encoder-decoder is that transformers
loads, with a `tokenizer.json`. Nothing is fetched, and no text leaves the machine.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.assist._base import Translator
from foundation.base_folder import check_sizes
from foundation.errors import UserError

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8})*")
LONGEST = 512  # tokens of a translation


class LocalMarian(Translator):
    name = "local_marian"

    def translate(
        self, texts: Sequence[str], source_language: str, target_language: str, folder: str = ""
    ) -> list[str]:
        if not texts:
            return []
        tokenizer, model = _loaded(_folder_of(source_language, target_language, folder))
        import torch

        given = tokenizer(list(texts), return_tensors="pt", padding=True, truncation=True)
        with torch.inference_mode():
            generated = model.generate(
                input_ids=given["input_ids"], attention_mask=given["attention_mask"], num_beams=4, do_sample=False,
                max_length=LONGEST,
            )  # fmt: skip
        return [text.strip() for text in tokenizer.batch_decode(generated, skip_special_tokens=True)]


def _folder_of(source_language: str, target_language: str, folder: str) -> Path:
    for language in (source_language, target_language):
        if not LANGUAGE.fullmatch(language):
            raise UserError(
                "{language!r} names no language; write a code such as 'en'.", language=language, where="language"
            )
    model_folder = Path(folder) / f"{source_language}-{target_language}"
    if not folder or not (model_folder / "config.json").is_file():
        raise UserError(
            "There is no model from {source_language} to {target_language} on this machine.",
            source_language=source_language,
            target_language=target_language,
        )
    return model_folder


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> tuple[Any, Any]:
    check_sizes(folder)
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
    return tokenizer, model.eval()


TRANSLATOR = LocalMarian()
