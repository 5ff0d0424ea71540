"""Sweeps: trainings of all combinations as jobs, which are stopped, go on, fail and are repeated by themselves."""

from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support.campaigns import person
from support.clients import as_person, with_token
from support.training_studies import TUNE, pairs, training_study
from support.word_model import Words, register

from accounts.permissions import Role
from corpora.actions.add_system import add_system
from corpora.actions.undo_removal import undo_removal
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.cancel_sweep import cancel_sweep
from modelserving.actions.remove_sweep import remove_sweep
from modelserving.actions.repeat_training import repeat_training
from modelserving.actions.resume_sweep import resume_sweep
from modelserving.actions.start_sweep import start_sweep
from modelserving.models import Sweep, TrainingRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.training_runs.sweeps import ranked

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS = 4
VARY = {"rounds": [2, 1, 3]}


class Killed(BaseException):
    """The process is gone: nothing of it says so."""


@pytest.fixture(autouse=True)
def words(monkeypatch, settings):
    register(monkeypatch)
    settings.CHECKPOINT_UPLOAD_SECONDS = 0


@pytest.fixture
def study():
    return training_study(PAIRS + 2 * TUNE)


def start(study, **given) -> Sweep:
    return start_sweep(**{"study": study, "model": "words", "vary": VARY, "search": "grid", "by": None, **given})


def work(*runs) -> None:
    """As the task does it."""
    for run in runs:
        run_job(run.job_id, run_training)
        clear_up(run.job_id)


def states(sweep) -> list[str]:
    return list(sweep.trainings.order_by("pk").values_list("job__state", flat=True))


def test_each_combination_is_a_training_and_the_best_is_first(study):
    sweep = start(study, options={"keep_every": 2}, seed=7)
    assert sweep.name == "words, grid search"
    assert [run.options for run in sweep.trainings.order_by("pk")] == [
        {"rounds": rounds, "keep_every": 2} for rounds in (2, 1, 3)
    ]
    assert {run.seed for run in sweep.trainings.all()} == {7}
    work(*sweep.trainings.order_by("pk"))
    assert [(run.name, run.combination, run.best["step"]) for run in ranked(list(sweep.trainings.order_by("pk")))] == [
        ("words, grid search 3", 3, 3 * PAIRS),
        ("words, grid search 1", 1, 2 * PAIRS),
        ("words, grid search 2", 2, PAIRS),
    ]


def test_a_killed_sweep_goes_on_and_a_failed_training_stops_no_other(study, monkeypatch):
    sweep = start(study)
    first, second, third = sweep.trainings.order_by("pk")

    def broken(step):
        raise UserError("It broke.")

    def killed(step):
        if step == PAIRS - 1:
            raise Killed

    monkeypatch.setattr(Words, "watched", staticmethod(broken))
    work(first)
    monkeypatch.setattr(Words, "watched", staticmethod(killed))
    with pytest.raises(Killed):
        work(second)
    Job.objects.filter(pk=second.job_id).update(heartbeat_at=timezone.now() - timedelta(days=1))
    monkeypatch.setattr(Words, "watched", staticmethod(lambda step: None))
    work(second, third)
    assert states(sweep) == ["failed", "done", "done"]
    resume_sweep(sweep=sweep)
    work(first)
    assert states(sweep) == ["done", "done", "done"]


def test_cancelling_leaves_what_is_done_and_resuming_goes_on(study):
    sweep = start(study)
    first, *others = sweep.trainings.order_by("pk")
    work(first)
    cancel_sweep(sweep=sweep)
    assert states(sweep) == ["done", "cancelled", "cancelled"]
    with pytest.raises(UserError, match=r"^The sweep is already over\.$"):
        cancel_sweep(sweep=sweep)
    resume_sweep(sweep=sweep)
    assert states(sweep) == ["done", "queued", "queued"]
    work(*others)
    with pytest.raises(UserError, match=r"^No training of the sweep has failed or was cancelled"):
        resume_sweep(sweep=sweep)


def test_the_best_is_trained_with_further_seeds(study):
    sweep = start(study)
    with pytest.raises(UserError, match=r"^The sweep is not over yet"):
        repeat_training(sweep=sweep)
    runs = list(sweep.trainings.order_by("pk"))
    cancel_job(job=runs[0].job)
    work(*runs[1:])
    made = repeat_training(sweep=sweep)
    assert [(run.name, run.seed, run.combination) for run in made] == [
        ("words, grid search 3, seed 2", 2, None),
        ("words, grid search 3, seed 3", 3, None),
        ("words, grid search 3, seed 4", 4, None),
    ]
    assert {str(run.options) for run in made} == {str(runs[2].options)}
    assert [run.seed for run in repeat_training(sweep=sweep, training=runs[2].pk, seeds=2)] == [5, 6]
    with pytest.raises(UserError, match=rf"^training: The sweep has no training {made[0].pk}"):
        repeat_training(sweep=sweep, training=made[0].pk)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"vary": {"rounds": [1, 0]}}, "vary.rounds.1: Expected a number from 1 to 1,000."),
        ({"vary": {"round": [1, 2]}}, "vary.round: There is no such option; did you mean rounds?"),
        ({"options": {"keep_every": 0}}, "keep_every: Expected a number of at least 1."),
        (
            {"at_most": 2},
            "at_most: The grid has 3 combinations, more than 2 trainings; vary less, or search at random.",
        ),
        ({"at_most": 101}, "at_most: Expected a number from 1 to 100."),
        ({"search": "greedy"}, "search: Expected one of random, grid."),
        ({"score": "bleu"}, "score: The model has one tune score; leave this empty."),
        ({"name": "Mine"}, "name: The study has a sweep 'Mine' already."),
        ({"model": "transformer", "vary": {"heads": [2, 3]}, "options": {"hidden": 256}}, None),
    ],
)
def test_a_declaration_that_is_refused_queues_nothing(study, given, said):
    start(study, name="Mine")
    with pytest.raises(UserError) as refused:
        start(study, **given)
    assert said is None or str(refused.value) == said
    assert str(refused.value).startswith(said or "vary.heads: With heads 3: ")
    assert (Sweep.objects.count(), TrainingRun.objects.count(), Job.objects.count()) == (1, 3, 3)


def test_a_removed_sweep_comes_back_with_its_trainings(study):
    sweep = start(study)
    with pytest.raises(UserError, match=r"The training is still running; cancel it first"):
        remove_sweep(sweep=sweep)
    cancel_sweep(sweep=sweep)
    removal = remove_sweep(sweep=sweep)
    assert not Sweep.objects.exists()
    assert not TrainingRun.objects.exists()
    assert not Job.objects.exists()
    undo_removal(removal=removal, by=None)
    assert TrainingRun.objects.filter(sweep=sweep).count() == 3


def test_a_sweep_by_the_api(study):
    lead, base = with_token(person(Role.RESEARCHER, study)), f"/api/studies/{study.slug}/sweeps/"
    asked = {"model": "seq2seq", "vary": {"hidden": {"low": 16, "high": 64}}, "at_most": 2, "seed": 5}

    def post(address, **body):
        return lead.post(address, body, content_type="application/json")

    refused = post(base, **{**asked, "vary": {"hidden": {"low": 1, "high": 5000}}})
    assert (refused.status_code, refused.json()) == (
        400, {"detail": "vary.hidden.high: Expected a number from 1 to 4,096."}
    )  # fmt: skip
    made = post(base, **asked)
    assert made.status_code == 201, made.json()
    told = made.json()
    assert (told["search"], told["at_most"], told["counts"]) == ("random", 2, {"total": 2, "over": 0, "queued": 2})
    assert [one["values"].keys() for one in told["trainings"]] == [{"hidden"}, {"hidden"}]
    again = post(base, **asked).json()
    assert [one["values"] for one in again["trainings"]] == [one["values"] for one in told["trainings"]]
    assert [one["name"] for one in lead.get(base).json()["results"]] == [again["name"], told["name"]]


def test_a_sweep_is_stopped_repeated_and_removed_by_the_api(study):
    lead, sweep = with_token(person(Role.RESEARCHER, study)), start(study, seed=5)
    own = f"/api/studies/{study.slug}/sweeps/{sweep.pk}/"

    def post(address, **body):
        return lead.post(address, body, content_type="application/json")

    assert post(f"{own}repeat/").json() == {
        "detail": "The sweep is not over yet: which training is the best is known when it is."
    }
    work(*sweep.trainings.order_by("pk"))
    best = lead.get(own).json()["trainings"][0]
    assert (best["values"], best["best"]["step"], best["state"]) == ({"rounds": 3}, 3 * PAIRS, "done")
    repeated = post(f"{own}repeat/", seeds=1)
    assert repeated.status_code == 201, repeated.json()
    assert [(one["seed"], one["options"]["rounds"]) for one in repeated.json()] == [(6, 3)]
    assert post(f"{own}cancel/").json()["counts"]["over"] == 3
    assert lead.get(own).json()["repeated"][0]["state"] == "cancelled"
    assert post(f"{own}resume/").status_code == 200
    assert lead.delete(own).status_code == 400
    post(f"{own}cancel/")
    assert lead.delete(own).status_code == 204
    assert lead.get(own).status_code == 404


def test_a_sweep_on_its_pages(study):
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    new = reverse("sweep_new", args=[study.slug])
    form = {"model": "words", "search": "random", "at_most": "3", "seed": "1", "device": "auto", "name": "Rounds",
            "vary-shown": "words"}  # fmt: skip
    answer = client.post(new, {**form, "vary-rounds": "1, two"})
    assert answer.status_code == 422
    assert "Expected a whole number." in answer.content.decode()
    answer = client.post(new, {**form, "vary-rounds": "1, 2000"})
    assert answer.status_code == 422
    assert "Expected a number from 1 to 1,000." in answer.content.decode()
    answer = client.post(new, {**form, "vary-rounds": "3"})
    assert answer.status_code == 422
    assert "Vary at least one option" in answer.content.decode()
    assert not TrainingRun.objects.exists()
    answer = client.post(new, {**form, "vary-rounds": "1 .. 3 log", "vary-keep_every": "2"})
    sweep = Sweep.objects.get()
    page = reverse("sweep", args=[study.slug, sweep.pk])
    assert answer["Location"] == page
    assert (sweep.vary, sweep.options) == ({"rounds": {"low": 1, "high": 3, "scale": "log"}}, {"keep_every": 2})
    shown = client.get(page).content.decode()
    assert "hx-trigger" in shown
    assert "0 of 3" in shown
    assert "<polyline" not in shown
    runs = list(sweep.trainings.order_by("pk"))
    work(*runs)
    shown = client.get(page).content.decode()
    assert shown.count('class="line') == 3
    assert "3 of 3" in shown
    assert 'hx-trigger="every' not in shown
    best = ranked(runs := list(sweep.trainings.order_by("pk")))
    places = [shown.index(f'<a href="{reverse("training", args=[study.slug, run.pk])}" dir="auto"') for run in best]
    assert places == sorted(places), "the table is sorted by score"
    client.post(reverse("sweep_repeat", args=[study.slug, sweep.pk]), {"training": best[0].pk})
    assert sorted(run.seed for run in sweep.trainings.filter(combination=None)) == [2, 3, 4]
    client.post(reverse("sweep_cancel", args=[study.slug, sweep.pk]))
    assert sweep.trainings.filter(job__state="cancelled").count() == 3
    client.post(reverse("sweep_resume", args=[study.slug, sweep.pk]))
    assert sweep.trainings.filter(job__state="queued").count() == 3
    assert page in client.get(reverse("study_models", args=[study.slug])).content.decode()
    assert page in client.get(reverse("training", args=[study.slug, runs[0].pk])).content.decode()
    client.post(reverse("sweep_cancel", args=[study.slug, sweep.pk]))
    client.post(reverse("sweep_remove", args=[study.slug, sweep.pk]))
    assert not Sweep.objects.exists()


def test_the_mean_and_deviation_of_further_seeds_stand_beside_the_one_that_was_chosen(study):
    """Without its own score, which was chosen for being high. The deviation is NumPy's of a sample."""
    sweep = start(study)
    work(*sweep.trainings.order_by("pk"))
    lead = person(Role.RESEARCHER, study)
    page, own = reverse("sweep", args=[study.slug, sweep.pk]), f"/api/studies/{study.slug}/sweeps/{sweep.pk}/"
    client, api = as_person(lead), with_token(lead)
    assert "Mean of further seeds" not in client.get(page).content.decode()
    made = repeat_training(sweep=sweep)
    assert [one["repeats"] for one in api.get(own).json()["trainings"]] == [None] * 3
    work(*made)
    scores = [20.5, 23.0, 21.75]
    for run, score in zip(made, scores, strict=True):
        run.refresh_from_db()
        TrainingRun.objects.filter(pk=run.pk).update(best={**run.best, "value": score})
    best, *others = api.get(own).json()["trainings"]
    assert best["repeats"] == {"number": 3, "mean": np.mean(scores), "deviation": np.std(scores, ddof=1)}
    assert [one["repeats"] for one in others] == [None, None]
    shown = client.get(page).content.decode()
    assert shown.count("21.75 ± 1.25 (3)") == 1
    TrainingRun.objects.filter(pk__in=[run.pk for run in made[1:]]).update(best=None)
    assert api.get(own).json()["trainings"][0]["repeats"] == {"number": 1, "mean": 20.5, "deviation": None}


def test_a_sweep_takes_the_pairs_that_a_model_wrote_and_so_do_its_further_seeds(study):
    direction = study.directions.get()
    texts = [text.replace(" n", " m") for _, text in pairs(PAIRS + 2 * TUNE)]
    add_system(study=study, name="Teacher", outputs={direction: texts}, origin="model prompted", by=None)
    lead, silver = person(Role.RESEARCHER, study), {"system": "Teacher", "terms": True, "alone": True}
    client, new = as_person(lead), reverse("sweep_new", args=[study.slug])
    form = {"model": "words", "search": "grid", "at_most": "3", "seed": "1", "device": "auto", "vary-shown": "words",
            "vary-rounds": "1, 2", "silver-shown": "silver", "silver-system": "Teacher",
            "silver-round_trip_chrf": "40", "silver-alone": "on"}  # fmt: skip
    refused = client.post(new, form)
    assert (refused.status_code, Sweep.objects.count()) == (422, 0)
    assert "Look whether the terms of the model" in refused.content.decode()
    answer = client.post(new, {**form, "silver-terms": "on"})
    sweep = Sweep.objects.get()
    work(*sweep.trainings.all())
    assert states(sweep) == ["done"] * 2
    again = repeat_training(sweep=sweep, seeds=1)[0]
    work(again)
    assert [run.counts["pairs"] for run in sweep.trainings.all()] == [PAIRS] * 3
    assert {run.silver["kept"] for run in sweep.trainings.all()} == {PAIRS}
    assert f"{PAIRS} of {PAIRS} outputs of Teacher (model prompted)" in client.get(answer["Location"]).content.decode()
    asked = {"model": "seq2seq", "vary": {"hidden": [16, 32]}, "search": "grid", "silver": silver}
    made = with_token(lead).post(f"/api/studies/{study.slug}/sweeps/", asked, content_type="application/json")
    assert made.status_code == 201, made.json()
    assert TrainingRun.objects.filter(model="seq2seq", silver__system="Teacher").count() == 2
