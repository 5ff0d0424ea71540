from django.core.management.base import BaseCommand, CommandError

from corpora.models import Study
from evaluation.actions.make_report import make_report
from evaluation.models import Report
from evaluation.rendering import RENDERERS
from evaluation.state import state_key
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Print the report of a study; scores that are lacking are worked out first."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("--format", default="json", help=", ".join(RENDERERS))

    def handle(self, *, slug, format, **options):
        try:
            renderer = RENDERERS[format]
            self.stdout.write(renderer.render(self._report(slug).content), ending="")
        except UserError as error:
            raise CommandError(str(error)) from error

    def _report(self, slug: str) -> Report:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise UserError(f"There is no study '{slug}'.")
        report = Report.objects.filter(study=study, key=state_key(study)).first()
        return report or make_report(study=study)
