"""The alignment of words by eflomal in both directions (Oestling and Tiedemann 2016), symmetrised.

eflomal is a program of its own (GPL-3.0) that is run, not linked. It draws its seed from /dev/urandom and has no option
for another, so a copy of it is run that names a file beside it instead, with a seed of ours. With one thread a process
its outcome is then the same every time. The two directions are two processes.
"""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.papers import Paper
from foundation.seeds import generator
from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.phrase_table import read_only

# Pairs of sentences as numbers of words, in files of one folder that are mapped into memory, not read.
#
# source.ids  target.ids      every word of every sentence, int32
# source.ends target.ends     the ends of the sentences among them, int64; the first begins at 0
# weights                     the count of each pair, int32
#
# Both sides share one vocabulary, in which a word's number is its place.

Ids = NDArray[np.int32]
Ends = NDArray[np.int64]
Pair = tuple[Sequence[str], Sequence[str], int]
"""The words of a source, those of its rewrite, and how often they count."""

LOPSIDED = 9  # the most words to one: Moses's cleaning drops pairs beyond it, whose alignments are noise


@dataclass(frozen=True)
class Side:
    """The sentences of one side: n words in all."""

    ids: Ids
    ends: Ends

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> Ids:
        return self.ids[self.ends[place] : self.ends[place + 1]]


@dataclass(frozen=True)
class Bitext:
    """Both sides, line for line the same pairs; `words` are the vocabulary."""

    folder: Path
    words: list[str]
    source: Side
    target: Side
    weights: Ids

    def __len__(self) -> int:
        return len(self.weights)


class Vocabulary:
    """Words and their numbers; a new word gets the next number."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.numbers: dict[str, int] = {}
        for word in words:
            self.number(word)

    def number(self, word: str) -> int:
        return self.numbers.setdefault(word, len(self.numbers))

    def encode(self, words: Iterable[str]) -> Ids:
        return np.fromiter(map(self.number, words), dtype=np.int32)


def write(folder: Path, pairs: Iterable[Pair], longest: int) -> Bitext:
    """The pairs as a bitext in `folder`, without those with an empty side, one over `longest` words, or lopsided."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = Vocabulary()
    weights: list[int] = []
    with _Writer(folder, "source") as source, _Writer(folder, "target") as target:
        for first, second, weight in pairs:
            if _usable(len(first), len(second), longest):
                source.add(vocabulary.encode(first))
                target.add(vocabulary.encode(second))
                weights.append(weight)
    np.array(weights, dtype=np.int32).tofile(folder / "weights")
    return read(folder, list(vocabulary.numbers))


def read(folder: Path, words: list[str]) -> Bitext:
    """The bitext that was written into the folder."""
    return Bitext(folder, words, _side(folder, "source"), _side(folder, "target"), mapped(folder / "weights", np.int32))


def _usable(source: int, target: int, longest: int) -> bool:
    few, many = sorted((source, target))
    return few > 0 and many <= longest and many <= LOPSIDED * few


class _Writer:
    """One side's files as they grow."""

    def __init__(self, folder: Path, side: str) -> None:
        self.folder, self.side = folder, side
        self.ends = [0]

    def __enter__(self) -> "_Writer":
        self.file: BinaryIO = (self.folder / f"{self.side}.ids").open("wb")
        return self

    def add(self, ids: Ids) -> None:
        self.file.write(ids.tobytes())
        self.ends.append(self.ends[-1] + len(ids))

    def __exit__(self, *_: object) -> None:
        self.file.close()
        np.array(self.ends, dtype=np.int64).tofile(self.folder / f"{self.side}.ends")


def _side(folder: Path, side: str) -> Side:
    return Side(mapped(folder / f"{side}.ids", np.int32), mapped(folder / f"{side}.ends", np.int64))


def mapped(path: Path, kind: type) -> NDArray:  # type: ignore[type-arg]
    """The array of a file, mapped; an empty file cannot be."""
    if not path.stat().st_size:
        return read_only(np.zeros(0, dtype=kind))
    return np.memmap(path, dtype=kind, mode="r")


# One alignment from those of two directions: grow-diag-final-and (Koehn et al. 2005).
#
# Forward every target word has at most one source word, backward every source word at most one target word. Links of
# both directions stay. A link of one is added if it is a neighbour of these and one of its words has no link yet, and
# at the end if neither of its words has one, forward first.

SYMMETRIZATION = Paper(
    "Koehn et al.",
    2005,
    "Edinburgh System Description for the 2005 IWSLT Speech Translation Evaluation",
    "https://aclanthology.org/2005.iwslt-1.8/",
)
Places = NDArray[np.int16]
NONE = -1
NEIGHBOURS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)], dtype=np.int64)


@dataclass(frozen=True)
class Links:
    """`points` (m, 2) are places in a source and in its target; those of pair i end at `ends[i + 1]`."""

    points: Places
    ends: Ends

    def __getitem__(self, place: int) -> Places:
        return self.points[self.ends[place] : self.ends[place + 1]]


def parse(text: NDArray[np.uint8], bitext: Bitext, *, forward: bool) -> Places:
    """The place of the other side's word for each target word (backward: source word), from lines of "1-2 3-4"."""
    ends = bitext.target.ends if forward else bitext.source.ends
    found = np.full(int(ends[-1]), NONE, dtype=np.int16)
    _parse(text, ends, found, forward)
    return found


def symmetrize(bitext: Bitext, forward: Places, backward: Places) -> Links:
    """The links of all pairs, from the places that `parse` found in both directions."""
    ends = np.zeros(len(bitext) + 1, dtype=np.int64)
    most = len(forward) + len(backward)
    points = np.empty((most, 2), dtype=np.int16)
    _symmetrise_all(bitext.source.ends, bitext.target.ends, forward, backward, points, ends)
    return Links(points[: ends[-1]], ends)


@compiled
def _parse(text: NDArray[np.uint8], ends: Ends, found: Places, forward: bool) -> None:
    line, number, left = 0, 0, 0
    for at in range(len(text)):
        char = text[at]
        if 48 <= char <= 57:
            number = number * 10 + char - 48
        elif char == 45:  # the hyphen
            left, number = number, 0
        else:
            if at and 48 <= text[at - 1] <= 57:
                if forward:
                    found[ends[line] + number] = left
                else:
                    found[ends[line] + left] = number
            number = 0
            if char == 10:
                line += 1


@compiled
def _symmetrise_all(source: Ends, target: Ends, forward: Places, backward: Places, points: Places, ends: Ends) -> None:
    total = 0
    for pair in range(len(ends) - 1):
        grid = symmetrise(forward[target[pair] : target[pair + 1]], backward[source[pair] : source[pair + 1]])
        for i in range(grid.shape[0]):
            for j in range(grid.shape[1]):
                if grid[i, j]:
                    points[total, 0], points[total, 1] = i, j
                    total += 1
        ends[pair + 1] = total


@compiled
def symmetrise(forward: Places, backward: Places) -> NDArray[np.bool_]:
    """The links (s, t) of one pair, from `forward` (t,) and `backward` (s,)."""
    rows, columns = len(backward), len(forward)
    either = np.zeros((rows, columns), dtype=np.bool_)
    linked = np.zeros((rows, columns), dtype=np.bool_)
    row_linked = np.zeros(rows, dtype=np.bool_)
    column_linked = np.zeros(columns, dtype=np.bool_)
    for j in range(columns):
        if forward[j] != NONE:
            either[forward[j], j] = True
    for i in range(rows):
        j = backward[i]
        if j != NONE:
            if either[i, j]:
                linked[i, j] = row_linked[i] = column_linked[j] = True
            either[i, j] = True
    _grow(either, linked, row_linked, column_linked)
    for j in range(columns):
        i = forward[j]
        if i != NONE and not row_linked[i] and not column_linked[j]:
            linked[i, j] = row_linked[i] = column_linked[j] = True
    for i in range(rows):
        j = backward[i]
        if j != NONE and not row_linked[i] and not column_linked[j]:
            linked[i, j] = row_linked[i] = column_linked[j] = True
    return linked


@within
def _grow(
    either: NDArray[np.bool_],
    linked: NDArray[np.bool_],
    row_linked: NDArray[np.bool_],
    column_linked: NDArray[np.bool_],
) -> None:
    """Add the neighbours of each link, until there are no new ones."""
    rows, columns = either.shape
    grown = True
    while grown:
        grown = False
        for i in range(rows):
            for j in range(columns):
                if not linked[i, j]:
                    continue
                for way in range(8):
                    k, m = i + NEIGHBOURS[way, 0], j + NEIGHBOURS[way, 1]
                    if not (0 <= k < rows and 0 <= m < columns) or linked[k, m] or not either[k, m]:
                        continue
                    if not row_linked[k] or not column_linked[m]:
                        linked[k, m] = row_linked[k] = column_linked[m] = grown = True


PAPER = Paper(
    "Östling and Tiedemann",
    2016,
    "Efficient Word Alignment with Markov Chain Monte Carlo",
    "https://ufal.mff.cuni.cz/pbml/106/art-ostling-tiedemann.pdf",
)
CHANCE, SEED_FILE = b"/dev/urandom\0", b"restyle.seed\0"  # of one length
SAMPLERS = 3  # and the iterations below: what eflomal's own wrapper chooses
STEPS = 5000
NULL = "0.2"
SAME_WORD = 1.0  # times that each word counts as seen aligned to itself: both sides are one language
POLL = 0.2  # seconds between two looks whether somebody asked to stop


def align(bitext: Bitext, seed: int, pulse: Callable[[], None]) -> Links:
    """Align the words of every pair in both directions, and symmetrize by grow-diag-final-and. Case is ignored.

    Args:
        bitext: Pairs of sentences; its folder takes the aligner's files.
        seed: Equal seeds give equal links.
        pulse: Called while the aligner runs; what it raises ends it.

    Raises:
        UserError: eflomal is not installed, or fails.
    """
    folder = bitext.folder
    lowered = _lowered(bitext.words)
    _write_text(folder / "source.eflomal", bitext.source, lowered)
    _write_text(folder / "target.eflomal", bitext.target, lowered)
    _write_priors(folder / "priors.eflomal", int(lowered.max(initial=0)) + 1)
    (folder / SEED_FILE[:-1].decode()).write_bytes(generator(seed, "alignment").bytes(8))
    program = _seeded_program(folder.resolve() / "eflomal")
    _run([_command(program, way, len(bitext)) for way in ("f", "r")], folder, pulse)
    forward = parse(mapped(folder / "links.f", np.uint8), bitext, forward=True)
    backward = parse(mapped(folder / "links.r", np.uint8), bitext, forward=False)
    for name in ("source.eflomal", "target.eflomal", "priors.eflomal", "links.f", "links.r", "eflomal"):
        (folder / name).unlink()
    return symmetrize(bitext, forward, backward)


def _lowered(words: list[str]) -> Ids:
    """The number of each word's lower-case form."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(word.lower(), len(numbers)) for word in words], dtype=np.int32)


def _write_text(path: Path, side: Side, lowered: Ids) -> None:
    """Write eflomal's input: the number of sentences and of words, then each sentence's length and numbers."""
    with path.open("w") as file:
        file.write(f"{len(side)} {int(lowered.max(initial=0)) + 1}\n")
        file.writelines(f"{len(ids)} {' '.join(map(str, lowered[ids].tolist()))}\n" for ids in _sentences(side))


def _write_priors(path: Path, words: int) -> None:
    """Write each word as seen with itself: sizes with the empty word, then source, target and count."""
    with path.open("w") as file:
        file.write(f"{words + 1} {words + 1} {words} 0 0 0 0\n")
        file.writelines(f"{word} {word} {SAME_WORD}\n" for word in range(1, words + 1))


def _sentences(side: Side) -> Iterator[Ids]:
    return (side[place] for place in range(len(side)))


def _seeded_program(path: Path) -> Path:
    """A copy of the program that reads its seed from a file in its working folder."""
    program = _program().read_bytes()
    if program.count(CHANCE) != 1:
        raise UserError("This build of eflomal cannot be given a seed; install the one that requirements.txt names.")
    path.write_bytes(program.replace(CHANCE, SEED_FILE))
    path.chmod(0o700)
    return path


@cache
def _program() -> Path:
    spec = find_spec("eflomal")  # looked up and not imported
    path = Path(spec.origin).parent / "bin" / "eflomal" if spec and spec.origin else None
    if path is None or not path.exists():
        raise UserError("The word aligner eflomal is not installed; requirements.txt names it.")
    return path


def _command(program: Path, way: str, pairs: int) -> list[str]:
    """The command for one direction, with the iterations that eflomal's wrapper gives its three models."""
    most = max(2, round(STEPS / max(1, pairs) ** 0.5))
    few = max(1, most // 4)
    steps = ["-1", str(max(2, few)), "-2", str(few), "-3", str(most)]
    texts = ["-s", "source.eflomal", "-t", "target.eflomal", "-p", "priors.eflomal"]
    return [str(program), "-q", "-m", "3", "-n", str(SAMPLERS), "-N", NULL, *steps, *texts, f"-{way}", f"links.{way}"]


def _run(commands: list[list[str]], folder: Path, pulse: Callable[[], None]) -> None:
    """Run all at once, one thread each; a UserError where one fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            running.append(subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE))  # noqa: S603
        for process in running:
            _wait(process, pulse)
    except OSError as error:
        raise UserError("The word aligner cannot be run: {error}.", error=error) from None
    finally:
        for process in running:
            process.kill()
            process.communicate()


def _wait(process: "subprocess.Popen[bytes]", pulse: Callable[[], None]) -> None:
    while True:
        pulse()
        try:
            _, said = process.communicate(timeout=POLL)
        except subprocess.TimeoutExpired:
            continue
        if process.returncode:
            raise UserError(
                "The word aligner failed: {detail}.", detail=said.decode(errors="replace").strip() or process.returncode
            )
        return
