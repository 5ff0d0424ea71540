"""Act, tell, go on: where a refusal is shown, and where a page goes on."""

from typing import Any

import pytest
from django import forms
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.telling import TellingForm, go_on, telling
from foundation.errors import UserError


class Plain(forms.Form):
    name = forms.CharField(required=False)
    file = forms.CharField(required=False)


class Knowing(Plain):
    """Knows where an error belongs."""

    def tell(self, error: UserError, field: str | None = None) -> None:
        self.add_error("file", f"here: {error.sentence}")


@pytest.fixture
def request_() -> HttpRequest:
    made: Any = RequestFactory().post("/")
    made._messages = CookieStorage(made)
    return made


def refused(to: Any, field: str | None = None, where: str = "", sentence: str = "It is too long.") -> telling:
    with telling(to, field) as told:
        raise UserError(sentence, where=where)
    return told


@pytest.mark.parametrize(
    ("where", "field", "said"),
    [
        ("name", None, {"name": ["It is too long."]}),
        ("name", "file", {"name": ["It is too long."]}),
        ("line 3", "file", {"file": ["line 3: It is too long."]}),
        ("line 3", None, {"__all__": ["line 3: It is too long."]}),
        ("", "gone", {"__all__": ["It is too long."]}),
    ],
)
def test_a_form_shows_the_error_at_its_field(where: str, field: str | None, said: dict[str, list[str]]) -> None:
    for kind in (Plain, type("Telling", (TellingForm, Plain), {})):
        form = kind({})
        refused(form, field, where)
        assert form.errors == said


class Longer(TellingForm):
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField()
    file = forms.CharField()


def focused(form: forms.Form) -> list[str]:
    return [name for name, field in form.fields.items() if "autofocus" in str(form[name]) and field]


def test_the_first_field_with_an_error_has_the_focus_whenever_it_was_told() -> None:
    assert focused(Longer()) == []
    assert focused(Longer({"name": "a", "file": "b"})) == []
    form = Longer({"name": "a"})
    assert not form.is_valid()
    assert focused(form) == ["file"]
    refused(form, None, "name")
    assert focused(form) == ["name"]
    refused(form := Longer({"name": "a", "file": "b"}), None, "kept")
    assert focused(form) == [], "what nobody sees cannot have it"
    assert focused(Longer()) == [], "each form has its own"


def test_a_form_that_knows_better_is_asked() -> None:
    form = Knowing({})
    refused(form, None, "name")
    assert form.errors == {"file": ["here: It is too long."]}


@pytest.mark.parametrize(
    ("field", "said"), [(None, "numbers: It is too long."), ("numbers", "It is too long.")], ids=["named", "its own"]
)
def test_the_next_page_says_it(request_: HttpRequest, field: str | None, said: str) -> None:
    refused(request_, field, "numbers")
    assert [(one.level_tag, one.message) for one in get_messages(request_)] == [("error", said)]


def test_the_page_can_say_it_itself() -> None:
    assert str(refused(None, where="name").error) == "name: It is too long."


def test_another_error_is_no_refusal() -> None:
    with pytest.raises(KeyError), telling():
        raise KeyError("a fault of the program")


def test_what_was_done_is_said_where_the_page_goes_on(request_: HttpRequest) -> None:
    def page() -> HttpResponse:
        with telling(request_):
            return go_on(request_, "Saved.", "/there/")
        return HttpResponse(status=422)

    answer = page()
    assert (answer.status_code, answer["Location"]) == (302, "/there/")
    assert [(one.level_tag, one.message) for one in get_messages(request_)] == [("success", "Saved.")]
