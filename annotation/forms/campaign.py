"""The form of a campaign, with the forms of its task type, its eligibility rules and its quality checks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Case, When
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.option_fields import DeclaredForm, LinesField, UncutField, form_field, offer
from annotation.actions.grow_campaign import GrowthFields
from annotation.campaigns.fields import WHEN_MADE, WHILE_EMPTY, CampaignFields, Example, Pay
from annotation.forms.eligibility import EligibilityForm
from annotation.models import Campaign
from annotation.models.campaign import every_role
from annotation.quality import CHECKS, CampaignTraits
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Reference, Sentence, Study
from foundation.errors import UserError
from foundation.key_labels import label_of_key
from foundation.options import Option, list_options, option_named
from foundation.word_diff import SAME, word_diff


def words_of(key: str) -> str:
    """`allow_unchanged` as a label: "Allow unchanged"."""
    return _(label_of_key(key))


def field_of(
    key: str, default: Any, choices: Sequence[str] = (), bounds: tuple[int | None, int | None] = (None, None)
) -> forms.Field | None:
    """The field in which a setting with this default is changed; None for a setting of the API alone."""
    options: dict[str, Any] = {"label": words_of(key), "required": False, "initial": default}
    if isinstance(default, bool):
        return forms.BooleanField(**options)
    if isinstance(default, int):
        declared = Option(key, default, "", low=bounds[0], high=bounds[1])
        return form_field(declared, **{**options, "required": True, "help_text": ""})
    if isinstance(default, float):
        return forms.FloatField(**{**options, "required": True})
    if isinstance(default, str) and choices:
        return forms.ChoiceField(
            choices=[(choice, words_of(choice) if choice else _("none")) for choice in choices], **options
        )
    if isinstance(default, str):
        return UncutField(max_length=2000, widget=forms.TextInput(attrs={"dir": "auto"}), **options)
    if isinstance(default, (list, tuple)) and all(isinstance(entry, str) for entry in default):
        return LinesField(help_text=_("One per line."), **options)
    return None


def _begun_small(words: str) -> str:
    """The words after a colon. In German they stay, where a first word may be a noun."""
    return words if (get_language() or "").startswith("de") else words[:1].lower() + words[1:]


class SettingsForm(forms.Form):
    """The settings of one entry, drawn from its `defaults`. `given` says that the page held this form at all."""

    given = forms.CharField(widget=forms.HiddenInput, required=False, initial="1")

    def __init__(self, data: Any, *, prefix: str, entry: Any, stored: Mapping[str, Any] | None = None) -> None:
        # A form that is not of the chosen kind is filled in, but never in the way.
        bound_data = data if data is not None and any(key.startswith(f"{prefix}-") for key in data) else None
        super().__init__(bound_data, prefix=prefix, use_required_attribute=False)
        self.entry = entry
        choices, bounds = getattr(entry, "choices", {}), getattr(entry, "bounds", {})
        for key, default in entry.defaults.items():
            field = field_of(key, (stored or {}).get(key, default), choices.get(key, ()), bounds.get(key, (None, None)))
            if field is not None:
                self.fields[key] = field

    @property
    def shown(self) -> list[Any]:
        return [self[name] for name in self.fields if name != "given"]

    def values(self) -> dict[str, Any]:
        """The settings as filled in; none where the page did not hold this form. Only after is_valid()."""
        if not self.is_bound:
            return {}
        return {key: value for key, value in self.cleaned_data.items() if key != "given"}


ON = "on"


class ChecksForm(forms.Form):
    """A box and the thresholds of each check. Values equal to their default are not stored."""

    given = forms.CharField(widget=forms.HiddenInput, required=False, initial="1")

    def __init__(self, data: Any, *, stored: Mapping[str, Any] | None = None, of: CampaignTraits | None = None) -> None:
        self.of = of
        bound_data = data if data is not None and "checks-given" in data else None
        super().__init__(bound_data, prefix="checks", use_required_attribute=False)
        for name, check in CHECKS.items():
            chosen = (stored or {}).get(name, {})
            self.fields[f"{name}-{ON}"] = forms.BooleanField(label=_("On"), required=False, initial=chosen is not False)
            for key, default in check.defaults.items():
                shown = chosen.get(key, default) if isinstance(chosen, Mapping) else default
                self.fields[f"{name}-{key}"] = _number(key, default, shown)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For the page: each check with its fields, and why it finds nothing in this campaign where that is so."""
        return [
            {
                "name": name,
                "label": check.label,
                "about": check.about,
                "idle": check.idle(self.of) if self.of else "",
                "fields": [self[f"{name}-{key}"] for key in (ON, *check.defaults)],
            }
            for name, check in CHECKS.items()
        ]

    def values(self, stored: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The checks as a campaign keeps them; `stored` where the page did not hold this form."""
        if not self.is_bound:
            return dict(stored or {})
        chosen = {name: self._value(name) for name in CHECKS}
        return {name: value for name, value in chosen.items() if value != {}}

    def clean(self) -> dict[str, Any] | None:
        for name, check in CHECKS.items():
            try:
                check.check_settings(self._settings(name))
            except UserError as error:
                self.add_error(f"{name}-{error.where}", error.sentence)
        return self.cleaned_data

    def _settings(self, name: str) -> dict[str, Any]:
        thresholds = {key: self.cleaned_data.get(f"{name}-{key}") for key in CHECKS[name].defaults}
        return {key: value for key, value in thresholds.items() if value is not None}

    def _value(self, name: str) -> Any:
        if not self.cleaned_data[f"{name}-{ON}"]:
            return False
        differs = {key: value for key, value in self._settings(name).items() if value != CHECKS[name].defaults[key]}
        return CHECKS[name].check_settings(differs) if differs else {}


def _number(key: str, default: Any, shown: Any) -> forms.Field:
    options = {"label": words_of(key), "required": False, "initial": shown}
    if isinstance(default, int):
        return forms.IntegerField(**options)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **options)


EMPTY_ROWS = 2
MOST = int(option_named(CampaignFields, "examples").high or 0)
MOST_LETTERS = int(option_named(Example, "good").characters or 0)
AREA = {"widget": forms.Textarea({"rows": 2, "dir": "auto"})}
LINE = {"widget": forms.TextInput({"dir": "auto"})}


class ExampleForm(forms.Form):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for one in list_options(Example):
            self.fields[one.name] = form_field(one, **(LINE if one.name == "about" else AREA))


class ExampleRows(forms.BaseFormSet):  # type: ignore[type-arg]  # Django has it without
    def given(self) -> list[dict[str, str]]:
        """The rows that show something. Only after is_valid(); where the page held no rows, what stood there."""
        if not self.is_bound:
            return [dict(row) for row in self.initial or []]
        rows = [{name: row.cleaned_data.get(name, "") for name in row.fields} for row in self]
        return [row for row in rows if row["good"].strip() or row["bad"].strip()]


ExamplesForm = forms.formset_factory(ExampleForm, formset=ExampleRows, extra=EMPTY_ROWS, max_num=MOST)


def examples_form(data: Any, stored: list[dict[str, str]]) -> ExampleRows:
    """The rows that are stored, and a few empty ones."""
    held = data is not None and "examples-TOTAL_FORMS" in data
    rows: Any = ExamplesForm(data if held else None, prefix="examples", initial=stored)
    made: ExampleRows = rows
    return made


def with_example(data: Any, study: Study) -> Any:
    """The form's data with one more example: a reference of the study as the good text, and as the bad one the output
    for the same source that differs most from it, else the source itself.

    Each press takes the next source; it takes the first row without a text. UserError where the study has no texts.
    """
    sent = data.copy()
    said = sent["examples-TOTAL_FORMS"]
    count = min(int(said), MOST) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    rows = [{name: sent.get(f"examples-{n}-{name}", "") for name in ("good", "bad")} for n in range(count)]
    free = next((n for n, row in enumerate(rows) if not any(map(str.strip, row.values()))), count)
    if free >= MOST:
        raise UserError("There are at most {count} examples.", count=MOST, where="examples")
    taken = {text.strip() for row in rows for text in row.values()}
    sentences = Sentence.objects.filter(direction__study=study, **_in_direction(sent)).exclude(text__in=taken)
    references = Reference.objects.filter(sentence__in=sentences).exclude(text__in=taken).select_related("sentence")
    reference = references.order_by(_last("sentence__split"), "sentence__number", "set__number", "pk").first()
    sentence = reference.sentence if reference else sentences.order_by(_last("split"), "number", "pk").first()
    if sentence is None:
        raise UserError("The study has no text that is not among the examples.", where="examples")
    good = reference.text if reference else ""
    others = [one for one in sentence.outputs.values_list("text", flat=True) if one.strip() and one != good]
    bad = max(others, key=lambda one: _difference(good, one)) if good and others else sentence.text
    sent["examples-TOTAL_FORMS"] = str(max(count, free + 1))
    for name, text in {"good": good, "bad": bad}.items():
        sent[f"examples-{free}-{name}"] = text[:MOST_LETTERS]
    return sent


def _in_direction(sent: Any) -> dict[str, Any]:
    """The filter for the direction that the form names; a form without one is of all directions."""
    direction = sent.get("direction", "")
    return {"direction": int(direction)} if direction.isascii() and direction.isdigit() and len(direction) < 10 else {}


def _last(split: str) -> Case:
    """The order in which texts to train on come first, since those to test on are the items of most campaigns."""
    return Case(When(**{split: Sentence.Split.TRAIN}, then=0), When(**{split: Sentence.Split.TUNE}, then=1), default=2)


def _difference(good: str, other: str) -> int:
    return sum(len(piece.text) for piece in word_diff(good, other) if piece.kind != SAME)


PAY = {
    "currency": "currency",
    "item": "per_item",
    "hour": "per_hour",
    "minutes": "pay_minutes",
    "rejected": "pay_rejected",
}
"""The fields of pay by their keys."""
# Parts of the page, or rows that are found by name: they have forms and choices of their own.
APART = frozenset({"settings", "eligibility", "checks", "examples", "pay"})
IN_FORM: dict[str, dict[str, Any]] = {
    "task_type": {"widget": forms.RadioSelect, "help_text": ""},
    "guideline": {"widget": forms.Textarea(attrs={"dir": "auto"})},
    "direction": {"help_text": ""},
    "name": {"required": True, "help_text": ""},
    **{name: {"required": False} for name in ("takes", "purpose", "control_every", "prefetch")},
    "roles": {"required": True, "initial": every_role()},
}
USUAL = {
    one.name: list(one.default) if isinstance(one.default, tuple) else one.default
    for one in list_options(CampaignFields)
}


def _declared() -> dict[str, forms.Field]:
    """The fields of the form, in the order of their declaration."""
    made: dict[str, forms.Field] = {}
    for one in list_options(CampaignFields):
        if one.name == "pay":
            made |= {PAY[key.name]: form_field(key, required=False, initial=None) for key in list_options(Pay)}
        elif one.name not in APART:
            made[one.name] = form_field(one, **IN_FORM.get(one.name, {}))
    return made


class CampaignForm(forms.Form):
    """The fields of create_campaign and edit_campaign. Only the settings of the chosen kind are read."""

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign | None = None) -> None:
        super().__init__(data, initial=_initial(campaign) if campaign else None)
        self.fields |= _declared()
        self.study, self.campaign = study, campaign
        others = [other for other in study.campaigns.all() if other != campaign]
        self._offer(others)
        kinds = {campaign.task_type: TASK_TYPES[campaign.task_type]} if campaign else TASK_TYPES
        self.eligibility = EligibilityForm(data, campaigns=others, stored=campaign.eligibility if campaign else None)
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
            self.fields.pop(name, None)

    def fixed(self) -> list[str]:
        """The fields that can no longer be changed."""
        return []

    def is_valid(self) -> bool:
        """Whether every part of the form is valid; among the settings those of the chosen kind."""
        chosen = self._settings() if super().is_valid() else None
        parts = [
            part.is_valid()
            for part in [self.eligibility, self.checks, self.examples, chosen]
            if part is not None and part.is_bound
        ]
        return super().is_valid() and all(parts)

    @cached_property
    def folds(self) -> dict[str, list[forms.BoundField]]:
        """The fields of each folded part, in their order."""
        groups = {one.name: one.group for one in list_options(CampaignFields)} | dict.fromkeys(PAY.values(), "pay")
        found: dict[str, list[forms.BoundField]] = {group: [] for group in groups.values()}
        for name in self.fields:
            found[groups[name]].append(self[name])
        return found

    @property
    def opened(self) -> dict[str, bool]:
        """Which of the folded parts are open: those in which something is wrong."""
        parts = {group: any(field.errors for field in fields) for group, fields in self.folds.items()}
        parts["eligibility"] |= bool(self.eligibility.errors)
        parts["review"] |= bool(self.checks.errors)
        parts["examples"] = any(self.examples.errors)
        return {**parts, "kind": any(kind.errors for kind in self.kinds.values())}

    def tell(self, error: UserError, field: str | None = None) -> None:
        """Put the error of an action beside the field that it names, else above the form."""
        rule = error.where.removeprefix("eligibility.").replace(".", "-")
        chosen = self._settings()
        if chosen is not None and error.where in chosen.fields:
            chosen.add_error(error.where, error.sentence)
        elif error.where.startswith("examples"):
            self.add_error(None, error.sentence)
        elif error.where.startswith("eligibility.") and rule in self.eligibility.fields:
            self.eligibility.add_error(rule, error.sentence)
        elif (name := PAY.get(error.where.removeprefix("pay."), error.where)) in self.fields:
            self.add_error(name, error.sentence)
        else:
            self.add_error(None, str(error))

    def options(self, criteria: list[dict[str, Any]]) -> dict[str, Any]:
        """The options of `create_campaign`, from a form that is valid; usual values are left out."""
        given = {**self.given(), "settings": self.settings(criteria)}
        return {key: value for key, value in given.items() if value is not None and value != USUAL[key]}

    def given(self) -> dict[str, Any]:
        """The fields that the form has, as the model keeps them; empty ones have their default."""
        said = {key: self.cleaned_data[key] for key in self.fields if key in USUAL}
        found = {key: USUAL[key] if value in (None, "") else value for key, value in said.items()}
        for key, rows, handle in (("direction", "directions", "pk"), ("after", "campaigns", "slug")):
            if found.get(key):
                found[key] = getattr(self.study, rows).get(**{handle: found[key]})
        if "systems" in found:
            found["systems"] = list(self.study.systems.filter(pk__in=found["systems"])) or None
        pay = {key: self.cleaned_data[name] for key, name in PAY.items() if self.cleaned_data[name]}
        if "currency" in pay:
            pay["currency"] = pay["currency"].strip().upper()
        return {
            **found,
            "pay": pay if "item" in pay or "hour" in pay else {},
            "eligibility": self.eligibility.values(),
            "checks": self.checks.values(self.campaign.checks if self.campaign else None),
            "examples": self.examples.given(),
        }

    def settings(self, criteria: list[dict[str, Any]] | None) -> dict[str, Any]:
        """The settings of the chosen kind, with the criteria where it rates on some."""
        chosen = self._settings()
        assert chosen is not None, "only after is_valid()"
        given = chosen.values()
        return (
            {**given, "criteria": criteria} if criteria is not None and "criteria" in chosen.entry.defaults else given
        )

    def _settings(self) -> SettingsForm | None:
        return self.kinds.get(self.campaign.task_type if self.campaign else self.cleaned_data["task_type"])

    def _offer(self, others: list[Campaign]) -> None:
        """The choices that the study gives."""
        kinds = [(name, f"{_(kind.label)}: {_begun_small(_(kind.verb))}") for name, kind in TASK_TYPES.items()]
        offer(self, "task_type", kinds)
        directions = [(direction.pk, direction.name) for direction in self.study.directions.all()]
        offer(self, "direction", [("", _("All directions")), *directions])
        offer(self, "systems", [(system.pk, system.name) for system in self.study.systems.all()])
        stages = [(other.slug, other.name) for other in others if other.purpose == Campaign.Purpose.WORK]
        offer(self, "after", [("", _("The texts of the study")), (_("Output of"), stages)])


def _initial(campaign: Campaign) -> dict[str, Any]:
    stored = {
        one.name: getattr(campaign, one.name)
        for one in list_options(CampaignFields)
        if not one.row and one.name not in APART and one.changes != WHEN_MADE
    }
    pay = {PAY[key]: value for key, value in campaign.pay.items()}
    after = campaign.after.slug if campaign.after else ""
    return {**stored, **pay, "after": after, "direction": campaign.direction_id}


def _checked(campaign: Campaign) -> CampaignTraits:
    """The traits of a campaign that the quality checks ask for."""
    kind = TASK_TYPES[campaign.task_type]
    writes = type(kind).texts is not TaskType.texts
    chooses = kind.judges() or type(kind).decisions is not TaskType.decisions
    return CampaignTraits(writes, chooses, campaign.overlap, campaign.items.filter(control=True).exists())


class EditCampaignForm(CampaignForm):
    """A campaign as it stands. Fields that its items were made of are fixed; the guideline has versions of its own."""

    campaign: Campaign

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign) -> None:
        super().__init__(data, study=study, campaign=campaign)
        if campaign.size:
            self.kinds = {}

    def fixed(self) -> list[str]:
        when = ("always",) if self.campaign.size else ("always", WHILE_EMPTY)
        return ["task_type", *(one.name for one in list_options(CampaignFields) if one.changes not in when)]

    def changes(self) -> dict[str, Any]:
        """The values that differ from the campaign, as `edit_campaign` takes them. Only after is_valid()."""
        now = self.given()
        if self.kinds:
            now["settings"] = {**self.campaign.settings, **self.settings(None)}
        return {key: value for key, value in now.items() if value != getattr(self.campaign, key)}


class GuidelineForm(forms.Form):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["text"] = form_field(option_named(CampaignFields, "guideline"), **IN_FORM["guideline"])


class GrowthForm(DeclaredForm):
    """The growth of a campaign that runs."""

    all_texts = forms.BooleanField(label=gettext_lazy("All texts that the campaign lacks"), required=False)
    declared = GrowthFields
    in_form = {"texts": {"initial": None}, "overlap": {"help_text": "", "required": True}}
    field_order = ["texts", "all_texts", "overlap"]

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, initial={"overlap": campaign.overlap}, auto_id="grow-%s", **options)
        if campaign.after_id:
            del self.fields["texts"], self.fields["all_texts"]

    def asked(self) -> dict[str, Any]:
        """As the action takes it."""
        said = self.cleaned_data
        return {"texts": None if said.get("all_texts") else said.get("texts") or 0, "overlap": said["overlap"]}
