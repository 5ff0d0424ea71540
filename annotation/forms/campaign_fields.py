"""The fields of a campaign's form: a short first part that is enough, and the rest folded away behind it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Role
from annotation.forms.entry_settings import LinesField
from annotation.models import Campaign
from corpora.models import Sentence

ROLES = [
    (Role.EXPERT_ANNOTATOR.value, _("Expert annotators")),
    (Role.CROWD_ANNOTATOR.value, _("Crowd annotators")),
    (Role.REVIEWER.value, _("Reviewers")),
    (Role.RESEARCHER.value, _("Researchers")),
]
MONEY = {"required": False, "min_value": 0, "max_digits": 9, "decimal_places": 4}


class CampaignFields(forms.Form):
    """The fields; what they mean to an action is said by `CampaignForm`."""

    name = forms.CharField(label=_("Name"), max_length=200)
    task_type = forms.ChoiceField(label=_("Kind of work"), widget=forms.RadioSelect)
    after = forms.ChoiceField(
        label=_("It works on"), required=False,
        help_text=_("The texts of the study, or what another campaign made: then this is the stage after it."),
    )  # fmt: skip
    takes = forms.ChoiceField(label=_("It takes"), choices=Campaign.Takes, required=False)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    overlap = forms.IntegerField(
        label=_("People per item"), min_value=1, max_value=100, initial=1,
        help_text=_("How many different people answer each item."),
    )  # fmt: skip
    systems = forms.MultipleChoiceField(
        label=_("Systems to judge"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("For work that judges. None ticked means all."),
    )  # fmt: skip
    guideline = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))
    submits_at_once = forms.BooleanField(
        label=_("Submit on the last answer"), required=False,
        help_text=_("The last choice hands an item in, and Enter a rewrite. Each person may choose otherwise."),
    )  # fmt: skip
    purpose = forms.ChoiceField(
        label=_("Purpose"), choices=Campaign.Purpose, required=False, initial=Campaign.Purpose.WORK,
        help_text=_("Training and qualification need an expected answer for each item; they make no data."),
    )  # fmt: skip
    splits = forms.MultipleChoiceField(
        label=_("Splits"), choices=Sentence.Split, required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked means all."),
    )  # fmt: skip
    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=ROLES, widget=forms.CheckboxSelectMultiple, initial=[value for value, _label in ROLES]
    )
    needs_review = forms.BooleanField(
        label=_("Each answer is reviewed"), required=False,
        help_text=_("Only what a reviewer accepted counts and goes on to the next stage."),
    )  # fmt: skip
    reasons = LinesField(
        label=_("Reasons for a rejection"), required=False,
        help_text=_("One a line, as the guideline names them. The annotator reads the one that is chosen."),
    )  # fmt: skip
    control_every = forms.IntegerField(
        label=_("A control item in every"), min_value=0, max_value=1000, initial=0, required=False,
        help_text=_("Of so many items one has an expected answer and is there to check on the work; 0 for none."),
    )  # fmt: skip
    currency = forms.CharField(label=_("Currency"), required=False, max_length=3, help_text=_("Such as EUR."))
    per_item = forms.DecimalField(label=_("For an item"), **MONEY)
    per_hour = forms.DecimalField(label=_("For an hour"), **MONEY)
    pay_minutes = forms.DecimalField(
        label=_("Minutes paid for an item"), required=False, min_value=0, max_value=24 * 60, decimal_places=2,
        help_text=_("At most, where an hour is paid. Left empty: as long as somebody keeps an item."),
    )  # fmt: skip
    pay_rejected = forms.BooleanField(label=_("Rejected items are paid too"), required=False)
    lease_minutes = forms.IntegerField(
        label=_("Minutes for an item"), min_value=1, max_value=7 * 24 * 60, initial=60,
        help_text=_("After so long without a sign of its annotator an item may go to somebody else."),
    )  # fmt: skip
    prefetch = forms.IntegerField(
        label=_("Items fetched ahead"), min_value=0, max_value=20, initial=0, required=False,
        help_text=_("So many wait in the page of an annotator, who can go on without a network; 0 for none. "
                    "Never in a training, a qualification or with control items."),
    )  # fmt: skip
    planned = forms.BooleanField(
        label=_("Make its items when it starts"), required=False,
        help_text=_("From the texts that the study has then. A stage after another always does."),
    )  # fmt: skip
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=-(2**31), max_value=2**31 - 1)
