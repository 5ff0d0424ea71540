from argparse import ArgumentParser
from typing import Any

from annotation.actions.make_release import make_release
from annotation.gold.release.settings import gold_formats
from corpora.management.commands._base import StudyCommand
from corpora.models import Study


class Command(StudyCommand):
    help = "Make a release of a study's gold: rows, checksums and datasheet, never changed again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", action="append", help=f"again for more: {', '.join(gold_formats())}")
        parser.add_argument("--campaign", action="append", help="again for more; all where left out")
        parser.add_argument("--changes", default="", help="what it changes since the release before")
        parser.add_argument("--reviewed", action="store_true", help="only work that somebody checked")
        parser.add_argument("--imported", action="store_true", help="what import_gold read, not what was made here")
        parser.add_argument("--alone", action="store_true", help="with sentences that nobody was asked to work on")
        parser.add_argument(
            "--withdrawn", action="append", help="the pseudonym of somebody whose texts it leaves out; again for more"
        )

    def act(self, study: Study, **options: Any) -> None:
        settings = {
            "from": "imported" if options["imported"] else "campaigns",
            "campaigns": options["campaign"],
            "forms": options["format"],
            "unreviewed": not options["reviewed"],
            "alone": options["alone"],
            "withdrawn": options["withdrawn"],
        }
        release = make_release(study=study, settings=settings, changes=options["changes"])
        self.stdout.write(f"Release {release.number}: {release.counts['rows']:,} rows.")
        for file in release.files.all():
            self.stdout.write(f"{file.sha256}  {file.name}")
