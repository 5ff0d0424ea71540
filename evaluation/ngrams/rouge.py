"""ROUGE's arithmetic, for `rouge_1`, `rouge_2` and `rouge_l`: tokens, overlaps, and the better one of references."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np

from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.counts import Ints, count_ngrams, first_most, lengths_of, overlaps, sentence_of_each
from evaluation.word_matching.stems import stemmer
from foundation.papers import Paper

PAPER = Paper(
    "Lin", 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", "https://aclanthology.org/W04-1013/"
)
TOKENS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": re.compile(r"[^\W_]+")}
Tokens = list[str]
SHORT = 3  # characters of the longest word that is not stemmed
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
    def overlaps(self, outputs: Sequence[Tokens], references: Sequence[Tokens], of: Ints) -> Floats:
        """(references, 3): the units that each shares with the output that it is of, the output's, and its own."""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        split = tokenizer(str(chosen["tokens"]), bool(chosen["stem"]))
        outputs, counts = [split(output) for output in batch.outputs], lengths_of(batch.references)
        references = [split(one) for one in chain.from_iterable(batch.references)]
        each = scored(self.overlaps(outputs, references, sentence_of_each(counts)))
        scores = each[first_most(each[:, 2], counts)]
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

    def overlaps(self, outputs: Sequence[Tokens], references: Sequence[Tokens], of: Ints) -> Floats:
        *_, texts = count_ngrams([*outputs, *references], self.n)
        return overlaps(texts, len(outputs), of)


def scored(overlaps: Floats) -> Floats:
    """(n, 3): precision, recall and F1 of so many shared units (n, 3); 0 where a side has none."""
    shared, output, reference = overlaps.T
    precision, recall = _share(shared, output), _share(shared, reference)
    return np.column_stack((precision, recall, _share(2 * precision * recall, precision + recall)))


def _share(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return found


def tokenizer(tokens: str, stem: bool) -> Callable[[str], list[str]]:
    """From a text to its tokens; stemmed by Porter's rules where asked for, as far as a word is longer than three."""
    find = TOKENS[tokens].findall
    if not stem:
        return lambda text: find(text.lower())
    stemmed = stemmer()
    return lambda text: [stemmed(word) if len(word) > SHORT else word for word in find(text.lower())]
