"""N-gram models as ARPA files, the text that SRILM, KenLM and others write and read; logarithms to base 10 there."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from foundation.errors import UserError
from foundation.kneser_ney import NEVER, SPECIAL, Model, Table

TEN = float(np.log(10))
HEADING = re.compile(r"\\(\d+)-grams:")


def write(model: Model, path: Path) -> None:
    """The model as a file; a word that holds white space has no place in one."""
    listed = list(model.words)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        file.writelines(f"ngram {n}={len(table.keys)}\n" for n, table in enumerate(model.tables, start=1))
        grams = listed
        for n, table in enumerate(model.tables, start=1):
            if n > 1:
                places = (divmod(key, len(listed)) for key in table.keys.tolist())
                grams = [f"{grams[prefix]} {listed[word]}" for prefix, word in places]
            file.write(f"\n\\{n}-grams:\n")
            last = n == len(model.tables)
            for gram, logprob, backoff in zip(grams, table.logprob / TEN, table.backoff / TEN, strict=True):
                file.write(f"{logprob:.7g}\t{gram}\n" if last else f"{logprob:.7g}\t{gram}\t{backoff:.7g}\n")
        file.write("\n\\end\\\n")


def read(path: Path) -> Model:
    """The model of a file. A UserError names the line that cannot be read."""
    words = {word: number for number, word in enumerate(SPECIAL)}
    tables: list[Table] = []
    try:
        for length, lines in _sections(path):
            tables.append(_table(path, length, lines, words, tables))
    except (OSError, UnicodeDecodeError):
        raise UserError("The file cannot be read as text.", where=path.name) from None
    if not tables:
        raise UserError("The file holds no n-grams in the ARPA format.", where=path.name)
    return Model(words, tables)


Lines = list[tuple[int, str]]


def _sections(path: Path) -> Iterator[tuple[int, Lines]]:
    """The length of n-grams and the numbered lines of each section."""
    length, lines = 0, Lines()
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            heading = HEADING.fullmatch(line.strip())
            if heading or line.strip() == "\\end\\":
                if length:
                    yield length, lines
                length, lines = int(heading[1]) if heading else 0, []
            elif length and line.strip():
                lines.append((number, line))


def _table(path: Path, length: int, lines: Lines, words: dict[str, int], below: list[Table]) -> Table:
    """One section's n-grams, by their keys; single words take their numbers as they come."""
    if length != len(below) + 1:
        raise UserError("The sections of n-grams must go up by one.", where=path.name)
    keys, values = [], []
    size, places = len(words), [dict(zip(each.keys.tolist(), range(len(each.keys)), strict=True)) for each in below]
    for number, line in lines:
        cells = line.split()
        try:
            gram, value = cells[1 : length + 1], [float(cells[0]), *map(float, cells[length + 1 :]), 0.0][:2]
            if length == 1:
                keys.append(words.setdefault(gram[0], len(words)))
            else:
                keys.append(_key([words[word] for word in gram], size, places))
        except (IndexError, KeyError, ValueError):
            raise UserError(
                "This is no line of a {length}-gram.", length=length, where=f"{path.name}, line {number}"
            ) from None
        values.append(value)
    if length == 1:
        return _words(keys, values, len(words))
    order = np.argsort(np.array(keys, dtype=np.int64), kind="stable")
    found = np.array(values, dtype=np.float64).reshape(-1, 2)[order] * TEN
    return Table(np.array(keys, dtype=np.int64)[order], found[:, 0].copy(), found[:, 1].copy())


def _key(numbers: list[int], size: int, places: list[dict[int, int]]) -> int:
    """KeyError where the beginning is not among the shorter n-grams."""
    place = numbers[0]
    for length, number in enumerate(numbers[1:-1], start=1):
        place = places[length][place * size + number]
    return place * size + numbers[-1]


def _words(keys: list[int], values: list[list[float]], size: int) -> Table:
    """Single words; one of the special ones that the file lacks never comes."""
    logprob, backoff = np.full(size, NEVER), np.zeros(size)
    for key, (value, weight) in zip(keys, values, strict=True):
        logprob[key], backoff[key] = value * TEN, weight * TEN
    return Table(np.arange(size, dtype=np.int64), logprob, backoff)
