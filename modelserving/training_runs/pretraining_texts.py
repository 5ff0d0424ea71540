"""What a model is pretrained on: a study's texts to train and tune on, never those to test on, and plain text."""

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

from corpora.models import Sentence, Study
from corpora.splits.held_out import HeldOut, left_out_message
from foundation.errors import UserError
from modelserving.pretraining.plain_texts import TextFolder, lines_of
from modelserving.training.callbacks import Callbacks
from modelserving.training_runs.dataset_snapshot import take_snapshot

TEXTS, SNAPSHOT = "texts", "data"


def take_texts(study: Study | None, files: Sequence[Path], callbacks: Callbacks) -> TextFolder:
    """Write the texts into the callbacks' folder, once; what was written there before is taken.

    Of files those lines are left out that a study holds out: its own tune and test texts, and released test texts.
    """
    folder = callbacks.folder / TEXTS
    if not folder.exists():
        fresh = callbacks.folder / f".{TEXTS}"
        shutil.rmtree(fresh, ignore_errors=True)
        left = Counter[str]()
        lines = lines_of(files)
        if study:
            _with_study(study, lines, fresh, callbacks.folder / SNAPSHOT, left)
        else:
            TextFolder.write(fresh, lines)
        if left:
            callbacks.say(left_out_message(left))
        fresh.rename(folder)
    return TextFolder(folder)


def _with_study(study: Study, lines: Iterator[str], fresh: Path, snapshot: Path, left: Counter[str]) -> None:
    if len(study.styles) < 2:
        raise UserError("The study has no two styles.", where=study.slug)
    shutil.rmtree(snapshot, ignore_errors=True)
    data = take_snapshot(study, cast(tuple[str, str], tuple(study.styles)), None, snapshot, left)
    free = HeldOut(study).free(Sentence.Split.TRAIN, lines, lambda text: [text], left)
    TextFolder.write(fresh, chain(*data.texts.values(), free), chain(*data.dev_texts.values()))
    shutil.rmtree(snapshot)


def about_study(study: Study) -> dict[str, Any]:
    """What stands in pretraining.json of the study whose texts were used, and of the terms that they are under."""
    return {
        "slug": study.slug, "title": study.title, "license": study.license, "terms_version": study.terms_version,
        "terms": study.terms, "required_credentials": study.required_credentials, "restricted": study.restricted,
    }  # fmt: skip
