"""The study file: a study declared in TOML. Its form is in docs/study-file.md.

`parse_study_file` reads the declaration, `read_texts_of` (in `texts.py`) the files that it names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.study_templates import TEMPLATES
from corpora.text_files.decoding import TextFile
from evaluation.metrics import METRICS
from evaluation.report_fields import ReportFields
from foundation.confined import confined
from foundation.languages import check_language
from foundation.options import list_options, option_named
from foundation.polarity import check_poles
from study_file.parser.blocks import criteria, direction, ratings, reference, system
from study_file.parser.campaign_blocks import Known, campaign, slug_of, stage
from study_file.parser.consistency import (
    refuse_names_of_others,
    refuse_split_twice,
    refuse_twice,
    refuse_two_meanings,
    refuse_without_sources,
)
from study_file.parser.document_blocks import documents, gold, groups, selection, splits
from study_file.parser.fields import BLOCKS, CampaignBlock, HumanStudyBlock, StudyBlock, TableBlock
from study_file.parser.spec import ReportSpec, StudySpec, TableSpec
from study_file.parser.toml_file import read_toml
from study_file.parser.toml_table import TomlTable
from study_file.parser.training_blocks import run, sweep, training
from study_file.parser.work_spec import CampaignSpec, HumanStudySpec, StageSpec

READING = ("part", "encoding", "delimiter", "quoting", "errors")


def table(block: TomlTable) -> TableSpec:
    given = block.read(TableBlock)
    reading = {name: given[name] for name in READING}
    if given["header"] is not None:
        reading["header"] = "yes" if given["header"] else "no"
    if given["above"] is not None:
        reading["above"] = str(given["above"])
    mapping, settings, answers = (_texts(block.table(name)) for name in ("mapping", "settings", "answers"))
    if not mapping:
        raise block.error("a meaning for at least one column was expected.", "mapping")
    return TableSpec(
        given["file"], given["target"], mapping, settings, answers,
        {name: value for name, value in reading.items() if value},
    )  # fmt: skip


def _texts(block: TomlTable) -> Mapping[str, str]:
    """Texts by key; true and false stand for themselves."""
    found: dict[str, str] = {}
    for key, value in block.values.items():
        found[key] = ("1" if value else "") if isinstance(value, bool) else block.text(key)
    return found


ACCESS = ("terms", "required_credentials", "restricted")
NAMED = ("name", "slug", "direction", "systems", "criteria", "state")  # of a human study, by what stands in the file


def human_study(block: TomlTable, directions: Sequence[str], systems: Sequence[str]) -> HumanStudySpec:
    block = block.renamed(HumanStudyBlock)
    block.known([one.name for one in list_options(HumanStudyBlock)])
    named = criteria(block)
    declared = block.read(HumanStudyBlock, {"direction": directions, "system": systems})
    chosen = declared["systems"]
    fields = {key: declared[key] for key in block.values if key not in NAMED}
    if named:
        fields["criteria"] = {key: asdict(one) for key, one in named.items()}
    return HumanStudySpec(
        name=declared["name"],
        slug=slug_of(block, declared["name"]),
        direction=declared["direction"] or "",
        systems=None if chosen is None else tuple(chosen),
        criteria=named,
        fields=fields,
        state=declared["state"],
    )


def report(block: TomlTable, systems: Sequence[str]) -> ReportSpec:
    fields = block.options(ReportFields, {"baseline": systems})
    if "joint" in fields:
        block.checked(lambda: option_named(ReportFields, "joint").check(fields["joint"]))
    return ReportSpec(baseline=fields.pop("baseline", None), fields=fields)


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
    return declared_study(TomlTable(values, (), file.name, lines))


def declared_study(document: TomlTable) -> StudySpec:
    """The declaration in a TOML document that has been read."""
    document.known(BLOCKS)
    study = document.table("study", required=True)
    declared = study.read(StudyBlock)
    shape = _shape(declared["template"])
    styles = _styles(study, shape)
    directions = tuple(direction(block, styles) for block in document.tables("directions"))
    names = list(dict.fromkeys([*shape.directions, *(one.name for one in directions)]))
    systems = tuple(system(block, names) for block in document.tables("systems"))
    trainings = tuple(training(block, names) for block in document.tables("trainings"))
    by_name = {one.name: one for one in trainings}
    sweeps = tuple(sweep(block, names) for block in document.tables("sweeps"))
    runs = tuple(run(block, by_name, names) for block in document.tables("runs"))
    in_tables = [
        value.partition(":")[2].strip()
        for block in document.tables("tables")
        for value in block.table("mapping").values.values()
        if str(value).startswith("output:")
    ]
    made = [*(one.name for one in systems), *(name for one in runs for name in one.systems)]
    of_systems = list(dict.fromkeys([*made, *in_tables]))
    stages, campaigns = _campaigns(document, names, of_systems, shape)
    spec = StudySpec(
        slug=_slug(study),
        title=declared["title"],
        styles=styles,
        language=_language(study),
        **{key: declared[key] for key in ("license", "description", "template", "unit")},
        style_words=tuple(declared["style_words"]),
        poles=_poles(study, styles),
        style_descriptions=_style_descriptions(study, styles),
        links_concepts=declared["link_concepts"],
        access={key: declared[key] for key in ACCESS if key in study.values},
        directions=directions,
        documents=tuple(documents(block, styles) for block in document.tables("documents")),
        gold=tuple(gold(block) for block in document.tables("gold")),
        groups=groups(document.table("groups"), styles, names) if "groups" in document.values else None,
        selections=tuple(selection(block, names) for block in document.tables("selections")),
        splits=splits(document.table("splits")) if "splits" in document.values else None,
        references=tuple(reference(block, names) for block in document.tables("references")),
        systems=systems,
        tables=tuple(table(block) for block in document.tables("tables")),
        trainings=trainings,
        sweeps=sweeps,
        runs=runs,
        ratings=tuple(ratings(block) for block in document.tables("ratings")),
        stages=stages,
        campaigns=campaigns,
        human_studies=tuple(human_study(block, names, of_systems) for block in document.tables("human_studies")),
        metrics={name: _metric(document.table("metrics"), name) for name in document.table("metrics").values},
        report=report(document.table("report"), of_systems) if "report" in document.values else None,
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
    for block in (one.renamed(CampaignBlock) for one in document.tables("campaigns")):
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
