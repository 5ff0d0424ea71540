"""How the POST of a page ends: act, tell, go on.

    form = StudyForm(request.POST or None)
    if form.is_valid():
        with telling(form):
            study = create_study(**form.cleaned_data, by=request.user)
            return go_on(request, _("The study is created."), "study", study.slug)
    return form_page(request, "corpora/study_new.html", form)

A button has no form: `with telling(request)`, and after the block where to go when the action refused. The refusal is
shown beside the form's field, or on the next page. A page that shows it in a place of its own reads `error`:

    with telling() as told:
        ...
    return _page(request, told.error)
"""

from types import TracebackType
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from foundation.errors import UserError

NO_CHOICE = forms.ModelChoiceField.default_error_messages["invalid_choice"]  # Django's own words for it


class telling:  # noqa: N801  it is read as a word: with telling(form)
    """A block in which an action may refuse (UserError): the refusal is told, and the code after the block goes on.

    `to` is the form that shows it, or the request whose next page does, or None where the code after the block says it
    (`error`). An error that names no field of the form stands at `field`, or above the form. On the next page the name
    of the error's place is left out where it is `field`, the one input beside the button. A form that knows better
    where an error belongs has a method `tell(error, field)`.
    """

    error: UserError | None = None

    def __init__(self, to: HttpRequest | forms.BaseForm | None = None, field: str | None = None) -> None:
        self.to, self.field = to, field

    def __enter__(self) -> "telling":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, UserError):
            return False
        self.error = error
        if isinstance(self.to, HttpRequest):
            messages.error(self.to, error.sentence if error.where == self.field else str(error))
        elif self.to is not None:
            own = getattr(self.to, "tell", None)
            own(error, self.field) if own else tell(self.to, error, self.field)
        return True


def tell(form: forms.BaseForm, error: UserError, field: str | None = None) -> None:
    """Show the error at the field of the form that it names, at `field`, or above the form."""
    if error.where in form.fields:
        form.add_error(error.where, error.sentence)
    else:
        form.add_error(field if field in form.fields else None, str(error))


class TellingForm(forms.Form):
    """A form that shows a UserError beside its field, and does not quote a value that is no choice.

    The page begins at the first field with an error: it is scrolled to and has the focus, without a script.
    """

    tell = tell

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error(field, error)
        first = next((name for name in self.fields if name in self.errors), None)
        for name, one in self.fields.items():
            if name == first and not one.widget.is_hidden:
                one.widget.attrs["autofocus"] = True
            else:
                one.widget.attrs.pop("autofocus", None)

    def full_clean(self) -> None:
        """A text of any length can be sent in the place of a choice."""
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.MultipleChoiceField):
                field.error_messages["invalid_choice"] = NO_CHOICE
        super().full_clean()


def go_on(request: HttpRequest, said: str, to: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    """To the page that `redirect` finds by what follows, which says what was done."""
    messages.success(request, said)
    return redirect(to, *args, **kwargs)


def form_page(request: HttpRequest, template: str, form: forms.BaseForm, **context: Any) -> HttpResponse:
    """The page of a form; 422 where something in it is wrong."""
    return render(request, template, {"form": form, **context}, status=422 if form.errors else 200)
