from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from evaluation.actions.make_report import make_report
from evaluation.models import Report
from evaluation.rendering import RENDERERS
from evaluation.report_files import stored_of
from evaluation.report_freshness import report_key
from foundation.errors import UserError


class Command(StudyCommand):
    help = (
        "Print the report of a study, or one of its tables and figures; scores that are lacking are worked out first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", default="json", help=", ".join(RENDERERS))
        parser.add_argument("--table", help="one table or figure alone, such as leaderboard or gyafc_table_4")
        parser.add_argument("--to", type=Path, help="the file to write; a picture needs one")

    def act(self, study: Study, *, table: str | None = None, to: Path | None = None, **options: Any) -> None:
        renderer = RENDERERS[options["format"]]
        report = Report.objects.filter(study=study, key=report_key(study)).first() or make_report(study=study)
        if table:
            content = renderer.table_or_figure(stored_of(report, table))
        else:
            content = renderer.report(report.content, report.tables_and_figures)
        if to is not None:
            self.send([content], to)
        elif renderer.content_type == "image/png":
            raise UserError("A picture goes into a file: name it with --to.")
        else:
            self.stdout.write(content.decode(), ending="")
