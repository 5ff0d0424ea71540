"""People who judged elsewhere, with what is known of them: a site's list of participants, joined by their ids."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from corpora.models import Study
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import Notes, Table
from evaluation.actions.keep_rater_traits import keep_rater_traits
from evaluation.imported_judgements.columns import RATER, plain
from evaluation.imported_judgements.tool_formats.prolific import BOOKKEEPING, PEOPLE
from evaluation.models import Judgement
from foundation.errors import UserError, first_five
from foundation.text_keys import name_key
from foundation.translation import translatable, translate

MEANINGS = (
    Meaning("rater", _("Rater")),
    Meaning("trait", _("What is known of a rater"), named="name", several=True),
)
WITHHELD = frozenset(("CONSENT_REVOKED", "DATA_EXPIRED", "DATA EXPIRED"))
"""What Prolific writes for what a participant no longer shares, or shared too long ago."""
LONGEST, LONGEST_VALUE = 100, 200


def settings(study: Study) -> list[Setting]:
    return []


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    """The column of the ids, and all that is no bookkeeping of the site."""
    names = {column: plain(column) for column in table.columns}
    known = [column for name in PEOPLE for column in names if names[column] == name]
    who = next(iter([*known, *(column for column, name in names.items() if name in RATER)]), "")
    return {
        column: "rater" if column == who else "" if names[column] in BOOKKEEPING else f"trait: {column}"
        for column in table.columns
    }


def plan(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    who = next((one for one in columns if one.meaning.name == "rater"), None)
    traits = [one for one in columns if one.meaning.name == "trait"]
    if who is None or not traits:
        raise UserError("Say which column holds the raters' ids, and which what is known of them.", where="mapping")
    made, notes, rows = Plan(), Notes(), 0
    found: dict[str, dict[str, str]] = {}
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
    names = _known_here(study)
    strangers = [rater for rater in found if rater not in names]
    made.numbers = [
        (translatable("Rows read"), rows), (translatable("People"), len(found)),
        (translatable("Raters of this study"), len(found) - len(strangers)),
    ]  # fmt: skip
    if twice:
        made.ask(
            answers, "twice", translate("People who stand in several rows that differ: {names}.",
                                        names=first_five(dict.fromkeys(twice))),
            ("last", translatable("Take what the last row says")),
        )  # fmt: skip
    answer = "leave_out"
    if strangers:
        sentence = translate("{count} of these people judged nothing here.", count=f"{len(strangers):,}")
        answer = made.ask(
            {"strangers": answer, **answers}, "strangers", sentence,
            ("leave_out", translatable("Leave them out")),
            ("keep", translatable("Keep them, for judgements that come later")),
        )  # fmt: skip
    data = {names.get(rater, rater): told for rater, told in found.items() if told}
    if answer != "keep":
        data = {name: told for name, told in data.items() if name in names.values()}
    if not data:
        made.nothing = translatable("Nobody in the table judged in this study: import the judgements first.")
    made.notes = list(notes)

    def write(by: Any) -> str:
        count = keep_rater_traits(study=study, data=data, by=by)
        return ngettext("More is known of %(n)s rater.", "More is known of %(n)s raters.", count) % {"n": count}

    made.write = write
    return made


def _value(cell: str, notes: Notes, line: int) -> str:
    value = cell.strip()
    if value.upper() in WITHHELD:
        notes.add(translatable("What participants no longer share is left out."), line)
        return ""
    if len(value) > LONGEST_VALUE:
        notes.add(translatable("Values of more than 200 characters are cut."), line)
    return value[:LONGEST_VALUE]


def _known_here(study: Study) -> Mapping[str, str]:
    """The raters of the imported judgements, as they are written there, by their key."""
    workers = Judgement.objects.filter(ratings_import__study=study).values_list("worker", flat=True).distinct()
    return {name_key(worker): worker for worker in workers}


TARGET = Target(
    _("People who judged"), _("What is known of raters, such as age and language, by their ids."),
    MEANINGS, settings, guess, plan, page="study_ratings",
)  # fmt: skip
