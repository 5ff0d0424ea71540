"""Language models that rate beside people: their means of systems, and how far they agree with the people."""

from collections.abc import Mapping
from typing import Any

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, missing_content, number
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

TITLE = "Language models as raters"
SYSTEMS_TITLE = "Systems by language models as raters"
HEAD = ["Criterion", "Rater", "Judgements", "Both", "r with people", "Offset", "Alpha of people", "Alpha with it"]
SYSTEMS_HEAD = ["Criterion", "Rater", "System", "Mean", "Judgements"]
NONE = translatable("No language model rates in this study.")
ABOUT = (
    "A language model that rates is not a person: it counts in no mean, agreement or test of people unless the report "
    "names it. Both: texts that it and people judged; r and the offset are of its value and the people's mean of "
    "these, alpha is of the people alone and with the model among them."
)
ASKED = "{name}: {signature}."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion and machine."""
    entries = snapshot.report["machines"]
    if not entries:
        return missing_content(TITLE, NONE)
    rows = [
        [
            Cell(of["criterion"]), Cell(of["name"]), number(of["n"], 0), number(of["both"], 0), number(of["r"], 3),
            number(of["offset"], 2), number(of["alpha_people"], 3), number(of["alpha_with"], 3),
        ]
        for of in entries
    ]  # fmt: skip
    return Table(TITLE, HEAD, rows, [ABOUT, *_asked(entries)])


def make_systems(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion, machine and system."""
    entries = snapshot.report["machines"]
    if not entries:
        return missing_content(SYSTEMS_TITLE, NONE)
    rows = [
        [
            Cell(of["criterion"]), Cell(of["name"]), Cell(row["system"]),
            Cell(DASH) if row["mean"] is None else number(row["mean"], 2), number(row["n"], 0),
        ]
        for of in entries
        for row in of["systems"]
    ]  # fmt: skip
    return Table(SYSTEMS_TITLE, SYSTEMS_HEAD, rows, [ABOUT, *_asked(entries)])


def _asked(entries: list[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(ASKED.format(name=of["name"], signature=of["signature"]) for of in entries))


ENTRIES = {
    "machine_raters": TableOrFigure(title=TITLE, make=make, kind="study", order=15, of_corpus=True),
    "machine_rater_systems": TableOrFigure(
        title=SYSTEMS_TITLE, make=make_systems, kind="study", order=16, of_corpus=True
    ),
}
