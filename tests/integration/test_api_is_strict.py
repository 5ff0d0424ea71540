"""Nothing that is sent to the API is dropped in silence: every endpoint and every shape is walked."""

import importlib
import pkgutil

import pytest
from django.test import Client
from rest_framework import serializers
from support.every_endpoint import address, described, endpoints, sent, world  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db
ROOMS = [
    "accounts", "jobs", "corpora", "annotation", "modelserving", "evaluation", "health", "demo", "studies",
    "study_file",
]  # fmt: skip
STRANGE = "no_such_field"


def all_shapes():
    """Every class of serializer that the rooms define."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for found in pkgutil.walk_packages(module.__path__, f"{room}."):
            if "api" in found.name.split(".")[1:2] or found.name.split(".")[-1].startswith("api"):
                importlib.import_module(found.name)
    found, left = set(), [serializers.BaseSerializer]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.split(".")[0] in ROOMS:
            found.add(kind)
    return found


def test_every_shape_is_strict():
    from accounts.api_schema import StrictFields

    loose = sorted(
        f"{all_shape.__module__}.{all_shape.__name__}"
        for all_shape in all_shapes()
        if not issubclass(all_shape, StrictFields)
    )
    assert not loose, (
        f"Make these of StrictSerializer or StrictModelSerializer, so that they refuse what they do not know: {loose}"
    )


def takes_forms_alone(answer):
    return answer.status_code == 415


def test_no_endpoint_drops_a_field(world):  # noqa: F811
    """A field that there is not is named in the refusal, also where nothing else is wrong."""
    client, wrong = Client(), []
    client.force_login(world[0])
    for path, method in endpoints():
        if method == "get":
            continue
        url = address(path, world)
        answer = sent(client, method, url, {STRANGE: 1})
        if takes_forms_alone(answer):
            answer = sent(client, method, url, {STRANGE: "1"}, form=True)
        if answer.status_code != 400 or STRANGE not in answer.content.decode():
            wrong.append(f"{method.upper()} {path}: {answer.status_code} {answer.content[:150]}")
    assert not wrong, (
        "These take what they do not know (`strict_serializers`: StrictSerializer, without_body):\n" + "\n".join(wrong)
    )


def test_no_endpoint_drops_a_query_parameter(world):  # noqa: F811
    client, wrong = Client(), []
    client.force_login(world[0])
    assert len(endpoints()) > 100
    for path, method in endpoints():
        answer = sent(client, method, f"{address(path, world)}?{STRANGE}=1")
        if answer.status_code != 400 or STRANGE not in answer.content.decode():
            wrong.append(f"{method.upper()} {path}: {answer.status_code} {answer.content[:150]}")
    assert not wrong, (
        "These drop query parameters that they do not know (`strict_serializers.query_parameters`):\n"
        + "\n".join(wrong)
    )


def asked_for():
    """(address, name, shape) of each query parameter of reading."""
    for path, methods in described()["paths"].items():
        for one in methods.get("get", {}).get("parameters", []):
            if one["in"] == "query":
                yield path, one["name"], one["schema"]


OTHER_NUMBERS = ("abc", "-1", "0", "1.5", "99999999999999999999")


@pytest.mark.parametrize("turns", [len(OTHER_NUMBERS), pytest.param(1, marks=pytest.mark.soak)])
def test_no_endpoint_reads_another_number_than_it_is_asked_for(world, turns):  # noqa: F811
    """A number that is none, or out of bounds, is refused with its name, not read as the default.

    Each parameter is given one of them, by turns, in the soak all.
    """
    client, wrong, tried = Client(), [], 0
    client.force_login(world[0])
    whole = [(path, name) for path, name, shape in asked_for() if shape.get("type") == "integer"]
    for place, (path, name) in enumerate(whole):
        for value in (one for turn, one in enumerate(OTHER_NUMBERS) if (place + turn) % turns == 0):
            answer, tried = client.get(address(path, world), {name: value}), tried + 1
            if answer.status_code not in (400, 404):
                wrong.append(f"{path}?{name}={value}: {answer.status_code} {answer.content[:80]}")
    assert tried >= len(whole) > 30
    assert not wrong, "These read another number:\n" + "\n".join(wrong)
    assert client.get("/api/studies/", {"page_size": "-1"}).json()["detail"].startswith("page_size: ")


@pytest.mark.parametrize(
    ("method", "path", "body", "said"),
    [
        ("post", "/api/studies/", {"slug": "a", "title": "A", "styles": ["x", "y"], "sloog": 1}, "mean 'slug'?"),
        ("patch", "/api/me/", {"email": "other@example.org"}, "email: This is read-only; leave it out."),
        ("patch", "/api/me/", {"nam": "Ada"}, "nam: There is no such field; did you mean 'name'?"),
        ("patch", "/api/studies/{study}/", {"title": "B", "slug": "b"}, "slug: There is no such field"),
        (
            "put", "/api/studies/{study}/sections/",
            {"sections": [{"style": "informal", "section": "a", "element": "", "documents": 3}]},
            "documents: This is read-only; leave it out.",
        ),
    ],
)  # fmt: skip
def test_what_is_refused_is_named(world, method, path, body, said):  # noqa: F811
    client = Client()
    client.force_login(world[0])
    answer = sent(client, method, path.replace("{study}", world[1].study.slug), body)
    assert answer.status_code == 400
    assert said in answer.json()["detail"]


def test_a_form_is_held_too(world):  # noqa: F811
    client = Client()
    client.force_login(world[0])
    url = f"/api/studies/{world[1].study.slug}/references/"
    answer = sent(client, "post", url, {"direction": "a-b", "fill": "x"}, form=True)
    assert answer.status_code == 400
    assert "fill: There is no such field; did you mean 'file'?" in answer.json()["detail"]


def test_a_filter_that_selects_nothing_known_is_refused(world):  # noqa: F811
    client = Client()
    client.force_login(world[0])
    url = f"/api/studies/{world[1].study.slug}/campaigns/{world[1].campaign.slug}/reviews/"
    assert client.get(url, {"show": "answers"}).status_code == 200
    answer = client.get(url, {"show": "anwers"})
    assert answer.status_code == 400
    assert "show: Nothing is shown by the show 'anwers'." in answer.json()["detail"]


def test_the_description_closes_its_requests():
    shapes = described()["components"]["schemas"]
    requests = {name: one for name, one in shapes.items() if name.endswith("Request") and one.get("properties")}
    assert len(requests) > 30
    opened = [name for name, one in requests.items() if one.get("additionalProperties", True) is not False]
    assert not opened


def test_what_the_description_names_is_taken(world):  # noqa: F811
    """A query parameter that stands in the description is none that is refused as unknown."""
    client, wrong = Client(), []
    client.force_login(world[0])
    for path, methods in described()["paths"].items():
        for method, said in methods.items():
            for one in said.get("parameters", []):
                if one["in"] == "query":
                    answer = sent(client, method, f"{address(path, world)}?{one['name']}=1")
                    text = "" if answer.streaming else answer.content.decode()
                    if "There is no such field" in text or "Nothing is expected here" in text:
                        wrong.append(f"{method.upper()} {path}?{one['name']}")
    assert not wrong, f"Name these by `strict_serializers.query_parameters`, not by `extend_schema`: {wrong}"
