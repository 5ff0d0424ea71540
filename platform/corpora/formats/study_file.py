"""The study file: a study declared in TOML. Its form is in docs/study-file.md.

`parse` reads the declaration, `read_texts_of` (in `_study_texts.py`) the files that it names.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace

from corpora.formats._decode import MEGABYTE, TextFile, read_lines
from corpora.formats._entry import Format
from corpora.formats._keys import Table
from corpora.formats._study import (
    Allowed,
    CampaignSpec,
    CriterionSpec,
    DirectionSpec,
    DocumentsSpec,
    GroupsSpec,
    HumanStudySpec,
    OutputSpec,
    RatingsSpec,
    ReferenceSpec,
    ReportSpec,
    SelectionSpec,
    SplitsSpec,
    StageSpec,
    StudySpec,
    SystemSpec,
    TableSpec,
    TemplateShape,
    TrainingSpec,
)
from corpora.formats._study_blocks import direction, ratings, reference, system
from corpora.formats._study_campaigns import Known, campaign, stage
from corpora.formats._study_documents import documents, groups, selection, splits
from corpora.formats._study_human import human_study
from corpora.formats._study_models import training
from corpora.formats._study_report import report
from corpora.formats._study_tables import table
from corpora.formats._study_texts import StudyTexts, read_texts_of
from corpora.formats._toml_limits import refuse_huge, refuse_unstorable
from corpora.formats._toml_lines import lines_of
from foundation.errors import UserError
from foundation.polarity import check_poles

__all__ = [
    "Allowed",
    "CampaignSpec",
    "CriterionSpec",
    "DirectionSpec",
    "DocumentsSpec",
    "GroupsSpec",
    "HumanStudySpec",
    "OutputSpec",
    "RatingsSpec",
    "ReferenceSpec",
    "ReportSpec",
    "SelectionSpec",
    "SplitsSpec",
    "StageSpec",
    "StudySpec",
    "StudyTexts",
    "SystemSpec",
    "TableSpec",
    "TemplateShape",
    "TrainingSpec",
    "parse",
    "read_texts_of",
]

BLOCKS = (
    *("study", "directions", "documents", "groups", "selections", "splits"),
    *("references", "systems", "tables", "trainings", "ratings", "campaigns", "human_studies", "metrics", "report"),
)
UNITS = ("sentence", "document")
NO_TEMPLATE = TemplateShape((), (), {})
STUDY_LIMIT = MEGABYTE
"""The most bytes a study file itself may have."""
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def parse(file: TextFile, allowed: Allowed) -> StudySpec:
    """The declaration in `file`; the first fault is a `UserError` with file, line, key and what was expected."""
    limit = STUDY_LIMIT if file.limit is None else min(file.limit, STUDY_LIMIT)
    text = "".join(read_lines(replace(file, limit=limit), keep_ends=True))
    refuse_huge(text.replace("\r\n", "\n"), file.name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), file.name) from None
    except ValueError:  # a date that is none in the calendar is no TOMLDecodeError
        raise UserError("this is not TOML: a number or a date is none.", where=file.name) from None
    document = Table(values, (), file.name, lines_of(text))
    refuse_unstorable(values, document.lines, file.name)
    document.known(BLOCKS)
    study = document.table("study", required=True)
    study.known(("slug", "title", "styles", "license", "description", "template", "unit", "style_words", "poles"))
    template = study.choice("template", allowed.templates, "study template", "")
    shape = allowed.templates[template] if template else NO_TEMPLATE
    styles = _styles(study, shape)
    directions = tuple(direction(block, styles) for block in document.tables("directions"))
    names = list(dict.fromkeys([*shape.directions, *(one.name for one in directions)]))
    systems = tuple(system(block, names, allowed) for block in document.tables("systems"))
    stages, campaigns = _campaigns(document, names, [one.name for one in systems], shape, allowed)
    spec = StudySpec(
        slug=_slug(study),
        title=study.text("title"),
        styles=styles,
        license=study.text("license", "", longest=200),
        description=study.text("description", "", longest=20_000),
        template=template,
        unit=study.choice("unit", UNITS, "unit", "sentence"),
        style_words=tuple(study.texts("style_words", [])),
        poles=_poles(study, styles),
        directions=directions,
        documents=tuple(documents(block, styles, allowed) for block in document.tables("documents")),
        groups=groups(document.table("groups"), styles) if "groups" in values else None,
        selections=tuple(selection(block, names, allowed) for block in document.tables("selections")),
        splits=splits(document.table("splits")) if "splits" in values else None,
        references=tuple(reference(block, names, allowed) for block in document.tables("references")),
        systems=systems,
        tables=tuple(table(block, allowed) for block in document.tables("tables")),
        trainings=tuple(training(block, names, allowed) for block in document.tables("trainings")),
        ratings=tuple(ratings(block, allowed) for block in document.tables("ratings")),
        stages=stages,
        campaigns=campaigns,
        human_studies=tuple(
            human_study(block, names, [one.name for one in systems], allowed)
            for block in document.tables("human_studies")
        ),
        metrics={name: _metric(document.table("metrics"), name, allowed) for name in document.table("metrics").values},
        report=report(document.table("report"), [one.name for one in systems], allowed) if "report" in values else None,
    )
    _refuse_twice(document, spec)
    _refuse_without_sources(document, spec)
    _refuse_two_meanings(document, spec)
    return spec


def _campaigns(
    document: Table, directions: Sequence[str], systems: Sequence[str], shape: TemplateShape, allowed: Allowed
) -> tuple[tuple[StageSpec, ...], tuple[CampaignSpec, ...]]:
    """The blocks with the slug of a stage of the template, and all others."""
    stages: list[StageSpec] = []
    campaigns: list[CampaignSpec] = []
    for block in document.tables("campaigns"):
        known = Known(directions, systems, [*shape.stages, *(one.slug for one in campaigns)], allowed)
        slug = block.values.get("slug")
        if not isinstance(slug, str) or slug not in shape.stages:
            campaigns.append(campaign(block, known))
        else:
            stages.append(stage(block, slug, *shape.stages[slug], known))
    return tuple(stages), tuple(campaigns)


def _slug(study: Table) -> str:
    slug = study.text("slug", longest=80)
    if not SLUG.fullmatch(slug):
        raise study.error("small letters, digits and single hyphens were expected, such as 'my-study'.", "slug")
    return slug


def _poles(study: Table, styles: tuple[str, ...]) -> dict[str, str]:
    """Which of the styles each end of scales and metrics means."""
    table = study.table("poles")
    for pole in table.values:
        table.among(table.text(pole, longest=60), styles, "style", pole)
    study.checked(lambda: check_poles(table.values, styles), "poles")
    return dict(table.values)


def _styles(study: Table, shape: TemplateShape) -> tuple[str, ...]:
    """As declared, or the template's; those of a template must be among them."""
    if shape.styles and "styles" not in study.values:
        return shape.styles
    styles = study.texts("styles")
    missing = [style for style in shape.styles if style not in styles]
    if missing:
        raise study.error(f"the template needs the styles {', '.join(shape.styles)}; leave the key out.", "styles")
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
        ("trainings", "name", [one.name for one in spec.trainings]),
        ("campaigns", "name", _slugs(document, spec)),
        ("human_studies", "name", [one.slug for one in spec.human_studies]),
    ):
        first: dict[str, int] = {}
        for number, name in enumerate(names):
            if first.setdefault(name, number) != number:
                raise document.error(
                    f"'{name}' stands in [[{block}]] block {first[name] + 1} already.", block, number, key
                )


def _slugs(document: Table, spec: StudySpec) -> list[str]:
    """The slug of each block of campaigns, in the file's order."""
    stages = {one.slug for one in spec.stages}
    others = (one.slug for one in spec.campaigns)
    given = [block.values.get("slug") for block in document.tables("campaigns")]
    return [str(slug) if slug in stages else next(others) for slug in given]


def _refuse_without_sources(document: Table, spec: StudySpec) -> None:
    """References and outputs are joined to sources of this file."""
    there = [one.name for one in spec.directions if one.sources]
    for number, block in enumerate(spec.references):
        if block.direction not in there:
            raise document.error(
                f"'{block.direction}' has no sources in this file.", "references", number, "direction"
            )  # fmt: skip
    for number, one in enumerate(spec.systems):
        for place, output in enumerate(one.outputs):
            if output.direction not in there:
                keys = ("systems", number, "outputs", place, "direction")
                raise document.error(f"'{output.direction}' has no sources in this file.", *keys)


def _refuse_two_meanings(document: Table, spec: StudySpec) -> None:
    """A criterion is the same everywhere in a study."""
    blocks: dict[str, tuple[RatingsSpec | CampaignSpec | HumanStudySpec, ...]] = {
        "ratings": spec.ratings, "campaigns": spec.campaigns, "human_studies": spec.human_studies,
    }  # fmt: skip
    for block, entries in blocks.items():
        for number, entry in enumerate(entries):
            for name, criterion in entry.criteria.items():
                if spec.criteria[name] != criterion:
                    place = number  # stages of the template stand among the campaigns
                    if block == "campaigns":
                        place = _slugs(document, spec).index(spec.campaigns[number].slug)
                    raise document.error(
                        f"'{name}' is declared differently elsewhere in the file; scale, aspect and beside must agree.",
                        *(block, place, "criteria", name),
                    )


def _not_toml(message: str, name: str) -> UserError:
    """`tomllib` puts "(at line 3, column 5)" at the end of its message."""
    place = re.search(r" \(at line (\d+), column \d+\)$", message)
    sentence = message[: place.start()] if place else re.sub(r" \(at .*\)$", "", message)
    where = f"{name}, line {place.group(1)}" if place else f"{name}, at the end"
    return UserError(f"this is not TOML: {sentence[:1].lower()}{sentence[1:]}.", where=where)


FORMAT = Format("Study file", "A study declared in TOML.", (".toml",))
