"""Trainings and transfer runs beside each other, and the notes and tags by which researchers find them."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns
from support.checkpoints import checkpoint, file_transfer, job_that_is_over

from accounts.models import AuditEntry
from accounts.permissions import Role
from foundation.errors import UserError
from modelserving.actions.describe_training import describe_training
from modelserving.models import TrainingCurve, TrainingRun
from modelserving.views.run_comparison import (
    MOST,
    compared_runs,
    fact_rows,
    option_rows,
    overlaid_chart,
    shared_axes,
    trainings_asked_for,
)

pytestmark = pytest.mark.django_db


def training(study, name, **fields):
    """A training that is over, with a loss and a tune score."""
    options = {"hidden": 64, "dropout": 0.1, **fields.pop("options", {})}
    run = TrainingRun.objects.create(
        job=job_that_is_over(study), study=study, name=name, model="dictionary", direction=study.directions.first(),
        styles=["informal", "formal"], options=options, **fields,
    )  # fmt: skip
    for curve, better in (("loss", ""), ("bleu", "higher")):
        values = [3.0 - run.seed / 10, 2.0, 1.0]
        TrainingCurve.objects.create(run=run, name=curve, better=better, steps=[10, 20, 30], values=values)
    return run


@pytest.fixture
def study():
    return campaigns.study(items=2)


@pytest.fixture
def client(study):
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    return client


def compared(study, *runs):
    return compared_runs(trainings_asked_for(study, [str(run.pk) for run in runs]), [])


def test_only_what_differs_is_shown_and_the_rest_on_request(study, client):
    first = training(study, "Small", seed=1, options={"hidden": 64})
    second = training(study, "Large", seed=2, options={"hidden": 128})
    rows = {row.name: row.differs for row in option_rows(compared(study, first, second))}
    assert rows == {"hidden": True, "dropout": False}
    assert {row.name for row in fact_rows(compared(study, first, second)) if row.differs} == {"Seed"}
    url = reverse("runs_compare", args=[study.slug])
    page = client.get(url, {"training": [first.pk, second.pk]}).content.decode()
    assert "<code>hidden</code>" in page
    assert "<code>dropout</code>" not in page
    page = client.get(url, {"training": [first.pk, second.pk], "all": "1"}).content.decode()
    assert "<code>dropout</code>" in page


def test_curves_of_one_measure_are_one_panel(study, client):
    runs = [training(study, name, seed=seed) for seed, name in enumerate(("Small", "Large"), 1)]
    chart = client.get(reverse("runs_curves", args=[study.slug]), {"training": [run.pk for run in runs]}).json()
    assert len(chart["facet"]["sort"]) == 2
    points = [(row["run"], row["step"], row["value"]) for row in chart["data"]["values"] if "Loss" in row["curve"]]
    assert points[0] == ("Small", 10, 2.9)
    assert points[3] == ("Large", 10, 2.8)
    assert chart["spec"]["encoding"]["color"]["scale"]["domain"] == ["Small", "Large"]


def drawn(study, *runs, axis=""):
    chart = overlaid_chart(trainings_asked_for(study, [str(run.pk) for run in runs]), axis)
    return chart, {label: {row["run"] for row in chart["data"]["values"] if row["curve"] == label}
                   for label in chart["facet"]["sort"]}  # fmt: skip


def axes(study, *runs):
    return shared_axes(trainings_asked_for(study, [str(run.pk) for run in runs]))


def test_steps_of_different_batches_share_no_axis_of_steps(study, client):
    small = training(study, "Small", options={"batch": 8}, seconds=60)
    large = training(study, "Large", options={"batch": 64}, seconds=600)
    assert axes(study, small, small) == ["step", "examples", "time"]
    assert axes(study, small, large) == ["examples", "time"]
    chart, _panels = drawn(study, small, large, axis="step")
    assert chart["spec"]["encoding"]["x"]["title"] == "Texts read", "what is asked for is not the same in both"
    at = {(row["run"], row["step"]): row["at"] for row in chart["data"]["values"]}
    assert (at["Small", 30], at["Large", 30]) == (240, 1920)
    chart, _panels = drawn(study, small, large, axis="time")
    at = {(row["run"], row["step"]): row["at"] for row in chart["data"]["values"]}
    assert (at["Small", 30], at["Large", 15 * 2]) == (pytest.approx(1.0), pytest.approx(10.0))
    page = client.get(reverse("runs_compare", args=[study.slug]), {"training": [small.pk, large.pk]}).content.decode()
    assert "A step is not the same in these trainings" in page


def test_runs_that_share_no_axis_have_charts_of_their_own(study):
    batches = training(study, "Batches", options={"batch": 8})
    rounds = training(study, "Rounds")
    assert axes(study, batches, rounds) == []
    _chart, panels = drawn(study, batches, rounds)
    assert len(panels) == 4
    assert all(len(runs) == 1 for runs in panels.values())


def test_scores_over_different_numbers_of_texts_are_apart_and_marked(study, client):
    few = training(study, "Few", counts={"tune": 5})
    many = training(study, "Many", counts={"tune": 2000}, options={"tune_most": 40})
    also = training(study, "Also", counts={"tune": 40})
    _chart, panels = drawn(study, few, many, also)
    scores = {label: runs for label, runs in panels.items() if "BLEU" in label}
    assert sorted(scores.values(), key=len) == [{"Few"}, {"Many", "Also"}]
    assert any("over 5 texts" in label for label in scores)
    assert any("over 40 texts" in label for label in scores)
    page = client.get(reverse("runs_compare", args=[study.slug]), {"training": [few.pk, many.pk]}).content.decode()
    assert "over different numbers of texts" in page
    unknown = training(study, "Unknown")
    _chart, panels = drawn(study, few, unknown)
    assert any("unknown number of texts" in label for label in panels)


def test_the_best_score_says_over_how_many_texts(study):
    best = {"curve": "bleu", "step": 30, "value": 21.0, "better": "higher"}
    run = training(study, "Few", counts={"tune": 5}, best=best)
    (row,) = (row for row in fact_rows(compared(study, run)) if row.name == "Best score")
    assert row.values == ["BLEU 21.00 (higher is better, over 5 texts)"]


def test_a_run_over_texts_stands_beside_a_training(study, client, tmp_path):
    run = training(study, "Small")
    transfer = file_transfer(study, checkpoint(study, Path(tmp_path), run))
    page = client.get(reverse("runs_compare", args=[study.slug]), {"training": run.pk, "run": transfer.pk})
    html = page.content.decode()
    assert page.status_code == 200
    assert ">lines.txt</a>" in html
    assert ">Small</a>" in html


@pytest.mark.parametrize(
    "asked", [{"training": "999999"}, {"run": "999999"}, {"training": "odd"}, {"training": "9" * 30}]
)
def test_what_is_not_there_is_one_sentence(study, client, asked):
    page = client.get(reverse("runs_compare", args=[study.slug]), asked)
    assert page.status_code == 422
    assert "The study has no" in page.content.decode()


def test_a_training_of_another_study_is_not_shown(study, client):
    other = training(campaigns.study(items=1), "Of others")
    page = client.get(reverse("runs_compare", args=[study.slug]), {"training": other.pk})
    assert page.status_code == 422
    assert "Of others" not in page.content.decode()
    assert client.get(reverse("runs_curves", args=[study.slug]), {"training": other.pk}).status_code == 422


def test_too_many_are_refused(study, client):
    runs = [training(study, f"Run {n}") for n in range(MOST + 1)]
    page = client.get(reverse("runs_compare", args=[study.slug]), {"training": [run.pk for run in runs]})
    assert page.status_code == 422
    assert f"Choose at most {MOST} runs" in page.content.decode()


def test_more_runs_are_no_more_queries(study, client):
    runs = [training(study, f"Run {n}") for n in range(6)]

    def asked(of):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("runs_compare", args=[study.slug]), {"training": [run.pk for run in of]})
        assert page.status_code == 200
        return len(queries)

    asked(runs)
    assert asked(runs) == asked(runs[:2])


def test_notes_and_tags_are_kept_and_the_list_is_filtered_by_them(study, client):
    run = training(study, "Small")
    training(study, "Large")
    url = reverse("training_notes", args=[study.slug, run.pk])
    client.post(url, {"notes": "<b>Too short</b>, see فصل", "tags": " asset,  long run , asset,, "})
    run.refresh_from_db()
    assert (run.notes, run.tags) == ("<b>Too short</b>, see فصل", ["asset", "long run"])
    listed = client.get(reverse("study_models", args=[study.slug]), {"tag": "asset"}).content.decode()
    assert ">Small</a>" in listed
    assert ">Large</a>" not in listed
    shown = client.get(reverse("training", args=[study.slug, run.pk])).content.decode()
    assert "&lt;b&gt;Too short&lt;/b&gt;" in shown
    entry = AuditEntry.objects.get(action="describe_training")
    assert entry.changes == {"notes": None, "tags": [[], ["asset", "long run"]]}
    assert "Too short" not in str(entry.details)


def test_who_may_not_run_models_reads_the_notes_and_changes_nothing(study):
    run = training(study, "Small")
    describe_training(run=run, notes="Ended early.", tags=["asset"])
    client = Client()
    client.force_login(campaigns.person(Role.REVIEWER, study))
    shown = client.get(reverse("training", args=[study.slug, run.pk])).content.decode()
    assert "Ended early." in shown
    assert "Save the notes" not in shown
    assert client.post(reverse("training_notes", args=[study.slug, run.pk]), {"notes": "x"}).status_code == 403


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"notes": "x" * 10_001, "tags": []}, "notes: Expected a text of at most 10000"),
        ({"notes": "a\0", "tags": []}, "notes: A text of the notes holds a character that cannot be stored"),
        ({"notes": "", "tags": ["x" * 31]}, "tags: Expected a text of at most 30"),
        ({"notes": "", "tags": ["a,b"]}, "tags: A tag has no comma"),
        ({"notes": "", "tags": [str(n) for n in range(13)]}, "tags: At most 12 are allowed"),
    ],
)
def test_what_is_too_long_is_refused_and_changes_nothing(study, given, sentence):
    run = training(study, "Small")
    with pytest.raises(UserError, match=sentence):
        describe_training(run=run, **given)
    run.refresh_from_db()
    assert (run.notes, run.tags) == ("", [])


def test_lines_of_notes_are_the_same_from_page_and_endpoint(study, client):
    """A browser ends a line with two characters, and a note of 10,000 in lines was refused there alone."""
    run, notes = training(study, "Small"), "one\n" * 2_499 + "last"
    client.post(reverse("training_notes", args=[study.slug, run.pk]), {"notes": notes.replace("\n", "\r\n")})
    run.refresh_from_db()
    assert run.notes == notes
    url = reverse("api:training-detail", args=[study.slug, run.pk])
    assert client.patch(url, {"notes": notes}, content_type="application/json").json()["notes"] == run.notes


def test_the_endpoint_changes_what_is_given_alone(study, client):
    run = training(study, "Small")
    url = reverse("api:training-detail", args=[study.slug, run.pk])
    told = client.patch(url, {"tags": ["asset"]}, content_type="application/json").json()
    assert (told["tags"], told["notes"]) == (["asset"], "")
    told = client.patch(url, {"notes": "Good."}, content_type="application/json").json()
    assert (told["tags"], told["notes"]) == (["asset"], "Good.")
