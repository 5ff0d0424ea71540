import csv
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

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

    def act(self, study: Study, **options: Any) -> None:
        rows, lines = _rated(study, options["criterion"]), StringIO(newline="")
        csv.writer(lines).writerows([("sentence", "label"), *rows])
        self.send([lines.getvalue().encode()], options["to"])
        self.stdout.write(f"{len(rows):,} rated texts: {options['to']}")


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
