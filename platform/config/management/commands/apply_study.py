from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accounts.management.telling import TellingCommand
from accounts.models import Person
from accounts.permissions import Role
from corpora.formats import TextFile
from corpora.studies import ends_taken
from foundation.errors import UserError
from study_file.actions.apply_study import apply_study
from study_file.study_archive import is_archive, opened_archive

LARGEST_PART = 4 << 30  # bytes


class Command(TellingCommand):
    help = "Set up the study that a TOML file declares; applied again it changes nothing. Paths are relative to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="the study file (its form: docs/study-file.md), or a study's archive"
        )
        parser.add_argument("--by", help="e-mail of the person who leads the study; an admin where left out")

    def handle(self, *, file: Path, by: str | None, **options: Any) -> None:
        declared, opened = _declared(file)
        study, added = apply_study(file=declared, opened=opened, by=_leader(by))
        self.stdout.write(f"{study.slug}: added {', '.join(added)}." if added else f"{study.slug}: nothing to change.")
        if "study" in added and (ends := ends_taken(study)):
            self.stdout.write(ends)


def _declared(file: Path) -> tuple[TextFile, Callable[[str], Path | bytes]]:
    """The study file, and what gives the files that it names: from beside it, or from its archive."""
    if file.is_file():
        stream = file.open("rb")
        if is_archive(stream.read(4)):
            return opened_archive(stream, file.name, LARGEST_PART)
        stream.close()
    return TextFile(file, file.name), lambda name: _existing(file.parent / name)


def _existing(path: Path) -> Path:
    if path.is_dir():
        raise UserError("This is a folder, and a file was expected.")
    if not path.is_file():
        raise UserError("There is no such file.")
    return path


def _leader(email: str | None) -> Person | None:
    if email is None:
        return Person.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
    person = Person.objects.filter(email=email.lower()).first()
    if person is None:
        raise UserError("There is no person with the address {email}.", email=email, where="--by")
    return person
