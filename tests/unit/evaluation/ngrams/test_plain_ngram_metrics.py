"""BLEU, chrF, ROUGE and PINC by sorted counts of many texts at once, held to the plain form with counters."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import METRICS, MetricInput

text = st.lists(st.sampled_from(["a", "b", "c", "aba", "d.", "cc"]), max_size=9).map(" ".join)
systems = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=5)


def ngrams(words, n):
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def input_of(pairs):
    return MetricInput([], [output for output, _ in pairs], [references for _, references in pairs])


def plain_bleu(pairs):
    """Clipped matches of each order over the corpus, smoothed by halving, and the brevity penalty (Papineni et al.)."""
    matches, totals, length, nearest = [0] * 4, [0] * 4, 0, 0
    for output, references in pairs:
        words, others = output.split(), [reference.split() for reference in references]
        length += len(words)
        nearest += min((abs(len(other) - len(words)), len(other)) for other in others)[1]
        for n in range(1, 5):
            allowed = Counter()
            for other in others:
                allowed |= ngrams(other, n)
            matches[n - 1] += (ngrams(words, n) & allowed).total()
            totals[n - 1] += ngrams(words, n).total()
    if not any(matches) or not all(totals):
        return 0.0
    smoothed, logs = 1.0, 0.0
    for match, total in zip(matches, totals, strict=True):
        smoothed *= 1 if match else 2
        logs += math.log((match or 1 / smoothed) / total)
    return 100 * min(1.0, math.exp(1 - nearest / length)) * math.exp(logs / 4)


@given(pairs=systems)
def test_bleu_is_that_of_counters(pairs):
    assert METRICS["bleu"].score(input_of(pairs), tokenize="none").corpus == pytest.approx(plain_bleu(pairs), abs=1e-9)


def plain_chrf(output, reference):
    """The F2 of the mean precision and recall of n-grams of 1 to 6 characters (Popović)."""
    said, wanted = "".join(output.split()), "".join(reference.split())
    shares = []
    for n in range(1, 7):
        mine, theirs = ngrams(said, n), ngrams(wanted, n)
        if mine and theirs:
            shares.append(((mine & theirs).total() / mine.total(), (mine & theirs).total() / theirs.total()))
    precision, recall = (sum(side) / len(shares) for side in zip(*shares, strict=True)) if shares else (0, 0)
    return 100 * 5 * precision * recall / (4 * precision + recall) if precision else 0.0


@given(pairs=systems)
def test_chrf_is_that_of_counters(pairs):
    plain = [max(plain_chrf(output, reference) for reference in references) for output, references in pairs]
    assert METRICS["chrf"].score(input_of(pairs)).sentences == pytest.approx(plain, abs=1e-9)


def longest_common_subsequence(first, second):
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, word in enumerate(first, start=1):
        for j, other in enumerate(second, start=1):
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if word == other else max(lengths[i - 1][j], lengths[i][j - 1])
    return lengths[-1][-1]


def plain_rouge(name, output, reference):
    words, others = output.replace(".", "").split(), reference.replace(".", "").split()
    if name == "rouge_l":
        shared, said, wanted = longest_common_subsequence(words, others), len(words), len(others)
    else:
        mine, theirs = (ngrams(side, int(name[-1])) for side in (words, others))
        shared, said, wanted = (mine & theirs).total(), mine.total(), theirs.total()
    return 2 * shared / (said + wanted) if shared else 0.0


@pytest.mark.parametrize("name", ["rouge_1", "rouge_2", "rouge_l"])
@given(pairs=systems)
def test_rouge_is_that_of_counters_and_the_table_of_subsequences(name, pairs):
    plain = [max(plain_rouge(name, output, reference) for reference in references) for output, references in pairs]
    assert METRICS[name].score(input_of(pairs)).sentences == pytest.approx(plain, abs=1e-9)


@given(pairs=systems)
def test_what_is_the_same_does_not_hang_on_its_neighbours(pairs):
    """One sentence doubled, and the sentences the other way round: each keeps its score to the last digit."""
    for name in ("bleu", "chrf", "rouge_2", "rouge_l"):
        scores = METRICS[name].score(input_of(pairs)).sentences
        turned = METRICS[name].score(input_of([*pairs[::-1], pairs[0]])).sentences
        assert turned.tolist() == [*scores[::-1].tolist(), scores[0]]
