"""Runs of a trained model: over splits, into a family of systems, over an uploaded file, lost and found again."""

import shutil
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from support.campaigns import person
from support.campaigns import study as new_study
from support.clients import with_token
from support.every_endpoint import described
from support.training_studies import TUNE, fill, pairs, training_study
from support.word_model import Words, register

from corpora.actions.add_direction import add_direction
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.remove_checkpoint import remove_checkpoint
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.models import TransferRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
TRAIN = 16


class Killed(BaseException):
    """The process is gone: nothing of it says so."""


@pytest.fixture(autouse=True)
def words(monkeypatch, settings, tmp_path):
    register(monkeypatch)
    settings.WORK_FOLDER = tmp_path / "work"
    settings.TRANSFER_BATCH = 3


@pytest.fixture
def study():
    return training_study(TRAIN + 2 * TUNE)


def trained(study, **given):
    run = start_training(study=study, model="words", by=None, **given)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return run.checkpoints.get(kind="best")


def work(run) -> TransferRun:
    run_job(run.job_id, run_transfer)
    return TransferRun.objects.select_related("job").get(pk=run.pk)


def expected(checkpoint, texts):
    from modelserving.transfer import TRANSFERS

    return list(TRANSFERS["words"].load(artifacts.local_copy(checkpoint)).transfer(texts, ("informal", "formal"), None))


@pytest.mark.parametrize("split", ["", "test", "tune"])
def test_a_split_or_all_is_rewritten(study, split):
    checkpoint = trained(study)
    run = work(start_transfer(study=study, checkpoint=checkpoint, name="Words", split=split, by=None))
    assert run.job.state == Job.State.DONE, run.job.log
    sources = study.directions.get().sentences.order_by("number")
    texts = list((sources.filter(split=split) if split else sources).values_list("text", flat=True))
    outputs = run.system.outputs.order_by("sentence__number").values_list("text", flat=True)
    assert list(outputs) == expected(checkpoint, texts)
    assert run.job.total == len(texts)
    assert run.signature.startswith("informal-formal: words|informal-formal|checkpoint:")
    assert checkpoint.sha256 in run.signature


def test_seeds_of_one_model_are_a_family(study):
    for seed in (1, 2):
        checkpoint = trained(study, seed=seed, options={"rounds": 2})
        start_transfer(study=study, checkpoint=checkpoint, name=f"Words {seed}", by=None)
    other = trained(study, seed=1)
    start_transfer(study=study, checkpoint=other, name="Words as usual", by=None)
    found = list(study.systems.order_by("number").values_list("family", "seed", "options"))
    assert found == [("words", 1, {"rounds": 2}), ("words", 2, {"rounds": 2}), ("words", 1, {})]
    assert study.systems.first().origin.startswith("model words, checkpoint ")


def test_directions_that_it_was_not_trained_for(study):
    checkpoint = trained(study)
    back = add_direction(study=study, source_style="formal", target_style="informal")
    fill(back, pairs(10))
    with pytest.raises(UserError, match="does not go from formal to informal; it serves informal to formal"):
        start_transfer(study=study, checkpoint=checkpoint, direction=back, name="Words", by=None)
    run = work(start_transfer(study=study, checkpoint=checkpoint, name="Words", by=None))  # those that it serves
    assert set(run.system.outputs.values_list("sentence__direction__source_style", flat=True)) == {"informal"}


def test_what_a_run_is_refused_for(study):
    checkpoint, other = trained(study), new_study()
    with pytest.raises(UserError, match="checkpoint: The checkpoint is another study's"):
        start_transfer(study=other, checkpoint=checkpoint, name="Words", by=None)
    with pytest.raises(UserError, match="needs training"):
        start_transfer(study=study, model="words", name="Words", by=None)
    state = trained(study)
    state.kind = "last"
    with pytest.raises(UserError, match=r"checkpoint: .* holds the state of a training"):
        start_transfer(study=study, checkpoint=state, name="Words", by=None)
    with pytest.raises(UserError, match="split: Expected one of train, tune, test"):
        start_transfer(study=study, checkpoint=checkpoint, split="dev", name="Words", by=None)
    study.directions.get().sentences.filter(split="test").update(split="train")
    with pytest.raises(UserError, match="has no sources in the test split"):
        start_transfer(study=study, checkpoint=checkpoint, split="test", name="Words", by=None)
    assert not study.systems.exists()


def lines_of(run) -> list[str]:
    return b"".join(artifacts.stored_chunks(run.result.name)).decode().split("\n")


def file_of(lines, name="texts.txt", end="\n"):
    return SimpleUploadedFile(name, "".join(f"{line}{end}" for line in lines).encode())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_uploaded_file_is_rewritten_line_for_line(study, end):
    checkpoint, direction = trained(study), study.directions.get()
    lines = ["wat u", "", "👍 r", "u " * 2000, *(f"wat {n}" for n in range(50))]
    run = start_file_transfer(
        study=study, file=file_of(lines, end=end), direction=direction, checkpoint=checkpoint, by=None
    )
    run = work(run)
    assert run.job.state == Job.State.DONE, run.job.log
    assert lines_of(run) == [*expected(checkpoint, lines), ""]
    assert (run.system, run.file_name, run.job.total) == (None, "texts.txt", 54)


def test_a_lost_worker_leaves_its_lines_to_the_next(study, monkeypatch):
    checkpoint, direction = trained(study), study.directions.get()
    lines = [f"wat u {n}" for n in range(100)]
    run = start_file_transfer(study=study, file=file_of(lines), direction=direction, checkpoint=checkpoint, by=None)
    seen, transfer = [], Words.transfer

    def dies(self, texts, *given):
        seen.append(list(texts))
        if len(seen) == 3:
            raise Killed
        return transfer(self, texts, *given)

    monkeypatch.setattr(Words, "transfer", dies)
    with pytest.raises(Killed):
        run_job(run.job_id, run_transfer)
    Job.objects.filter(pk=run.job_id).update(heartbeat_at=timezone.now() - timedelta(days=1))
    place = next(artifacts.work_folder("transfers").iterdir()) / "result.txt"
    with place.open("a") as file:
        file.write("half a li")  # as a kill in the middle of a write leaves it
    first = len(seen[0]) + len(seen[1])
    run = work(run)
    assert seen[3][0] == lines[first]
    monkeypatch.setattr(Words, "transfer", transfer)
    assert lines_of(run) == [*expected(checkpoint, lines), ""]


def test_elsewhere_a_lost_file_run_begins_again(study, monkeypatch):
    checkpoint, direction = trained(study), study.directions.get()
    run = start_file_transfer(study=study, file=file_of(["wat"]), direction=direction, checkpoint=checkpoint, by=None)
    shutil.rmtree(artifacts.work_folder())
    assert lines_of(work(run)) == [*expected(checkpoint, ["wat"]), ""]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The file has no line"),
        (b"ok\n\xff\n", "texts.txt, line 2: The line is not"),
        (b"ok\n" + b"a" * 20_000_000, "texts.txt, line 2: the line is longer than 1,000,000 characters"),
        ("ü".encode() * 1_000_003 + b"\n", "texts.txt, line 1: the line is longer than 1,000,000 characters"),
    ],
)
def test_files_that_are_none(study, data, said):
    checkpoint = trained(study)
    file = SimpleUploadedFile("texts.txt", data)
    with pytest.raises(UserError, match=said):
        start_file_transfer(
            study=study, file=file, direction=study.directions.get(), checkpoint=checkpoint, by=None
        )  # fmt: skip
    assert not TransferRun.objects.exists()


def test_a_checkpoint_in_use_stays_and_one_that_went_is_said(study):
    checkpoint = trained(study)
    run = start_transfer(study=study, checkpoint=checkpoint, name="Words", by=None)
    with pytest.raises(UserError, match="A run with this checkpoint is still running"):
        remove_checkpoint(checkpoint=checkpoint)
    run = work(run)
    remove_checkpoint(checkpoint=checkpoint)
    run.refresh_from_db()
    assert run.checkpoint is None
    assert run.system.outputs.count() == TRAIN + 2 * TUNE


def test_all_of_it_through_the_api(study):
    lead = with_token(person("researcher", study))
    base = f"/api/studies/{study.slug}/"
    asked = {"model": "dictionary", "seed": 5, "direction": "informal-formal"}
    answer = lead.post(f"{base}trainings/", asked, content_type="application/json")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    run_job(made["job"], run_training)
    found = lead.get(f"{base}trainings/{made['id']}/").json()
    assert (found["state"], found["seed"], found["counts"]["pairs"]) == ("done", 5, TRAIN)
    best = next(one for one in lead.get(f"{base}checkpoints/").json() if one["kind"] == "best")
    assert best["manifest"]["trained"]["seed"] == 5
    asked = {"checkpoint": best["id"], "name": "Dictionary", "split": "test"}
    answer = lead.post(f"{base}transfers/", asked, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert (answer.json()["model"], answer.json()["split"]) == ("dictionary", "test")
    asked = {"checkpoint": best["id"], "direction": "informal-formal", "file": file_of(["pt was seen"])}
    answer = lead.post(f"{base}transfers/file/", asked)
    assert answer.status_code == 201, answer.content
    result = f"{base}transfers/{answer.json()['id']}/result/"
    assert lead.get(result).status_code == 404
    run_job(answer.json()["job"], run_transfer)
    assert b"".join(lead.get(result).streaming_content) == b"patient was seen\n"
    asked = {"model": "seq2seq", "options": {"hiden": 3}}
    answer = lead.post(f"{base}trainings/", asked, content_type="application/json")
    assert answer.json()["detail"] == "hiden: There is no such option; did you mean hidden?"


def test_the_description_has_each_models_options():
    schema = described()
    request = schema["paths"]["/api/studies/{study}/trainings/"]["post"]["requestBody"]["content"]["application/json"]
    shapes = schema["components"]["schemas"]
    forms = shapes[request["schema"]["$ref"].rpartition("/")[2]]
    assert "seq2seq" in forms["discriminator"]["mapping"]
    form = shapes[forms["discriminator"]["mapping"]["seq2seq"].rpartition("/")[2]]
    options = form["properties"]["options"]
    name = (options.get("$ref") or options["allOf"][0]["$ref"]).rpartition("/")[2]
    hidden = shapes[name]["properties"]["hidden"]
    assert (hidden["type"], hidden["minimum"], hidden["maximum"], hidden["default"]) == ("integer", 1, 4096, 256)
    assert hidden["description"]
