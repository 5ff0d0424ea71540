"""Phrase tables and language models as files: arrays in safetensors, words a line each. Nothing is unpickled."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from foundation.errors import UserError
from foundation.kneser_ney import SPECIAL, Model, Table
from modelserving.phrase_based.phrase_table import PhraseTable

TABLE, TABLE_WORDS = "phrases.safetensors", "phrases.txt"
MODEL, MODEL_WORDS = "language_model.safetensors", "language_model.txt"
ARRAYS = ("source", "source_lengths", "options", "target", "target_lengths", "scores", "reordering")


def save_table(table: PhraseTable, folder: Path) -> None:
    """Write the table into the folder, with the lengths of phrases instead of their ends, in a byte each."""
    _write_words(folder / TABLE_WORDS, table.words)
    arrays: dict[str, NDArray[Any]] = {
        "source": table.source,
        "source_lengths": np.diff(table.source_offsets).astype(np.uint8),
        "options": np.diff(table.options).astype(np.int32),
        "target": table.target,
        "target_lengths": np.diff(table.target_offsets).astype(np.uint8),
        "scores": table.scores,
        "reordering": table.reordering,
    }
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, folder / TABLE)


def load_table(folder: Path) -> PhraseTable:
    """A UserError where a file is missing, broken or does not fit the other."""
    arrays = _read(folder / TABLE, ARRAYS)
    table = PhraseTable(
        words=_read_words(folder / TABLE_WORDS),
        source=arrays["source"],
        source_offsets=_ends(arrays["source_lengths"], TABLE),
        options=_ends(arrays["options"], TABLE),
        target=arrays["target"],
        target_offsets=_ends(arrays["target_lengths"], TABLE),
        scores=arrays["scores"],
        reordering=arrays["reordering"],
    )
    table.check()
    return table


def save_model(model: Model, folder: Path) -> None:
    """Write the model into the folder, in single precision: a model that is not `rounded` comes back changed."""
    _write_words(folder / MODEL_WORDS, model.words)
    arrays: dict[str, NDArray[Any]] = {}
    for order, table in enumerate(model.tables, start=1):
        arrays[f"keys.{order}"] = table.keys
        arrays[f"logprob.{order}"] = table.logprob.astype(np.float32)
        arrays[f"backoff.{order}"] = table.backoff.astype(np.float32)
    save_file(arrays, folder / MODEL)


def load_model(folder: Path, order: int) -> Model:
    """A UserError where a file is missing, broken or does not fit the other."""
    names = [f"{kind}.{n}" for n in range(1, order + 1) for kind in ("keys", "logprob", "backoff")]
    arrays = _read(folder / MODEL, names)
    words = _read_words(folder / MODEL_WORDS)
    tables = [_model_table(arrays, n) for n in range(1, order + 1)]
    below = [1, *(len(table.keys) for table in tables)]
    whole = np.array_equal(tables[0].keys, np.arange(len(words))) and tuple(words)[: len(SPECIAL)] == SPECIAL
    if not whole or not all(_placed(table, size, len(words)) for table, size in zip(tables, below, strict=False)):
        raise UserError("The language model is broken: its arrays do not fit together.", where=MODEL)
    return Model(words, tables)


def rounded(model: Model) -> Model:
    """The model with its numbers in the precision of the files."""
    tables = [Table(table.keys, _single(table.logprob), _single(table.backoff)) for table in model.tables]
    return Model(model.words, tables, model.discounts)


def _single(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return numbers.astype(np.float32).astype(np.float64)


def _model_table(arrays: Mapping[str, NDArray[Any]], order: int) -> Table:
    keys, logprob, backoff = (arrays[f"{kind}.{order}"] for kind in ("keys", "logprob", "backoff"))
    fits = (
        keys.dtype == np.int64
        and logprob.dtype == backoff.dtype == np.float32
        and keys.shape == logprob.shape == backoff.shape == (len(keys),)
        and bool(np.isfinite(logprob).all() and np.isfinite(backoff).all())
    )
    if not fits:
        raise UserError("The language model is broken: its arrays do not fit together.", where=MODEL)
    return Table(keys.astype(np.int64), logprob.astype(np.float64), backoff.astype(np.float64))


def _placed(table: Table, below: int, words: int) -> bool:
    """Whether the keys rise, and each begins with an n-gram of the table below."""
    return bool((np.diff(table.keys) > 0).all() and ((table.keys >= 0) & (table.keys < below * words)).all())


def _write_words(path: Path, words: Mapping[str, int]) -> None:
    """Write the words in the order of their numbers."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{word}\n" for word in sorted(words, key=words.__getitem__))


def _read_words(path: Path) -> dict[str, int]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, ValueError):
        raise UserError("The file of words is missing or broken.", where=path.name) from None
    words = {word: number for number, word in enumerate(lines)}
    if len(words) != len(lines):
        raise UserError("A word occurs twice.", where=path.name)
    return words


def _read(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    try:
        arrays: dict[str, NDArray[Any]] = load_file(path)
    except (OSError, SafetensorError, ValueError, KeyError, TypeError):
        raise UserError("The file is missing or broken.", where=path.name) from None
    if set(arrays) != set(names) or not all(array.ndim for array in arrays.values()):
        raise UserError("The file holds other arrays than it should.", where=path.name)
    return arrays


def _ends(lengths: NDArray[Any], where: str) -> NDArray[np.int64]:
    if lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise UserError("The phrase table is broken: its arrays do not fit together.", where=where)
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
