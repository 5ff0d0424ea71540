"""What the parts of a declaration share while they are added."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from corpora.models import Direction, Study
from foundation.errors import UserError
from study_file.declaration import Opener
from study_file.parser.spec import StudySpec
from study_file.parser.texts import StudyTexts


class Files(NamedTuple):
    """How the files that a declaration names are opened, and the most bytes that one may have."""

    opened: Opener
    limit: int | None


class PartsToAdd:
    """What the parts of a declaration share: the study, the files, and which parts are new (`added`)."""

    study: Study
    directions: dict[str, Direction]

    def __init__(self, spec: StudySpec, texts: StudyTexts, files: Files, added: set[str], by: Any, file: str) -> None:
        self.spec, self.texts, self.files, self.added, self.by, self.file = spec, texts, files, added, by, file

    @contextmanager
    def part(self, name: str) -> Iterator[bool]:
        """Whether the part is to be added; an error in adding it names the file and the part."""
        try:
            yield name in self.added
        except UserError as error:
            where = ", ".join(filter(None, [self.file, name, error.where]))
            raise UserError(error.sentence, where=where) from None


def file_name(file: str) -> str:
    """The last part of a path, whichever slashes it has."""
    return PurePosixPath(file.replace("\\", "/")).name
