"""The base of the commands about a study."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.management.telling import TellingCommand
from corpora.models import Study
from foundation.downloads import write_atomically
from foundation.errors import UserError


class StudyCommand(TellingCommand):
    """A command about the study that its first argument names."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")

    def handle(self, *, slug: str, **options: Any) -> None:
        self.act(study_named(slug), **options)

    def act(self, study: Study, **options: Any) -> None:
        """Do the work of the command."""
        raise NotImplementedError

    def send(self, chunks: Iterable[bytes], to: Path | None) -> None:
        """Write to the file, or to the standard output where none is named."""
        if to is None:
            sys.stdout.buffer.writelines(chunks)
            return
        try:
            write_atomically(to, chunks)
        except OSError as error:
            raise CommandError(f"{to}: The file cannot be written: {error.strerror}.") from error


def study_named(slug: str) -> Study:
    """The study of that short name."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise UserError("There is no study '{slug}'.", slug=slug)
    return study
