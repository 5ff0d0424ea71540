"""The judged pairs of texts that a training learns from: train and tune, never test, and nothing that is held out.

Judgements lie in rooms above this one: a receiver of `judged_pairs_wanted` gives them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from django.dispatch import Signal

from corpora.models import Direction, Sentence, Study
from corpora.splits import HeldOut, left_out_message
from foundation.errors import UserError
from foundation.text_keys import text_digest
from modelserving.training.dataset import PREFERENCE, TUNE_PREFERENCE, Preferences, write_lines

judged_pairs_wanted = Signal()
"""Receivers get `direction` and `criterion` ("" for all), and give `JudgedPairs`."""

TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE
HELD_OUT = 5  # one in so many sources is held out where no source of the tune split was judged
WHERE = "learn_from"


class JudgedPair(NamedTuple):
    """Two rewrites of a source of a split, of which more `votes` are for the first.

    `margin` is in (0, 1]: votes for it less votes against it, over all votes, ties included.
    """

    split: str
    source: str
    better: str
    worse: str
    margin: float
    votes: int


@dataclass(frozen=True)
class JudgedPairs:
    """The pairs of a direction, in the order of its sources; `ties` are left out: as many votes for each text."""

    pairs: Sequence[JudgedPair] = ()
    ties: int = 0


@dataclass(frozen=True)
class UsablePairs:
    """The pairs to train on and those held out, with the numbers of those left out."""

    train: Sequence[JudgedPair]
    tune: Sequence[JudgedPair]
    ties: int = 0
    unsure: int = 0
    test: int = 0
    left: Mapping[str, int] = field(default_factory=Counter)

    def __str__(self) -> str:
        """The sentences about what was left out."""
        said = [f"{len(self.train):,} judged pairs to learn from, {len(self.tune):,} held out of them."]
        left = {"ties": self.ties, "pairs below the least margin": self.unsure, "pairs of the test split": self.test}
        if parts := [f"{count:,} {what}" for what, count in left.items() if count]:
            said.append(f"Left out: {', '.join(parts)}.")
        return " ".join(filter(None, [*said, left_out_message(self.left, "pairs")]))


def usable_pairs(direction: Direction, options: Mapping[str, Any]) -> UsablePairs:
    """The judged pairs of a direction that a training with these options (`criterion`, `least_margin`) may learn from.

    Those of the tune split are held out. Where there are none, one in five sources of the train split is, drawn by a
    digest of its text.
    """
    study = direction.study
    if study.unit == Study.Unit.DOCUMENT:
        raise UserError("Preferences are learnt sentence by sentence, and this is a study of documents.", where=WHERE)
    given = _judged(direction, str(options.get("criterion", "")))
    sure = [pair for pair in given.pairs if pair.margin >= options.get("least_margin", 0.0)]
    held_out, left = HeldOut(study), Counter[str]()
    train, tune = (
        list(held_out.free(split, (pair for pair in sure if pair.split == split), _texts, left))
        for split in (TRAIN, TUNE)
    )
    if not tune:
        tune = [pair for pair in train if text_digest(pair.source) % HELD_OUT == 0]
        train = [pair for pair in train if text_digest(pair.source) % HELD_OUT]
    test = sum(pair.split not in (TRAIN, TUNE) for pair in sure)
    return UsablePairs(train, tune, given.ties, len(given.pairs) - len(sure), test, left)


def _judged(direction: Direction, criterion: str) -> JudgedPairs:
    answers = judged_pairs_wanted.send(sender=Study, direction=direction, criterion=criterion)
    for _, pairs in answers:
        if isinstance(pairs, JudgedPairs):
            return pairs
    return JudgedPairs()


def _texts(pair: JudgedPair) -> Sequence[str]:
    return pair.source, pair.better, pair.worse


def check_preferences(direction: Direction, options: Mapping[str, Any]) -> None:
    """Raise a UserError where no judged pair is left to learn from."""
    usable = usable_pairs(direction, options)
    if not usable.train:
        raise UserError(
            "There is nothing to learn from: in no pair of texts of the train split is one preferred to the other. "
            "{left}", left=str(usable), where=WHERE,
        )  # fmt: skip


def write_preferences(usable: UsablePairs, folder: Path) -> None:
    """Write the pairs as files of a dataset snapshot."""
    for name, pairs in ((PREFERENCE, usable.train), (TUNE_PREFERENCE, usable.tune)):
        for file, lines in _columns(pairs).files(name):
            write_lines(folder / file, lines)


def _columns(pairs: Iterable[JudgedPair]) -> Preferences:
    listed = list(pairs)
    return Preferences(
        [pair.source for pair in listed], [pair.better for pair in listed], [pair.worse for pair in listed],
        [pair.margin for pair in listed],
    )  # fmt: skip
