"""Trainings on preferences as jobs: asked for by the API, on judged pairs alone, with their numbers on the page."""

import pytest
from django.test import Client
from django.urls import reverse
from support import tiny_transformers
from support.campaigns import person
from support.training_studies import training_study

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.actions.add_system import add_system
from corpora.formats import Judgement as Given
from corpora.models import Sentence
from evaluation.actions.import_ratings import import_ratings
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.presenters.training_cost import training_costs
from modelserving.training.dataset import read_dataset
from modelserving.training_runs.execution import folder_of, run_training
from modelserving.transfer import TRANSFERS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PREFERRED = {"folder": "tiny-t5", "learn_from": "preferences", "epochs": 2, "read": 32, "write": 16}

REWARDED = {
    "folder": "tiny-t5", "learn_from": "rewards", "epochs": 1, "read": 32, "write": 16, "rewrite_tokens": 4,
    "rewrites": 2, "rewards": "style_accuracy\npinc",
}  # fmt: skip


@pytest.fixture
def study():
    """16 sources to train on, 4 to tune on, 4 to test on, with their references and copies as two systems."""
    made = training_study(24)
    direction = made.directions.get()
    sources = list(direction.sentences.order_by("number"))
    add_system(study=made, name="Copy", outputs={direction: [one.text for one in sources]}, origin="a file")
    good = [f"well, {one.text} indeed" for one in sources]
    add_system(study=made, name="Good", outputs={direction: good}, origin="a file")
    keep_criteria(made, [{"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"}])
    return made


@pytest.fixture
def models(tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make("t5", tmp_path / "tiny-t5")
    return tmp_path


def judge(study, split=""):
    """One rater prefers "Good" for each source of the split, or of all."""
    chosen = study.directions.get().sentences.order_by("number")
    given = [
        Given("a", one.text, text, "formal", "fluency", value, None, 2)
        for one in (chosen.filter(split=split) if split else chosen)
        for text, value in ((one.text, 1), (f"well, {one.text} indeed", 5))
    ]
    import_ratings(study=study, format="table", file_name="ratings.csv", judgements=given)


def test_a_training_on_judgements_is_asked_for_by_the_api_and_learns_pairs_of_train_and_tune_alone(study, models):
    judge(study)
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    asked = {"model": "t5", "name": "Preferred", "device": "cpu", "options": PREFERRED}
    answer = client.post(f"/api/studies/{study.slug}/trainings/", asked, content_type="application/json")
    assert answer.status_code == 201, answer.content
    run = TrainingRun.objects.get()
    run_job(run.job_id, run_training)
    run.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    assert (run.counts["preferences"], run.counts["held_out_preferences"]) == (16, 4)
    assert "16 judged pairs to learn from, 4 held out of them. Left out: 4 pairs of the test split." in run.job.log
    data = read_dataset(folder_of(run) / "data")
    tested = set(study.directions.get().sentences.filter(split=Sentence.Split.TEST).values_list("text", flat=True))
    assert not tested & {*data.preferences.sources, *data.dev_preferences.sources}
    assert set(data.preferences.margins) == {1.0}
    curves = set(run.curves.values_list("name", flat=True))
    assert curves == {"loss a pair", "learning rate", "preference_loss", "preference_accuracy", "reward_margin"}
    page = client.get(reverse("training", kwargs={"study": study.slug, "training": run.pk})).content.decode()
    assert "16 to learn from, 4 held out" in page
    assert "Held-out pairs in the order of people" in page


def test_without_judgements_of_train_sources_it_is_refused(study, models):
    with pytest.raises(UserError, match=r"^learn_from: There is nothing to learn from: in no pair of texts"):
        start_training(study=study, model="t5", options=PREFERRED, by=None)
    judge(study, Sentence.Split.TEST)
    with pytest.raises(UserError, match="Left out: 4 pairs of the test split"):
        start_training(study=study, model="t5", options=PREFERRED, by=None)
    with pytest.raises(UserError, match=r"^criterion: Nobody judged 'grace'; there are judgements on fluency"):
        start_training(study=study, model="t5", options=PREFERRED | {"criterion": "grace"}, by=None)
    assert not TrainingRun.objects.exists()


def test_it_needs_no_references(study, models):
    judge(study)
    without_references(study)
    assert start_training(study=study, model="t5", options=PREFERRED, by=None).options["learn_from"] == "preferences"
    with pytest.raises(UserError, match="There is nothing to train on"):
        start_training(study=study, model="t5", options={"folder": "tiny-t5"}, by=None)


def without_references(study):
    for references in study.directions.get().reference_sets.all():
        references.references.all().delete()


def test_the_page_offers_models_that_learn_from_judgements_where_there_are_no_references(study, models):
    """A kind is greyed out only where none of its ways is open, and its options begin with the open one."""
    client, address = Client(), reverse("training_new", args=[study.slug])
    client.force_login(person(Role.RESEARCHER, study))
    without_references(study)
    study.systems.update(is_human=True)  # else a machine's outputs could be learnt from
    assert lacking(client.get(address), "t5").startswith("There is nothing to train on")
    judge(study)
    page = client.get(address, {"model": "t5"})
    assert (lacking(page, "t5"), page.context["options"]["learn_from"].value()) == ("", "preferences")
    assert "it learns from people&#x27;s judgements" in page.content.decode()
    assert lacking(page, "seq2seq").startswith("There is nothing to train on"), "it learns from references alone"
    page = client.post(address, {"model": "t5", "seed": "1", "device": "cpu", **typed(page.context["options"])})
    assert page.status_code == 302, page.context["options"].errors
    assert TrainingRun.objects.get().options["learn_from"] == "preferences"


def test_the_page_offers_models_of_pairs_where_a_system_has_outputs_to_learn_from(study, models):
    client, address = Client(), reverse("training_new", args=[study.slug])
    client.force_login(person(Role.RESEARCHER, study))
    train = study.directions.get().sentences.filter(split=Sentence.Split.TRAIN)
    for references in study.directions.get().reference_sets.all():
        references.references.filter(sentence__in=train).delete()
    page = client.get(address, {"model": "seq2seq"})
    assert lacking(page, "seq2seq") == ""
    assert "choose a system below, whose outputs become its pairs" in page.content.decode()
    assert "<details open" in page.content.decode()
    study.systems.all().delete()
    assert lacking(client.get(address), "seq2seq").startswith("There is nothing to train on")


def lacking(page, name):
    return next(one.lacks for group in page.context["groups"] for one in group.kinds if one.name == name)


def typed(options):
    given = ((field.html_name, field.value()) for field in options)
    values = {name: value for name, value in given if value is not None and value is not False}
    return {**values, "option-folder": "tiny-t5", "option-epochs": "2", "option-read": "32", "option-write": "16"}


def test_a_model_learns_from_rewards_where_texts_of_both_styles_are(study, models):
    """As a job, without pairs; a metric that is not here is one sentence on the option."""
    asked = REWARDED | {"rewards": "style_accuracy\nsemantic_similarity model=nowhere"}
    with pytest.raises(UserError, match=r"^rewards: .*nowhere"):
        start_training(study=study, model="t5", options=asked, by=None)
    run = start_training(study=study, model="t5", options=REWARDED, by=None)
    run_job(run.job_id, run_training)
    run.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    assert {"distance a token", "reward_wins", "reward: pinc"} < set(run.curves.values_list("name", flat=True))
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    page = client.get(reverse("training", kwargs={"study": study.slug, "training": run.pk})).content.decode()
    assert "PINC of the rewrites that it learns from" in page
    costs = {row.label: row.value for row in training_costs("t5", TRANSFERS["t5"].choose_options(REWARDED), study, None,
                                                            silver=False)}  # fmt: skip
    assert costs["Reads"] == "16 texts, at most 1 times: 2 updates at most"
    without_references(study)
    with pytest.raises(UserError, match="the train split has no text in the style formal"):
        start_training(study=study, model="t5", options=REWARDED, by=None)


def test_what_people_prefer_is_a_reward(study, models):
    """The judged pairs are part of its data, though it learns from texts; without judgements it is refused."""
    options = {**REWARDED, "rewards": "preference_reward least=20\npinc"}
    with pytest.raises(UserError, match="judge"):
        start_training(study=study, model="t5", options=options, device="cpu", by=None)
    judge(study)
    run = start_training(study=study, model="t5", options=options, device="cpu", by=None)
    run_job(run.job_id, run_training)
    run.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    assert len(read_dataset(folder_of(run) / "data").judged_pairs()) == 20
    assert "reward: preference_reward" in set(run.curves.values_list("name", flat=True))
