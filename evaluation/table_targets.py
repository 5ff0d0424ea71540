"""The contents that tables can bring into an evaluation: judgements, traits of people who judged, and metric scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from corpora.models import Study
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import Notes, Table
from evaluation.actions.bring_in_judgements import write_planned
from evaluation.actions.keep_rater_traits import keep_rater_traits
from evaluation.imported_judgements.columns import RATER, plain
from evaluation.imported_judgements.judgement_plan import first_rows, guess_meanings, plan_import
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from evaluation.imported_judgements.tool_formats.prolific import BOOKKEEPING, PEOPLE
from evaluation.imported_scores import guess_scores, plan_scores
from evaluation.models import Judgement
from foundation.errors import UserError, first_five
from foundation.text_keys import name_key
from foundation.translation import translatable, translate

# Judgements as what a table can bring in: the wizard of the pages, its endpoint and the study file ask here.

JUDGEMENT_MEANINGS = (
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
    Meaning("seconds", _("Time taken")),
    Meaning("started", _("Begin time")),
    Meaning("ended", _("End time")),
    Meaning("state", _("Whether it counts")),
    Meaning("rejected", _("Reason of a rejection")),
)


def judgement_settings(study: Study) -> list[Setting]:
    presets = tuple((name, TOOL_FORMATS[name].title) for name in TOOL_FORMATS.names())
    directions = tuple(
        (direction.name, f"{direction.source_style} → {direction.target_style}") for direction in study.directions.all()
    )
    systems = tuple((system.name, system.name) for system in study.systems.all())
    return [
        Setting("preset", _("Made by"), (("", _("Detect")), *presets)),
        Setting("direction", _("Direction"), (("", _("As the table says")), *directions)),
        Setting("system", _("System"), (("", _("As the table says")), *systems)),
        Setting("criterion", _("Criterion of the values"), help=_("Used if no column gives it."), of=("value",)),
        Setting("rater", _("Rater"), help=_("Used if one person made the whole table."), rare=True),
        Setting(
            "raters",
            _("Raters"),
            (("", _("As the table says")), ("part", _("The names of the files or sheets"))),
            rare=True,
        ),
        Setting(
            "separator",
            _("Between several entries of a cell"),
            initial="tab",
            help=_("tab, or a character."),
            rare=True,
        ),
    ]


def plan_judgements(study: Study, table: Table, mapped: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    mapping = {
        column.column: f"{column.meaning.name}: {column.name}" if column.name else column.meaning.name
        for column in mapped
    }
    import_plan = plan_import(study, table, mapping, chosen, answers)

    def write(by: Any) -> str:
        count = write_planned(study, import_plan, table.name, by).judgements.count()
        return ngettext("%(n)s judgement is imported.", "%(n)s judgements are imported.", count) % {"n": count}

    import_plan.write = write
    return import_plan


def read_by_preset(table: Table, chosen: Settings) -> list[str]:
    """The columns that the preset reads by itself."""
    name = chosen.get("preset") or recognised_format(table.columns, first_rows(table))
    return [column for column in table.columns if TOOL_FORMATS[name].reads(column)] if name in TOOL_FORMATS else []


def tool_of(table: Table) -> str:
    """The name of the tool that made a table of judgements; "" for an unknown one."""
    name = recognised_format(table.columns, first_rows(table))
    return "" if name == "plain" else TOOL_FORMATS[name].title


# Traits of people who judged elsewhere: a site's list of participants, joined by their ids.

RATER_MEANINGS = (
    Meaning("rater", _("Rater")),
    Meaning("trait", _("Fact about the rater"), named="name", several=True),
    Meaning("left_out", _("Why filtered judgements are without the rater")),
)
WITHHELD = frozenset(("CONSENT_REVOKED", "DATA_EXPIRED", "DATA EXPIRED"))
"""What Prolific writes for what a participant no longer shares, or shared too long ago."""
LONGEST, LONGEST_VALUE, LONGEST_REASON = 100, 200, 2000
LEFT_OUT = "left_out"
"""The column of the reasons for which raters are left out, in Restyle's own tables."""


def rater_settings(study: Study) -> list[Setting]:
    return []


def guess_raters(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    """The column of the ids, and all that is no bookkeeping of the site."""
    names = {column: plain(column) for column in table.columns}
    known = [column for name in PEOPLE for column in names if names[column] == name]
    who = next(iter([*known, *(column for column, name in names.items() if name in RATER)]), "")
    return {
        column: "rater" if column == who else LEFT_OUT if column == LEFT_OUT
        else "" if names[column] in BOOKKEEPING else f"trait: {column}"
        for column in table.columns
    }  # fmt: skip


def plan_raters(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    who = next((one for one in columns if one.meaning.name == "rater"), None)
    traits = [one for one in columns if one.meaning.name == "trait"]
    reasons = next((one for one in columns if one.meaning.name == LEFT_OUT), None)
    if who is None or not (traits or reasons):
        raise UserError("Choose the column of the raters' ids, and the columns of facts about them.", where="mapping")
    made, notes, rows = Plan(), Notes(), 0
    found: dict[str, dict[str, str]] = {}
    out: dict[str, str] = {}
    twice: list[str] = []
    for row in table.records():
        rows += 1
        rater = name_key(row.cells[who.place])
        if not rater or len(rater) > LONGEST:
            notes.add(translatable("Rows without a rater's id are left out."), row.line)
            continue
        told = {one.name: _value(row.cells[one.place], notes, row.line) for one in traits}
        kept = {name: value for name, value in told.items() if value}
        if rater in found and found[rater] != kept:
            twice.append(rater)
        found[rater] = {**found.get(rater, {}), **kept}
        if reasons is not None:
            out[rater] = row.cells[reasons.place].strip()[:LONGEST_REASON]
    names = _known_here(study)
    strangers = [rater for rater in found if rater not in names]
    made.numbers = [
        (translatable("Rows read"), rows), (translatable("People"), len(found)),
        (translatable("Raters of this study"), len(found) - len(strangers)),
    ]  # fmt: skip
    if reasons is not None:
        made.numbers.append((translatable("Left out of filtered judgements"), sum(map(bool, out.values()))))
    if twice:
        made.ask(
            answers, "twice", translate("People with several different rows: {names}.",
                                        names=first_five(dict.fromkeys(twice))),
            ("last", translatable("Take the last row")),
        )  # fmt: skip
    answer = ""
    if strangers:
        sentence = translate("{count} of these people judged nothing in this study.", count=f"{len(strangers):,}")
        answer = made.ask(
            answers, "strangers", sentence,
            ("leave_out", translatable("Leave them out")),
            ("keep", translatable("Keep them for later judgements")),
            default="leave_out",
        )  # fmt: skip
    data = {names.get(rater, rater): told for rater, told in found.items() if told}
    left_out = {names.get(rater, rater): why for rater, why in out.items()}
    if answer != "keep":
        here = set(names.values())
        data = {name: told for name, told in data.items() if name in here}
        left_out = {name: why for name, why in left_out.items() if name in here}
    if not (data or left_out):
        made.nothing = translatable("No person of the table judged in this study: import the judgements first.")
    made.notes = list(notes)

    def write(by: Any) -> str:
        count = keep_rater_traits(study=study, data=data, left_out=left_out, by=by)
        return ngettext("%(n)s rater has new facts.", "%(n)s raters have new facts.", count) % {"n": count}

    made.write = write
    return made


def _value(cell: str, notes: Notes, line: int) -> str:
    value = cell.strip()
    if value.upper() in WITHHELD:
        notes.add(translatable("Data that participants no longer share are left out."), line)
        return ""
    if len(value) > LONGEST_VALUE:
        notes.add(translatable("Values of more than 200 characters are cut."), line)
    return value[:LONGEST_VALUE]


def _known_here(study: Study) -> Mapping[str, str]:
    """The raters of the imported judgements, as they are written there, by their key."""
    workers = Judgement.objects.filter(ratings_import__study=study).values_list("worker", flat=True).distinct()
    return {name_key(worker): worker for worker in workers}


# Scores of metrics that were computed elsewhere.

SCORE_MEANINGS = (
    Meaning("source", _("Source")),
    Meaning("number", _("Number of the source")),
    Meaning("key", _("Number and system in one")),
    Meaning("output", _("Scored text")),
    Meaning("system", _("System (its name)")),
    Meaning("direction", _("Direction or target style")),
    Meaning("score", _("Score of a metric"), named="metric", several=True),
    Meaning("metric", _("Metric (its name)")),
    Meaning("value", _("Score by the row's metric")),
    Meaning("version", _("Version of the metric")),
    Meaning("signature", _("Signature of the metric")),
    Meaning("better", _("Better end: higher, lower or neither")),
)


def score_settings(study: Study) -> list[Setting]:
    directions = tuple(
        (direction.name, f"{direction.source_style} → {direction.target_style}") for direction in study.directions.all()
    )
    systems = tuple((system.name, system.name) for system in study.systems.all())
    return [
        Setting("metric", _("Metric"), help=_("Used if no column gives it."), of=("value", "score")),
        Setting("version", _("Version of the metric"), help=_("Such as that of its program or of its model.")),
        Setting("signature", _("Signature of the metric"), help=_("All else that is needed to compute it again.")),
        Setting("direction", _("Direction"), (("", _("As the table says")), *directions)),
        Setting("system", _("System"), (("", _("As the table says")), *systems)),
    ]


ENTRIES = {
    "judgements": Target(
        _("Judgements"),
        _("Judgements of outputs from elsewhere, such as a crowd site or a survey."),
        JUDGEMENT_MEANINGS,
        judgement_settings,
        guess_meanings,
        plan_judgements,
        reads=read_by_preset,
        recognises=tool_of,
        page="study_ratings",
    ),
    "raters": Target(
        _("People who judged"),
        _("Facts about raters, such as age and language, by their ids."),
        RATER_MEANINGS,
        rater_settings,
        guess_raters,
        plan_raters,
        page="study_ratings",
    ),
    "scores": Target(
        _("Scores of metrics"),
        _("Scores of outputs by metrics that were computed elsewhere, sentence by sentence."),
        SCORE_MEANINGS,
        score_settings,
        guess_scores,
        plan_scores,
        page="metrics_choose",
    ),
}
