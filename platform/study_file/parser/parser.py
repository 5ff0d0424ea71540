"""The study file: a study declared in TOML. Its form is in docs/study-file.md.

`parse_study_file` reads the declaration, `read_texts_of` (in `texts.py`) the files that it names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.study_templates import TEMPLATES
from corpora.fields import EditedStudyFields
from corpora.table_import.targets import TARGETS
from corpora.table_parser.quoting import STYLES
from corpora.table_parser.sheets import ERRORS
from corpora.text_files.decoding import TextFile
from evaluation.human_studies.fields import HumanStudyFields
from evaluation.metrics import METRICS
from evaluation.models import HumanStudy
from evaluation.report_fields import ReportFields
from foundation.confined import confined
from foundation.languages import check_language
from foundation.options import list_options
from foundation.polarity import check_poles
from study_file.parser.blocks import criteria, direction, encoding, ratings, reference, system
from study_file.parser.campaign_blocks import Known, campaign, slug_of, stage
from study_file.parser.consistency import (
    refuse_names_of_others,
    refuse_split_twice,
    refuse_twice,
    refuse_two_meanings,
    refuse_without_sources,
)
from study_file.parser.document_blocks import documents, gold, groups, selection, splits
from study_file.parser.spec import ReportSpec, StudySpec, TableSpec
from study_file.parser.toml_file import read_toml
from study_file.parser.toml_table import TomlTable
from study_file.parser.training_blocks import run, training
from study_file.parser.work_spec import CampaignSpec, HumanStudySpec, StageSpec

# The blocks of tables: a file, its reading, and the meanings of its columns.

TABLE_KEYS = ("file", "target", "mapping", "settings", "answers", "part", "encoding", "delimiter", "header",
              "quoting", "above", "errors")  # fmt: skip
CHOICES = {"quoting": STYLES, "errors": tuple(ERRORS)}


def table(block: TomlTable) -> TableSpec:
    block.known(TABLE_KEYS)
    reading = {"part": block.text("part", ""), "encoding": encoding(block) or "", "delimiter": _delimiter(block)}
    if "header" in block.values:
        reading["header"] = "yes" if block.flag("header") else "no"
    if "above" in block.values:
        reading["above"] = str(block.whole("above", 0, 0, 49))
    reading |= {name: block.choice(name, words, name, "") for name, words in CHOICES.items() if name in block.values}
    mapping = _texts(block.table("mapping", required=True))
    if not mapping:
        raise block.error("a meaning for at least one column was expected.", "mapping")
    return TableSpec(
        file=block.text("file", longest=4000),
        target=block.choice("target", TARGETS, "target", "texts"),
        mapping=mapping,
        settings=_texts(block.table("settings")),
        answers=_texts(block.table("answers")),
        reading={name: value for name, value in reading.items() if value},
    )


def _delimiter(block: TomlTable) -> str:
    """A character, which may be space, or tab, or none."""
    value = block.values.get("delimiter", "")
    if not isinstance(value, str) or (len(value) > 1 and value not in ("tab", "none")):
        raise block.error("one character, 'tab' or 'none' was expected.", "delimiter")
    return value


def _texts(block: TomlTable) -> Mapping[str, str]:
    """Texts by key; true and false stand for themselves."""
    found: dict[str, str] = {}
    for key, value in block.values.items():
        found[key] = ("1" if value else "") if isinstance(value, bool) else block.text(key)
    return found


STATES = tuple(HumanStudy.State.values)
FIELDS = {one.name: one for one in list_options(HumanStudyFields)}
NAMED = ("name", "direction", "systems", "criteria")  # by what stands in the file
KEYS = (*FIELDS, "slug", "state")


def human_study(block: TomlTable, directions: Sequence[str], systems: Sequence[str]) -> HumanStudySpec:
    block.known(KEYS)
    name = block.text("name", longest=FIELDS["name"].longest)
    chosen = block.texts("systems") if "systems" in block.values else None
    for number, one in enumerate(chosen or ()):
        block.among(one, systems, "system", "systems", number)
    named = criteria(block)
    fields = {key: block.option(FIELDS[key]) for key in block.values if key in FIELDS and key not in NAMED}
    if named:
        fields["criteria"] = {key: asdict(one) for key, one in named.items()}
    return HumanStudySpec(
        name=name,
        slug=slug_of(block, name),
        direction=block.choice("direction", directions, "direction", ""),
        systems=None if chosen is None else tuple(chosen),
        criteria=named,
        fields=fields,
        state=block.choice("state", STATES, "state", "draft"),
    )


REPORT = {one.name: one for one in list_options(ReportFields)}


def report(block: TomlTable, systems: Sequence[str]) -> ReportSpec:
    block.known(REPORT)
    if "baseline" in block.values:
        block.among(block.text("baseline"), systems, "system", "baseline")
    fields = {name: block.option(one) for name, one in REPORT.items() if name in block.values and not one.row}
    if "joint" in fields:
        block.checked(lambda: REPORT["joint"].check(fields["joint"]))
    return ReportSpec(baseline=block.optional_text("baseline"), fields=fields)


BLOCKS = (
    *("study", "directions", "documents", "gold", "groups", "selections", "splits"),
    *("references", "systems", "tables", "trainings", "runs", "ratings"),
    *("campaigns", "human_studies", "metrics", "report"),
)
STUDY_KEYS = (
    *("slug", "title", "styles", "language", "license", "description", "template", "unit", "style_words", "poles"),
    "style_descriptions",
    "link_concepts",
)
STUDY = {one.name: one for one in list_options(EditedStudyFields)}
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class TemplateShape:
    """The names that a study file with a template may use; a stage has its task and settings."""

    styles: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    stages: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)


def _shape(name: str) -> TemplateShape:
    if not name:
        return TemplateShape()
    template = TEMPLATES[name]
    stages = {stage.slug: (stage.task, stage.settings) for stage in template.stages}
    return TemplateShape(template.styles, tuple(template.direction_names), stages)


def parse_study_file(file: TextFile) -> StudySpec:
    """The declaration in `file`; the first fault is a `UserError` with file, line, key and what was expected."""
    values, lines = confined(read_toml, file)
    document = TomlTable(values, (), file.name, lines)
    document.known(BLOCKS)
    study = document.table("study", required=True)
    study.known(STUDY_KEYS)
    template = study.choice("template", TEMPLATES, "study template", "")
    shape = _shape(template)
    styles = _styles(study, shape)
    directions = tuple(direction(block, styles) for block in document.tables("directions"))
    names = list(dict.fromkeys([*shape.directions, *(one.name for one in directions)]))
    systems = tuple(system(block, names) for block in document.tables("systems"))
    trainings = tuple(training(block, names) for block in document.tables("trainings"))
    by_name = {one.name: one for one in trainings}
    runs = tuple(run(block, by_name, names) for block in document.tables("runs"))
    of_systems = [*(one.name for one in systems), *(name for one in runs for name in one.systems)]
    in_tables = [
        value.partition(":")[2].strip()
        for block in document.tables("tables")
        for value in block.table("mapping").values.values()
        if str(value).startswith("output:")
    ]
    stages, campaigns = _campaigns(document, names, of_systems, shape)
    spec = StudySpec(
        slug=_slug(study),
        title=study.text("title"),
        styles=styles,
        language=_language(study),
        **{key: study.option(STUDY[key]) for key in ("license", "description") if key in study.values},
        template=template,
        unit=study.choice("unit", STUDY["unit"].choices, "unit", "sentence"),
        style_words=tuple(study.texts("style_words", [])),
        poles=_poles(study, styles),
        style_descriptions=_style_descriptions(study, styles),
        links_concepts=study.flag("link_concepts"),
        directions=directions,
        documents=tuple(documents(block, styles) for block in document.tables("documents")),
        gold=tuple(gold(block) for block in document.tables("gold")),
        groups=groups(document.table("groups"), styles, names) if "groups" in values else None,
        selections=tuple(selection(block, names) for block in document.tables("selections")),
        splits=splits(document.table("splits")) if "splits" in values else None,
        references=tuple(reference(block, names) for block in document.tables("references")),
        systems=systems,
        tables=tuple(table(block) for block in document.tables("tables")),
        trainings=trainings,
        runs=runs,
        ratings=tuple(ratings(block) for block in document.tables("ratings")),
        stages=stages,
        campaigns=campaigns,
        human_studies=tuple(human_study(block, names, of_systems) for block in document.tables("human_studies")),
        metrics={name: _metric(document.table("metrics"), name) for name in document.table("metrics").values},
        report=report(document.table("report"), [*of_systems, *in_tables]) if "report" in values else None,
    )
    refuse_twice(document, spec)
    refuse_names_of_others(document, spec)
    refuse_without_sources(document, spec)
    refuse_split_twice(document, spec)
    refuse_two_meanings(document, spec)
    return spec


def _campaigns(
    document: TomlTable, directions: Sequence[str], systems: Sequence[str], shape: TemplateShape
) -> tuple[tuple[StageSpec, ...], tuple[CampaignSpec, ...]]:
    """The blocks with the slug of a stage of the template, and all others."""
    stages: list[StageSpec] = []
    campaigns: list[CampaignSpec] = []
    for block in document.tables("campaigns"):
        known = Known(directions, systems, [*shape.stages, *(one.slug for one in campaigns)])
        slug = block.values.get("slug")
        if not isinstance(slug, str) or slug not in shape.stages:
            campaigns.append(campaign(block, known))
        else:
            stages.append(stage(block, slug, *shape.stages[slug], known))
    return tuple(stages), tuple(campaigns)


def _slug(study: TomlTable) -> str:
    slug = study.text("slug", longest=80)
    if not SLUG.fullmatch(slug):
        raise study.error("small letters, digits and single hyphens were expected, such as 'my-study'.", "slug")
    return slug


def _language(study: TomlTable) -> str:
    tag = study.text("language", "")
    study.checked(lambda: check_language(tag))
    return check_language(tag)


def _poles(study: TomlTable, styles: tuple[str, ...]) -> dict[str, str] | None:
    """The style of each end of scales and metrics; {} where the file declares none, None where it says nothing."""
    if "poles" not in study.values:
        return None
    table = study.table("poles")
    for pole in table.values:
        table.among(table.text(pole, longest=60), styles, "style", pole)
    study.checked(lambda: check_poles(table.values, styles), "poles")
    return dict(table.values)


def _style_descriptions(study: TomlTable, styles: tuple[str, ...]) -> dict[str, str]:
    """The description of each style, a few words."""
    table = study.table("style_descriptions")
    for style in table.values:
        table.among(style, styles, "style", style)
    return {style: table.text(style) for style in table.values}


def _styles(study: TomlTable, shape: TemplateShape) -> tuple[str, ...]:
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


def _metric(metrics: TomlTable, name: str) -> dict[str, object]:
    metrics.among(name, METRICS, "metric", name)
    settings = dict(metrics.table(name).values)
    metrics.checked(lambda: METRICS[name].settings(**settings), name)
    return settings
