"""The form of how a report compares."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from corpora.models import Study
from evaluation.actions.choose_report import AVERAGINGS, CORRECTIONS, HIGHEST, LOWEST
from evaluation.models import ReportChoice
from evaluation.snapshot import EXAMPLES
from evaluation.snapshot_builder.variants import VARIANTS

CORRECTION_LABELS = {
    "holm": _("Holm"), "benjamini_hochberg": _("Benjamini-Hochberg"), "none": _("none"),
}  # fmt: skip
SPLIT_LABELS = {
    "": _("test split, else all"), "test": _("test split"),
    "tune": _("tune split"), "train": _("train split"), "all": _("all"),
}  # fmt: skip
AVERAGING_LABELS = {"sentence": _("each sentence once"), "judgement": _("each judgement once")}


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
    averaging = forms.ChoiceField(
        label=_("Means of judgements count"), choices=[(name, AVERAGING_LABELS[name]) for name in AVERAGINGS],
        required=False,
        help_text=_("A sentence with more judgements weighs no more, or as much more."),
    )  # fmt: skip
    joint = forms.CharField(
        label=_("Joint scores"), required=False, max_length=4000, widget=forms.Textarea(attrs={"rows": 2}),
        help_text=format_lazy("{} {}", _("Of several criteria, a line each, such as"), EXAMPLES),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study) -> None:
        self.systems = {system.name: system for system in study.systems.all()}
        chosen = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
        names = {system.pk: name for name, system in self.systems.items()}
        super().__init__(data, initial={
            "baseline": names.get(chosen.baseline_id, ""), "alpha": chosen.alpha, "correction": chosen.correction,
            "variant": chosen.variant, "split": chosen.split, "human_systems": chosen.human_systems,
            "averaging": chosen.averaging, "joint": "\n".join(chosen.joint),
        })  # fmt: skip
        first = [("", _("the first that is no person"))]
        offer(self, "baseline", [*first, *[(name, name) for name in self.systems]])

    def choice(self) -> dict[str, Any]:
        """As `choose_report` takes it."""
        given = self.cleaned_data
        lines = [line for line in given["joint"].splitlines() if line.strip()]
        return {
            **given, "baseline": self.systems.get(given["baseline"]), "joint": lines,
            "averaging": given["averaging"] or AVERAGINGS[0],
        }  # fmt: skip
