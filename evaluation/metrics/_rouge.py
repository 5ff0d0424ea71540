"""ROUGE's arithmetic, for `rouge_1`, `rouge_2` and `rouge_l`: tokens, overlaps, and the better one of references."""

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evaluation.metrics._base import Batch, Metric, Result, Setting
from evaluation.metrics._stems import stemmer
from foundation.papers import Paper

PAPER = Paper(
    "Lin", 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", "https://aclanthology.org/W04-1013/"
)
TOKENS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": re.compile(r"[^\W_]+")}
SHORT = 3  # characters of the longest word that is not stemmed
Score = tuple[float, float, float]  # precision, recall, F1
OF = ("f1", "recall", "precision")


class AnyRouge(Metric):
    """What the three have in common. Lower-cased; a token is a run of letters and digits, of ASCII or of any script.

    With several references the one with the best F1 counts, whatever is asked of it, as in Google's `score_multi`.
    The corpus score is the mean of the sentences.
    """

    unit = "0 to 1"
    paper = PAPER
    needs = frozenset({"references"})
    higher_is_better = True
    defaults: Mapping[str, Setting] = {"of": "f1", "stem": False, "tokens": "ascii"}
    choices: Mapping[str, Sequence[str]] = {"of": OF, "tokens": tuple(TOKENS)}
    kind: str

    @abstractmethod
    def overlap(self, output: list[str], reference: list[str]) -> Score:
        """Precision, recall and F1 of the tokens of one output beside those of one reference."""

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        split = tokenizer(str(chosen["tokens"]), bool(chosen["stem"]))
        best = [
            max((self.overlap(split(output), split(one)) for one in references), key=lambda score: score[2])
            for output, references in zip(batch.outputs, batch.references, strict=True)
        ]
        scores = np.array(best, dtype=np.float64)
        means = scores.mean(axis=0)
        place = ("precision", "recall", "f1").index(str(chosen["of"]))
        details = {name: float(means[at]) for at, name in enumerate(("precision", "recall", "f1"))}
        return Result(scores[:, place].copy(), details)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "rouge": self.kind,
            "of": str(chosen["of"]),
            "case": "lc",
            "tok": str(chosen["tokens"]),
            "stem": "porter" if chosen["stem"] else "no",
            "refs": "best-f1",
        }


class RougeN(AnyRouge):
    """Overlap of n-grams, each counted as often as it stands in both."""

    n: int

    def overlap(self, output: list[str], reference: list[str]) -> Score:
        said, wanted = _grams(output, self.n), _grams(reference, self.n)
        return scored((said & wanted).total(), said.total(), wanted.total())


def scored(shared: int, output: int, reference: int) -> Score:
    """Precision, recall and F1 of so many shared units; 0 where a side has none."""
    precision = shared / output if output else 0.0
    recall = shared / reference if reference else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def tokenizer(tokens: str, stem: bool) -> Callable[[str], list[str]]:
    """From a text to its tokens; stemmed by Porter's rules where asked for, as far as a word is longer than three."""
    find = TOKENS[tokens].findall
    if not stem:
        return lambda text: find(text.lower())
    stemmed = stemmer()
    return lambda text: [stemmed(word) if len(word) > SHORT else word for word in find(text.lower())]


def _grams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))
