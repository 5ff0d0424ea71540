from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.campaigns.criteria import keep_criteria
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.table_parser import Table
from evaluation.actions.import_ratings import import_ratings
from evaluation.imported_judgements.criterion_planning import ImportPlan
from evaluation.imported_judgements.judgement_plan import plan_import
from evaluation.models import RatingsImport
from foundation.errors import UserError
from foundation.polarity import check_poles


@audited
@transaction.atomic
def bring_in_judgements(
    *,
    study: Study,
    table: Table,
    mapping: Mapping[str, str],
    settings: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
    by: Any = None,
) -> RatingsImport:
    """Import the judgements of a table, all that its plan holds or none; an open question is a UserError."""
    lock_study(study)
    return write_planned(study, plan_import(study, table, mapping, settings or {}, answers or {}), table.name, by)


def write_planned(study: Study, plan: ImportPlan, name: str, by: Any) -> RatingsImport:
    """Store what a plan says, under the study's lock."""
    if plan.open:
        question = plan.open[0]
        ways = " or ".join(f"{question.name} = {value}" for value, _ in question.choices)
        raise UserError("{given} Choose what to do: {ways}.", given=question.sentence, ways=ways, where=name)
    if plan.nothing or not (plan.judgements or plan.marks):
        raise UserError(plan.nothing or "No row of the table becomes a judgement.", where=name)
    keep_criteria(study, plan.criteria)
    if plan.poles:
        study.poles = check_poles({**study.poles, **plan.poles}, study.styles)
        study.save(update_fields=["poles"])
    return import_ratings(
        study=study, format=plan.preset, file_name=name, judgements=plan.judgements, marks=plan.marks, by=by
    )
