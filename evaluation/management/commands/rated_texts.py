import csv
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from evaluation.scoring import Rated, rated_on
from evaluation.snapshot_builder.build import read_study
from foundation.errors import UserError


class Command(StudyCommand):
    help = (
        "Write the texts that people rated in a study and the mean of what they gave, as a CSV of sentence and label: "
        "train_formality takes it, and so does the metric grammaticality."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("criterion", help="the name of a criterion that was judged, such as formality")
        parser.add_argument("--to", type=Path, required=True, help="the file to write")

    def act(self, study: Study, *, criterion: str, to: Path, **options: Any) -> None:
        rows = _rated(study, criterion)
        try:
            with to.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([("sentence", "label"), *rows])
        except OSError as error:
            raise CommandError(f"{to}: It cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{len(rows):,} rated texts: {to}")


def _rated(study: Study, criterion: str) -> list[Rated]:
    read = read_study(study)
    if criterion not in read.judgement_table.criteria:
        known = ", ".join(read.judgement_table.criteria) or "none"
        raise UserError(
            "Nobody judged '{criterion}' in this study; its judged criteria are: {known}.",
            criterion=criterion,
            known=known,
            where=study.slug,
        )
    return rated_on(read, criterion)
