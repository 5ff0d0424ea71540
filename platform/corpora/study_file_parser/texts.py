"""Everything a study file names, read: nothing is handed back unless all of it is right."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpora.formats import FORMATS
from corpora.formats._base import Judgement, JudgementFormat
from corpora.parallel_texts.source_join import read_joined
from corpora.study_file_parser.spec import OutputSpec, RatingsSpec, StudySpec
from corpora.text_files.decoding import Readable, TextFile
from corpora.text_files.parallel_lines import read_parallel, read_texts
from foundation.errors import UserError

Opener = Callable[[str], Path | bytes | Readable]
"""From a file name in the study file to the file; a name that it does not know is a `UserError`."""


@dataclass
class StudyTexts:
    """The texts of a study, every list in the order of the sources of its direction.

    `sources[direction]` and `references[n]` and `outputs[system][direction]` are aligned; None is a missing text.
    `references` and `judgements` are in the order of the blocks of the study file.
    """

    sources: dict[str, list[str]] = field(default_factory=dict)
    references: list[list[str | None]] = field(default_factory=list)
    outputs: dict[str, dict[str, list[str | None]]] = field(default_factory=dict)
    judgements: list[list[Judgement]] = field(default_factory=list)


def read_texts_of(
    spec: StudySpec, opened: Opener, scales: Mapping[str, Collection[int]], *, limit: int | None = None
) -> StudyTexts:
    """The texts that `spec` names. `scales` gives the values of each scale; `limit` is the most bytes of a file."""
    texts = StudyTexts()
    for direction in (one for one in spec.directions if one.sources):
        assert direction.sources
        texts.sources[direction.name] = read_texts(
            TextFile(opened(direction.sources), direction.sources, direction.encoding, limit)
        )
    for reference in spec.references:
        texts.references.append(
            read_output(reference, texts.sources[reference.direction], opened, missing=reference.missing, limit=limit)
        )
    for system in spec.systems:
        texts.outputs[system.name] = {
            output.direction: read_output(
                output, texts.sources[output.direction], opened, missing=system.missing, limit=limit
            )
            for output in system.outputs
        }
    texts.judgements = [read_ratings(block, spec.styles, opened, scales, limit=limit) for block in spec.ratings]
    return texts


def read_output(
    spec: OutputSpec, sources: list[str], opened: Opener, *, missing: bool = False, limit: int | None = None
) -> list[str | None]:
    """The texts of one file of references or outputs, one for each of `sources`; None where one is missing."""
    file = TextFile(opened(spec.file), spec.file, spec.encoding, limit)
    if spec.source is None or spec.text is None:
        return read_parallel(file, len(sources), missing=missing)
    return read_joined(file, sources, spec.source, spec.text, form=spec.form, missing=missing)


def read_ratings(
    spec: RatingsSpec,
    styles: Collection[str],
    opened: Opener,
    scales: Mapping[str, Collection[int]],
    *,
    limit: int | None = None,
) -> list[Judgement]:
    """The judgements of one file, on the values of their criteria's scales."""
    if spec.columns is None:
        return []  # a table is read once the study has its texts
    form = FORMATS[spec.form]
    if not isinstance(form, JudgementFormat):
        raise UserError(f"'{spec.form}' is no format of ratings.", where=spec.file)
    values = {name: scales[criterion.scale] for name, criterion in spec.criteria.items()}
    return form.read(TextFile(opened(spec.file), spec.file, spec.encoding, limit), spec.columns, values, styles)
