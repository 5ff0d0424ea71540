"""A prompted model of a folder: a tiny Llama made on the spot, asked by its own code."""

import shutil

import pytest
from support import tiny_transformers
from support.tiny_pairs import SOURCES, WAY, twenty

from foundation.errors import UserError
from foundation.options import options_as_stored
from modelserving.prompting.folder import FolderService
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow
KIND = TRANSFERS["prompted"]
GIVEN = {"folder": "tiny", "most_tokens": 8, "keep_cut": True, "message": "{examples} {text}", "tune_most": 1}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.delenv("RESTYLE_LANGUAGE_MODELS", raising=False)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    tiny_transformers.make("causal", tmp_path / "models" / "tiny")
    return tmp_path / "models"


@pytest.fixture
def data(tmp_path):
    return twenty(tmp_path / "data")


def fitted(data, tmp_path, seed=7, **given):
    options = KIND.choose_options({**GIVEN, **given})
    return KIND.fit(data, options, Callbacks(tmp_path / f"{seed}", seed=seed))


def outputs(model, texts=SOURCES):
    return list(model.transfer(texts, WAY, KIND.Decoding()))


def test_a_folder_answers_alone_as_beside_others_and_after_loading(root, data, tmp_path):
    model = fitted(data, tmp_path, shots=1)
    found = outputs(model, ["", *SOURCES[:9], "  "])
    assert found == [found_one for text in ["", *SOURCES[:9], "  "] for found_one in outputs(model, [text])]
    (tmp_path / "saved").mkdir()
    model.save(tmp_path / "saved")
    again = KIND.load(tmp_path / "saved")
    assert outputs(again) == outputs(model)
    assert again.signature(WAY, KIND.Decoding()) == model.signature(WAY, KIND.Decoding())
    assert "|folder:tiny|base:" in model.signature(WAY, KIND.Decoding())


def test_what_is_drawn_follows_the_seed(root, data, tmp_path):
    drawn = [outputs(fitted(data, tmp_path, seed, temperature=1.5)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_it_sends_nothing_anywhere_and_is_there_where_a_folder_is(root, monkeypatch):
    assert KIND.sends_to(GIVEN) == ""
    assert KIND.why_unavailable() == ""
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", "broken")
    assert KIND.why_unavailable() == ""
    monkeypatch.delenv("RESTYLE_MODELS")
    assert "RESTYLE_LANGUAGE_MODELS" in KIND.why_unavailable()
    monkeypatch.delenv("RESTYLE_LANGUAGE_MODELS")
    assert "no endpoint" in KIND.why_unavailable()


def begin(given):
    KIND.check_options(options_as_stored(KIND.choose_options(given)))


@pytest.mark.parametrize("given", [{"folder": "other"}, {"folder": "../tiny"}, {"folder": "tiny", "endpoint": "lab"}])
def test_a_folder_that_is_not_there_or_an_endpoint_beside_it_is_a_sentence(root, given):
    with pytest.raises(UserError):
        begin({**GIVEN, **given})


def test_a_prompt_that_has_no_room_is_left_out_and_the_others_are_answered(root, data, tmp_path):
    context = RunContext()
    model = fitted(data, tmp_path).within(context)
    found = outputs(model, [SOURCES[0], "word " * 2000, SOURCES[1]])
    assert [bool(one) for one in found] == [True, False, True]
    assert context.usage.warning.endswith("1 text was too long for the model.")
    assert "has room for" in context.refusal.sentence


def test_a_training_whose_every_prompt_has_no_room_fails_with_the_sentence(root, data, tmp_path):
    with pytest.raises(UserError, match="has room for"):
        fitted(data, tmp_path, message="word " * 1500 + "{text}")


def test_what_was_answered_is_not_computed_again_by_a_folder_of_the_same_files_of_any_name(
    root, data, tmp_path, monkeypatch
):
    context = RunContext()
    found = outputs(fitted(data, tmp_path).within(context))
    assert (context.usage.calls, context.usage.kept, context.usage.cost) == (len(SOURCES), 0, 0)
    shutil.copytree(root / "tiny", root / "other-name")
    again = fitted(data, tmp_path, folder="other-name")
    monkeypatch.setattr(FolderService, "_written", lambda *given: pytest.fail("it was computed"))
    assert outputs(again.within(context)) == found
    assert (context.usage.calls, context.usage.kept) == (len(SOURCES), len(SOURCES))


@pytest.mark.parametrize("changes", [{"temperature": 0.5}, {"most_tokens": 7}, {"system": "Be kind."}])
def test_another_setting_prompt_or_file_is_computed_anew(root, data, tmp_path, changes):
    context = RunContext()
    outputs(fitted(data, tmp_path).within(context), SOURCES[:2])
    outputs(fitted(data, tmp_path, **changes).within(context), SOURCES[:2])
    assert (context.usage.calls, context.usage.kept) == (4, 0)
    config = root / "tiny" / "generation_config.json"
    config.write_text(config.read_text() + " ")
    outputs(fitted(data, tmp_path).within(context), SOURCES[:2])
    assert (context.usage.calls, context.usage.kept) == (6, 0)


def test_a_thought_of_a_folders_model_is_cut_and_one_without_end_is_a_sentence(root, data, tmp_path, monkeypatch):
    said = iter(["<think>She?</think> She likes it.", "<think>She? Or he, who", "She likes it."])

    def write_answers(net, chat, rows, options, longest, context):
        return [chat._plain(next(said)) for _ in rows]  # as ids, without an end

    context = RunContext()
    model = fitted(data, tmp_path, tune_most=0, most_tokens=16).within(context)
    monkeypatch.setattr("modelserving.adapters.writing.write_answers", write_answers)
    assert outputs(model, SOURCES[:3]) == ["She likes it.", "", "She likes it."]
    assert context.usage.warning.endswith("1 text was answered with a thought alone.")
    assert context.refusal.sentence == "The model's answer ended at 16 tokens, still in its thoughts: allow more."
