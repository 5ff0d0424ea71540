"""Judgements as what a table can bring in: the wizard of the pages, its endpoint and the study file ask here."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from corpora.models import Study
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import Question, Table
from evaluation.actions.bring_in_judgements import write_planned
from evaluation.imported_judgements.judgement_plan import first_rows, guess_meanings, plan_import
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format

MEANINGS = (
    Meaning("rater", _("Rater"), named="place", several=True),
    Meaning("source", _("Source"), named="place", several=True),
    Meaning("number", _("Number of the source"), named="place", several=True),
    Meaning("key", _("Number and system in one")),
    Meaning("output", _("Judged text"), named="place", several=True),
    Meaning("system", _("System (its name)"), named="place", several=True),
    Meaning("direction", _("Direction or target style")),
    Meaning("rating", _("Rating of a criterion"), named="criterion", several=True),
    Meaning("criterion", _("Criterion (its name)")),
    Meaning("value", _("Value on the row's criterion")),
    Meaning("word", _("Label of the value")),
    Meaning("scale", _("Scale (its name)")),
    Meaning("answers", _("Pairs such as fluency=5")),
    Meaning("seconds", _("Time it took")),
    Meaning("started", _("When it began")),
    Meaning("ended", _("When it ended")),
    Meaning("state", _("Whether it counted")),
    Meaning("rejected", _("Reason of a rejection")),
)


def settings(study: Study) -> list[Setting]:
    presets = tuple((name, TOOL_FORMATS[name].title) for name in TOOL_FORMATS.names())
    directions = tuple(
        (direction.name, f"{direction.source_style} → {direction.target_style}") for direction in study.directions.all()
    )
    systems = tuple((system.name, system.name) for system in study.systems.all())
    return [
        Setting("preset", _("Made by"), (("", _("Detect")), *presets)),
        Setting("direction", _("Direction"), (("", _("As the table says")), *directions)),
        Setting("system", _("System"), (("", _("As the table says")), *systems)),
        Setting("criterion", _("Criterion of the values"), help=_("Where no column says it.")),
        Setting("rater", _("Rater"), help=_("Where the whole table is what one person said.")),
        Setting("raters", _("Raters"), (("", _("As the table says")), ("part", _("The names of the files or sheets")))),
        Setting("separator", _("Between several entries of a cell"), initial="tab", help=_("tab, or a character.")),
    ]


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    return guess_meanings(study, table, chosen)


def plan(study: Study, table: Table, mapped: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    mapping = {
        column.column: f"{column.meaning.name}: {column.name}" if column.name else column.meaning.name
        for column in mapped
    }
    import_plan = plan_import(study, table, mapping, chosen, answers)

    def write(by: Any) -> str:
        count = write_planned(study, import_plan, table.name, by).judgements.count()
        return ngettext("%(n)s judgement is in.", "%(n)s judgements are in.", count) % {"n": count}

    questions = [
        Question(question.name, question.sentence, tuple(question.choices), question.answer)
        for question in import_plan.questions
    ]
    return Plan(import_plan.numbers, questions, list(import_plan.notes), nothing=import_plan.nothing, write=write)


def reads(table: Table, chosen: Settings) -> list[str]:
    """The columns that the preset reads by itself."""
    name = chosen.get("preset") or recognised_format(table.columns, first_rows(table))
    return [column for column in table.columns if TOOL_FORMATS[name].reads(column)] if name in TOOL_FORMATS else []


TARGET = Target(
    _("Judgements"), _("What people said of outputs elsewhere, on a crowd site or in a survey."),
    MEANINGS, settings, guess, plan, reads=reads, page="study_ratings",
)  # fmt: skip
