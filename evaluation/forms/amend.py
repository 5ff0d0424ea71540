"""The form by which a human study's exclusions and main comparison are amended."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from corpora.models import Study
from evaluation.human_studies.plan_validation import EXCLUSIONS, corrections, tests
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS
from foundation.errors import UserError

RULES = {
    "least_seconds": (_("Fewest seconds an answer"), _("The median of a person's answers must not lie below.")),
    "straight_lining": (
        _("Most ratings that are one value"),
        _("From 0.3 to 1. Of a criterion's ratings by a person, at most this part may be the same value."),
    ),
    "least_agreement": (
        _("Least agreement with the others"),
        _("From −1 to 1: Spearman's ρ of a person's ratings with the mean of the others'."),
    ),
    "control_p": (
        _("Largest p of the attention test"),
        _("Whoever does not rate attention checks lower than others at this level is left out."),
    ),
    "most_missed": (
        _("Most attention checks missed"),
        _("From 0 to 1: the part of them that a person did not rate lower than what they were made of."),
    ),
}
IN_FIELD = {
    "costs.seconds": "seconds", "costs.pay": "per_hour", "pay": "per_hour", "pay.currency": "currency",
    "pay.hour": "per_hour", "pay.item": "per_item", "controls": "kinds", "controls.kinds": "kinds",
    "controls.every": "every",
}  # fmt: skip


class AmendForm(forms.Form):
    """Who is left out, and the main comparison: all that may still be changed after a study opened."""

    use_controls = forms.BooleanField(
        label=_("Leave out who fails the attention checks"), required=False,
        help_text=_("Otherwise the test is shown, and nobody is left out for it."),
    )  # fmt: skip
    baseline = forms.ChoiceField(label=_("Baseline"), required=False)
    compared = forms.MultipleChoiceField(
        label=_("Compared with it"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked means all the others."),
    )  # fmt: skip
    criterion = forms.CharField(
        label=_("On the criterion"),
        required=False,
        max_length=60,
        help_text=_("As it is named above; rank or best_worst where they are asked for."),
    )
    test = forms.ChoiceField(label=_("Test"), required=False)
    correction = forms.ChoiceField(label=_("Correction"), required=False)
    alpha = forms.FloatField(
        label=_("Level"), required=False, initial=0.05, min_value=0.0001, max_value=0.4999,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, use_required_attribute=False)
        self.study = study
        for name, (label, about) in RULES.items():
            low, high = EXCLUSIONS[name]
            number = forms.NumberInput(attrs={"step": "any"})
            self.fields[name] = forms.FloatField(
                label=label, help_text=about, required=False, min_value=low, max_value=high, widget=number
            )
        names = [(system.name, system.name) for system in study.systems.all()]
        offer(self, "baseline", [("", _("no main comparison")), *names])
        offer(self, "compared", names)
        offer(self, "test", [(name, _t(STATISTICS[name].label)) for name in tests()])
        self.fields["test"].initial = "wilcoxon"
        named = [(name, _t(STATISTICS[name].label)) for name in corrections() if name in STATISTICS]
        offer(self, "correction", [*named, ("none", _("none"))])
        self.fields["correction"].initial = "holm"

    @property
    def rules(self) -> list[Any]:
        return [self[name] for name in RULES]

    @property
    def comparing(self) -> list[Any]:
        return [self[name] for name in ("baseline", "compared", "criterion", "test", "correction", "alpha")]

    def amendments(self) -> dict[str, Any]:
        """What `amend_human_study` takes. Only after is_valid()."""
        given = self.cleaned_data
        comparison = {
            "baseline": given["baseline"], "systems": given["compared"], "criterion": given["criterion"].strip(),
            "test": given["test"] or "wilcoxon", "correction": given["correction"] or "holm",
            "alpha": given["alpha"] or 0.05,
        }  # fmt: skip
        return {
            "exclusions": {name: given[name] for name in RULES if given[name] is not None},
            "comparison": comparison if given["baseline"] else {},
            "use_controls": given["use_controls"],
        }

    def refuse(self, error: UserError) -> None:
        """Put what an action said beside the field that it names, else above the form."""
        last = error.where.rpartition(".")[2]
        names = (IN_FIELD.get(error.where, error.where), {"systems": "compared"}.get(last, last))
        chosen = names[1] if error.where.startswith(("exclusions.", "comparison.")) else names[0]
        if chosen in self.fields:
            self.add_error(chosen, error.sentence)
        else:
            self.add_error(None, str(error))


def amended(plan: HumanStudy) -> dict[str, Any]:
    """The fields of the rules as they stand now."""
    asked = dict(plan.comparison)
    compared = {"compared": asked.pop("systems")} if asked else {}
    return {**plan.exclusions, "use_controls": plan.use_controls, **asked, **compared}
