"""The form of a campaign: a short first part that is enough, and the rest folded away behind it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Role
from annotation.forms.checks import ChecksForm
from annotation.forms.eligibility import EligibilityForm
from annotation.forms.entry_settings import LinesField, SettingsForm
from annotation.models import Campaign
from annotation.quality import Checked
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Sentence, Study
from foundation.errors import UserError

ROLES = [
    (Role.EXPERT_ANNOTATOR.value, _("Expert annotators")),
    (Role.CROWD_ANNOTATOR.value, _("Crowd annotators")),
    (Role.REVIEWER.value, _("Reviewers")),
    (Role.RESEARCHER.value, _("Researchers")),
]
# What somebody who is not asked gets; the rest of the form says only what differs.
PLAIN = {
    "purpose": Campaign.Purpose.WORK.value, "after": None, "takes": Campaign.Takes.ACCEPTED.value, "splits": [],
    "needs_review": False, "crew": {}, "checks": {}, "reasons": [], "control_every": 0, "pay": {},
}  # fmt: skip
IN_FIELD = {
    "pay.currency": "currency", "pay.item": "per_item", "pay.hour": "per_hour", "pay.rejected": "pay_rejected",
    "pay.minutes": "pay_minutes",
}  # fmt: skip
FOLDS = {
    "kind": [], "crew": ["roles"], "review": ["needs_review", "reasons", "control_every"],
    "pay": ["currency", "per_item", "per_hour", "pay_minutes", "pay_rejected"],
    "more": ["purpose", "splits", "planned", "lease_minutes", "seed"],
}  # fmt: skip
MONEY = {"required": False, "min_value": 0, "max_digits": 9, "decimal_places": 4}


class CampaignForm(forms.Form):
    """What create_campaign and edit_campaign take. Of the settings only those of the chosen kind are read."""

    name = forms.CharField(label=_("Name"), max_length=200)
    task_type = forms.ChoiceField(label=_("Kind of work"), widget=forms.RadioSelect)
    after = forms.ChoiceField(
        label=_("It works on"), required=False,
        help_text=_("The texts of the study, or what another campaign made: then this is the stage after it."),
    )  # fmt: skip
    takes = forms.ChoiceField(label=_("It takes"), choices=Campaign.Takes, required=False)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    overlap = forms.IntegerField(
        label=_("People an item"), min_value=1, max_value=100, initial=1,
        help_text=_("So many different people answer each item."),
    )  # fmt: skip
    systems = forms.MultipleChoiceField(
        label=_("Systems to judge"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("For work that judges. None ticked means all."),
    )  # fmt: skip
    guideline = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))
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
    planned = forms.BooleanField(
        label=_("Make its items when it starts"), required=False,
        help_text=_("From the texts that the study has then. A stage after another always does."),
    )  # fmt: skip
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=-(2**31), max_value=2**31 - 1)

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign | None = None) -> None:
        super().__init__(data, initial=_initial(campaign) if campaign else None)
        self.study, self.campaign = study, campaign
        others = [one for one in study.campaigns.all() if one != campaign]
        self._offer(others)
        kinds = {campaign.task_type: TASK_TYPES[campaign.task_type]} if campaign else TASK_TYPES
        self.crew = EligibilityForm(data, campaigns=others, stored=campaign.crew if campaign else None)
        of = _checked(campaign) if campaign else None
        self.checks = ChecksForm(data, stored=campaign.checks if campaign else None, of=of)
        self.kinds = {
            name: SettingsForm(
                data, prefix=f"settings-{name}", entry=kind, stored=campaign.settings if campaign else None
            )
            for name, kind in kinds.items()
        }
        for name in self.fixed():
            del self.fields[name]

    def fixed(self) -> list[str]:
        """The fields that can no longer be changed."""
        return []

    def is_valid(self) -> bool:
        """Every part of the form; of the settings those of the chosen kind."""
        chosen = self._settings() if super().is_valid() else None
        parts = [one.is_valid() for one in [self.crew, self.checks, chosen] if one is not None and one.is_bound]
        return super().is_valid() and all(parts)

    @property
    def opened(self) -> dict[str, bool]:
        """Which of the folded parts are open: those in which something is wrong."""
        wrong = {name for name in self.fields if self.is_bound and name in self.errors}
        parts = {name: bool(wrong & set(fields)) for name, fields in FOLDS.items()}
        parts["crew"] |= bool(self.crew.errors)
        parts["review"] |= bool(self.checks.errors)
        return {**parts, "kind": any(kind.errors for kind in self.kinds.values())}

    def refuse(self, error: UserError) -> None:
        """Put what an action said beside the field that it names, else above the form."""
        rule = error.where.removeprefix("crew.").replace(".", "-")
        chosen = self._settings()
        if chosen is not None and error.where in chosen.fields:
            chosen.add_error(error.where, error.sentence)
        elif error.where.startswith("crew.") and rule in self.crew.fields:
            self.crew.add_error(rule, error.sentence)
        elif (name := IN_FIELD.get(error.where, error.where)) in self.fields:
            self.add_error(name, error.sentence)
        else:
            self.add_error(None, str(error))

    def options(self, criteria: list[dict[str, Any]]) -> dict[str, Any]:
        """What `create_campaign` takes, from a form that is valid."""
        given = self.cleaned_data
        plain = ("name", "task_type", "overlap", "roles", "lease_minutes", "seed", "guideline")
        systems = list(self.study.systems.filter(pk__in=given["systems"])) if given["systems"] else None
        rest = self.staffing()
        return {
            **{key: given[key] for key in plain},
            **{key: value for key, value in rest.items() if value != PLAIN[key]},
            "direction": self.study.directions.get(pk=given["direction"]) if given["direction"] else None,
            **({"planned": True} if given["planned"] else {}),
            "systems": systems,
            "settings": self.settings(criteria),
        }

    def staffing(self) -> dict[str, Any]:
        """Stage, crew, review and pay, as the model keeps them; of a field that is fixed what stands."""
        given = self.cleaned_data
        pay = {key: float(given[f"per_{key}"]) for key in ("item", "hour") if given[f"per_{key}"]}
        currency = {"currency": given["currency"].strip().upper()} if given["currency"].strip() else {}
        rejected = {"rejected": True} if given["pay_rejected"] else {}
        planned = {"minutes": float(given["pay_minutes"])} if given["pay_minutes"] else {}
        rest = {
            "needs_review": given["needs_review"],
            "crew": self.crew.values(),
            "checks": self.checks.values(self.campaign.checks if self.campaign else None),
            "reasons": given["reasons"],
            "control_every": given["control_every"] or 0,
            "pay": {**currency, **pay, **planned, **rejected} if pay else {},
        }
        return {**rest, **self._stage()}

    def _stage(self) -> dict[str, Any]:
        if "after" in self.fixed():
            return {}
        given = self.cleaned_data
        after = self.study.campaigns.get(slug=given["after"]) if given["after"] else None
        return {
            "after": after,
            "takes": given["takes"] or PLAIN["takes"],
            "splits": given["splits"],
            "purpose": given["purpose"] or PLAIN["purpose"],
        }

    def settings(self, criteria: list[dict[str, Any]] | None) -> dict[str, Any]:
        """The settings of the chosen kind, with the criteria where it rates on some."""
        chosen = self._settings()
        given = chosen.values()
        return (
            {**given, "criteria": criteria} if criteria is not None and "criteria" in chosen.entry.defaults else given
        )

    def _settings(self) -> SettingsForm | None:
        return self.kinds.get(self.campaign.task_type if self.campaign else self.cleaned_data["task_type"])

    def _offer(self, others: list[Campaign]) -> None:
        """The choices that the study gives."""
        kinds = [(name, f"{_(kind.label)}: {_(kind.verb).lower()}") for name, kind in TASK_TYPES.items()]
        self.fields["task_type"].choices = kinds
        directions = [(direction.pk, direction.name) for direction in self.study.directions.all()]
        self.fields["direction"].choices = [("", _("All directions")), *directions]
        self.fields["systems"].choices = [(system.pk, system.name) for system in self.study.systems.all()]
        stages = [(one.slug, one.name) for one in others if one.purpose == Campaign.Purpose.WORK]
        self.fields["after"].choices = [("", _("The texts of the study")), (_("What was made in"), stages)]


class EditCampaignForm(CampaignForm):
    """A campaign as it stands. What its items were made with is fixed; the guideline has versions of its own."""

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign) -> None:
        super().__init__(data, study=study, campaign=campaign)
        if campaign.size:
            self.kinds = {}

    def fixed(self) -> list[str]:
        made_with = (
            ["after", "takes", "splits", "overlap", "purpose", "direction", "seed"] if self.campaign.size else []
        )
        return ["task_type", "systems", "guideline", "planned", *made_with]

    def changes(self) -> dict[str, Any]:
        """What differs from the campaign, as `edit_campaign` takes it. Only after is_valid()."""
        given = self.cleaned_data
        now = {key: given[key] for key in ("name", "overlap", "roles", "lease_minutes", "seed") if key in given}
        now |= self.staffing()
        if "direction" in given:
            now["direction"] = self.study.directions.get(pk=given["direction"]) if given["direction"] else None
        if self.kinds:
            now["settings"] = {**self.campaign.settings, **self.settings(None)}
        return {key: value for key, value in now.items() if value != getattr(self.campaign, key)}


class GuidelineForm(forms.Form):
    text = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))


def _initial(campaign: Campaign) -> dict[str, Any]:
    names = [
        "name", "overlap", "roles", "lease_minutes", "purpose", "takes", "splits", "needs_review", "reasons",
        "control_every", "seed",
    ]  # fmt: skip
    stored = {name: getattr(campaign, name) for name in names}
    pay = {IN_FIELD[f"pay.{key}"]: value for key, value in campaign.pay.items()}
    after = campaign.after.slug if campaign.after else ""
    return {**stored, **pay, "after": after, "direction": campaign.direction_id}


def _checked(campaign: Campaign) -> Checked:
    """What the quality checks ask of a campaign."""
    kind = TASK_TYPES[campaign.task_type]
    writes = type(kind).texts is not TaskType.texts
    chooses = kind.judges() or type(kind).decisions is not TaskType.decisions
    return Checked(writes, chooses, campaign.overlap, campaign.items.filter(control=True).exists())
