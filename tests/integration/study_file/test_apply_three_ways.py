"""The Amazon study set up by command, in the browser and through the API: the same rows."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from support.amazon import STUDY_FILE, at, declared, named_files, needs_amazon
from support.clients import as_person, with_token

from accounts.models import Person
from accounts.permissions import Role
from corpora.models import Output, Reference, Sentence, Study
from evaluation.models import Judgement

pytestmark = [pytest.mark.django_db, pytest.mark.slow, needs_amazon]
SLUG = "amazon-sentiment"


@pytest.fixture
def researcher(db: None) -> Person:
    return Person.objects.create_user("lead@example.org", "a long enough password", role=Role.RESEARCHER)


@pytest.fixture
def browser(researcher: Person) -> Client:
    return as_person(researcher)


@pytest.fixture
def api(researcher: Person) -> Client:
    return with_token(researcher)


@contextmanager
def opened(*paths: Path) -> Iterator[list[Any]]:
    with ExitStack() as stack:
        yield [stack.enter_context(path.open("rb")) for path in paths]


TITLE = "In parts"


def rows(study: Study, *, with_judgements: bool = True) -> dict[str, list[Any]]:
    """All that is stored of the study, without keys."""
    place = ("sentence__direction__number", "sentence__number")
    sentences = Sentence.objects.filter(direction__study=study)
    stored = {
        "study": [study.title, study.styles, study.license],
        "sentences": list(sentences.order_by("direction__number", "number").values_list(
            "direction__source_style", "direction__target_style", "number", "text", "split", "domain")),
        "references": list(Reference.objects.filter(set__direction__study=study).order_by("set__number", *place)
                           .values_list("set__number", "set__origin", *place, "text")),
        "systems": list(study.systems.order_by("number").values_list("number", "name", "is_human", "allows_missing")),
        "outputs": list(Output.objects.filter(system__study=study).order_by("system__number", *place).values_list(
            "system__name", *place, "text")),
    }  # fmt: skip
    if with_judgements:
        of_study = Judgement.objects.filter(ratings_import__study=study).order_by("pk")
        stored["judgements"] = list(of_study.values_list(
            *place, "criterion__name", "criterion__scale", "text_key", "worker", "value", "seconds"))  # fmt: skip
        stored["metrics"] = list(study.metric_choices.order_by("number").values_list("metric", "settings"))
    return stored


@pytest.fixture
def by_command(db: None) -> Study:
    call_command("apply_study", str(STUDY_FILE))
    return Study.objects.get(slug=SLUG)


def anew(study: Study) -> dict[str, list[Any]]:
    """The rows of the study, which is then taken away."""
    stored = rows(study)
    assert [len(stored[name]) for name in ("sentences", "references", "systems", "outputs")] == [1000, 1000, 8, 7998]
    assert len(stored["judgements"]) > 9000
    study.delete()
    return stored


@pytest.mark.soak
def test_a_study_file_in_the_browser_stores_the_same(by_command: Study, browser: Client) -> None:
    expected = anew(by_command)
    with opened(STUDY_FILE, *named_files()) as (study, *files):
        answer = browser.post(reverse("study_apply"), {"study": study, "files": files})
    assert (answer.status_code, answer.headers.get("Location")) == (302, reverse("study", args=[SLUG]))
    assert rows(Study.objects.get(slug=SLUG)) == expected


def test_a_study_file_through_the_api_stores_the_same(by_command: Study, api: Client) -> None:
    expected = anew(by_command)
    for added in (True, False):  # again, it changes nothing
        with opened(STUDY_FILE, *named_files()) as (study, *files):
            answer = api.post(reverse("api:study-apply"), {"study": study, "files": files})
        assert answer.status_code == 200, answer.content
        assert bool(answer.json()["added"]) == added
        assert rows(Study.objects.get(slug=SLUG)) == expected


def in_parts(post: Callable[[str, dict[str, Any]], None]) -> None:
    """Make the study part by part; `post` sends one form."""
    study = declared()
    own = {key: value for key, value in study["study"].items() if key != "slug"}
    post("study", {**own, "slug": "in-parts", "title": TITLE})
    for one in study["directions"]:
        post("direction", {"source_style": one["source_style"], "target_style": one["target_style"]})
        with opened(at(one["sources"])) as [file]:
            post(
                "sources", {"direction": f"{one['source_style']}-{one['target_style']}", "split": "test", "file": file}
            )
    for one in study["references"]:
        with opened(at(one["file"])) as [file]:
            post("references", {**one, "file": file})
    for one in study["systems"]:
        columns = {key: one["outputs"][0][key] for key in ("source", "text")}
        flags = {flag: "true" for flag, on in (("human", one.get("human")), ("missing", one.get("missing"))) if on}
        with opened(*(at(output["file"]) for output in one["outputs"])) as files:
            names = [output["direction"] for output in one["outputs"]]
            post("system", {"name": one["name"], "direction": names, "file": files, **columns, **flags})


def by_table(browser: Client, what: str, form: dict[str, Any]) -> None:
    """Bring the files in one after the other, each as a table."""
    directions, files = form["direction"], form["file"]
    several = isinstance(files, list)
    for direction, file in zip(directions, files, strict=True) if several else [(directions, files)]:
        began = browser.post(reverse("table_new", args=["in-parts"]), {"target": "texts", "file": file})
        assert began.status_code == 302, began.content.decode()
        chosen = {"set-direction": direction, "act": "bring", "answer-systems_there": "fill"}
        chosen |= {"answer-missing": "allow"} if "missing" in form else {}
        chosen |= {"set-human": "1"} if "human" in form else {}
        own = {"sources": "source", "references": "reference", "system": "output"}[what]
        if "source" in form:
            columns = [one["column"] for one in browser.get(began["Location"]).context["columns"]]
            for place, column in enumerate(columns):
                known = {str(form["source"]): "source", str(form["text"]): own}
                chosen |= {
                    f"meaning-{place}": known.get(column, known.get(str(place + 1), "")),
                    f"name-{place}": form.get("name", ""),
                }
            chosen |= {"answer-there": "match", "answer-doubled": "once"}
        else:
            chosen |= {"meaning-0": own, "name-0": form.get("name", ""), "delimiter": "none", "header": "no"}
            browser.post(began["Location"], {**chosen, "act": "look"})
        done = browser.post(began["Location"], chosen)
        assert done.status_code == 302, done.context["error"]


@pytest.mark.soak
def test_step_by_step_in_the_browser_stores_the_same(by_command: Study, browser: Client) -> None:
    def post(what: str, form: dict[str, Any]) -> None:
        if what in ("study", "direction"):
            if what == "study":
                form["styles"] = ", ".join(form["styles"])
            address = reverse(f"{what}_new", args=[] if what == "study" else ["in-parts"])
            assert browser.post(address, form).status_code == 302
        else:
            by_table(browser, what, form)

    in_parts(post)
    stored = rows(Study.objects.get(slug="in-parts"), with_judgements=False)
    stored["study"][0] = by_command.title  # no two studies have one title
    assert stored == rows(by_command, with_judgements=False)


@pytest.mark.soak
def test_step_by_step_through_the_api_stores_the_same(by_command: Study, api: Client) -> None:
    def post(what: str, form: dict[str, Any]) -> None:
        names = {"study": "study", "direction": "direction", "sources": "sentence",
                 "references": "reference", "system": "system"}  # fmt: skip
        address = reverse(f"api:{names[what]}-list", args=[] if what == "study" else ["in-parts"])
        if what in ("study", "direction"):
            answer = api.post(address, json.dumps(form), content_type="application/json")
        else:
            answer = api.post(address, form)
        assert answer.status_code == 201, answer.content.decode()

    in_parts(post)
    stored = rows(Study.objects.get(slug="in-parts"), with_judgements=False)
    stored["study"][0] = by_command.title  # no two studies have one title
    assert stored == rows(by_command, with_judgements=False)
