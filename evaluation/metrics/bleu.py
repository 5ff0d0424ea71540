"""BLEU against the references (Papineni et al. 2002): n-grams of up to four words. MSD's ref-BLEU."""

from collections.abc import Mapping, Sequence

from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.bleu import bleu_counts, brevity_penalty, corpus_bleu, precisions_of, sentence_bleu
from evaluation.ngrams.tokenizers import (
    BY_LANGUAGE,
    ORDERS,
    TOKENIZERS,
    sacrebleu_version,
    signed_tokenizer,
    tokenizer_for,
    tokenizer_of,
)
from foundation.papers import Paper


class Bleu(Metric):
    """BLEU-4, sacreBLEU's default; `details` hold precisions (0 to 100), brevity penalty and lengths in tokens.

    Corpus and sentence scores are those of sacreBLEU's `corpus_score` and `sentence_score`. Sentence BLEU uses
    effective order (orders longer than the output are left out), corpus BLEU does not; both smooth by 'exp'. Each
    sentence has its own list of references, so their numbers may differ without padding. An empty output scores 0, and
    counts against the corpus through the brevity penalty. `order` is the n of BLEU-n, for `bleu_1` to `bleu_3`.
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
    defaults: Mapping[str, Setting] = {"tokenize": BY_LANGUAGE, "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}
    order = ORDERS

    def corpus_of(self, sums: Floats) -> Floats:
        """Of the matches of each order, the n-grams of each order, and the lengths of outputs and references."""
        return corpus_bleu(sums, self.order)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        rows = bleu_counts(batch.outputs, batch.references, split)
        sums = rows.sum(axis=0)
        details = {f"precision_{n}": float(value) for n, value in enumerate(precisions_of(sums, self.order), start=1)}
        details |= {
            "brevity_penalty": float(brevity_penalty(sums)),
            "output_length": float(sums[-2]),
            "reference_length": float(sums[-1]),
        }
        return Result(sentence_bleu(rows, self.order), details, rows)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """sacreBLEU's own keys, for the corpus score; `sentences:eff` says that those use effective order."""
        return ({} if self.order == ORDERS else {"n": f"1-{self.order}"}) | {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "no",
            "tok": signed_tokenizer(str(chosen["tokenize"])),
            "smooth": "exp",
            "sentences": "eff",
            "lib": f"sacrebleu-{sacrebleu_version()}",
        }


METRIC = Bleu()
