"""Tercom's words and the edit rate over them, as sacreBLEU has both."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.languages.writing import lowered
from evaluation.ngrams.tokenizers import sacrebleu_version
from foundation.lazy_import import lazy_import

tokenizer_module = lazy_import("sacrebleu.tokenizers.tokenizer_ter")

Floats = NDArray[np.float64]


class TercomSettings(NamedTuple):
    """How Tercom splits texts into words."""

    lowercase: bool
    normalized: bool
    no_punct: bool
    asian: bool = False
    language: str = ""


def tercom_settings(chosen: Mapping[str, Any], language: str = "") -> TercomSettings:
    """Those of a metric's settings `lowercase`, `normalized`, `no_punct` and `asian`, which needs normalized texts."""
    asian = chosen.get("asian") == "yes"
    normalized = asian or bool(chosen["normalized"])
    return TercomSettings(bool(chosen["lowercase"]), normalized, bool(chosen["no_punct"]), asian, language)


def tercom_words(text: str, settings: TercomSettings) -> list[str]:
    """The words as Tercom's tokenizer has them."""
    small = lowered(text, settings.language) if settings.lowercase else text
    words: list[str] = _tokenizer(settings)(small.rstrip()).split()
    return words


def tercom_signature(settings: TercomSettings) -> dict[str, str]:
    """The signature's parts for case and tokens, sacreBLEU's."""
    return {
        "case": "lc" if settings.lowercase else "mixed",
        "tok": "tercom",
        "norm": "yes" if settings.normalized else "no",
        "punct": "no" if settings.no_punct else "yes",
        "asian": "yes" if settings.asian else "no",
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


def edit_rate(counts: Floats) -> Floats:
    """Edits to 100 words of the references.

    Args:
        counts: (..., 2), edits and the references' length in words.

    Returns:
        (...); without any word in the references 100, or 0 where nothing is edited.
    """
    edits, length = counts[..., 0], counts[..., 1]
    return np.where(length > 0, 100 * edits / np.where(length > 0, length, 1), np.where(edits > 0, 100.0, 0.0))


def as_characters(*texts: Sequence[str]) -> list[str]:
    """The texts with one character for each different word, the same in all of them."""
    characters: dict[str, str] = {}
    return ["".join(characters.setdefault(word, chr(len(characters))) for word in text) for text in texts]


@lru_cache(maxsize=8)
def _tokenizer(settings: TercomSettings) -> Any:
    return tokenizer_module.TercomTokenizer(
        normalized=settings.normalized,
        no_punct=settings.no_punct,
        asian_support=settings.asian,
        case_sensitive=not settings.lowercase,
    )
