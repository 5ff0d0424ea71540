"""The folder of files that is pushed: a release with its own files, and tables in Parquet with a file a split."""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from annotation.effective_annotations import judgements as campaign_judgements
from annotation.gold.release.described import described
from annotation.gold.release.downloads import checked_pieces
from annotation.gold.release.metadata import Described
from annotation.models import Criterion, Release
from annotation.pseudonyms import LENGTH
from corpora.formats import FORMATS, GoldFormat, TextFile
from corpora.models import Output, Sentence, Study
from corpora.tabular_files import typed_parquet
from evaluation.models import Judgement
from foundation.errors import UserError
from foundation.text_keys import text_key
from integrations.publishing.models import Publication

Step = Callable[[int, int], None]
SPLITS = ("train", "tune", "test")
ROWS = (("gold.jsonl", "gold"), ("gold.parquet", "parquet"), ("gold.csv", "gold_csv"))
OUTPUTS = [("direction", "text"), ("number", "whole"), ("source", "text"), ("system", "text"), ("text", "text")]
JUDGED = [("rater", "text"), ("direction", "text"), ("number", "whole"), ("source", "text"), ("text", "text"),
          ("system", "text"), ("criterion", "text"), ("scale", "text"), ("value", "text")]  # fmt: skip


@dataclass(frozen=True)
class Contents:
    """The folder; `tables` are the paths in it by configuration and split, as a card names them."""

    folder: Path
    described: Described
    tables: dict[str, dict[str, str]]


def contents_of(publication: Publication, folder: Path, step: Step) -> Contents:
    """The files of what is pushed; `step` is called on the way, and may stop it."""
    study = publication.study
    if publication.release is not None:
        return _of_release(publication.release, folder, step)
    if publication.content == Publication.Content.OUTPUTS:
        return _of_rows(study, "outputs", OUTPUTS, _outputs(study), folder, step)
    return _of_rows(study, "judgements", JUDGED, _judgements(study), folder, step)


def _of_release(release: Release, folder: Path, step: Step) -> Contents:
    files, own = list(release.files.all()), folder / "release"
    own.mkdir()
    for number, file in enumerate(files):
        step(number, len(files) + 1)
        with (own / file.name).open("wb") as stream:
            for piece in checked_pieces(file):
                stream.write(piece)
    told = described(release, files)
    name, form = next(((name, form) for name, form in ROWS if (own / name).exists()), ("", ""))
    if not name:
        return Contents(folder, told, {})
    reader, writer = FORMATS[form], FORMATS["parquet"]
    assert isinstance(reader, GoldFormat), "it holds gold"
    assert isinstance(writer, GoldFormat), "it holds gold"
    tables = {}
    for split in SPLITS:
        if release.counts["splits"].get(split):
            path = f"gold/{split}.parquet"
            rows = (row for row in reader.read(TextFile(own / name, name), ("", ""), "") if row.split == split)
            _write(folder / path, writer.write(rows))
            tables[split] = path
    return Contents(folder, told, {"gold": tables})


def _write(path: Path, chunks: Iterator[bytes]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as stream:
        for chunk in chunks:
            stream.write(chunk)


def _of_rows(
    study: Study, name: str, columns: list[tuple[str, str]], given: Iterator[tuple[str, Sequence[Any]]], folder: Path,
    step: Step,
) -> Contents:  # fmt: skip
    by_split: dict[str, list[Sequence[Any]]] = {}
    for number, (split, row) in enumerate(given):
        if number % 1000 == 0:
            step(0, 1)
        by_split.setdefault(split or "test", []).append(row)
    if not by_split:
        raise UserError("The study has nothing of this content yet.", where="content")
    tables = {}
    for split in filter(by_split.__contains__, SPLITS):
        tables[split] = f"{name}/{split}.parquet"
        _write(folder / tables[split], typed_parquet(columns, by_split[split]))
    count = sum(map(len, by_split.values()))
    told = Described(
        slug=study.slug, title=f"{' '.join(study.title.split())}, {name}", description=study.description, number=1,
        day=timezone.now().date(), license=study.license, language=study.language, styles=study.styles, url="",
        counts={"rows": count, "sources": 0, "people": 0}, per_item=[], files=[], sheet={},
    )  # fmt: skip
    return Contents(folder, told, {name: tables})


def _outputs(study: Study) -> Iterator[tuple[str, Sequence[Any]]]:
    rows = Output.objects.filter(system__study=study).select_related("sentence__direction", "system")
    ordered = rows.order_by("sentence__direction__number", "sentence__number", "system__number")
    for one in ordered.iterator(2000):
        sentence = one.sentence
        yield sentence.split, (sentence.direction.name, sentence.number, sentence.text, one.system.name, one.text)


def _judgements(study: Study) -> Iterator[tuple[str, Sequence[Any]]]:
    """Those of campaigns and from elsewhere, each under a pseudonym; ranks have no scale and stay out."""
    found = Sentence.objects.filter(direction__study=study).select_related("direction")
    sentences = {one.pk: one for one in found}
    scales = dict(Criterion.objects.filter(study=study).values_list("name", "scale"))
    written = Output.objects.filter(system__study=study).values_list("sentence", "text")
    texts = {(pk, text_key(text)): text for pk, text in written.iterator(2000)}
    for row in _judged(study):
        if row.criterion in scales:
            sentence, text = sentences[row.sentence], texts.get((row.sentence, row.key), row.key)
            yield sentence.split, (
                _named(study, row.worker), sentence.direction.name, sentence.number, sentence.text, text, row.system,
                row.criterion, scales[row.criterion], f"{row.value:g}",
            )  # fmt: skip


class _Judged(NamedTuple):
    worker: str
    sentence: int
    key: str
    system: str
    criterion: str
    value: float


def _judged(study: Study) -> Iterator[_Judged]:
    fields = ("worker", "sentence", "text_key", "system__name", "criterion__name", "value")
    rows = Judgement.objects.filter(ratings_import__study=study).order_by("pk").values_list(*fields)
    for worker, sentence, key, system, criterion, value in rows.iterator(2000):
        yield _Judged(worker, sentence, key, system or "", criterion, value)
    for one in campaign_judgements(study):
        yield _Judged(one.pseudonym, one.sentence_id, one.text_key, "", one.criterion, one.value)


def _named(study: Study, worker: str) -> str:
    """A pseudonym for what is published: names of other sites may be addresses. Nobody leads it back."""
    message = f"published\n{study.pk}\n{worker}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).hexdigest()[:LENGTH]
