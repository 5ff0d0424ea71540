"""The form of a public link."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from corpora.models import Study
from evaluation.actions.make_public_link import LONGEST_DAYS
from evaluation.models import PublicLink


class PublicLinkForm(forms.Form):
    """Which page, for how long, and whether a release's datasheet and guidelines are shown, too."""

    page = forms.ChoiceField(label=_("Page"))
    days = forms.IntegerField(
        label=_("Days that it is open"), required=False, min_value=1, max_value=LONGEST_DAYS,
        help_text=_("Left empty: until it is revoked."),
    )  # fmt: skip
    with_texts = forms.BooleanField(
        label=_("Show a release's datasheet and guidelines"), required=False,
        help_text=_("Only where the study states a licence and asks for no agreement."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.releases = {f"release-{one.number}": one for one in study.releases.only("number", "study_id")}
        pages = PublicLink.Page
        offer(
            self,
            "page",
            [
                (pages.LEADERBOARD.value, pages.LEADERBOARD.label),
                (pages.TRUST.value, pages.TRUST.label),
                *[(name, _("Release %(number)d") % {"number": one.number}) for name, one in self.releases.items()],
            ],
        )

    def link(self) -> dict[str, Any]:
        """As `make_public_link` takes it."""
        release = self.releases.get(self.cleaned_data["page"])
        page = PublicLink.Page.RELEASE.value if release else self.cleaned_data["page"]
        return {**self.cleaned_data, "page": page, "release": release}
