"""What no form would send, posted to the pages of models: each field has one sentence, nothing begins or breaks."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from support.campaigns import person
from support.checkpoints import checkpoint
from support.training_studies import training_study

from accounts.permissions import Role
from foundation.options import list_options
from jobs.models import Job
from modelserving.models import Checkpoint, TrainingRun, TransferRun
from modelserving.presenters import model_kinds
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db
HOSTILE = [
    "\0", "a\0b", "²", "-1", "9" * 30, "9" * 5000, "1e999", "nan", "Infinity", "<script>alert(1)</script>", "٣x",
    "\u202e", "../../etc/passwd", "x" * 20_000,
]  # fmt: skip


in_parts = pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])


def hostile(fields: Iterable[str], step: int) -> Iterator[tuple[str, str]]:
    """Each field with a part of the values, so that each value comes to some field; with all where `step` is 1."""
    return ((field, value) for place, field in enumerate(fields) for value in HOSTILE[place % step :: step])


@pytest.fixture
def study(models_folder):
    return training_study()


@pytest.fixture
def client(study):
    return a_client(study)


def a_client(study) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person(Role.RESEARCHER, study))
    return client


@contextmanager
def case(*told: str) -> Iterator[None]:
    """One request: what it began is undone behind it, and a failure names it."""
    point = transaction.savepoint()
    try:
        yield
    except AssertionError as error:
        error.add_note(", ".join(ascii(one)[:30] for one in told))
        raise
    finally:
        transaction.savepoint_rollback(point)


def nothing_began() -> bool:
    return not any(kind.objects.exists() for kind in (Job, TrainingRun, TransferRun))


def sentences(form) -> dict[str, list[str]]:
    return {name: list(said) for name, said in form.errors.items()}


def each_has_one(*forms) -> bool:
    """Whether some field has an error, and none more than one sentence, of a length that somebody reads."""
    said = {name: said for form in forms for name, said in sentences(form).items()}
    wrong = {name: one for name, one in said.items() if len(one) != 1 or not one[0].endswith(".") or len(one[0]) > 300}
    assert wrong == {}
    return bool(said)


@in_parts
def test_the_form_of_a_training(client, study, step):
    usual = {"model": "seq2seq", "seed": "1", "device": "cpu", "name": "", "direction": ""}
    for field, value in hostile(usual, step):
        with case(field, value):
            answer = client.post(reverse("training_new", args=[study.slug]), {**usual, field: value})
            if answer.status_code == 302:
                assert TrainingRun.objects.get().name == value.strip()
                continue
            assert answer.status_code == 422
            assert sentences(answer.context["form"]).keys() == {field}
            assert each_has_one(answer.context["form"])
            assert nothing_began()


def test_the_options_of_each_kind(client, study):
    """All of a kind at once; each kind gets one of the values, so that each value comes to some kind."""
    kinds = [name for name in model_kinds.trained() if list_options(TRANSFERS[name].Options)]
    for at, kind in enumerate(kinds):
        value = HOSTILE[at % len(HOSTILE)]
        with case(kind, value):
            refused_options(client, study, kind, value)


@pytest.mark.soak
def test_the_options_of_each_kind_with_every_value(client, study):
    kinds = [name for name in model_kinds.trained() if list_options(TRANSFERS[name].Options)]
    for kind, value in product(kinds, HOSTILE):
        with case(kind, value):
            refused_options(client, study, kind, value)


def refused_options(client, study, kind, value):
    sent = {f"option-{one.name}": value for one in list_options(TRANSFERS[kind].Options)}
    url = reverse("training_new", args=[study.slug])
    answer = client.post(url, {"model": kind, "seed": "1", "device": "cpu", "option-shown": kind, **sent})
    assert answer.status_code == 422
    assert each_has_one(answer.context["form"], answer.context["options"])
    assert nothing_began()


@in_parts
def test_the_prompt_that_is_looked_at(client, study, step):
    usual = {"model": "prompted", "seed": "1", "device": "cpu", "option-shown": "prompted"}
    usual |= {f"option-{one.name}": str(one.default) for one in list_options(TRANSFERS["prompted"].Options)}
    fields = ["model", "direction", "seed", "option-endpoint", "option-message", "option-shots"]
    for field, value in hostile(fields, step):
        with case(field, value):
            answer = client.post(reverse("training_prompt", args=[study.slug]), {**usual, field: value})
            assert answer.status_code == 200
            assert answer.content.decode().count("message error") == 1
            assert nothing_began()


@in_parts
def test_the_form_of_a_run(client, study, tmp_path, step):
    key = f"checkpoint-{checkpoint(study, tmp_path).pk}"
    usual = {
        "model": key, "name": "Terms", "split": "", "decoding-shown": key, "decoding-choice": "most_frequent",
        "decoding-seed": "1",
    }  # fmt: skip
    fields = ["model", "direction", "split", "name", "decoding-seed", "decoding-choice"]
    for field, value in hostile(fields, step):
        with case(field, value):
            answer = client.post(reverse("transfer_new", args=[study.slug]), {**usual, field: value})
            if answer.status_code == 302:
                assert TransferRun.objects.get().system.name == (value.strip() if field == "name" else "Terms")
                assert (field, value) == ("decoding-seed", "9" * 30) or field == "name"
                continue
            assert answer.status_code == 422
            assert each_has_one(answer.context["form"], answer.context["options"])
            assert nothing_began()


@in_parts
def test_the_form_of_a_file(client, study, tmp_path, step):
    usual = {"model": f"checkpoint-{checkpoint(study, tmp_path).pk}", "direction": study.directions.get().pk}
    for field, value in hostile(["model", "direction", "file"], step):
        with case(field, value):
            file = SimpleUploadedFile("lines.txt", b"pt has sob\n")
            answer = client.post(reverse("transfer_file", args=[study.slug]), {**usual, "file": file, field: value})
            assert answer.status_code == 422
            assert each_has_one(answer.context["form"])
            assert nothing_began()


@in_parts
def test_a_sentence_that_is_tried(study, step):
    usual = {"text": "wat r u", "direction": study.directions.get().pk, "instead": ""}
    for field, value in hostile(usual, step):
        with case(field, value):
            asker = a_client(study)  # each a person of their own, who waits for no other answer
            answer = asker.post(reverse("try_it", args=[study.slug]), {**usual, field: value})
            if field == "direction" or len(value) > 2_000 or "\0" in value:
                assert answer.status_code == 422
                assert each_has_one(answer.context["form"])
            else:
                assert answer.status_code == 200


def test_a_checkpoint_of_a_strange_name(client, study):
    for value in HOSTILE:
        with case(value):
            file = SimpleUploadedFile("x.zip", b"PK\x05\x06" + b"\0" * 18)
            answer = client.post(reverse("checkpoint_import", args=[study.slug]), {"file": file, "name": value})
            assert answer.status_code == 422
            assert each_has_one(answer.context["form"])
            assert not Checkpoint.objects.exists()


def test_bodies_that_no_browser_sends(client, study):
    names = ["training_new", "training_prompt", "transfer_new", "transfer_file", "try_it"]
    bodies = [b"", b"%FF=%FE&model=%00", b"model=a&model=b&model=c", b"=&&=&;"]
    for name, body in product(names, bodies):
        with case(name, body.decode("latin-1")):
            url = reverse(name, args=[study.slug])
            answer = client.post(url, body, content_type="application/x-www-form-urlencoded")
            assert answer.status_code in (200, 422)
            answer = client.post(url, body, content_type="multipart/form-data; boundary=x")
            assert answer.status_code in (200, 400, 422)
            assert nothing_began()
