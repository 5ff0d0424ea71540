"""HIT, CWR and AScore of MedLane (Luo et al. 2022)."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np
import regex
from numpy.typing import ArrayLike

from corpora.knowledge import abbreviations, common_words, word_lists
from corpora.knowledge.lemmas import lemma
from evaluation.languages import ENGLISH, lowered, writes_spaces
from evaluation.metric_contract import mean_statistics, ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.metrics.bleu import BleuMean
from evaluation.ngrams import BY_LANGUAGE, TOKENIZERS, tokenizer_of
from foundation.papers import MEDLANE
from foundation.word_diff import words

# HIT, the hit ratio of MedLane (Luo et al. 2022, section 5.1): the share of a sentence's terms that are put right.

WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
PAPER, PROGRAM = LIKE = ("paper", "program")
NO_TERMS = "No reference has the full forms of terms in brackets."


class Hit(Metric):
    """n_t / n_p: of the n_p full forms in brackets of a reference line, the n_t that stand in the output.

    The best of several lines counts; a line without brackets does not count, and a sentence without any has no score. A
    form is found where its words follow each other in the output, in any case and with any punctuation or none between
    ('non-ST-elevation', 'non ST elevation'); word for word, so 'liver' is not found in 'delivery'. A word of the output
    counts for one form only: a form that stands twice must be found twice.

    The corpus score is the mean of the sentences'.

    With `like = "program"` it is the number of the authors' program (count_hit of bleu_eval_new.py). A form is found
    anywhere in the output's tokens, in small letters, also within a word, and counts once a line. A sentence with a
    line without brackets has 1, whatever the output says. So a copied source has 0.28 on their published sentences, and
    0 by the paper's formula. The program reads a form as a regular expression, and counts a form behind two
    abbreviations of a line as two. Here it is a text, and one.
    """

    name = "hit"
    label = "HIT"
    paper = MEDLANE
    unit = "0 to 1"
    needs = frozenset({"terms"})
    higher_is_better = True
    aspect = "meaning"
    defaults: Mapping[str, Setting] = {"like": PAPER}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        lines = batch.terms or [[] for _ in batch.outputs]
        by_program = chosen["like"] == PROGRAM
        best = by_program_line if by_program else best_line
        pairs = [best(output, each, batch.language) for output, each in zip(batch.outputs, lines, strict=True)]
        hits, terms = np.array(pairs, dtype=np.float64).T
        sentences = np.divide(hits, terms, out=np.full(len(pairs), np.nan), where=terms > 0)
        if by_program:
            sentences[[not all(each) for each in lines]] = 1.0
        details = {"found": float(hits.sum()), "terms": float(terms.sum()), "sentences": float((terms > 0).sum())}
        return Scores(sentences, details, undefined="" if np.isfinite(sentences).any() else NO_TERMS)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        match = "words" if writes_spaces(str(chosen["language"])) else "characters"
        if chosen["like"] == PROGRAM:
            parts = {"like": PROGRAM, "case": "lc", "match": "anywhere", "unmarked": "1"}
        else:
            parts = {"case": "lc", "match": match}
        return parts | {"lines": "best", "corpus": "mean"}


def best_line(output: str, lines: Sequence[Sequence[str]], language: str = "") -> tuple[int, int]:
    """(found, terms) of the line with the greatest share, of equal ones the line with more terms; (0, 0) without."""
    said = _words(output, language)
    split = [[form for text in line if (form := _words(text, language))] for line in lines]
    counted = [(_found(said, forms), len(forms)) for forms in split if forms]
    return max(counted, key=lambda pair: (pair[0] / pair[1], pair[1]), default=(0, 0))


def by_program_line(output: str, lines: Sequence[Sequence[str]], language: str = "") -> tuple[int, int]:
    """(found, terms) of the line with the greatest share, as the authors' program finds forms; (0, 0) without."""
    from corpora.knowledge.words import tokens  # NLTK takes 100 MB: only where something is scored

    said = f"{' '.join(tokens(lowered(output, language)))} "
    each = [{lowered(form, language) for form in line} for line in lines if line]
    counted = [(sum(form in said for form in forms), len(forms)) for forms in each]
    return max(counted, key=lambda pair: (pair[0] / pair[1], pair[1]), default=(0, 0))


def _words(text: str, language: str) -> list[str]:
    """Runs of letters and digits; single characters of a language without spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if writes_spaces(language):
        found: list[str] = WORD.findall(plain)
        return found
    return [run for word in words(plain) for run in WORD.findall(word.text)]


def _found(said: Sequence[str], forms: Sequence[list[str]]) -> int:
    """How many of the forms stand in the text, each in words of its own; the longest are looked for first."""
    left: list[str | None] = list(said)
    hits = 0
    for form in sorted(forms, key=len, reverse=True):
        size = len(form)
        start = next((i for i in range(len(left) - size + 1) if left[i : i + size] == form), None)
        if start is not None:
            left[start : start + size] = [None] * size
            hits += 1
    return hits


# CWR, the common word ratio of MedLane (Luo et al. 2022, section 5.1): the share of an output's words that are common.
#
# After the readability formula of Dale and Chall, which counts the words outside a list of easy ones.

NUMBER = re.compile(r"-?\d+\.?\d*e?-?")  # which the program reads as the word 'num'
CUT_OFF = frozenset(("s", "t", "d", "m", "o", "y", "ll", "re", "ve"))  # of NLTK's stop words, those that lists lack
CWR_LEAST = 1e-3  # the program divides by this more than there are tokens


class Cwr(Metric):
    """n_c / n: the share of an output's words whose lemma is among the common words.

    The list is `common_words.txt` of RESTYLE_KNOWLEDGE, or the one that is shipped; the signature says which. The
    authors' list of 3,000 words holds lemmas, lists by frequency hold inflected forms: a list stands for its words'
    lemmas too (`corpora.knowledge.common_words`), so either will do. Numbers are words, and no common ones;
    punctuation is none, and 'don't' is one word. The corpus score is the mean of the sentences', as in the authors'
    program. An output without words has no common word and scores 0.

    With `like = "program"` tokens are counted as in the authors' program (count_common of bleu_eval_new.py). Common
    tokens are those that are listed, and those that are not of letters alone, such as punctuation, `self-referred` and
    `n't`. A number is the word 'num', which is not listed. No entry of the dictionary of abbreviations
    (`abbreviations.tsv`) is common. The program has WordNet's lemmas by the tags of NLTK's tagger; here lemmas are
    simplemma's. Over the 100 published outputs this gives 0.702 where the program has 0.694, with its list and without
    its dictionary.
    """

    name = "cwr"
    label = "CWR"
    paper = MEDLANE
    unit = "0 to 1"
    aspect = "simplicity"
    languages = ENGLISH
    because = "its words, lemmas and list of common words are"
    defaults: Mapping[str, Setting] = {"like": PAPER}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        common = common_words.load()
        if chosen["like"] == PROGRAM:
            terms = frozenset(abbreviations.load().forms)
            counts = np.array([_program_counts(output, common, terms) for output in batch.outputs], dtype=np.float64)
            sentences = counts[:, 0] / (counts[:, 1] + CWR_LEAST)
        else:
            counts = np.array([_counts(output, common) for output in batch.outputs], dtype=np.float64)
            sentences = counts[:, 0] / np.maximum(counts[:, 1], 1)
        return Scores(sentences, dict(zip(("common", "words"), map(float, counts.sum(axis=0)), strict=True)))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        how = {"list": common_words.digest(), "lemmas": "simplemma", "words": "nltk", "corpus": "mean"}
        if chosen["like"] == PROGRAM:
            return {"like": PROGRAM, "terms": word_lists.digest(word_lists.chosen(abbreviations.FILE))} | how
        return how


def _counts(text: str, common: frozenset[str]) -> tuple[int, int]:
    """The common words of a text, and all its words."""
    from corpora.knowledge.words import words  # NLTK takes 100 MB: only where something is scored

    text_words = words(text)
    return sum(lemma(word.lower()) in common for word in text_words), len(text_words)


def _program_counts(text: str, common: frozenset[str], terms: frozenset[str]) -> tuple[int, int]:
    """The tokens that the authors' program counts as common, and all; it cuts a text before numbers and after."""
    from corpora.knowledge.words import tokens

    once = " ".join(tokens(text.lower()))
    found = [lemma(token) for token in tokens(NUMBER.sub(" num ", once))]
    listed = common | CUT_OFF
    return sum(word not in terms and (word in listed or not word.isalpha()) for word in found), len(found)


# AScore, MedLane's harmonic mean of BLEU, HIT and CWR with two weights (Luo et al. 2022, section 5.1).

BLEU_MEAN, HIT, CWR = BleuMean(), Hit(), Cwr()
ASCORE_LEAST = 1e-8
BLEU = 10  # of BLEU's sums; two of HIT, two of CWR, and the weights with what they are counted by follow


class AScore(Metric):
    """(1 + alpha^2 + beta^2) / (alpha^2 / BLEU + beta^2 / HIT + 1 / CWR), where a part of 0 is 1e-8.

    With `like = "program"` HIT and CWR are as the authors' program counts them; its BLEU, of nlg-eval, is that of
    `tokenize = "none"` and `lowercase = true`. The program takes 0.0001 for a part of 0.

    BLEU is the mean of BLEU-1 to 4 from 0 to 1, HIT and CWR are the metrics of these names; the details hold the
    three. It follows the equation. So do six of the published AScores; those of Moses, Seq2seq, Seq2seq-, Seq2seq-S
    and PointerNet are lower by 0.006 to 0.012 than what the other columns of their rows give.
    A sentence without terms has no AScore; for the corpus its BLEU and CWR count, and HIT is that of the others.
    """

    name = "ascore"
    label = "AScore"
    paper = MEDLANE
    unit = "0 to 1"
    needs = frozenset({"references", "terms"})
    higher_is_better = True
    defaults: Mapping[str, Setting] = {
        "like": PAPER,
        "alpha": 2.0,
        "beta": 1.5,
        "tokenize": BY_LANGUAGE,
        "lowercase": False,
    }
    choices: Mapping[str, Sequence[str]] = {"like": LIKE, "tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}
    languages = CWR.languages
    because = "CWR, a part of it, is"
    bounds: Mapping[str, tuple[float, float]] = {"alpha": (0.0, 100.0), "beta": (0.0, 100.0)}

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from BLEU's sums, the scores of HIT and CWR with counts, and the weights with their number."""
        bleu = BLEU_MEAN.corpus_of(sums[..., :BLEU]) / 100
        hit_score, common = (ratio_of(sums[..., first], sums[..., first + 1]) for first in (BLEU, BLEU + 2))
        alpha, beta = (ratio_of(sums[..., first], sums[..., BLEU + 6]) for first in (BLEU + 4, BLEU + 5))
        return ascore(bleu, hit_score, common, alpha, beta)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        bleu = BLEU_MEAN._score(batch, _bleu(chosen))
        hit_result, common = (part._score(batch, {"like": chosen["like"]}) for part in (HIT, CWR))
        assert bleu.sufficient_statistics is not None
        weights = np.array([chosen["alpha"], chosen["beta"], 1], dtype=np.float64)
        parts = [bleu.sufficient_statistics, mean_statistics(hit_result.sentences), mean_statistics(common.sentences)]
        rows = np.column_stack([*parts, np.tile(weights, (len(batch.outputs), 1))])
        sentences = ascore(bleu.sentences / 100, hit_result.sentences, common.sentences, weights[0], weights[1])
        return Scores(sentences, _three(rows.sum(axis=0)), rows, hit_result.undefined)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        weights = {key: repr(chosen[key]) for key in ("alpha", "beta")}
        parts = (BLEU_MEAN, HIT, CWR)
        versions = {"parts": ",".join(f"{part.name}.{part.version}" for part in parts)}
        of_cwr = CWR._signed({"like": chosen["like"]})
        lists = {key: of_cwr[key] for key in ("like", "terms", "list") if key in of_cwr}
        return weights | versions | lists | BLEU_MEAN._signed(_bleu(chosen))


def _bleu(chosen: Mapping[str, Setting]) -> dict[str, Setting]:
    return {key: chosen[key] for key in BLEU_MEAN.defaults}


def _three(sums: Floats) -> dict[str, float]:
    """BLEU, HIT and CWR of the sums; without HIT where no sentence has terms."""
    three = {
        "bleu": float(BLEU_MEAN.corpus_of(sums[:BLEU])) / 100,
        "hit": float(ratio_of(sums[BLEU], sums[BLEU + 1])),
        "cwr": float(ratio_of(sums[BLEU + 2], sums[BLEU + 3])),
    }
    return {name: value for name, value in three.items() if np.isfinite(value)}


def ascore(bleu: Floats, hit_score: Floats, common: Floats, alpha: ArrayLike, beta: ArrayLike) -> Floats:
    """The equation, for BLEU, HIT and CWR of any one shape, each from 0 to 1; NaN where one of them is."""
    first, second = np.square(np.asarray(alpha)), np.square(np.asarray(beta))
    parts = (
        first / np.maximum(bleu, ASCORE_LEAST),
        second / np.maximum(hit_score, ASCORE_LEAST),
        1 / np.maximum(common, ASCORE_LEAST),
    )
    return np.asarray((1 + first + second) / (parts[0] + parts[1] + parts[2]))


ENTRIES = {
    "hit": HIT,
    "cwr": CWR,
    "ascore": AScore(),
}
