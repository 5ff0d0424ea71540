"""The study file: a study declared in TOML. Its form is in docs/study-file.md.

`parse` reads the declaration, `read_texts_of` (in `_study_texts.py`) the files that it names.
"""

import re
import tomllib
from dataclasses import replace

from corpora.formats._decode import MEGABYTE, TextFile, read_lines
from corpora.formats._entry import Format
from corpora.formats._keys import Table
from corpora.formats._study import (
    Allowed,
    CampaignSpec,
    CriterionSpec,
    DirectionSpec,
    OutputSpec,
    RatingsSpec,
    ReferenceSpec,
    StudySpec,
    SystemSpec,
)
from corpora.formats._study_blocks import campaign, direction, ratings, reference, system
from corpora.formats._study_texts import StudyTexts, read_texts_of
from corpora.formats._toml_lines import lines_of
from foundation.errors import UserError

__all__ = [
    "Allowed",
    "CampaignSpec",
    "CriterionSpec",
    "DirectionSpec",
    "OutputSpec",
    "RatingsSpec",
    "ReferenceSpec",
    "StudySpec",
    "StudyTexts",
    "SystemSpec",
    "parse",
    "read_texts_of",
]

BLOCKS = ("study", "directions", "references", "systems", "ratings", "campaigns", "metrics")
STUDY_LIMIT = MEGABYTE
"""The most bytes a study file itself may have."""
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def parse(file: TextFile, allowed: Allowed) -> StudySpec:
    """The declaration in `file`; the first fault is a `UserError` with file, line, key and what was expected."""
    limit = STUDY_LIMIT if file.limit is None else min(file.limit, STUDY_LIMIT)
    text = "".join(read_lines(replace(file, limit=limit), keep_ends=True))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), file.name) from None
    except RecursionError:
        raise UserError("the file is nested too deeply.", where=file.name) from None
    document = Table(values, (), file.name, lines_of(text))
    document.known(BLOCKS)
    study = document.table("study", required=True)
    study.known(("slug", "title", "styles", "license", "description"))
    styles = _styles(study)
    directions = tuple(direction(block, styles) for block in document.tables("directions"))
    names = [one.name for one in directions]
    systems = tuple(system(block, names, allowed) for block in document.tables("systems"))
    spec = StudySpec(
        slug=_slug(study),
        title=study.text("title"),
        styles=styles,
        license=study.text("license", "", longest=200),
        description=study.text("description", "", longest=20_000),
        directions=directions,
        references=tuple(reference(block, names, allowed) for block in document.tables("references")),
        systems=systems,
        ratings=tuple(ratings(block, allowed) for block in document.tables("ratings")),
        campaigns=tuple(
            campaign(block, names, [one.name for one in systems], allowed) for block in document.tables("campaigns")
        ),
        metrics={name: _metric(document.table("metrics"), name, allowed) for name in document.table("metrics").values},
    )
    _refuse_twice(document, spec)
    _refuse_two_meanings(document, spec)
    return spec


def _slug(study: Table) -> str:
    slug = study.text("slug", longest=80)
    if not SLUG.fullmatch(slug):
        raise study.error("small letters, digits and single hyphens were expected, such as 'my-study'.", "slug")
    return slug


def _styles(study: Table) -> tuple[str, ...]:
    styles = study.texts("styles")
    if len(styles) < 2:
        raise study.error("at least two styles were expected.", "styles")
    for style in styles:
        if not re.fullmatch(r"\w+", style) or len(style) > 60:
            raise study.error(f"a style is letters, digits and _ (at most 60), and not '{style}'.", "styles")
    return tuple(styles)


def _metric(metrics: Table, name: str, allowed: Allowed) -> dict[str, object]:
    metrics.among(name, allowed.metrics, "metric", name)
    settings = dict(metrics.table(name).values)
    metrics.checked(lambda: allowed.check_metric(name, settings), name)
    return settings


def _refuse_twice(document: Table, spec: StudySpec) -> None:
    """No direction, system name or campaign twice."""
    for block, key, names in (
        ("directions", "target_style", [one.name for one in spec.directions]),
        ("systems", "name", [one.name for one in spec.systems]),
        ("campaigns", "name", [one.slug for one in spec.campaigns]),
    ):
        for number, name in enumerate(names):
            if name in names[:number]:
                first = names.index(name) + 1
                raise document.error(f"'{name}' stands in [[{block}]] block {first} already.", block, number, key)


def _refuse_two_meanings(document: Table, spec: StudySpec) -> None:
    """A criterion is the same everywhere in a study."""
    blocks: dict[str, tuple[RatingsSpec | CampaignSpec, ...]] = {"ratings": spec.ratings, "campaigns": spec.campaigns}
    for block, entries in blocks.items():
        for number, entry in enumerate(entries):
            for name, criterion in entry.criteria.items():
                if spec.criteria[name] != criterion:
                    raise document.error(
                        f"'{name}' is declared differently elsewhere in the file; scale, aspect and beside must agree.",
                        *(block, number, "criteria", name),
                    )


def _not_toml(message: str, name: str) -> UserError:
    """`tomllib` puts "(at line 3, column 5)" at the end of its message."""
    place = re.search(r" \(at line (\d+), column \d+\)$", message)
    sentence = message[: place.start()] if place else re.sub(r" \(at .*\)$", "", message)
    where = f"{name}, line {place.group(1)}" if place else f"{name}, at the end"
    return UserError(f"this is not TOML: {sentence[:1].lower()}{sentence[1:]}.", where=where)


FORMAT = Format("Study file", "A study declared in TOML.", (".toml",))
