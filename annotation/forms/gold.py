"""The forms for data that leave a study or come in as gold: releases, imports, adoption, raw answers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, form_field, offer
from annotation.actions.adopt_gold import AdoptionFields
from annotation.actions.export_answers import ExportFields
from annotation.gold.imports import GoldFields
from annotation.gold.release.settings import ReleaseFields, ReleaseSettings, gold_formats, gold_kinds
from annotation.models import Campaign
from corpora.models import Study
from foundation.options import option_named


class ReleaseForm(DeclaredForm):
    """The gold that a release holds, and its forms."""

    declared, apart = ReleaseSettings, ("from",)
    in_form = {"forms": {"required": True}}

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["imported"] = forms.BooleanField(
            label=_("Use imported gold instead of campaigns"), required=False,
            help_text=_("Writes again the gold that was imported from a file in a published format."),
        )  # fmt: skip
        campaigns = study.campaigns.filter(purpose="work")
        offer(self, "campaigns", [(campaign.slug, campaign.name) for campaign in campaigns])
        kinds = gold_kinds(study)
        formats = [(name, form) for name, form in gold_formats().items() if not form.kinds or form.kinds & kinds]
        offer(self, "forms", [(name, _(form.title)) for name, form in formats])
        if not campaigns:
            del self.fields["campaigns"]
        if not study.imported_gold.exists():
            del self.fields["imported"]
        if not study.documents.exists():
            del self.fields["alone"]
        if before := study.releases.order_by("number").last():
            self.initial["withdrawn"] = before.settings.get("withdrawn", [])
            self.fields["changes"] = form_field(option_named(ReleaseFields, "changes"), required=True)

    def asked(self) -> dict[str, Any]:
        """The arguments of `start_release`. Only after is_valid()."""
        given = dict(self.cleaned_data)
        changes, imported = given.pop("changes", ""), given.pop("imported", False)
        return {"settings": {**given, "from": "imported" if imported else "campaigns"}, "changes": changes}


class GoldImportForm(DeclaredForm):
    """A file of gold that was made elsewhere, and the facts that it does not say itself."""

    file = forms.FileField(
        label=_("File"), allow_empty_file=False,
        help_text=_("A file or ZIP archive of a release, or in the format of GYAFC, MSD, MedLane or PLABA."),
    )  # fmt: skip
    declared = GoldFields
    in_form = {"tune": {"required": False}}

    def asked(self) -> dict[str, Any]:
        """The fields of `start_gold_import`."""
        return {**self.cleaned_data, "tune": self.cleaned_data["tune"] or 0}


class AdoptionForm(DeclaredForm):
    """The texts that a campaign's gold becomes, beside its own products."""

    declared = AdoptionFields
    in_form = {"tune": {"required": False, "initial": 20}}

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not campaign.study.documents.exists():
            self.fields.clear()

    def asked(self) -> dict[str, Any]:
        """The fields of the action."""
        return {name: value or 0 if name == "tune" else value for name, value in self.cleaned_data.items()}


class RawAnswersForm(DeclaredForm):
    """The form in which answers leave, and their choice."""

    declared = ExportFields
    in_form = {"format": {"help_text": ""}}
