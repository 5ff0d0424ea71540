"""Word vectors: those of a file that a lab brings, or some made from a study's own texts."""

import gzip
import hashlib
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from foundation.errors import UserError

Vector = NDArray[np.float32]
Vectors = Mapping[str, Vector]
WIDTH, WINDOW, RAREST, MOST_WORDS = 100, 5, 2, 20_000
SMOOTHED = 0.75
CHUNK = 500_000  # words whose neighbours are counted at once
LONGEST = 1 << 20  # bytes of a line
PACKED = 50  # times its bytes that a .gz file may hold: vectors pack to a third or half


class VectorFile:
    """A file in GloVe's or word2vec's text form, plain or .gz; only the words that were asked for are kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._asked: set[str] = set()
        self._known: dict[str, Vector] = {}

    def of(self, words: set[str]) -> Vectors:
        """The vectors of those of the words that the file has; it is read through where some are new."""
        new = words - self._asked
        if new:
            self._known |= read_vectors(self.path, new)
            self._asked |= new
        return self._known


def read_vectors(path: Path, wanted: set[str]) -> dict[str, Vector]:
    """Read the vectors of words from a file, a line at a time.

    A line is a word and its numbers, with spaces between; a first line with how many words and numbers there are may
    stand before. A line with more or fewer numbers than the first is passed over (some files have 'words' with spaces).

    Args:
        path: The file, plain or `.gz`.
        wanted: The words whose vectors are read.

    Returns:
        The vectors (width,) of those of the words that the file has.

    Raises:
        UserError: A line holds no vector; names the file and the line.
    """
    keys = {word.encode("utf-8", "surrogatepass"): word for word in wanted}
    vectors: dict[str, Vector] = {}
    width = 0
    for number, line in _lines(path):
        fields = line.split() if not width else ()
        if number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
            continue
        if not width:
            width = len(_numbers(fields[1:], path, number))
        word = keys.get(line[: line.find(b" ")])
        if word is not None and word not in vectors and len(fields := line.split()) == width + 1:
            vectors[word] = _numbers(fields[1:], path, number)
    return vectors


def file_stamp(path: Path) -> str:
    """The file's name and 8 hexadecimal digits of its size, beginning and end, which are had at once."""
    about = path.stat()
    name = path.name.replace("|", "-").replace(":", "-")
    return f"{name}-{_digest(path, about.st_size, about.st_mtime_ns)}"


@lru_cache(maxsize=8)
def _digest(path: Path, size: int, changed: int) -> str:
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(LONGEST))
        file.seek(max(0, size - LONGEST))
        digest.update(file.read(LONGEST))
    return digest.hexdigest()[:8]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number, left = 0, LONGEST + (PACKED * path.stat().st_size if path.exists() else 0)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while line := file.readline(LONGEST):
                number, left = number + 1, left - len(line)
                if left < 0:
                    raise UserError("The file unpacks to far more than word vectors need.", where=path.name)
                if len(line) == LONGEST:
                    raise _strange(path, number)
                if line.strip():
                    yield number, line
    except (OSError, EOFError, zlib.error):
        raise UserError("The file cannot be read to its end.", where=path.name) from None


def _numbers(fields: Sequence[bytes], path: Path, number: int) -> Vector:
    try:
        vector = np.array([float(field) for field in fields], dtype=np.float32)
    except ValueError:
        raise _strange(path, number) from None
    if len(vector) < 2 or not np.isfinite(vector).all():
        raise _strange(path, number)
    return vector


def _strange(path: Path, number: int) -> UserError:
    wanted = "a word and its numbers were expected, as in GloVe's text files."
    return UserError("This is not a file of word vectors: {wanted}", wanted=wanted, where=f"{path.name}, line {number}")


def train_vectors(texts: Iterable[Sequence[str]], width: int = WIDTH) -> dict[str, Vector]:
    """Vectors of the words of tokenized texts, after Levy, Goldberg and Dagan (2015); none where there are too few.

    The positive pointwise mutual information of words within 5 places of each other, contexts smoothed by 0.75, is
    brought to `width` dimensions by its singular values, of which each vector has the square root. Words that come
    once are left out, and all but the 20,000 most frequent. Equal texts give equal vectors: nothing is drawn.
    """
    from scipy.sparse.linalg import svds

    listed, ids = _numbered(texts)
    if len(listed) < 3:
        return {}
    rank = min(width, len(listed) - 1)
    shared = _shared_information(ids, len(listed))
    with threadpool_limits(1):  # its products are small: ten times slower on several cores that others use too
        left, values, _ = svds(shared, k=rank, v0=np.ones(len(listed)), solver="arpack")
    rows = (left * np.sqrt(values)).astype(np.float32)
    return dict(zip(listed, rows, strict=True))


def _numbered(texts: Iterable[Sequence[str]]) -> tuple[list[str], NDArray[np.int32]]:
    """The words that have a vector, the most frequent first, and the texts as their numbers, one after the other.

    A word without vector is -1; between texts stands -1 so often that no window reaches across.
    """
    numbers: dict[str, int] = {}
    flat = array("i")
    for text in texts:
        flat.extend(numbers.setdefault(word, len(numbers)) for word in text)
        flat.extend([-1] * WINDOW)
    ids = np.array(flat, dtype=np.int32)
    counts = np.bincount(ids[ids >= 0], minlength=len(numbers))
    named = list(numbers)
    order = sorted(np.flatnonzero(counts >= RAREST).tolist(), key=lambda number: (-counts[number], named[number]))[
        :MOST_WORDS
    ]
    places = np.full(len(numbers) + 1, -1, dtype=np.int32)  # the last one is that of -1
    places[order] = np.arange(len(order))
    return [named[number] for number in order], places[ids]


def _shared_information(ids: NDArray[np.int32], size: int) -> Any:
    """The sparse matrix (size, size) of positive pointwise mutual information."""
    from scipy import sparse

    together = sparse.csr_array((size, size), dtype=np.float64)
    for start in range(0, len(ids), CHUNK):
        row, column = _neighbours(ids[max(0, start - WINDOW) : start + CHUNK], min(start, WINDOW))
        together = together + sparse.coo_array((np.ones(len(row)), (row, column)), shape=(size, size)).tocsr()
    together = (together + together.T).tocoo()
    of_word = np.asarray(together.sum(axis=1)).ravel()
    smoothed = of_word**SMOOTHED
    row, column = together.coords
    information = np.log(together.data * smoothed.sum() / (of_word[row] * smoothed[column]))
    positive = information > 0
    return sparse.csr_array((information[positive], (row[positive], column[positive])), shape=(size, size))


def _neighbours(ids: NDArray[np.int32], seen: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """All pairs of words within the window, the later one of which is not among the first `seen`."""
    pairs = []
    for apart in range(1, WINDOW + 1):
        begin = max(seen, apart)
        second = ids[begin:]
        first = ids[begin - apart :][: len(second)]
        known = (first >= 0) & (second >= 0)
        pairs.append((first[known], second[known]))
    return np.concatenate([words for words, _ in pairs]), np.concatenate([words for _, words in pairs])
