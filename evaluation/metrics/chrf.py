"""chrF, the F-score of character n-grams (Popović 2015); with word n-grams chrF++ (Popović 2017)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from evaluation.languages import lowered, writes_spaces
from evaluation.metric_contract import ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
    NgramCounts,
    count_ngrams,
    first_maxima,
    lengths_of,
    overlaps,
    sacrebleu_version,
    sentence_of_each,
)
from foundation.papers import Paper
from foundation.translation import translatable, translate

CHARACTERS = 6  # the longest n-gram of characters
WORDS = 2  # and of words
ORDERS = CHARACTERS + WORDS
WORDLESS = translatable(
    "chrF++ takes its words from white space, which {language} does not write: choose the word_order 0, chrF."
)
PART = 200  # sentences that are counted at once: what they hold stays small and near
PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class Chrf(Metric):
    """sacreBLEU's chrF, white space left out; `word_order` 2 makes it chrF++, `beta` weighs recall over precision.

    A sentence takes the reference with the best F. The corpus score is that of the summed n-grams. An order that
    output or reference is too short for is left out of the mean; an empty output has 0.
    """

    name = "chrf"
    label = "chrF"
    paper = Paper(
        "Popović",
        2015,
        "chrF: character n-gram F-score for automatic MT evaluation",
        "https://aclanthology.org/W15-3049/",
    )
    unit = "0 to 100"
    needs = frozenset({"references"})
    higher_is_better = True
    defaults = {"word_order": 0, "beta": 2, "lowercase": False}
    bounds = {"word_order": (0, WORDS), "beta": (1, 10)}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        words, lower, weight = int(chosen["word_order"]), bool(chosen["lowercase"]), float(chosen["beta"]) ** 2
        outputs, references = list(batch.outputs), batch.references
        if lower:
            outputs = [lowered(output, batch.language) for output in outputs]
            references = [[lowered(reference, batch.language) for reference in each] for each in references]
        rows = np.zeros((len(outputs), 3 * ORDERS + 2))
        for start in range(0, len(outputs), PART):
            part = slice(start, start + PART)
            rows[part, :-2] = _best(outputs[part], references[part], words, weight)
        rows[:, -2:] = 1, weight
        return Scores(self.corpus_of(rows), {}, rows)

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return "" if writes_spaces(language) or not chosen["word_order"] else translate(WORDLESS, language=language)

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from n-grams of output, reference and both, by order; the last two sums: sentences and beta²'s.

        So the score of any sentences knows its beta. An order of words without counts does not enter.
        """
        return _f(sums[..., : 3 * ORDERS], ratio_of(sums[..., -1], sums[..., -2]))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "yes",
            "nc": str(CHARACTERS),
            "nw": str(chosen["word_order"]),
            "beta": str(chosen["beta"]),
            "space": "no",
            "refs": "best-f",
            "lib": f"as-sacrebleu-{sacrebleu_version()}",
        }


def _best(outputs: Sequence[str], references: Sequence[Sequence[str]], words: int, weight: float) -> Floats:
    """(n, 3 x ORDERS): of each sentence, for each order, the n-grams of the output, of the best reference, of both.

    The output's count only where the reference has any.
    """
    texts, counts = [*outputs, *chain.from_iterable(references)], lengths_of(references)
    of = sentence_of_each(counts)
    rows = np.zeros((len(of), ORDERS, 3))
    for order, counted in enumerate(_counted(texts, words)):
        both, said, wanted = overlaps(counted, len(outputs), of).T
        rows[:, order] = np.column_stack((np.where(wanted > 0, said, 0), wanted, both))
    flat = rows.reshape(len(rows), 3 * ORDERS)
    best: Floats = flat[first_maxima(_f(flat, np.full(len(flat), weight)), counts)]
    return best


def _counted(texts: Sequence[str], words: int) -> Iterator[NgramCounts]:
    """The n-grams of characters and of up to so many words, order by order."""
    yield from count_ngrams(["".join(text.split()) for text in texts], CHARACTERS)
    yield from count_ngrams([_words(text) for text in texts], words)


def _words(text: str) -> list[str]:
    """The words, a punctuation mark at the end (else at the beginning) set off, but one only."""
    parts: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            parts += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            parts += [word[0], word[1:]]
        else:
            parts.append(word)
    return parts


def _f(rows: Floats, weight: Floats) -> Floats:
    """(..., 3 x ORDERS) to (...), 0 to 100: of the mean precision and the mean recall of the orders on both sides."""
    said, wanted, both = np.moveaxis(rows.reshape(*rows.shape[:-1], ORDERS, 3), -1, 0)
    counted = (said > 0) & (wanted > 0)
    orders = np.maximum(counted.sum(axis=-1), 1)
    precision = np.divide(both, said, out=np.zeros_like(both), where=counted).sum(axis=-1) / orders
    recall = np.divide(both, wanted, out=np.zeros_like(both), where=counted).sum(axis=-1) / orders
    below = weight * precision + recall
    score: Floats = np.divide((1 + weight) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
    return 100 * score


METRIC = Chrf()
