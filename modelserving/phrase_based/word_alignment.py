"""Which word is written for which: eflomal in both directions (Oestling and Tiedemann 2016), symmetrised.

eflomal is a program of its own (GPL-3.0) that is run, not linked. It draws its seed from /dev/urandom and has no option
for another, so a copy of it is run in which that name is of a file beside it with a seed of ours; with one thread a
process its outcome is then the same every time. The two directions are two processes.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from foundation.errors import UserError
from foundation.papers import Paper
from foundation.seeds import generator
from modelserving.phrase_based.bitext import Bitext, Ids, Side, mapped
from modelserving.phrase_based.symmetrization import Links, parse, symmetrize

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
    """For each word the number of its lower-case form."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(word.lower(), len(numbers)) for word in words], dtype=np.int32)


def _write_text(path: Path, side: Side, lowered: Ids) -> None:
    """As eflomal reads it: the number of sentences and of words, then each sentence's length and numbers."""
    with path.open("w") as file:
        file.write(f"{len(side)} {int(lowered.max(initial=0)) + 1}\n")
        file.writelines(f"{len(ids)} {' '.join(map(str, lowered[ids].tolist()))}\n" for ids in _sentences(side))


def _write_priors(path: Path, words: int) -> None:
    """Each word is for itself, as if it had been seen so: sizes with the empty word, then source, target and count."""
    with path.open("w") as file:
        file.write(f"{words + 1} {words + 1} {words} 0 0 0 0\n")
        file.writelines(f"{word} {word} {SAME_WORD}\n" for word in range(1, words + 1))


def _sentences(side: Side) -> Iterator[Ids]:
    return (side[place] for place in range(len(side)))


def _seeded_program(path: Path) -> Path:
    """A copy of the program that reads its seed from a file where it is run."""
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
    """For one direction, with the iterations that eflomal's wrapper gives its three models."""
    most = max(2, round(STEPS / max(1, pairs) ** 0.5))
    few = max(1, most // 4)
    steps = ["-1", str(max(2, few)), "-2", str(few), "-3", str(most)]
    texts = ["-s", "source.eflomal", "-t", "target.eflomal", "-p", "priors.eflomal"]
    return [str(program), "-q", "-m", "3", "-n", str(SAMPLERS), "-N", NULL, *steps, *texts, f"-{way}", f"links.{way}"]


def _run(commands: list[list[str]], folder: Path, pulse: Callable[[], None]) -> None:
    """All at once, one thread each; a UserError where one fails."""
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
