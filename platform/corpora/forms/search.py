"""Forms that search, filter and sort long lists: a study's sentences, its members. An empty field narrows nothing."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corpora.forms.members import STUDY_ROLES
from corpora.models import Sentence

LONGEST = 200  # characters of a search


class SearchForm(forms.Form):
    """A search field, which `/` goes to, before the choices of a subclass."""

    q = forms.CharField(
        label=_("Search"), required=False, max_length=LONGEST,
        widget=forms.TextInput(attrs={"type": "search", "dir": "auto", "data-key": "/"}),
    )  # fmt: skip

    @property
    def asked(self) -> dict[str, Any]:
        """The filters that were asked for; none where the form is not valid."""
        return self.cleaned_data if self.is_valid() else {}


class SentencesForm(SearchForm):
    split = forms.ChoiceField(label=_("Split"), required=False, choices=[("", _("All")), *Sentence.Split.choices])
    sort = forms.ChoiceField(
        label=_("Order"), required=False,
        choices=[("", _("By number")), ("-number", _("Last first")), ("length", _("Shortest first")),
                 ("-length", _("Longest first"))],
    )  # fmt: skip


class MembersForm(SearchForm):
    role = forms.ChoiceField(label=_("Role in this study"), required=False, choices=[("", _("All")), *STUDY_ROLES])
    sort = forms.ChoiceField(
        label=_("Order"), required=False,
        choices=[("", _("By e-mail")), ("name", _("By name")), ("role", _("By role")),
                 ("-made_at", _("Newest first"))],
    )  # fmt: skip
