"""The formality scorer: trained on made-up sentences, kept without pickling, and, where they are here, on real ones."""

import csv
import json
import math

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from scipy.stats import spearmanr

from corpora.knowledge import formality
from foundation.errors import UserError

INFORMAL = [
    "lol ur so funny!!",
    "omg i dunno what 2 do :)",
    "yeah dude thats cool",
    "gonna c u later, ok??",
    "haha no way man",
    "plz tell me u r kidding!",
]
FORMAL = [
    "I would be most grateful for your reply.",
    "The committee has considered the proposal.",
    "We regret to inform you of the decision.",
    "Please find the enclosed documents.",
    "The results were published in the journal.",
    "It is advisable to consult a physician.",
]
LABELS = [-2.0] * len(INFORMAL) + [2.0] * len(FORMAL)


@pytest.fixture
def model() -> formality.Ridge:
    return formality.train(INFORMAL + FORMAL, LABELS)


def test_unseen_sentences_fall_on_their_side(model):
    informal, formal = model.scores(["dude ur so cool lol!!", "The committee would be grateful for the documents."])
    assert informal < 0 < formal


def test_equal_arguments_give_equal_models(model):
    assert np.array_equal(formality.train(INFORMAL + FORMAL, LABELS).weights, model.weights)


def test_scores_do_not_depend_on_the_other_texts(model):
    texts = [f"{text} {number}" for number in range(200) for text in INFORMAL]
    assert model.scores(texts)[-1] == pytest.approx(model.scores(texts[-1:])[0])
    assert model.scores([]) == []
    assert all(math.isfinite(score) for score in model.scores(["", " ", "\ud800"]))


def test_a_saved_model_scores_the_same(model, tmp_path):
    model.save(tmp_path / "made")
    assert formality.load(tmp_path / "made").scores(FORMAL) == model.scores(FORMAL)


def test_a_scorer_is_at_hand_where_a_folder_is_named(model, tmp_path, monkeypatch):
    monkeypatch.delenv("RESTYLE_FORMALITY", raising=False)
    monkeypatch.delenv("RESTYLE_KNOWLEDGE", raising=False)
    assert formality.scorer() is None
    model.save(tmp_path / "formality")
    monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
    by_lists = formality.scorer()
    monkeypatch.setenv("RESTYLE_FORMALITY", str(tmp_path / "formality"))
    by_name = formality.scorer()
    assert by_lists is not None
    assert by_name is not None
    assert by_lists.scores(FORMAL) == by_name.scores(FORMAL) == model.scores(FORMAL)


def test_what_is_no_model_is_refused(model, tmp_path):
    with pytest.raises(UserError, match="no formality model"):
        formality.load(tmp_path)
    model.save(tmp_path)
    (tmp_path / "formality.json").write_text(json.dumps({"features": -1}))
    with pytest.raises(UserError, match="another version"):
        formality.load(tmp_path)


def test_a_pickle_in_the_place_of_the_arrays_is_never_read(model, tmp_path):
    model.save(tmp_path)
    np.savez(tmp_path / "weights.npz", weights=np.array([object()], dtype=object), intercept=np.array(0.0))
    with pytest.raises(UserError, match="no formality model"):
        formality.load(tmp_path)


def test_too_little_to_train_on_is_refused():
    with pytest.raises(UserError, match="at least 10"):
        formality.train(["a"], [1.0])
    with pytest.raises(UserError, match="number"):
        formality.train(INFORMAL + FORMAL, [float("nan")] * len(LABELS))


def test_the_command_trains_and_says_how_well(tmp_path, capsys):
    rated = tmp_path / "rated.csv"
    with rated.open("w", newline="") as file:
        csv.writer(file).writerows([("sentence", "label"), *zip(INFORMAL + FORMAL, LABELS, strict=True)])
    call_command("train_formality", csv=rated, out=tmp_path / "out", tune=rated)
    assert "12 sentences" in capsys.readouterr().out
    scorer = formality.load(tmp_path / "out")
    assert max(scorer.scores(INFORMAL)) < 0 < min(scorer.scores(FORMAL))


def test_the_command_names_a_label_that_is_no_number(tmp_path):
    rated = tmp_path / "rated.csv"
    rated.write_text("sentence,label\nhello,high\n")
    with pytest.raises(CommandError, match=r"rated.csv, line 2.*'high'"):
        call_command("train_formality", csv=rated, out=tmp_path / "out")


def test_agreement_with_people_on_real_sentences(shared):
    """The options were chosen by cross-validation on the training sentences alone."""
    train, tune = (_rated(shared / "data" / "pt16" / name) for name in ("train.csv", "tune.csv"))
    scores = formality.train(*train).scores(tune[0])
    assert spearmanr(scores, tune[1])[0] > 0.68


def _rated(path):
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["sentence"] for row in rows], [float(row["label"]) for row in rows]
