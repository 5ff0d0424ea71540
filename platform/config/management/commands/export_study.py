from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from study_file.actions.export_study import export_study
from study_file.actions.export_table import export_table
from study_file.study_archive import TABLES, WRITERS


class Command(StudyCommand):
    help = "Write a study as one ZIP file, which apply_study brings back, or one table of its texts or judgements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--file", default="", help=f"one table: {', '.join(TABLES)}; all of it where left out")
        parser.add_argument("--format", default="csv", help=f"the form of that table: {', '.join(WRITERS)}")
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def act(self, study: Study, *, file: str = "", to: Path | None = None, **options: Any) -> None:
        form = options["format"]
        self.send(export_table(study=study, file=file, form=form) if file else export_study(study=study), to)
