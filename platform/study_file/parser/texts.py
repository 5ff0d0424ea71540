"""Reads all files that a study file names; nothing is returned unless all of them are right."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpora.formats import FORMATS
from corpora.formats._base import Judgement, JudgementFormat
from corpora.parallel_texts import read_joined
from corpora.text_files.decoding import Readable, TextFile
from corpora.text_files.parallel_lines import read_parallel, read_texts
from foundation.confined import confined
from foundation.errors import UserError
from foundation.text_keys import text_digest
from study_file.parser.fields import SPLITS
from study_file.parser.spec import DirectionSpec, OutputSpec, RatingsSpec, StudySpec

Opener = Callable[[str], Path | bytes | Readable]
"""From a file name in the study file to the file; a name that it does not know is a `UserError`."""


@dataclass
class StudyTexts:
    """The texts of a study, every list in the order of the sources of its direction.

    `sources[direction]` and `references[n]` and `outputs[system][direction]` are aligned; None is a missing text.
    `references` and `judgements` are in the order of the blocks of the study file. `splits[direction]` is the split of
    each source, where files say it.
    """

    sources: dict[str, list[str]] = field(default_factory=dict)
    splits: dict[str, list[str]] = field(default_factory=dict)
    references: list[list[str | None]] = field(default_factory=list)
    outputs: dict[str, dict[str, list[str | None]]] = field(default_factory=dict)
    judgements: list[list[Judgement]] = field(default_factory=list)


def read_texts_of(
    spec: StudySpec, opened: Opener, scales: Mapping[str, Collection[float]], *, limit: int | None = None
) -> StudyTexts:
    """The texts that `spec` names. `scales` gives the values of each scale; `limit` is the most bytes of a file."""
    texts = StudyTexts()
    for direction in (one for one in spec.directions if one.has_sources):
        _read_sources(direction, opened, limit, texts)
    for reference in spec.references:
        texts.references.append(_read_beside(reference, texts, opened, reference.missing, limit))
    for system in spec.systems:
        texts.outputs[system.name] = {
            output.direction: _read_beside(output, texts, opened, system.missing, limit) for output in system.outputs
        }
    texts.judgements = [read_ratings(block, spec.styles, opened, scales, limit=limit) for block in spec.ratings]
    return texts


def _read_sources(direction: DirectionSpec, opened: Opener, limit: int | None, texts: StudyTexts) -> None:
    def read(name: str) -> list[str]:
        return confined(read_texts, TextFile(opened(name), name, direction.encoding, limit))

    if direction.sources:
        texts.sources[direction.name] = read(direction.sources)
        return
    by_split = {split: read(direction.files[split]) for split in SPLITS if split in direction.files}
    if not direction.leaves_out:
        _refuse_in_two(by_split, direction.files)
    texts.sources[direction.name] = [text for own in by_split.values() for text in own]
    texts.splits[direction.name] = [split for split, own in by_split.items() for _ in own]


def _refuse_in_two(by_split: dict[str, list[str]], files: Mapping[str, str]) -> None:
    """A text in two splits would be tested on what it was trained on: a UserError says which, and what may be done."""
    further: dict[int, str] = {}
    for split in reversed(by_split):
        found = [
            (number, further[key])
            for number, text in enumerate(by_split[split], 1)
            if (key := text_digest(text)) in further
        ]
        if found:
            count = "1 text stands" if len(found) == 1 else f"{len(found):,} texts stand"
            raise UserError(
                "{count} in the {found} split too, first on line {first:,}; remove them from the file, or set "
                'in_two_splits = "leave_out" at the direction.',
                count=count,
                found=found[0][1],
                first=found[0][0],
                where=files[split],
            )
        for text in by_split[split]:
            further.setdefault(text_digest(text), split)


def _read_beside(
    spec: OutputSpec, texts: StudyTexts, opened: Opener, missing: bool, limit: int | None
) -> list[str | None]:
    """The texts beside the sources of a direction; None for those of a split of which `spec` has no file."""
    if not spec.files:
        return read_output(spec, texts.sources[spec.direction], opened, missing=missing, limit=limit)
    found: list[str | None] = []
    for split, count in Counter(texts.splits[spec.direction]).items():  # in the order of the sources
        if name := spec.files.get(split):
            file = TextFile(opened(name), name, spec.encoding, limit)
            found += confined(read_parallel, file, count, missing=missing)
        else:
            found += [None] * count
    return found


def read_output(
    spec: OutputSpec, sources: list[str], opened: Opener, *, missing: bool = False, limit: int | None = None
) -> list[str | None]:
    """The texts of one file of references or outputs, one for each of `sources`; None where one is missing."""
    file = TextFile(opened(spec.file), spec.file, spec.encoding, limit)
    if spec.source is None or spec.text is None:
        return confined(read_parallel, file, len(sources), missing=missing)
    return read_joined(file, sources, spec.source, spec.text, form=spec.form, missing=missing)


def read_ratings(
    spec: RatingsSpec,
    styles: Collection[str],
    opened: Opener,
    scales: Mapping[str, Collection[float]],
    *,
    limit: int | None = None,
) -> list[Judgement]:
    """The judgements of one file, on the values of their criteria's scales."""
    if spec.columns is None:
        return []  # a table is read once the study has its texts
    form = FORMATS[spec.form]
    if not isinstance(form, JudgementFormat):
        raise UserError("'{form}' is not a format of ratings.", form=spec.form, where=spec.file)
    values = {name: scales[criterion.scale] for name, criterion in spec.criteria.items()}
    return form.read(TextFile(opened(spec.file), spec.file, spec.encoding, limit), spec.columns, values, styles)
