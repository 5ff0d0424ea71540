"""The receivers of the signals that other rooms send."""

from collections.abc import Collection
from typing import Any

from django.dispatch import receiver

from accounts.models import Person
from accounts.permissions import Can
from accounts.privacy import erase_words, person_erased
from annotation.attention_checks import ByCampaign, attention_checks_wanted
from annotation.campaigns.suggested_marks import ByText, imported_marks_wanted
from corpora.models import Direction, Study, System
from corpora.table_import.signals import report_wanted
from corpora.trash import before_renaming
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.human_studies.workers import checks_of_campaigns
from evaluation.marked_outputs import imported_marks
from evaluation.metric_selection import PRESETS
from evaluation.models import HumanStudy, RaterTraits
from evaluation.preference_pairs import judged_pairs
from foundation.errors import UserError
from modelserving.training_runs.preferences import JudgedPairs, judged_pairs_wanted


@receiver(report_wanted, dispatch_uid="evaluation.report_on_imported_table")
def compute_report(sender: Any, study: Study, by: Any, **kwargs: Any) -> None:
    """Start the report, with metrics that need no model where the study has chosen none.

    Where it cannot start, the table comes in all the same: the report's page says what is lacking.
    """
    if by is None or not study.can(by, Can.RUN_METRICS):
        return
    if not study.metric_choices.exists():
        choose_metrics(study=study, metrics={name: {} for name in PRESETS["no_model"].metrics})
    try:
        start_metrics(study=study, by=by)
    except UserError:
        return


@receiver(judged_pairs_wanted, dispatch_uid="evaluation.judged_pairs")
def give_judged_pairs(sender: Any, direction: Direction, criterion: str, **kwargs: Any) -> JudgedPairs:
    return judged_pairs(direction, criterion)


@receiver(imported_marks_wanted, dispatch_uid="evaluation.imported_marks")
def give_imported_marks(sender: Any, study: Study, rater: str, **kwargs: Any) -> ByText:
    return imported_marks(study, rater)


@receiver(attention_checks_wanted, dispatch_uid="evaluation.attention_checks")
def give_attention_checks(sender: Any, campaigns: Collection[int], **kwargs: Any) -> ByCampaign:
    return checks_of_campaigns(campaigns)


@receiver(before_renaming, dispatch_uid="evaluation.renamed_system")
def rename_in_plans(sender: Any, system: System, name: str, **kwargs: Any) -> None:
    """A frozen plan keeps its names, which its digest holds; in drafts the system has its new name."""
    for plan in HumanStudy.objects.filter(study=system.study):
        rules = (plan.frozen or {}).get("rules", {})
        if system.name in (*rules.get("systems", ()), *rules.get("others", ())):
            raise UserError(
                "The frozen plan of '{plan}' names this system, so its name stays.", plan=plan.name, where="name"
            )
        asked = plan.comparison
        if plan.frozen is None and system.name in (asked.get("baseline"), *asked.get("systems", ())):
            new = [name if one == system.name else one for one in asked.get("systems", ())]
            base = name if asked.get("baseline") == system.name else asked.get("baseline")
            plan.comparison = {**asked, "systems": new, "baseline": base}
            plan.save(update_fields=["comparison"])


# When a person is erased, this room forgets the words that name them in a reason why somebody is left out.


@receiver(person_erased, dispatch_uid="evaluation.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    erase_words(HumanStudy, ["excluded"], pattern)
    erase_words(RaterTraits, ["left_out"], pattern)
