from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.actions.import_gold import counts_of, import_gold
from annotation.background_jobs import import_summary
from annotation.gold.release.settings import gold_formats
from corpora.formats import TextFile
from corpora.management.commands._base import StudyCommand
from corpora.models import Study


class Command(StudyCommand):
    help = "Read gold that was made elsewhere into a study: a release of this site, or one of the published forms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="the file, a folder or a ZIP archive")
        parser.add_argument("--format", default="", help=f"recognised where left out: {', '.join(gold_formats())}")
        parser.add_argument(
            "--split", default="test", help="the split, where neither the form nor a file's name says it"
        )
        parser.add_argument("--tune", type=float, default=0, help="per cent of the unpaired texts that are to tune on")

    def act(self, study: Study, **options: Any) -> None:
        file, asked = options["file"], {key: options[key] for key in ("split", "tune")}
        done = import_gold(study=study, file=TextFile(file, file.name), form=options["format"], **asked)
        for line in import_summary(counts_of(done), brought=True):
            self.stdout.write(line)
