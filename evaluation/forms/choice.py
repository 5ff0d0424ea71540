"""The form of how a report compares."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corpora.models import Study
from evaluation.actions.choose_report import CORRECTIONS, HIGHEST, LOWEST
from evaluation.models import ReportChoice
from evaluation.snapshot_builder.variants import VARIANTS

CORRECTION_LABELS = {
    "holm": _("Holm"), "benjamini_hochberg": _("Benjamini-Hochberg"), "none": _("none"),
}  # fmt: skip
SPLIT_LABELS = {
    "": _("test split, else all"), "test": _("test split"),
    "tune": _("tune split"), "train": _("train split"), "all": _("all"),
}  # fmt: skip


class ReportChoiceForm(forms.Form):
    """How a study's report compares systems: against which, how surely, and which judgements lead."""

    baseline = forms.ChoiceField(label=_("Baseline"), required=False, help_text=_("Stars mark what differs from it."))
    alpha = forms.FloatField(label=_("Level"), min_value=LOWEST, max_value=HIGHEST, help_text=_("0.05 is usual."))
    correction = forms.ChoiceField(
        label=_("Correction"), choices=[(name, CORRECTION_LABELS[name]) for name in CORRECTIONS],
        help_text=_("For comparing many systems at once."),
    )  # fmt: skip
    variant = forms.ChoiceField(
        label=_("Judgements"), choices=list(VARIANTS.items()),
        help_text=_("Those that lead; the others stand beside them."),
    )  # fmt: skip
    split = forms.ChoiceField(
        label=_("Sentences"), choices=list(SPLIT_LABELS.items()), required=False,
        help_text=_("All numbers are over them."),
    )  # fmt: skip
    human_systems = forms.BooleanField(
        label=_("Rank metrics over people's own systems too"), required=False,
        help_text=_("Otherwise what people wrote stays out of the rankings of metrics, as is usual."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study) -> None:
        self.systems = {system.name: system for system in study.systems.all()}
        chosen = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
        names = {system.pk: name for name, system in self.systems.items()}
        super().__init__(data, initial={
            "baseline": names.get(chosen.baseline_id, ""), "alpha": chosen.alpha, "correction": chosen.correction,
            "variant": chosen.variant, "split": chosen.split, "human_systems": chosen.human_systems,
        })  # fmt: skip
        first = [("", _("the first that is no person"))]
        self.fields["baseline"].choices = [*first, *[(name, name) for name in self.systems]]

    def choice(self) -> dict[str, Any]:
        """As `choose_report` takes it."""
        return {**self.cleaned_data, "baseline": self.systems.get(self.cleaned_data["baseline"])}
