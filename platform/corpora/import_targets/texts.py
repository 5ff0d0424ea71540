"""Sources with their references and the outputs of systems: one row a source, or one a source and system."""

from collections.abc import Sequence
from pathlib import PurePath

from django.utils.translation import gettext_noop as _

from corpora.models import Direction, Sentence, Study
from corpora.table_import.column_mapping import guess_mapping
from corpora.table_import.row_grouping import GroupedRows
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import Table
from corpora.text_import.text_plan import plan_texts


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MEANINGS = (
    Meaning("source", _("Source"), _words("source sources src original input inputs sentence sentences orig")),
    Meaning("number", _("Number of the source"), _words("id ids number nr no index idx line key")),
    Meaning("reference", _("Reference"), _words("reference references ref refs target tgt gold human rewrite "
            "rewritten"), named="set", several=True),
    Meaning("references", _("References, several in a cell"), named="set"),
    Meaning("output", _("Output of a system"), _words("output outputs hyp hypothesis prediction predictions pred "
            "generated system hypotheses out"), named="system", several=True),
    Meaning("system", _("System (its name)"), _words("system systems model models")),
    Meaning("text", _("Output of the row's system"), _words("text output outputs hypothesis prediction generated")),
    Meaning("direction", _("Direction"), _words("direction task")),
    Meaning("style", _("Style of the source"), _words("style register")),
    Meaning("split", _("Split"), _words("split set fold subset partition")),
    Meaning("domain", _("Domain"), _words("domain topic category genre")),
)  # fmt: skip


def settings(study: Study) -> list[Setting]:
    directions = tuple(
        (direction.name, f"{direction.source_style} → {direction.target_style}") for direction in study.directions.all()
    )
    return [
        Setting("direction", _("Direction"), directions, directions[0][0] if len(directions) == 1 else ""),
        Setting("split", _("Split of new sources"), tuple(Sentence.Split.choices), "test", of=("source",)),
        Setting("domain", _("Domain of new sources"), help=_("Such as music; where no column says it."),
                of=("source",)),
        Setting("separator", _("Between references of one cell"), initial="|||", help=_("Characters, or tab."),
                of=("references",)),
        Setting("family", _("Family of the systems"), help=_("Runs of one model have one family."),
                of=("output", "system")),
        Setting("human", _("The outputs are people's rewrites"), flag=True, of=("output", "system")),
        Setting("report", _("Compute the report after the import"), flag=True, of=("output", "system"),
                help=_("With the chosen metrics, or where none is chosen with those that need no model.")),
        Setting("brackets", _("In references, full forms of terms stand in square brackets"), flag=True,
                of=("reference", "references")),
    ]  # fmt: skip


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    """By the columns' names, the study's styles, and the texts: a column with sources of the study is the source."""
    found = guess_mapping(MEANINGS, table)
    directions = list(study.directions.order_by("number"))
    named = (one for one in directions if one.name == chosen.get("direction"))
    direction = next(named, directions[0] if directions else None)
    if len(table.columns) == 1:
        return {table.columns[0]: _of_one(table, direction)}
    styles = {direction.source_style: "source", direction.target_style: "reference: {}"} if direction else {}
    for column in table.columns:
        if column.lower() in styles:
            found[column] = styles[column.lower()].format(column)
    _by_texts(study, table, found)
    return _without_sources(table, direction, _settled(table, found))


def _of_one(table: Table, direction: Direction | None) -> str:
    """A text for each source that is there, and no source: the outputs of a system. Else these are sources."""
    if direction is None or direction.sentences.count() != table.rows:
        return "source"
    cells = {row.cells[0].strip() for row in table.sample}
    known = direction.sentences.filter(text__in=cells).count()
    return "source" if known > len(cells) / 2 else f"output: {PurePath(table.name).stem[:100]}"


def _by_texts(study: Study, table: Table, found: dict[str, str]) -> None:
    """A column whose cells are sources of the study is the source, whatever its name."""
    for place, column in enumerate(table.columns):
        cells = {row.cells[place].strip() for row in table.sample if row.cells[place].strip()}
        known = Sentence.objects.filter(direction__study=study, text__in=cells).values("text").distinct().count()
        if known and known > len(cells) / 2:
            for other, meaning in found.items():
                if meaning == "source":
                    found[other] = ""
            found[column] = "source"
            return


def _settled(table: Table, found: dict[str, str]) -> dict[str, str]:
    """Long form where a column names systems; without a source, the first column of texts is it."""
    columns = list(table.columns)
    names = [one for one in columns if found[one] == "system" and not _is_text(table, columns.index(one))]
    texts = [one for one in columns if found[one] == "text" or found[one].startswith("output:")]
    long = len(names) == 1 and len(texts) == 1
    if long:
        found[texts[0]] = "text"
    for column in columns:
        if not long and found[column] in ("system", "text"):
            found[column] = f"output: {column}" if _is_text(table, columns.index(column)) else ""
        elif long and found[column].startswith("output:"):
            found[column] = ""
    if "source" not in found.values():
        first = next((one for one in columns if not found[one] and _is_text(table, columns.index(one))), None)
        if first is not None:
            found[first] = "source"
    for place, column in enumerate(columns):
        if not long and not found[column] and _is_text(table, place):
            found[column] = f"output: {column}"
    if "source" in found.values():
        found = {column: "" if value == "number" else value for column, value in found.items()}
    return found


def _without_sources(table: Table, direction: Direction | None, found: dict[str, str]) -> dict[str, str]:
    """A column of texts alone has outputs of the sources that are there, if as many; else the texts are sources."""
    outputs = [column for column, meaning in found.items() if meaning.startswith("output:")]
    if len(outputs) != 1 or {"source", "number"} & set(found.values()):
        return found
    there = direction.sentences.count() if direction else 0
    return found if there == table.rows else {**found, outputs[0]: "source"}


def _is_text(table: Table, place: int) -> bool:
    """Whether most cells of a column have more than one word."""
    cells = [row.cells[place] for row in table.sample if row.cells[place].strip()]
    return sum(len(cell.split()) > 1 for cell in cells) * 2 > len(cells)


def plan(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    return plan_texts(GroupedRows(study, table, columns, chosen, answers))


TARGET = Target(
    _("Sources, references and outputs"),
    _("A row a source, with its references and the outputs of one or several systems beside it."),
    MEANINGS, settings, guess, plan, page="study_texts",
)  # fmt: skip
