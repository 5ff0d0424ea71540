"""ROUGE against the references (Lin 2004): single words, pairs, the longest common subsequence."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from rapidfuzz.distance import LCSseq

from evaluation.languages import is_english, writes_spaces
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
    BEST,
    BETA,
    BY_LANGUAGE,
    PRINTED,
    REFERENCES,
    TOKENS,
    Ints,
    count_ngrams,
    first_maxima,
    lengths_of,
    missing_tokenizer,
    overlaps,
    precision_recall_f1,
    printed_list,
    rouge_tokenizer,
    rouge_tokens_of,
    sentence_of_each,
    sentence_rules,
    signed_tokenizer,
)
from foundation.papers import Paper
from foundation.translation import translatable, translate

# ROUGE-1: words that output and reference share (Lin 2004).

OF = ("f1", "recall", "precision")
COLUMNS = ("precision", "recall", "f1")
STEMS = translatable("Porter's stems are of English, and the study's language is {language}: choose no stems.")


class Rouge1(Metric):
    """Overlap of single words, each counted as often as it stands in both; `n` words for `rouge_2`.

    Lower-cased; a token is a run of letters and digits, of ASCII or of any script, or one of sacreBLEU's, or with
    `none` what stands between spaces. With several references the one with the best F1 counts, whatever is asked of it,
    as in Google's `score_multi`. The corpus score is the mean of the sentences.
    `references` "printed" takes all references as one text, as PLABA's program does
    (`evaluation.ngrams.printed_list`); the paper's numbers are such, with `stem`.
    """

    name = "rouge_1"
    label = "ROUGE-1"
    unit = "0 to 1"
    paper = Paper(
        "Lin", 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", "https://aclanthology.org/W04-1013/"
    )
    needs = frozenset({"references"})
    higher_is_better = True
    defaults: Mapping[str, Setting] = {"of": "f1", "stem": False, "tokens": BY_LANGUAGE, "references": BEST}
    choices: Mapping[str, Sequence[str]] = {"of": OF, "tokens": TOKENS, "references": tuple(REFERENCES)}
    by_language = {"tokens": rouge_tokens_of}
    version = 3
    kind = "1"
    n = 1

    def overlaps(self, outputs: Sequence[list[str]], references: Sequence[list[str]], of: Ints) -> Floats:
        """Count the units that references share with outputs.

        Args:
            outputs: The tokens of each output.
            references: The tokens of all references, sentence after sentence.
            of: (references,), the place of the output that each reference is of.

        Returns:
            (references, 3): the units that both share, the output's units, and the reference's.
        """
        *_, texts = count_ngrams([*outputs, *references], self.n)
        return overlaps(texts, len(outputs), of)

    def shares(self, overlaps: Floats, counts: Ints, chosen: Mapping[str, Setting]) -> Floats:
        """Precision, recall and F of each output.

        Args:
            overlaps: (references, 3), what `overlaps` gives.
            counts: (n,), how many references each output has.
            chosen: The settings.

        Returns:
            (n, 3), 0 to 1: of the reference with the best F1.
        """
        of_references = precision_recall_f1(overlaps)
        return of_references[first_maxima(of_references[:, 2], counts)]

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = rouge_tokenizer(str(chosen["tokens"]), bool(chosen["stem"]), batch.language)
        given: Sequence[Sequence[str]] = batch.references
        if chosen["references"] == PRINTED:
            given = [[printed_list(references, batch.language)] for references in batch.references]
        outputs, counts = [split(output) for output in batch.outputs], lengths_of(given)
        references = [split(reference) for reference in chain.from_iterable(given)]
        scores = self.shares(self.overlaps(outputs, references, sentence_of_each(counts)), counts, chosen)
        details = dict(zip(COLUMNS, map(float, scores.mean(axis=0)), strict=True))
        return Scores(scores[:, COLUMNS.index(str(chosen["of"]))].copy(), details)

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        stems = chosen["stem"] and not is_english(language)
        return translate(STEMS, language=language) if stems else missing_tokenizer(str(chosen["tokens"]))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        printed = chosen["references"] == PRINTED
        return {
            "rouge": self.kind,
            "of": str(chosen["of"]),
            "case": "lc",
            "tok": signed_tokenizer(str(chosen["tokens"])),
            "stem": "porter" if chosen["stem"] else "no",
            "refs": REFERENCES[str(chosen["references"])],
        } | ({"sentences": sentence_rules(str(chosen["language"]))} if printed else {})


# ROUGE-2: pairs of words that output and reference share (Lin 2004).


class Rouge2(Rouge1):
    name = "rouge_2"
    label = "ROUGE-2"
    kind = "2"
    n = 2


# ROUGE-L: the longest common subsequence of words of output and reference (Lin 2004).

GOOGLE, COCO = LIKE = ("google", "coco")


class RougeL(Rouge1):
    """Over the whole text, not sentence by sentence: Google's `rougeL`.

    With `like = "coco"` it is pycocoevalcap's, which nlg-eval takes: of several references the greatest precision and
    the greatest recall count, each for itself, and F weighs recall by 1.2. Its words are parted by spaces alone, so
    that `tokens = "language"` means `none` where a language has spaces.
    """

    name = "rouge_l"
    label = "ROUGE-L"
    kind = "L"
    defaults: Mapping[str, Setting] = {"like": GOOGLE, **Rouge1.defaults}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE, **Rouge1.choices}

    def overlaps(self, outputs: Sequence[list[str]], references: Sequence[list[str]], of: Ints) -> Floats:
        pairs = [(outputs[number], reference) for number, reference in zip(of, references, strict=True)]
        counts = [(LCSseq.similarity(*pair), *map(len, pair)) for pair in pairs]
        return np.array(counts, dtype=np.float64)

    def shares(self, overlaps: Floats, counts: Ints, chosen: Mapping[str, Setting]) -> Floats:
        if chosen["like"] == GOOGLE:
            return super().shares(overlaps, counts, chosen)
        best = np.maximum.reduceat(precision_recall_f1(overlaps), np.cumsum(counts) - counts)
        precision, recall = best[:, 0], best[:, 1]
        below = recall + BETA**2 * precision
        best[:, 2] = np.divide((1 + BETA**2) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
        return best

    def _resolved(self, chosen: Mapping[str, Setting], language: str) -> dict[str, Setting]:
        spaces = chosen["like"] == COCO and chosen["tokens"] == BY_LANGUAGE and writes_spaces(language)
        return super()._resolved({**chosen, "tokens": "none"} if spaces else chosen, language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        parts = super()._signed(chosen)
        return parts if chosen["like"] == GOOGLE else {"like": COCO} | parts | {"refs": "best-each", "beta": f"{BETA}"}


ENTRIES = {
    "rouge_1": Rouge1(),
    "rouge_2": Rouge2(),
    "rouge_l": RougeL(),
}
