from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.gold.rewrites import REWRITE_FORMATS, export_rewrites
from corpora.management.commands._base import StudyCommand
from corpora.models import Study


class Command(StudyCommand):
    help = "Write the gold rewrites of a study, with their provenance, to a file or to the standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", default="jsonl", help=", ".join(REWRITE_FORMATS))
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def act(self, study: Study, *, format: str = "jsonl", to: Path | None = None, **options: Any) -> None:
        self.send(export_rewrites(study, format), to)
