from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.actions.add_documents import add_documents
from corpora.actions.start_import import document_format
from corpora.background_jobs import defaults_of
from corpora.documents import prepare_documents, with_defaults
from corpora.formats import FORMATS, DocumentFormat, TextFile, names_of
from corpora.management.commands._base import StudyCommand
from corpora.models import Study
from foundation.errors import UserError


class Command(StudyCommand):
    help = "Bring the documents of a file into a study, at once and however large it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="the file (its forms: docs/documents.md)")
        parser.add_argument("--format", help=f"one of {', '.join(names_of(DocumentFormat))}; by the file's ending")
        parser.add_argument("--style", default="", help="the style of documents whose file does not say it")
        parser.add_argument("--encoding", help="UTF-8 where left out")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the format")
        for name in ("question", "question-text", "topic", "domain"):
            parser.add_argument(f"--{name}", default="", help="for documents that have none of their own")
        parser.add_argument("--keep-flagged", action="store_true", help="hold no flagged sentence back")

    def act(self, study: Study, **options: Any) -> None:
        self.stdout.write(_add(study, options["file"], options).told)


def _add(study: Study, path: Path, options: dict[str, Any]) -> Any:
    form = document_format(options["format"] or _by_ending(path))
    chosen = dict(_pair(option) for option in options["option"])
    documents = form.documents(TextFile(path, path.name, options["encoding"]), chosen)
    ready = prepare_documents(
        with_defaults(documents, **defaults_of(options)),
        styles=study.styles,
        style=options["style"],
        origin=path.name,
        language=study.language,
    )
    return add_documents(study=study, documents=ready, hold_flagged=not options["keep_flagged"])


def _by_ending(path: Path) -> str:
    fitting = [name for name in names_of(DocumentFormat) if path.suffix.lower() in FORMATS[name].suffixes]
    if len(fitting) != 1:
        raise UserError(
            "Say the format: --format {fitting}.",
            fitting=" or ".join(fitting or names_of(DocumentFormat)),
            where=path.name,
        )
    return fitting[0]


def _pair(option: str) -> tuple[str, str]:
    name, sign, value = option.partition("=")
    if not sign:
        raise UserError("An option is given as NAME=VALUE.", where=option)
    return name, value
