"""The translations of single words as a file of JSON: each word with the words that stand for it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foundation.checkpoint_members import LARGEST_JSON, json_of
from foundation.errors import UserError

WordTranslations = dict[str, list[str]]


def write_word_translations(words: Mapping[str, Sequence[str]], path: Path) -> None:
    path.write_text(json.dumps(words, ensure_ascii=False, sort_keys=True, indent=0), encoding="utf-8")


def read_word_translations(path: Path) -> WordTranslations:
    """The translations in a file; a UserError where it is missing or holds something else."""
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_JSON else b""
    except OSError:
        raise UserError("The file of the phrase table is missing.", where=path.name) from None
    found: Any = json_of(data, path.name)
    if isinstance(found, dict) and all(map(_is_phrase, found.values())):
        return found
    raise UserError("This is not a phrase table, which has a list of words for each word.", where=path.name)


def _is_phrase(words: Any) -> bool:
    return isinstance(words, list) and bool(words) and all(isinstance(one, str) and _on_a_line(one) for one in words)


def _on_a_line(word: str) -> bool:
    return word.splitlines() == [word]
