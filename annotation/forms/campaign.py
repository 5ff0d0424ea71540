"""The form of a campaign, with the forms of its task type, its eligibility rules and its quality checks."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.forms.campaign_fields import CampaignFields
from annotation.forms.checks import ChecksForm
from annotation.forms.eligibility import EligibilityForm
from annotation.forms.entry_settings import SettingsForm
from annotation.forms.examples import examples_form
from annotation.models import Campaign
from annotation.quality import CampaignTraits
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Study
from foundation.errors import UserError

# What somebody who is not asked gets; the rest of the form says only what differs.
PLAIN = {
    "purpose": Campaign.Purpose.WORK.value, "after": None, "takes": Campaign.Takes.ACCEPTED.value, "splits": [],
    "needs_review": False, "crew": {}, "checks": {}, "reasons": [], "control_every": 0, "prefetch": 0, "pay": {},
    "submits_at_once": False, "examples": [],
}  # fmt: skip
IN_FIELD = {
    "pay.currency": "currency", "pay.item": "per_item", "pay.hour": "per_hour", "pay.rejected": "pay_rejected",
    "pay.minutes": "pay_minutes",
}  # fmt: skip
FOLDS = {
    "kind": [], "eligibility": ["roles"], "review": ["needs_review", "reasons", "control_every"],
    "pay": ["currency", "per_item", "per_hour", "pay_minutes", "pay_rejected"],
    "more": ["purpose", "splits", "planned", "submits_at_once", "lease_minutes", "prefetch", "seed"],
}  # fmt: skip


class CampaignForm(CampaignFields):
    """What create_campaign and edit_campaign take. Of the settings only those of the chosen kind are read."""

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign | None = None) -> None:
        super().__init__(data, initial=_initial(campaign) if campaign else None)
        self.study, self.campaign = study, campaign
        others = [other for other in study.campaigns.all() if other != campaign]
        self._offer(others)
        kinds = {campaign.task_type: TASK_TYPES[campaign.task_type]} if campaign else TASK_TYPES
        self.eligibility = EligibilityForm(data, campaigns=others, stored=campaign.crew if campaign else None)
        of = _checked(campaign) if campaign else None
        self.checks = ChecksForm(data, stored=campaign.checks if campaign else None, of=of)
        self.examples = examples_form(data, campaign.examples if campaign else [])
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
        parts = [
            part.is_valid()
            for part in [self.eligibility, self.checks, self.examples, chosen]
            if part is not None and part.is_bound
        ]
        return super().is_valid() and all(parts)

    @property
    def opened(self) -> dict[str, bool]:
        """Which of the folded parts are open: those in which something is wrong."""
        wrong = {name for name in self.fields if self.is_bound and name in self.errors}
        parts = {name: bool(wrong & set(fields)) for name, fields in FOLDS.items()}
        parts["eligibility"] |= bool(self.eligibility.errors)
        parts["review"] |= bool(self.checks.errors)
        parts["examples"] = any(self.examples.errors)
        return {**parts, "kind": any(kind.errors for kind in self.kinds.values())}

    def refuse(self, error: UserError) -> None:
        """Put what an action said beside the field that it names, else above the form."""
        rule = error.where.removeprefix("crew.").replace(".", "-")
        chosen = self._settings()
        if chosen is not None and error.where in chosen.fields:
            chosen.add_error(error.where, error.sentence)
        elif error.where.startswith("examples"):
            self.add_error(None, error.sentence)
        elif error.where.startswith("crew.") and rule in self.eligibility.fields:
            self.eligibility.add_error(rule, error.sentence)
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
            "crew": self.eligibility.values(),
            "checks": self.checks.values(self.campaign.checks if self.campaign else None),
            "reasons": given["reasons"],
            "control_every": given["control_every"] or 0,
            "submits_at_once": given["submits_at_once"],
            "examples": self.examples.given(),
            "prefetch": given["prefetch"] if given["prefetch"] is not None else PLAIN["prefetch"],
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
        stages = [(other.slug, other.name) for other in others if other.purpose == Campaign.Purpose.WORK]
        self.fields["after"].choices = [("", _("The texts of the study")), (_("What was made in"), stages)]


def _initial(campaign: Campaign) -> dict[str, Any]:
    names = [
        "name", "overlap", "roles", "lease_minutes", "purpose", "takes", "splits", "needs_review", "reasons",
        "control_every", "prefetch", "seed", "submits_at_once",
    ]  # fmt: skip
    stored = {name: getattr(campaign, name) for name in names}
    pay = {IN_FIELD[f"pay.{key}"]: value for key, value in campaign.pay.items()}
    after = campaign.after.slug if campaign.after else ""
    return {**stored, **pay, "after": after, "direction": campaign.direction_id}


def _checked(campaign: Campaign) -> CampaignTraits:
    """What the quality checks ask of a campaign."""
    kind = TASK_TYPES[campaign.task_type]
    writes = type(kind).texts is not TaskType.texts
    chooses = kind.judges() or type(kind).decisions is not TaskType.decisions
    return CampaignTraits(writes, chooses, campaign.overlap, campaign.items.filter(control=True).exists())
