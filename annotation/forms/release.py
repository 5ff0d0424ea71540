"""The form that asks for a release."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from annotation.gold.release.settings import gold_formats, gold_kinds
from corpora.models import Study


class ReleaseForm(forms.Form):
    """Which gold a release holds, and in which forms."""

    campaigns = forms.MultipleChoiceField(
        label=_("Campaigns"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick none to include all. Of stages that follow each other, the last one's work is taken."),
    )  # fmt: skip
    formats = forms.MultipleChoiceField(label=_("Forms"), widget=forms.CheckboxSelectMultiple, initial=["jsonl"],
        help_text=_("The formats that can hold this study's data."),
    )  # fmt: skip
    unreviewed = forms.BooleanField(
        label=_("With work that nobody has reviewed yet"), required=False, initial=True,
        help_text=_("Rejected work is never in it."),
    )  # fmt: skip
    alone = forms.BooleanField(
        label=_("With sentences that nobody was asked to work on"), required=False,
        help_text=_("Each stands for itself, in the train split: the unpaired half of MSD."),
    )  # fmt: skip
    imported = forms.BooleanField(
        label=_("From imported gold in place of campaigns"), required=False,
        help_text=_("What was read from a file in a published form is written again."),
    )  # fmt: skip
    changes = forms.CharField(
        label=_("What it changes"), required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What is different from the release before, and why. It appears in the datasheet."),
    )  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        campaigns = study.campaigns.filter(purpose="work")
        offer(self, "campaigns", [(campaign.slug, campaign.name) for campaign in campaigns])
        kinds = gold_kinds(study)
        offer(
            self,
            "formats",
            [(name, _(form.title)) for name, form in gold_formats().items() if not form.kinds or form.kinds & kinds],
        )
        if not campaigns:
            del self.fields["campaigns"]
        if not study.imported_gold.exists():
            del self.fields["imported"]
        if not study.documents.exists():
            del self.fields["alone"]
        if study.releases.exists():
            self.fields["changes"].required = True
        else:
            del self.fields["changes"]

    def settings(self) -> dict[str, Any]:
        """The answers as the settings of a release."""
        said = self.cleaned_data
        return {
            "from": "imported" if said.get("imported") else "campaigns",
            "campaigns": said.get("campaigns", []),
            "forms": said["formats"],
            "unreviewed": said["unreviewed"],
            "alone": said.get("alone", False),
        }
