from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import MachineRater
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.models import ReportChoice
from evaluation.report_fields import ReportFields
from foundation.errors import UserError
from foundation.options import validate_options


@audited
@transaction.atomic
def choose_report(*, study: Study, by: Any = None, **given: Any) -> ReportChoice:
    """Set how a study's report compares: the fields of `ReportFields`; fields left out have their defaults.

    Raises:
        UserError: A field is not as declared, or the baseline is another study's system.
    """
    lock_study(study)
    fields = vars(validate_options(ReportFields, given))
    if fields["baseline"] is not None and fields["baseline"].study_id != study.pk:
        raise UserError("The baseline is a system of another study.", where="baseline")
    rating = set(MachineRater.objects.filter(of__study=study).values_list("name", flat=True))
    if unknown := next((name for name in fields["machines"] if name not in rating), ""):
        raise UserError("No language model of the name '{name}' rates in this study.", name=unknown, where="machines")
    choice, _ = ReportChoice.objects.update_or_create(
        study=study, defaults={**fields, "joint": list(fields["joint"]), "machines": list(fields["machines"])}
    )
    return choice
