from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.actions.export_answers import ExportFields, export_answers
from annotation.campaigns.requested import campaign_named
from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from foundation.options import list_options


class Command(StudyCommand):
    help = "Write what people answered in a study, or in one of its campaigns, to a file or to the standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--campaign", help="its short name; all of the study where left out")
        for one in list_options(ExportFields):
            of = {"default": one.default, "help": ", ".join(one.choices)} if one.choices else {"action": "store_true"}
            parser.add_argument(f"--{one.name}", **{"help": one.label, **of})
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def act(self, study: Study, *, campaign: str | None = None, to: Path | None = None, **options: Any) -> None:
        chosen = campaign_named(study, campaign) if campaign else None
        asked = {one.name: options[one.name] for one in list_options(ExportFields)}
        self.send(export_answers(study=study, campaign=chosen, options=asked)[1], to)
