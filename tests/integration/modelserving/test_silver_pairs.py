"""Silver pairs: a model's outputs that another is trained on; never gold, and marked wherever the training is shown."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from support.campaigns import person
from support.checkpoints import checkpoint
from support.clients import as_person, with_token
from support.training_studies import TRAIN, TUNE, fill, pairs, training_study
from support.word_model import register

from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Output, Reference
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.models import TrainingRun
from modelserving.training.dataset import read_dataset
from modelserving.training_runs.execution import folder_of, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
SIZE = TRAIN + 2 * TUNE


@pytest.fixture(autouse=True)
def words(monkeypatch, settings, tmp_path):
    register(monkeypatch)
    settings.WORK_FOLDER = tmp_path / "work"


@pytest.fixture
def study():
    return training_study(SIZE)


def marked(text):
    return text.replace(" n", " m")


def teacher(study, name="Teacher", outputs=None, **given):
    """A system whose output for the source of number n is its reference with a mark, or nothing."""
    sources = study.directions.get().sentences.order_by("number")
    texts = outputs or [marked(text) for _, text in pairs(sources.count())]
    return add_system(
        study=study, name=name, outputs={study.directions.get(): texts}, origin="model prompted", allows_missing=True,
        by=None, **given,
    )  # fmt: skip


def train(study, silver, **given):
    run = start_training(study=study, model="words", silver=silver, by=None, **given)
    run_job(run.job_id, run_training)
    found = TrainingRun.objects.select_related("job").get(pk=run.pk)
    assert found.job.state == Job.State.DONE, found.job.error
    return found, read_dataset(folder_of(found) / "data")


TERMS = {"system": "Teacher", "terms": True}


def test_outputs_of_train_sources_stand_behind_the_pairs_of_people_and_are_counted_as_machine_made(study):
    teacher(study)
    before = sorted(Reference.objects.values_list()), sorted(Output.objects.values_list())
    run, data = train(study, TERMS)
    written = list(zip(data.train.sources, data.train.targets, strict=True))
    assert written == pairs(SIZE)[:TRAIN] + [(source, marked(text)) for source, text in pairs(SIZE)[:TRAIN]]
    assert list(data.dev.references[0]) == [text for _, text in pairs(SIZE)[TRAIN : TRAIN + TUNE]]  # people's alone
    assert (run.counts["pairs"], run.counts["silver"]) == (2 * TRAIN, TRAIN)
    assert before == (sorted(Reference.objects.values_list()), sorted(Output.objects.values_list()))
    said = f"{TRAIN:,} of {TRAIN:,} outputs of Teacher (model prompted)"
    assert run.checkpoints.first().manifest["trained"]["silver"]["kept"] == TRAIN
    student = start_transfer(study=study, training=run, name="Student", by=None).system
    assert student.origin == "model words, words, seed 1, trained on outputs of Teacher"
    lead = person(Role.RESEARCHER, study)
    assert said in as_person(lead).get(f"/studies/{study.slug}/models/trainings/{run.pk}/").content.decode()
    found = with_token(lead).get(f"/api/studies/{study.slug}/trainings/{run.pk}/").json()
    assert (found["silver"]["system"], found["silver"]["terms"], found["silver"]["kept"]) == ("Teacher", True, TRAIN)


def test_pairs_pass_filters_and_what_was_left_out_is_said(study):
    texts = [source if number % 2 else marked(text) for number, (source, text) in enumerate(pairs(SIZE))]
    teacher(study, outputs=texts)
    run, data = train(study, {**TERMS, "filters": "pinc >= 20\n", "alone": True})
    kept = [(source, marked(text)) for source, text in pairs(SIZE)[:TRAIN:2]]
    assert list(zip(data.train.sources, data.train.targets, strict=True)) == kept
    assert run.silver["left"] == {"pinc >= 20": TRAIN // 2}
    assert f"{TRAIN // 2} of {TRAIN} machine-made pairs of Teacher are trained on (left out: " in run.job.log


def test_a_round_trip_keeps_what_comes_back(study):
    words = dict(pairs(SIZE))
    backwards = create_study(slug="backwards", title="Backwards", styles=["formal", "informal"])
    direction = add_direction(study=backwards, source_style="formal", target_style="informal")
    fill(direction, [(formal, informal) for informal, formal in words.items()])
    run = start_training(study=backwards, model="words", options={"rounds": 3}, by=None)
    run_job(run.job_id, run_training)
    checkpoint = run.checkpoints.first()
    type(checkpoint).objects.filter(pk=checkpoint.pk).update(study=study, name="Back", run=None, kind="imported")
    teacher(study, outputs=[f"xyz {number}" if number % 2 else text for number, text in enumerate(words.values())])
    run, data = train(study, {**TERMS, "round_trip": "Back", "round_trip_chrf": 30.0, "alone": True})
    assert list(data.train.sources) == list(words)[:TRAIN:2]
    assert run.silver["left"] == {"round trip chrF >= 30": TRAIN // 2}


@pytest.mark.parametrize(
    ("silver", "sentence"),
    [
        ({"system": "Nobody", "terms": True}, "silver.system: The study has no system 'Nobody'."),
        ({"system": "Teacher"}, "silver.terms: Look whether the terms of the model that wrote the outputs allow a "
         "training on them, and say so."),
        ({"system": "People", "terms": True}, "silver.system: People wrote the outputs of People: they are no "
         "machine's."),
        ({**TERMS, "filters": "pinc 20"}, "silver.filters, line 1: Expected a metric, >= or <=, and a number."),
        ({**TERMS, "filters": "\nblue >= 2"}, "silver.filters, line 2: There is no metric 'blue'."),
        ({**TERMS, "filters": "bleu >= 2"}, "silver.filters, line 1: BLEU cannot filter: it needs references."),
        ({**TERMS, "round_trip": "Back"}, "silver.round_trip: The study has no checkpoint 'Back'."),
        ({**TERMS, "treshold": 1}, "silver.treshold: There is no such option; there are system, terms, filters, "
         "round_trip, round_trip_chrf, alone."),
        ({"system": "Empty", "terms": True}, "silver.system: Empty has no output for a train source."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence_and_nothing_is_queued(study, silver, sentence):
    teacher(study)
    add_system(study=study, name="People", outputs={study.directions.get(): ["x"] * SIZE}, origin="x", by=None,
               is_human=True)  # fmt: skip
    teacher(study, name="Empty", outputs=[None] * (SIZE - 1) + ["x"])
    with pytest.raises(UserError) as caught:
        start_training(study=study, model="words", silver=silver, by=None)
    assert str(caught.value) == sentence
    assert not TrainingRun.objects.exists()


def test_a_model_that_learns_from_no_pairs_takes_none(study):
    teacher(study)
    with pytest.raises(UserError, match=r"silver\.system: .* does not learn from pairs\."):
        start_training(study=study, model="retrieve_only", silver=TERMS, by=None)


def test_without_pairs_of_people_a_tune_set_is_enough(study):
    Reference.objects.filter(sentence__split="train").delete()
    teacher(study)
    _, data = train(study, TERMS)
    assert len(data.train) == TRAIN


def test_the_page_and_the_api_ask_for_the_terms_and_keep_the_answer(study):
    teacher(study)
    lead = person(Role.RESEARCHER, study)
    page, address = as_person(lead), f"/studies/{study.slug}/models/train/"
    shown = page.get(address).content.decode()
    assert 'name="silver-system"' in shown
    assert "Teacher: model prompted" in shown
    sent = {"model": "words", "seed": 1, "device": "auto", "silver-shown": "silver", "silver-system": "Teacher",
            "silver-round_trip_chrf": "40"}  # fmt: skip
    refused = page.post(address, sent)
    assert refused.status_code == 422
    assert "Look whether the terms of the model" in refused.content.decode()
    assert not TrainingRun.objects.exists()
    assert page.post(address, {**sent, "silver-terms": "on"}).status_code == 302
    assert TrainingRun.objects.get().silver["terms"] is True
    api, body = with_token(lead), {"model": "seq2seq", "silver": {"system": "Teacher"}}
    address = f"/api/studies/{study.slug}/trainings/"
    refused = api.post(address, body, content_type="application/json")
    assert refused.status_code == 400
    assert refused.json()["detail"].startswith("silver.terms: Look whether the terms")
    body["silver"]["terms"] = True
    assert api.post(address, body, content_type="application/json").status_code == 201


def over_file(study, lines, checkpoint_folder):
    """A run over a file of lines, by a dictionary."""
    return start_file_transfer(
        study=study, file=SimpleUploadedFile("more.txt", "".join(f"{line}\n" for line in lines).encode()),
        direction=study.directions.get(), checkpoint=checkpoint(study, checkpoint_folder), by=None,
    )  # fmt: skip


def test_the_lines_of_a_run_over_a_file_are_pairs_without_those_that_are_held_out(study, tmp_path):
    held = pairs(SIZE)[TRAIN][0]  # a source of the tune split
    run = over_file(study, ["pt came by", "", held, "pt left"], tmp_path)
    silver = {"system": f"run {run.pk}", "terms": True}
    waiting = start_training(study=study, model="words", silver=silver, by=None)
    assert waiting.job.after == run.job
    run_job(run.job_id, run_transfer)
    found, data = train(study, {**silver, "alone": True})
    assert list(zip(data.train.sources, data.train.targets, strict=True)) == [
        ("pt came by", "patient came by"), ("pt left", "patient left"),
    ]  # fmt: skip
    name = f"more.txt (run {run.pk})"
    assert (found.silver["system"], found.silver["kept"]) == (name, 2)
    assert found.silver["origin"].startswith("model dictionary, checkpoint ")
    lead = as_person(person(Role.RESEARCHER, study))
    assert name in lead.get(f"/studies/{study.slug}/models/train/").content.decode()
    again, _ = train(study, {"system": name, "terms": True})  # as the page suggests it
    assert again.silver["kept"] == 2


def test_a_run_of_another_direction_or_another_study_is_no_teacher(study, tmp_path):
    run = over_file(study, ["pt came by"], tmp_path)
    back = add_direction(study=study, source_style="formal", target_style="informal")
    other = training_study(SIZE)
    with pytest.raises(UserError) as caught:
        start_training(study=other, model="words", silver={"system": f"run {run.pk}", "terms": True}, by=None)
    assert str(caught.value) == f"silver.system: The study has no system 'run {run.pk}'."
    fill(back, [(formal, informal) for informal, formal in pairs(SIZE)])
    with pytest.raises(UserError) as caught:
        start_training(
            study=study, model="words", silver={"system": f"run {run.pk}", "terms": True}, direction=back, by=None
        )
    assert str(caught.value) == f"silver.system: more.txt (run {run.pk}) is not of the direction {back.name}."
