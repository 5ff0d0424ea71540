"""ROUGE-1: words that output and reference share (Lin 2004)."""

from collections.abc import Mapping, Sequence
from itertools import chain

from evaluation.languages import is_english
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.counts import Ints, count_ngrams, first_maxima, lengths_of, overlaps, sentence_of_each
from evaluation.ngrams.rouge import (
    BEST,
    PRINTED,
    REFERENCES,
    TOKENS,
    precision_recall_f1,
    printed_list,
    rouge_tokenizer,
    rouge_tokens_of,
    sentence_rules,
)
from evaluation.ngrams.tokenizers import BY_LANGUAGE, missing_tokenizer, signed_tokenizer
from foundation.papers import Paper

OF = ("f1", "recall", "precision")
COLUMNS = ("precision", "recall", "f1")
STEMS = "Porter's stems are of English, and the study's language is {language}: choose no stems."


class Rouge1(Metric):
    """Overlap of single words, each counted as often as it stands in both; `n` words for `rouge_2`.

    Lower-cased; a token is a run of letters and digits, of ASCII or of any script, or one of sacreBLEU's, or with
    `none` what stands between spaces. With several references the one with the best F1 counts, whatever is asked of it,
    as in Google's `score_multi`. The corpus score is the mean of the sentences.
    `references` "printed" takes all references as one text, as PLABA's program does
    (`evaluation.ngrams.rouge.printed_list`); the paper's numbers are such, with `stem`.
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
    version = 2
    kind = "1"
    n = 1

    def overlaps(self, outputs: Sequence[list[str]], references: Sequence[list[str]], of: Ints) -> Floats:
        """What references share with outputs.

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

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        split = rouge_tokenizer(str(chosen["tokens"]), bool(chosen["stem"]), batch.language)
        given: Sequence[Sequence[str]] = batch.references
        if chosen["references"] == PRINTED:
            given = [[printed_list(references, batch.language)] for references in batch.references]
        outputs, counts = [split(output) for output in batch.outputs], lengths_of(given)
        references = [split(reference) for reference in chain.from_iterable(given)]
        scores = self.shares(self.overlaps(outputs, references, sentence_of_each(counts)), counts, chosen)
        details = dict(zip(COLUMNS, map(float, scores.mean(axis=0)), strict=True))
        return Result(scores[:, COLUMNS.index(str(chosen["of"]))].copy(), details)

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        stems = chosen["stem"] and not is_english(language)
        return STEMS.format(language=language) if stems else missing_tokenizer(str(chosen["tokens"]))

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


METRIC = Rouge1()
