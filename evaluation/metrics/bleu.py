"""BLEU against the references (Papineni et al. 2002), of up to four words and of fewer, their mean; self-BLEU."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation.languages import is_english
from evaluation.metric_contract import mean_statistics, ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
    BY_LANGUAGE,
    NLTK,
    ORDERS,
    TOKENIZERS,
    bleu_counts,
    brevity_penalty,
    corpus_bleu,
    nltk_bleu,
    precisions_of,
    sacrebleu_version,
    sentence_bleu,
    signed_tokenizer,
    tokenizer_for,
    tokenizer_of,
)
from foundation.papers import LI, MEDLANE, Paper

SACREBLEU = "sacrebleu"
LIKE = (SACREBLEU, NLTK)


class Bleu(Metric):
    """BLEU-4, sacreBLEU's default, MSD's ref-BLEU.

    `details` hold precisions (0 to 100), brevity penalty and lengths in tokens.

    Corpus and sentence scores are those of sacreBLEU's `corpus_score` and `sentence_score`. Sentence BLEU uses
    effective order (orders longer than the output are left out), corpus BLEU does not; both smooth by 'exp'. Each
    sentence has its own list of references, so their numbers may differ without padding. An empty output scores 0, and
    counts against the corpus through the brevity penalty. `order` is the n of BLEU-n, for `bleu_1` to `bleu_3`.

    With `like = "nltk"` the corpus score is the mean of the sentences' NLTK `sentence_bleu` without smoothing, of its
    words in small letters: the evaluator of the Style Transformer (Dai et al. 2019), after which MSD names its three
    aspects. `tokenize = "language"` then means `nltk` for English, and letters are small in any case. MSD's own
    numbers are not of it: 44.52, its Table 3 for the public pairs of Amazon, is the corpus BLEU of words at spaces.
    """

    name = "bleu"
    label = "BLEU"
    paper = Paper(
        "Papineni, Roukos, Ward and Zhu",
        2002,
        "BLEU: a Method for Automatic Evaluation of Machine Translation",
        "https://aclanthology.org/P02-1040/",
    )
    unit = "0 to 100"
    needs = frozenset({"references"})
    higher_is_better: bool | None = True
    defaults: Mapping[str, Setting] = {"like": SACREBLEU, "tokenize": BY_LANGUAGE, "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE, "tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}
    order = ORDERS

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from the matches and n-grams of each order, and the lengths of outputs and references.

        Two sums are those of sentences' scores, and give their mean.
        """
        return ratio_of(sums[..., 0], sums[..., 1]) if sums.shape[-1] == 2 else corpus_bleu(sums, self.order)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        rows = bleu_counts(batch.outputs, batch.references, split)
        sums = rows.sum(axis=0)
        details = {f"precision_{n}": float(value) for n, value in enumerate(precisions_of(sums, self.order), start=1)}
        details |= {
            "brevity_penalty": float(brevity_penalty(sums)),
            "output_length": float(sums[-2]),
            "reference_length": float(sums[-1]),
        }
        if chosen["like"] == NLTK:
            sentences = nltk_bleu(rows, self.order)
            return Scores(sentences, details, mean_statistics(sentences))
        return Scores(sentence_bleu(rows, self.order), details, rows)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """sacreBLEU's own keys, for the corpus score; `sentences:eff` says that those use effective order."""
        orders = {} if self.order == ORDERS else {"n": f"1-{self.order}"}
        if chosen["like"] == NLTK:
            tok = signed_tokenizer(str(chosen["tokenize"]))
            return {"like": NLTK, **orders, "case": "lc", "tok": tok, "smooth": "none", "corpus": "mean"}
        return orders | {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "no",
            "tok": signed_tokenizer(str(chosen["tokenize"])),
            "smooth": "exp",
            "sentences": "eff",
            "lib": f"sacrebleu-{sacrebleu_version()}",
        }

    def _resolved(self, chosen: Mapping[str, Setting], language: str) -> dict[str, Setting]:
        if chosen.get("like") == NLTK:
            words = chosen["tokenize"] == BY_LANGUAGE and is_english(language)
            chosen = {**chosen, "lowercase": True} | ({"tokenize": NLTK} if words else {})
        return super()._resolved(chosen, language)


class ShortBleu(Bleu):
    """BLEU-n of fewer words: sacreBLEU's with `max_ngram_order=n`.

    MedLane's tables give it from 0 to 1; here it is from 0 to 100.
    """

    def __init__(self, order: int, label: str) -> None:
        self.order, self.label, self.name = order, label, f"bleu_{order}"


NS = range(1, ORDERS + 1)


class BleuMean(Bleu):
    """MedLane's BLEU (Luo et al. 2022): the mean of BLEU-1 to 4, whose four of the corpus `details` hold.

    MedLane's tables give it from 0 to 1; here it is from 0 to 100, as BLEU is everywhere in Restyle.
    """

    name = "bleu_mean"
    label = "BLEU-1..4"
    paper = MEDLANE
    defaults: Mapping[str, Setting] = {"tokenize": BY_LANGUAGE, "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS}

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from BLEU's sums: matches and n-grams of each order, and the lengths."""
        return np.asarray(sum(corpus_bleu(sums, n) for n in NS) / ORDERS)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        rows = bleu_counts(batch.outputs, batch.references, split)
        sums = rows.sum(axis=0)
        sentences = np.mean([sentence_bleu(rows, n) for n in NS], axis=0)
        return Scores(sentences, {f"bleu_{n}": float(corpus_bleu(sums, n)) for n in NS}, rows)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"n": "mean-of-1-2-3-4"} | super()._signed({**chosen, "like": SACREBLEU})


class SelfBleu(Bleu):
    """BLEU with the source as the one reference, how much was kept (Li et al. 2018).

    A copy has 100, so neither end is the better one.
    """

    name = "self_bleu"
    label = "Self-BLEU"
    paper = LI
    needs = frozenset({"sources"})
    higher_is_better = None

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        return super()._score(replace(batch, references=[[source] for source in batch.sources]), chosen)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"against": "source"} | super()._signed(chosen)


ENTRIES = {
    "bleu": Bleu(),
    "bleu_1": ShortBleu(1, label="BLEU-1"),
    "bleu_2": ShortBleu(2, label="BLEU-2"),
    "bleu_3": ShortBleu(3, label="BLEU-3"),
    "bleu_mean": BleuMean(),
    "self_bleu": SelfBleu(),
}
