"""Options in groups, on the page of a training and in the API's description."""

import pytest
from django.urls import reverse
from support.campaigns import person
from support.clients import as_person
from support.training_studies import training_study

from accounts.permissions import Role
from modelserving.forms.options import OptionsForm
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db


def names(groups):
    return [(name, [field.name for field in fields]) for name, fields in groups]


def test_a_networks_options_are_shown_by_group_and_in_the_order_of_their_declaration():
    form = OptionsForm(TRANSFERS["seq2seq"].Options, "seq2seq", prefix="option")
    assert names(form.groups) == [
        ("Optimization", ["optimizer", "rate"]),
        ("Batches and memory", ["batch"]),
        ("Stopping and scoring", ["epochs", "tune_by", "patience"]),
        ("Regularization", ["dropout"]),
        ("Network", ["hidden", "embedding"]),
        ("Texts", ["words", "subwords"]),
    ]
    assert names(form.rare_groups) == [
        ("Optimization", ["clip", "adam_beta2", "adam_epsilon"]),
        ("Batches and memory", ["accumulate", "batch_tokens", "precision", "devices"]),
        ("Stopping and scoring", ["tune_every", "tune_most", "average"]),
        ("Checkpoints", ["keep_every", "start_from"]),
        ("Learning-rate schedule", ["schedule", "warmup", "rate_decay", "decay_from", "decay_after"]),
        ("Regularization", ["smoothing", "decay"]),
        ("Network", ["layers"]),
        ("Texts", ["least", "longest", "lowercase", "read", "copied_targets"]),
    ]


@pytest.mark.parametrize("name", [name for name, kind in TRANSFERS.items() if kind.needs != "nothing"])
def test_every_option_is_shown_once(name):
    form = OptionsForm(TRANSFERS[name].Options, name, prefix="option")
    shown = [field for _, fields in names([*form.groups, *form.rare_groups]) for field in fields]
    assert sorted(shown) == sorted(option.name for option in form.options)


def test_the_api_describes_the_same_groups_and_what_is_required(models_folder):
    client = as_person(person(Role.RESEARCHER, training_study()))
    answer = client.get(reverse("api_schema"), headers={"Accept": "application/vnd.oai.openapi+json"})
    schemas = answer.json()["components"]["schemas"]
    options = schemas["LoraOptionsRequest"]
    assert options["required"] == ["folder"]
    assert options["x-groups"]["Adapter"] == ["r", "alpha", "modules"]
    assert options["x-groups"]["Pretrained model"] == ["folder"]
    assert "required" not in schemas["T5OptionsRequest"]


def test_a_folder_is_optional_only_where_a_model_can_go_without(models_folder):
    client = as_person(person(Role.RESEARCHER, study := training_study()))
    for model, needed in (("lora", True), ("t5", True), ("prompted", False)):
        page = client.get(reverse("training_new", args=[study.slug]), {"model": model})
        assert page.context["options"]["folder"].field.required is needed
        assert ("optional" in str(page.content).split('for="id_option-folder"')[1].split("</label>")[0]) is not needed
    sent = {"model": "lora", "seed": "1", "device": "cpu", "option-shown": "lora", "option-folder": ""}
    answer = client.post(reverse("training_new", args=[study.slug]), sent)
    assert answer.context["options"].errors["folder"] == [
        "This has to be given: folder of an instruct model, below RESTYLE_MODELS."
    ]
