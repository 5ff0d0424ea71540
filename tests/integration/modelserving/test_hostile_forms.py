"""What no form would send, posted to the pages of models: each field has one sentence, nothing begins or breaks."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
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
IDS = [repr(value)[:20] for value in HOSTILE]
hostile = pytest.mark.parametrize("value", HOSTILE, ids=IDS)


@pytest.fixture
def study(models_folder):
    return training_study()


@pytest.fixture
def client(study):
    client = Client(raise_request_exception=False)
    client.force_login(person(Role.RESEARCHER, study))
    return client


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


@hostile
@pytest.mark.parametrize("field", ["model", "direction", "seed", "device", "name"])
def test_the_form_of_a_training(client, study, field, value):
    usual = {"model": "seq2seq", "seed": "1", "device": "cpu", "name": "", "direction": ""}
    answer = client.post(reverse("training_new", args=[study.slug]), {**usual, field: value})
    if answer.status_code == 302:
        assert TrainingRun.objects.get().name == value.strip()
        return
    assert answer.status_code == 422
    assert sentences(answer.context["form"]).keys() == {field}
    assert each_has_one(answer.context["form"])
    assert nothing_began()


@pytest.mark.parametrize("kind", [name for name in model_kinds.trained() if list_options(TRANSFERS[name].Options)])
def test_the_options_of_each_kind(client, study, kind):
    options = list_options(TRANSFERS[kind].Options)
    for value in HOSTILE:
        sent = {f"option-{one.name}": value for one in options}
        url = reverse("training_new", args=[study.slug])
        answer = client.post(url, {"model": kind, "seed": "1", "device": "cpu", "option-shown": kind, **sent})
        assert answer.status_code == 422, value[:20]
        assert each_has_one(answer.context["form"], answer.context["options"]), value[:20]
        assert nothing_began()


@hostile
@pytest.mark.parametrize("field", ["model", "direction", "seed", "option-endpoint", "option-message", "option-shots"])
def test_the_prompt_that_is_looked_at(client, study, field, value):
    usual = {"model": "prompted", "seed": "1", "device": "cpu", "option-shown": "prompted"}
    usual |= {f"option-{one.name}": str(one.default) for one in list_options(TRANSFERS["prompted"].Options)}
    answer = client.post(reverse("training_prompt", args=[study.slug]), {**usual, field: value})
    assert answer.status_code == 200
    html = answer.content.decode()
    assert html.count("message error") == 1
    assert nothing_began()


@hostile
@pytest.mark.parametrize("field", ["model", "direction", "split", "name", "decoding-seed", "decoding-choice"])
def test_the_form_of_a_run(client, study, field, value, tmp_path):
    one = checkpoint(study, tmp_path)
    key = f"checkpoint-{one.pk}"
    usual = {
        "model": key, "name": "Terms", "split": "", "decoding-shown": key, "decoding-choice": "most_frequent",
        "decoding-seed": "1",
    }  # fmt: skip
    answer = client.post(reverse("transfer_new", args=[study.slug]), {**usual, field: value})
    if answer.status_code == 302:
        assert TransferRun.objects.get().system.name == (value.strip() if field == "name" else "Terms")
        assert (field, value) == ("decoding-seed", "9" * 30) or field == "name"
        return
    assert answer.status_code == 422
    assert each_has_one(answer.context["form"], answer.context["options"])
    assert nothing_began()


@hostile
@pytest.mark.parametrize("field", ["model", "direction", "file"])
def test_the_form_of_a_file(client, study, field, value, tmp_path):
    one = checkpoint(study, tmp_path)
    usual = {"model": f"checkpoint-{one.pk}", "direction": study.directions.get().pk}
    if field != "file":
        usual["file"] = SimpleUploadedFile("lines.txt", b"pt has sob\n")
    answer = client.post(reverse("transfer_file", args=[study.slug]), {**usual, field: value})
    assert answer.status_code == 422
    assert each_has_one(answer.context["form"])
    assert nothing_began()


@hostile
@pytest.mark.parametrize("field", ["text", "direction", "instead"])
def test_a_sentence_that_is_tried(client, study, field, value):
    usual = {"text": "wat r u", "direction": study.directions.get().pk, "instead": ""}
    answer = client.post(reverse("try_it", args=[study.slug]), {**usual, field: value})
    if field == "direction" or len(value) > 2_000 or "\0" in value:
        assert answer.status_code == 422
        assert each_has_one(answer.context["form"])
    else:
        assert answer.status_code == 200


@hostile
def test_a_checkpoint_of_a_strange_name(client, study, value):
    file = SimpleUploadedFile("x.zip", b"PK\x05\x06" + b"\0" * 18)
    answer = client.post(reverse("checkpoint_import", args=[study.slug]), {"file": file, "name": value})
    assert answer.status_code == 422
    assert each_has_one(answer.context["form"])
    assert not Checkpoint.objects.exists()


@pytest.mark.parametrize("name", ["training_new", "training_prompt", "transfer_new", "transfer_file", "try_it"])
@pytest.mark.parametrize("body", [b"", b"%FF=%FE&model=%00", b"model=a&model=b&model=c", b"=&&=&;"])
def test_bodies_that_no_browser_sends(client, study, name, body):
    url = reverse(name, args=[study.slug])
    answer = client.post(url, body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (200, 422)
    answer = client.post(url, body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code in (200, 400, 422)
    assert nothing_began()
