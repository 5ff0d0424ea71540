from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.table_import.import_plan import plan_for
from corpora.table_import.signals import report_wanted
from corpora.table_import.targets import TARGETS, Plan
from corpora.table_parser import Note, Table
from corpora.table_parser.notes import told
from foundation.errors import UserError


class Brought(NamedTuple):
    """The outcome of an import in a sentence, and notes of all that was guessed, dropped, changed or read otherwise."""

    said: str
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return told(self.said, self.notes)


@audited
@transaction.atomic
def bring_in_table(
    *,
    study: Study,
    table: Table,
    target: str,
    mapping: Mapping[str, str] | None,
    settings: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
    prepared: Plan | None = None,
    by: Any = None,
) -> Brought:
    """Bring the rows of a table in, all that its plan says or none.

    A question of the plan that is not among the `answers` is a UserError. A slow target's plan may have been
    `prepared` before; any other is made here, under the study's lock.
    """
    if not TARGETS[target].slow:
        lock_study(study)
    plan = prepared or plan_for(study, table, target, mapping, settings or {}, answers or {})
    refuse_open(plan, table)
    if TARGETS[target].slow:
        if prepared is None:
            plan.prepare(None)
        lock_study(study)
    sentence = plan.write(by)
    if (settings or {}).get("report"):
        report_wanted.send(sender=Study, study=study, by=by)
    return Brought(sentence, tuple(plan.notes))


def refuse_open(plan: Plan, table: Table) -> None:
    """Raise where a question is not answered, or nothing would come in."""
    if plan.open:
        one = plan.open[0]
        ways = " or ".join(f'"{words}" ({one.name} = {value})' for value, words in one.choices)
        raise UserError("{given} Choose what to do: {ways}.", given=one.sentence, ways=ways, where=table.name)
    if plan.nothing:
        raise UserError(plan.nothing, where=table.name)
