from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from evaluation.actions.make_report import make_report
from evaluation.models import Report
from evaluation.rendering import RENDERERS, Renderer
from evaluation.report_files import stored_of
from evaluation.report_freshness import report_key
from foundation.errors import UserError


class Command(StudyCommand):
    help = (
        "Print the report of a study, or one of its tables and figures; scores that are lacking are worked out first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", default="json", help=", ".join(RENDERERS))
        parser.add_argument("--table", help="one table or figure alone, such as leaderboard or gyafc_table_4")
        parser.add_argument("--to", type=Path, help="the file to write; a picture needs one")

    def act(self, study: Study, *, format: str, table: str, to: Path | None, **options: Any) -> None:
        renderer, key = RENDERERS[format], report_key(study)
        report = Report.objects.filter(study=study, key=key).first() or make_report(study=study)
        self._write(_rendered(report, table, renderer), renderer, to)

    def _write(self, content: bytes, renderer: Renderer, to: Path | None) -> None:
        if to is not None:
            _kept(content, to)
        elif renderer.content_type == "image/png":
            raise UserError("A picture goes into a file: name it with --to.")
        else:
            self.stdout.write(content.decode(), ending="")


def _rendered(report: Report, table: str, renderer: Renderer) -> bytes:
    if table:
        return renderer.table_or_figure(stored_of(report, table))
    return renderer.report(report.content, report.tables_and_figures)


def _kept(content: bytes, to: Path) -> None:
    try:
        to.write_bytes(content)
    except OSError as error:
        raise UserError("It cannot be written: {strerror}.", strerror=error.strerror, where=str(to)) from error
