"""METEOR 1.5, the authors' own program (Denkowski and Lavie 2014), run with Java: stems, synonyms and paraphrases."""

import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from evaluation.languages import ENGLISH
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.papers import Paper
from foundation.translation import translatable

WHERE = "metrics.meteor_1_5"
PARAPHRASES = Path("data", "paraphrase-en.gz")  # beside the program, as it is shipped
MEMORY = "-Xmx2G"
BREAK = "|||"  # parts the program's fields


class Meteor15(Metric):
    """METEOR 1.5 in English, as `java -jar meteor-1.5.jar - - -stdio -l en -norm`, the way pycocoevalcap runs it.

    A metric of its own: NLTK's METEOR (`meteor`) is the one of 2007, without weights by kind of match, function words
    and paraphrases. The program takes the best of the references and sums its counts for the corpus: so the corpus
    score is not the sentences' mean. `paraphrase-en.gz` must lie in a folder `data` beside the program.
    """

    name = "meteor_1_5"
    label = "METEOR 1.5"
    paper = Paper(
        "Denkowski and Lavie",
        2014,
        "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
        "https://aclanthology.org/W14-3348/",
    )
    unit = "0 to 1"
    needs = frozenset({"references"})
    asks = "program"
    higher_is_better = True
    defaults = {"jar": "meteor-1.5.jar"}
    languages = ENGLISH
    because = "it is run with the weights, function words and paraphrases of English"

    def unavailable(self, **settings: object) -> str:
        return _missing(str(self.settings(**settings)["jar"]))

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        name = str(chosen["jar"])
        missing = _missing(name)
        if missing:
            raise UserError(missing, where=WHERE)
        rows = _run(_program(name), list(_lines(batch)))
        return Scores(_meteor(rows), {}, rows)

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from the program's 23 counts: lengths, function words, matches by kind, chunks, words matched."""
        return _meteor(sums)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        program = _program(str(chosen["jar"]))
        return {
            "like": "meteor-1.5",
            "lang": "en",
            "norm": "yes",
            "task": "rank",
            "modules": "exact-stem-synonym-paraphrase",
            "refs": "best",
            "jar": str(chosen["jar"]) if program is None else _digest(program, program.stat().st_mtime_ns),
        }


# Parameters of the task 'rank' in English, the program's default.
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])  # exact, stem, synonym, paraphrase
COUNTS = 23


def _program(name: str) -> Path | None:
    return local_path(name, where=f"{WHERE}.jar")


def _missing(name: str) -> str:
    """The missing programs, as a sentence; "" where none is missing."""
    if shutil.which("java") is None:
        return "METEOR 1.5 is a Java program, and there is no Java here: `apt install default-jre-headless`."
    program = _program(name)
    if program is None:
        return missing_resource_message(translatable("METEOR program"), name)
    if not (program.parent / PARAPHRASES).is_file():
        return f"METEOR's paraphrases are not beside the program: put {PARAPHRASES.name} into its folder 'data'."
    return ""


@lru_cache(maxsize=8)
def _digest(program: Path, changed: int) -> str:
    return hashlib.sha256(program.read_bytes()).hexdigest()[:8]


def _lines(batch: MetricInput) -> Iterator[str]:
    for output, references in zip(batch.outputs, batch.references, strict=True):
        yield f" {BREAK} ".join(["SCORE", *map(_plain, references), _plain(output)])


def _plain(text: str) -> str:
    """On one line, without the marks that the program splits at."""
    return " ".join(text.replace(BREAK, " ").split())


def _run(program: Path | None, lines: list[str]) -> Floats:
    """The counts of each line, (n, 23), by the program; a UserError with its last words where it fails."""
    options = ["java", MEMORY, "-Dfile.encoding=UTF-8", "-jar", str(program), "-", "-", "-stdio", "-l", "en", "-norm"]
    done = subprocess.run(options, input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    rows = [line.split() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode or len(rows) != len(lines) or any(len(row) != COUNTS for row in rows):
        said = (done.stderr.strip() or "no word").splitlines()[-1]
        raise UserError(
            "METEOR 1.5 ended with {returncode} and said: {said}", returncode=done.returncode, said=said, where=WHERE
        )
    return _without_whole(np.array(rows, dtype=np.float64))


def _without_whole(counts: Floats) -> Floats:
    """An output that matches its reference in one piece counts as none: so the program sums them."""
    whole = (counts[:, 21:23] == counts[:, 0:2]).all(axis=1) & (counts[:, 20] == 1)
    counts[whole, 20] = 0
    return counts


def _meteor(counts: Floats) -> Floats:
    """(..., 23) to (...), 0 to 1: the program's score of its counts. Content words weigh more than function words."""
    lengths, functions = counts[..., 0:2], counts[..., 2:4]  # of output and reference
    matches = np.einsum("...mk,m->...k", counts[..., 4:20].reshape(*counts.shape[:-1], 4, 4), WEIGHTS)
    said = DELTA * matches[..., 0:2] + (1 - DELTA) * matches[..., 2:4]
    weight = DELTA * (lengths - functions) + (1 - DELTA) * functions
    precision, recall = np.moveaxis(np.divide(said, weight, out=np.zeros_like(said), where=weight > 0), -1, 0)
    below = (1 - ALPHA) * recall + ALPHA * precision
    mean = np.divide(precision * recall, below, out=np.zeros_like(below), where=below > 0)
    chunks, matched = counts[..., 20], counts[..., 21:23]
    share = np.divide(2 * chunks, matched.sum(axis=-1), out=np.zeros_like(chunks), where=chunks > 0)
    return np.asarray(mean * (1 - GAMMA * share**BETA))


METRIC = Meteor15()
