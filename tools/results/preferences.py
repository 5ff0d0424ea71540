"""Do people's judgements help? SmolLM2 on Amazon's reviews, as it is, tuned on rewrites, and tuned on judgements.

Li et al. (2018) had rewrites of 500 negative sentences made, and 8 systems' outputs for 200 of them judged by one
person each for grammar, sentiment and topic. The judged sentences train: 150 with people's rewrites, or with each two
outputs of which one is better by 2.5 of 4 points over the three criteria; the last 50 tune. The first 100 of the other
sentences are judged on. Style is learnt from the other negative sentences and from 500 positive ones, all as they were
written: with people's rewrites on one side, a classifier learns who wrote a text, and takes 86% of the sources for
positive.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from modelserving.training.dataset import Preferences, TrainingData
from tools.results.automatic_scores import Evaluator
from tools.results.parallel import ParallelExperiment, Sentences, Splits, read_lines
from tools.results.shakespeare import SMOLLM2

STYLES = ("negative", "positive")
TRAINED, TESTED = 150, 100
CRITERIA = ("grammaticality", "sentiment", "topic")
LEAST, MOST = 2.5, 4.0  # points between two outputs, of a scale from 1 to 5
PROMPT = "Rewrite this negative review as a positive one about the same thing: {text}"
TUNED: dict[str, Any] = {
    "folder": SMOLLM2, "prompt": PROMPT, "batch": 8, "accumulate": 1, "longest": 160, "patience": 0,
    "keep_every": 25,
}  # fmt: skip
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "prompted": ("prompted", {"folder": SMOLLM2, "system": "", "message": PROMPT, "most_tokens": 64, "tune_most": 0}),
    "lora": ("lora", {**TUNED, "epochs": 3, "rate": 5e-4}),
    "lora_preferences": ("lora", {**TUNED, "learn_from": "preferences", "epochs": 1, "rate": 1e-4}),
}


@dataclass(frozen=True)
class JudgedSplits(Splits):
    """The splits, the judged pairs of the sources to train and to tune on, and texts of both styles."""

    preferences: Preferences = field(default_factory=Preferences)
    dev_preferences: Preferences = field(default_factory=Preferences)
    styles: tuple[list[str], list[str]] = ([], [])


@dataclass(frozen=True)
class PreferenceExperiment(ParallelExperiment):
    """An experiment whose texts have judgements too."""

    def data(self, texts: Splits) -> TrainingData:
        assert isinstance(texts, JudgedSplits)
        given = super().data(texts)
        return replace(given, preferences=texts.preferences, dev_preferences=texts.dev_preferences)

    def evaluator(self, texts: Splits) -> Evaluator:
        assert isinstance(texts, JudgedSplits)
        return replace(super().evaluator(texts), styles=dict(zip(STYLES, texts.styles, strict=True)))


def read(folder: Path) -> JudgedSplits:
    """The texts of the folder; raises a UserError where a file is missing or a line has no rewrite."""
    judged = dict(_judged(folder / "ratings-amazon.csv"))
    rewrites, others = (dict(_rewrites(folder / f"reference.{number}")) for number in (0, 1))
    first, last = list(judged)[:TRAINED], list(judged)[TRAINED:]
    unjudged = [source for source in rewrites if source not in judged]
    train, tune, test = (
        Sentences(sources, [[rewrites[source]] for source in sources]) for sources in (first, last, unjudged[:TESTED])
    )
    styles = [*judged, *unjudged[TESTED:]], list(others)
    learnt, held_out = (_pairs({source: judged[source] for source in sources}) for sources in (first, last))
    return JudgedSplits(train, tune, test, learnt, held_out, styles)


def _judged(file: Path) -> Iterator[tuple[str, dict[str, float]]]:
    """Each judged source to be made positive, with the mean of its judgements for each output."""
    try:
        rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    except OSError:
        raise UserError("The file of {experiment} is not there; see docs/results.md.", experiment="Amazon",
                        where=str(file)) from None  # fmt: skip
    for row in rows:
        if row["Input.target"] == STYLES[1]:
            outputs = row["Input.mods"].split("\t")
            yield row["Input.origs"].split("\t")[0], {text: _mean(row, at) for at, text in enumerate(outputs)}


def _mean(row: dict[str, str], at: int) -> float:
    values = [int(row[f"Answer.{criterion}-{at}"].partition("=")[2]) for criterion in CRITERIA]
    return sum(values) / len(values)


def _rewrites(file: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_lines(file, "Amazon"), start=1):
        source, tab, rewrite = line.partition("\t")
        if not tab:
            raise UserError("The line has no rewrite.", where=f"{file}, line {number}")
        yield source, rewrite.lower()


def _pairs(judged: dict[str, dict[str, float]]) -> Preferences:
    found = [
        (source, better, worse, (scores[better] - scores[worse]) / MOST)
        for source, scores in judged.items()
        for better, worse in permutations(scores, 2)
        if scores[better] - scores[worse] >= LEAST
    ]
    return Preferences(*map(list, zip(*found, strict=True)))


EXPERIMENT = PreferenceExperiment(
    styles=STYLES,
    references=1,
    measure="bleu",
    read=read,
    settings={},
    variants=VARIANTS,
    networks=False,
    styled=True,
    decoding={"longest": 64},
)
