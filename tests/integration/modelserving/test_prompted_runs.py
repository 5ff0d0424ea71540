"""A prompted language model on a study: what is asked, what never is, what is paid once, and what stops it."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone
from support.campaigns import person
from support.clients import with_token
from support.language_model_server import completion, served
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import Reference, Study
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from jobs.recovery import requeue_stale_jobs
from modelserving import typed_sentences
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.models import ModelAnswer, TrainingRun, TransferRun
from modelserving.parked_batches import look_at_batches
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
TRAIN = 16
OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 2, "price_input": 1000.0, "price_output": 2000.0}
RESTRICTED = "The texts of this study are restricted, so they may not go to far, which is outside."


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        url = one.url
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={url} models=tiny local=1; far={url} models=tiny,other")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "far=sk-of-the-tests")
        yield one


@pytest.fixture(autouse=True)
def small_batches(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    settings.TRANSFER_BATCH = 4


@pytest.fixture
def study(server):
    return training_study(TRAIN + 2 * TUNE)


def train(study, **given) -> TrainingRun:
    options = {**OPTIONS, **given.pop("options", {})}
    run = start_training(study=study, model="prompted", options=options, by=None, **given)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def trained(study, **given):
    run = train(study, **given)
    assert run.job.state == Job.State.DONE, run.job.error
    return run.checkpoints.get(kind="best")


def run_on(study, checkpoint, name="Prompted", **given) -> TransferRun:
    return work(start_transfer(study=study, checkpoint=checkpoint, name=name, by=None, **given))


def work(run) -> TransferRun:
    run_job(run.job_id, run_transfer)
    return TransferRun.objects.select_related("job").get(pk=run.pk)


def restrict(study, restricted=True):
    Study.objects.filter(pk=study.pk).update(restricted=restricted)


def references(study, *splits) -> list[str]:
    return list(
        Reference.objects.filter(set__direction__study=study, sentence__split__in=splits).values_list("text", flat=True)
    )


def test_a_training_keeps_a_prompt_and_scores_a_few_tune_sources(study, server):
    run = train(study, options={"shots": 3, "choice": "retrieved"})
    assert run.job.state == Job.State.DONE, run.job.error
    assert len(server.requests) == 2
    assert run.best["curve"] == "bleu"
    assert len(run.samples[-1]["rows"]) == 2
    assert "Rewrote 2 tune sources: 2 calls, " in run.job.log
    manifest = run.checkpoints.get().manifest
    assert manifest["options"]["endpoint"] == "far"
    assert "sk-of-the-tests" not in str(manifest) + run.job.log
    assert server.url not in str(manifest) + run.job.log


@pytest.mark.parametrize("choice", ["drawn", "retrieved"])
def test_examples_are_of_the_train_split_and_never_the_texts_own(study, server, choice):
    checkpoint = trained(study, options={"shots": 16, "choice": choice})
    run = run_on(study, checkpoint)
    assert run.job.state == Job.State.DONE, run.job.error
    sources = dict(study.directions.get().sentences.values_list("text", "split"))
    assert len(server.requests) == len(sources)  # those of the tune split were answered before
    for held_out in references(study, "tune", "test"):
        assert not any(held_out in prompt for prompt in server.prompts)
    for source, split in sources.items():
        (prompt,) = [one for one in server.prompts if f"): {source}\n" in one.rpartition("Text (")[2]]
        shown = prompt.count("Rewritten (formal): ")
        assert shown == (15 if split == "train" else 16)
        assert prompt.count(f"): {source}\n") == 1


def test_outputs_are_one_line_with_a_signature_and_the_usage(study, server):
    server.name = "tiny-2024-08"
    checkpoint = trained(study, options={"tune_most": 0})
    run = run_on(study, checkpoint, split="test")
    assert run.job.state == Job.State.DONE, run.job.error
    texts = list(run.system.outputs.values_list("text", flat=True))
    assert len(texts) == TUNE
    said = run.signature
    assert said.startswith(
        "informal-formal: prompted|informal-formal|version:3|endpoint:far|model:tiny|answered:tiny-2024-08|"
    )
    assert f"|checkpoint:{checkpoint.sha256}" in said
    assert said.count("\n") == 0
    usage = run.usage
    assert (usage["calls"], usage["kept"], usage["models"]) == (TUNE, 0, ["tiny-2024-08"])
    assert usage["cost"] == pytest.approx((usage["input"] * 1000 + usage["output"] * 2000) / 1e6)
    assert f"{TUNE} calls, {usage['input']:,} tokens in" in run.job.told
    assert ModelAnswer.objects.filter(study=study).count() == TUNE


def thinking(server, answer, finish="stop", **message):
    """Have the server answer so to every prompt."""

    def behave(request):
        body = json.loads(completion(request, server.name))
        body["choices"][0]["message"] = {"role": "assistant", "content": answer, **message}
        body["choices"][0]["finish_reason"] = finish
        return 200, {}, json.dumps(body).encode()

    server.behave = behave


@pytest.mark.parametrize("clean", [False, True])
def test_a_thought_is_no_output(study, server, clean):
    thinking(server, "<think>\nShe? Or he?\n</think>\n\nShe likes it.")
    run = run_on(study, trained(study, options={"tune_most": 0, "clean": clean}), split="test")
    assert set(run.system.outputs.values_list("text", flat=True)) == {"She likes it."}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("<think>\nShe? Or he, who", {}), ("", {}), (None, {"reasoning_content": "She? Or he"}),
        ("<|channel|>analysis<|message|>She? Or", {}),
    ],
)  # fmt: skip
def test_a_thought_that_was_cut_is_an_error_that_says_so(study, server, answer, message):
    thinking(server, answer, "length", **message)
    run = run_on(study, trained(study, options={"tune_most": 0, "most_tokens": 40}), split="test")
    assert run.job.state == Job.State.FAILED
    assert run.job.error == "The model's answer ended at 40 tokens, still in its thoughts: allow more."
    assert not run.system.outputs.exists()
    asked = len(server.requests)
    retry_job(job=run.job)
    run_job(run.job_id, run_transfer)
    assert len(server.requests) == asked  # what was answered is kept and paid: more tokens ask again


def test_a_direction_without_references_will_do_where_there_are_no_examples(server):
    bare = create_study(slug="bare", title="Without references", styles=["informal", "formal"])
    add_sources(direction=add_direction(study=bare, source_style="informal", target_style="formal"), texts=["wat r u"])
    with pytest.raises(UserError, match="nothing to take examples from"):
        start_training(study=bare, model="prompted", options={**OPTIONS, "shots": 1}, by=None)
    run = run_on(bare, trained(bare))
    assert run.job.state == Job.State.DONE, run.job.error
    assert run.system.outputs.get().text.startswith("WAT R U ")


ADDRESS = "http://169.254.169.254/latest"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"endpoint": ""}, "endpoint: Name an endpoint of this site, or a folder with a model."),
        ({"endpoint": ADDRESS}, f"endpoint: This site has no endpoint '{ADDRESS}'; it has near, far."),
        ({"model": "gpt"}, "model: The endpoint far has no model 'gpt'; it has tiny, other."),
        ({"message": "{text} {key}"}, "message: There is no {key}; there are {source_style}, {target_style}, {text}, "
         "{examples}."),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_not_queued(study, server, options, sentence):
    with pytest.raises(UserError) as caught:
        start_training(study=study, model="prompted", options={**OPTIONS, **options}, by=None)
    assert str(caught.value) == sentence
    assert not Job.objects.exists()
    assert server.requests == []


# Texts that stay here


def test_restricted_texts_are_trained_on_run_tried_and_rewritten_nowhere_outside(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    restrict(study)
    lead = person(Role.RESEARCHER, study)
    api = with_token(lead)
    with pytest.raises(UserError) as caught:
        start_training(study=study, model="prompted", options=OPTIONS, by=None)
    assert caught.value.sentence == RESTRICTED
    with pytest.raises(UserError) as caught:
        start_transfer(study=study, checkpoint=checkpoint, name="Prompted", by=None)
    assert caught.value.sentence == RESTRICTED
    with pytest.raises(UserError) as caught:
        start_file_transfer(
            study=study, checkpoint=checkpoint, direction=study.directions.get(), by=None,
            file=SimpleUploadedFile("lines.txt", b"wat r u\n"),
        )  # fmt: skip
    assert caught.value.sentence == RESTRICTED
    body = {"model": "prompted", "options": OPTIONS}
    answer = api.post(f"/api/studies/{study.slug}/trainings/", body, content_type="application/json")
    assert (answer.status_code, RESTRICTED in answer.json()["detail"]) == (400, True)
    body = {"checkpoint": checkpoint.pk, "name": "Prompted"}
    answer = api.post(f"/api/studies/{study.slug}/transfers/", body, content_type="application/json")
    assert (answer.status_code, RESTRICTED in answer.json()["detail"]) == (400, True)
    question = typed_sentences.ask(
        study=study,
        person=lead,
        text="wat r u",
        direction=study.directions.get(),
        models=[f"checkpoint-{checkpoint.pk}"],
    )
    typed_sentences.answer(question.key, 0)
    (tried,) = question.answers()
    assert (tried.state, tried.error) == ("failed", f"model: {RESTRICTED}")
    with pytest.raises(CommandError, match="are restricted"):
        call_command("transfer", str(checkpoint.pk))
    with pytest.raises(CommandError, match="are restricted"):
        call_command("train", "prompted", study=study.slug, set=["endpoint=far", "model=tiny"])
    assert server.requests == []


def test_restricted_texts_go_to_an_endpoint_of_the_lab(study, server):
    restrict(study)
    checkpoint = trained(study, options={"endpoint": "near", "shots": 2})
    assert run_on(study, checkpoint).job.state == Job.State.DONE
    assert server.requests


def test_an_endpoint_that_is_the_labs_no_more_gets_no_examples_of_before(study, server, monkeypatch):
    checkpoint = trained(study, options={"endpoint": "near", "shots": 2, "tune_most": 0})
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={server.url} models=tiny")
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
    run = run_on(study, checkpoint)
    assert (run.job.state, "is outside now" in run.job.error) == (Job.State.FAILED, True)
    restrict(study)
    with pytest.raises(UserError, match="may not go to near"):
        start_transfer(study=study, checkpoint=checkpoint, name="Again", by=None)
    assert server.requests == []


def test_a_study_that_becomes_restricted_between_training_and_its_job_is_left_alone(study, server):
    run = start_training(study=study, model="prompted", options=OPTIONS, by=None)
    restrict(study)
    run_job(run.job_id, run_training)
    job = Job.objects.get(pk=run.job_id)
    assert (job.state, RESTRICTED in job.error) == (Job.State.FAILED, True)
    assert server.requests == []


def test_a_study_that_becomes_restricted_in_the_middle_of_a_run_sends_nothing_more(study, server):
    checkpoint = trained(study, options={"tune_most": 0})

    def behave(request):
        if len(server.requests) == 6:
            restrict(study)

    server.behave = behave
    run = run_on(study, checkpoint, settings={"parallel": 1})
    assert (run.job.state, RESTRICTED in run.job.error) == (Job.State.FAILED, True)
    assert len(server.requests) == 6
    restrict(study, False)
    server.behave = None
    retry_job(job=run.job)
    assert work(run).job.state == Job.State.DONE
    assert len(server.requests) == TRAIN + 2 * TUNE


# Paid once


def test_a_run_that_fails_goes_on_and_asks_for_nothing_twice(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = lambda request: (401, {}, b"{}") if len(server.requests) > 6 else None
    run = run_on(study, checkpoint, settings={"parallel": 1})
    assert run.job.state == Job.State.FAILED
    assert run.job.error == "The endpoint far does not accept its key; whoever runs the site sets it."
    assert run.usage["calls"] == 6
    assert run.system.outputs.count() == 4  # the two of the second batch that were paid are kept
    server.behave = None
    refused = server.requests.pop()
    retry_job(job=run.job)
    run = work(run)
    assert run.job.state == Job.State.DONE, run.job.error
    asked = Counter(server.prompts)
    assert set(asked.values()) == {1}
    assert len(asked) == TRAIN + 2 * TUNE
    assert refused in server.requests
    assert (run.usage["calls"], run.usage["kept"]) == (TRAIN + 2 * TUNE, 2)
    other = run_on(study, checkpoint, name="Once more")
    assert (other.usage["calls"], other.usage["kept"], other.usage["cost"]) == (0, TRAIN + 2 * TUNE, 0)
    assert list(other.system.outputs.order_by("sentence").values_list("text", flat=True)) == list(
        run.system.outputs.order_by("sentence").values_list("text", flat=True)
    )


def test_another_study_prompt_model_or_seed_is_asked_anew(study, server):
    run_on(study, trained(study, options={"tune_most": 0}), name="First", split="test")
    for number, given in enumerate(({"seed": 2}, {"options": {"model": "other"}}, {"options": {"system": "Be kind."}})):
        options = {"tune_most": 0, **given.pop("options", {})}
        run_on(study, trained(study, options=options, **given), name=f"Other {number}", split="test")
        assert len(server.requests) == TUNE * (number + 2)


def test_a_limit_of_cost_stops_a_run_and_a_higher_one_lets_it_go_on(study, server):
    checkpoint = trained(study, options={"tune_most": 0, "most_tokens": 10})
    run = run_on(study, checkpoint, settings={"parallel": 4, "most_cost": 1.0})
    assert run.job.state == Job.State.FAILED
    assert "The limit of 1.00 is reached: " in run.job.error
    assert run.usage["calls"] == len(server.requests)
    assert 0 < run.usage["cost"] <= 1.0
    assert run.usage["most"] == pytest.approx(run.usage["cost"])
    TransferRun.objects.filter(pk=run.pk).update(settings={"most_cost": 100.0})
    retry_job(job=run.job)
    run = work(run)
    assert run.job.state == Job.State.DONE, run.job.error
    assert len(server.requests) == TRAIN + 2 * TUNE


def test_a_limit_without_prices_is_not_queued(study, server):
    checkpoint = trained(study, options={"tune_most": 0, "price_input": 0.0, "price_output": 0.0})
    with pytest.raises(UserError, match="needs the prices"):
        start_transfer(study=study, checkpoint=checkpoint, name="x", settings={"most_cost": 1.0}, by=None)


# Texts that get no answer

TOO_LONG = b'{"error": {"message": "Too many words", "code": "context_length_exceeded"}}'
FILTERED = b'{"error": {"message": "Not this", "code": "content_filter"}}'


def refuse(study, long=(), filtered=()):
    """What a server does that has no room for some texts and a filter for others."""
    texts = list(study.directions.get().sentences.order_by("number").values_list("text", flat=True))

    def behave(request):
        asked = request["messages"][-1]["content"]
        if any(f"): {texts[place]}\n" in asked for place in long):
            return 400, {}, TOO_LONG
        return (400, {}, FILTERED) if any(f"): {texts[place]}\n" in asked for place in filtered) else None

    return behave


def test_texts_that_are_refused_stay_without_output_and_the_others_go_on(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = refuse(study, long=(0, 5, 9), filtered=(3,))
    run = run_on(study, checkpoint)
    assert run.job.state == Job.State.DONE, run.job.error
    assert run.system.outputs.count() == TRAIN + 2 * TUNE - 4
    assert run.job.warning == (
        "The model wrote nothing for 4 sources. 3 texts were too long for the model. "
        "1 text was refused by the service's filter."
    )
    assert (run.usage["too_long"], run.usage["filtered"]) == (3, 1)
    server.behave = refuse(study, long=(5,))
    run = run_on(study, checkpoint, name="Again")
    assert (run.usage["calls"], run.usage["kept"]) == (3, TRAIN + 2 * TUNE - 4)
    assert run.system.outputs.count() == TRAIN + 2 * TUNE - 1
    assert run.job.warning == "The model wrote nothing for 1 source. 1 text was too long for the model."


def test_a_run_of_which_every_text_is_refused_fails_with_the_sentence(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = lambda request: (400, {}, TOO_LONG)
    run = run_on(study, checkpoint)
    assert run.job.state == Job.State.FAILED
    assert run.job.error == "The prompt is too long for the endpoint far: Too many words."
    server.behave = None
    retry_job(job=run.job)
    run = work(run)
    assert (run.job.state, run.job.warning) == (Job.State.DONE, "")


def test_lines_that_are_refused_stay_empty_and_all_of_them_are_an_error(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = lambda request: (413, {}, b"") if "long" in request["messages"][-1]["content"] else None

    def rewrite(lines):
        return work(
            start_file_transfer(
                study=study, checkpoint=checkpoint, direction=study.directions.get(), by=None,
                file=SimpleUploadedFile("lines.txt", lines),
            )
        )  # fmt: skip

    run = rewrite(b"wat\nlong\nok\n")
    with run.result.open("rb") as file:
        assert [bool(line.strip()) for line in file] == [True, False, True]
    assert "1 text was too long for the model." in run.job.warning
    run = rewrite(b"long\nlong too\n")
    assert (run.job.state, run.job.error) == (Job.State.FAILED, "The prompt is too long for the endpoint far.")
    server.behave = None
    retry_job(job=run.job)
    run = work(run)
    assert (run.job.state, run.job.warning, bool(run.result)) == (Job.State.DONE, "", True)


def test_a_training_and_a_typed_sentence_whose_texts_are_refused_say_so(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = lambda request: (400, {}, FILTERED)
    run = train(study, name="Refused")
    sentence = "The filter of the endpoint far refused the prompt: Not this."
    assert (run.job.state, run.job.error) == (Job.State.FAILED, sentence)
    question = typed_sentences.ask(
        study=study, person=person(Role.RESEARCHER, study), text="wat r u", direction=study.directions.get(),
        models=[f"checkpoint-{checkpoint.pk}"],
    )  # fmt: skip
    typed_sentences.answer(question.key, 0)
    (tried,) = question.answers()
    assert (tried.state, tried.error) == ("failed", sentence)


def test_an_address_that_answers_as_another_model_in_the_middle_is_not_one_system(study, server):
    checkpoint = trained(study, options={"tune_most": 0})

    def behave(request):
        return (200, {}, completion(request, "other" if len(server.requests) > 6 else "tiny"))

    server.behave = behave
    run = run_on(study, checkpoint, settings={"parallel": 1})
    assert run.job.state == Job.State.FAILED
    assert "answered as tiny before, and as other now" in run.job.error


def test_limits_and_trouble_pass_and_what_is_cut_is_a_warning(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    cut = [{"index": 0, "message": {"content": "It was"}, "finish_reason": "length"}]

    def behave(request):
        place = len(server.requests)
        if place in (2, 3):
            return (429, {"retry-after": "0.1"}, b"")
        if place == 4:
            return (503, {}, b"")
        return (200, {}, completion(request, choices=cut)) if place == 5 else None

    server.behave = behave
    run = run_on(study, checkpoint, settings={"parallel": 2})
    assert run.job.state == Job.State.DONE, run.job.error
    assert len(server.requests) == TRAIN + 2 * TUNE + 3
    assert run.job.warning == (
        "The model wrote nothing for 1 source. Of the answers 1 ended at the most tokens. "
        "1 text was answered with no rewrite."
    )
    lines = [line.partition(" ")[2] for line in run.job.log.splitlines() if "ended at" in line and "source" in line]
    assert re.fullmatch(r"informal-formal, source \d+: The model's answer ended at 1,024 tokens: allow more.", lines[0])


def test_trouble_that_stays_is_a_sentence_with_how_often_it_was_tried(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.behave = lambda request: (503, {"retry-after": "0"}, b"")
    run = run_on(study, checkpoint, settings={"parallel": 1, "retries": 2})
    assert run.job.error == "The endpoint far is in trouble: status 503. It was tried 3 times."
    assert len(server.requests) == 3


def test_odd_lines_of_a_file_are_rewritten_in_their_order(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    lines = ["", "wat", "   ", "{text} {examples}", "wat", "a\u2028b", "word " * 2000]
    run = work(
        start_file_transfer(
            study=study,
            checkpoint=checkpoint,
            direction=study.directions.get(),
            by=None,
            file=SimpleUploadedFile("lines.txt", "".join(f"{line}\n" for line in lines).encode()),
        )
    )
    assert run.job.state == Job.State.DONE, run.job.error
    with run.result.open("rb") as file:
        result = file.read().decode().split("\n")
    assert len(result) == len(lines) + 1
    assert (result[0], result[2], result[1]) == ("", "", result[4])
    assert result[3].startswith("{TEXT} {EXAMPLES} ")
    assert result[6].count("WORD") == 2000
    assert len(server.requests) == 4  # the same is asked once


def test_keys_are_in_no_row(study, server):
    server.behave = lambda request: (400, {}, b'{"error": {"message": "wrong key sk-of-the-tests"}}')
    run = train(study)
    assert run.job.state == Job.State.FAILED
    assert "sk-of" not in run.job.error + run.job.log
    assert server.headers[0]["authorization"] == "Bearer sk-of-the-tests"


def batch_run(study, server):
    checkpoint = trained(study, options={"tune_most": 0})
    server.looks = 10**9
    run = start_transfer(study=study, checkpoint=checkpoint, name="Batch", settings={"batches": True}, by=None)
    return work(run)


def parked() -> list[str]:
    look_at_batches()
    return list(Job.objects.exclude(awaited="").values_list("awaited", flat=True))


WAITS = "It waits for the answers to a batch of 24 calls from the endpoint far, which come within a day, at no worker."


def test_a_run_as_a_batch_waits_at_no_worker_and_goes_on_when_the_batch_is_over(study, server):
    run = batch_run(study, server)
    assert (run.job.state, run.job.holder, run.job.awaited, run.job.queue) == ("queued", None, WAITS, "quick")
    assert (run.usage["batch"]["calls"], run.usage["most"] > 0) == (TRAIN + 2 * TUNE, True)
    Job.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    requeue_stale_jobs()
    assert parked() == [WAITS]
    assert work(run).job.awaited == WAITS  # a message that comes all the same does no harm
    server.looks = 0
    assert parked() == []
    run = work(run)
    assert run.job.state == Job.State.DONE, run.job.error
    assert (len(server.batches), len(server.requests)) == (1, TRAIN + 2 * TUNE)
    assert run.system.outputs.count() == run.usage["calls"] == TRAIN + 2 * TUNE
    assert run.usage["most"] == pytest.approx(run.usage["cost"])
    assert run.job.attempts == 1


def test_a_batch_that_will_never_be_over_is_told_by_the_run(study, server, monkeypatch):
    run = batch_run(study, server)
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", "other=http://127.0.0.1:9/v1")
    assert parked() == []
    run = work(run)
    assert (run.job.state, "far" in run.job.error) == (Job.State.FAILED, True)


def test_a_parked_run_waits_while_its_endpoint_is_away_and_looks_itself_after_a_day(study, server, monkeypatch):
    run = batch_run(study, server)
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", "far=http://127.0.0.1:9/v1 models=tiny,other")
    assert parked() == [WAITS]
    Job.objects.update(queued_at=timezone.now() - timedelta(hours=26))
    assert parked() == []
    run = work(run)
    assert (run.job.state, bool(run.usage["batch"])) == (Job.State.FAILED, True)  # the batch stays noted
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={server.url} models=tiny,other")
    server.looks = 0
    retry_job(job=run.job)
    assert work(run).job.state == Job.State.DONE
    assert (len(server.batches), len(server.requests)) == (1, TRAIN + 2 * TUNE)


def test_a_parked_run_is_cancelled_at_once_and_goes_on_with_its_batch_when_it_is_run_again(study, server):
    run = batch_run(study, server)
    cancel_job(job=run.job)
    server.looks = 0
    look_at_batches()
    assert Job.objects.get(pk=run.job_id).state == Job.State.CANCELLED
    retry_job(job=run.job)
    assert work(run).job.state == Job.State.DONE
    assert len(server.batches) == 1
