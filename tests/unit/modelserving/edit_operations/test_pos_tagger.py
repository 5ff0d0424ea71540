"""Parts of speech by NLTK's perceptron: its own answers, from files of JSON; broken ones are sentences."""

import json
from pathlib import Path

import pytest
from support.tiny_tagger import SENTENCES, make_tagger

from foundation.errors import UserError
from modelserving import edit_operations

TEXTS = [
    ["she", "saw", "a", "new", "doctor"],
    ["the", "dogs", "sing", "2", "songs", "in", "1984"],
    ["well-known", "?"],
    [],
]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return tmp_path


def test_tags_are_nltks_and_the_same_from_a_checkpoint(models: Path) -> None:
    theirs = make_tagger(models / "tagger")
    ours = edit_operations.tagger_below_models("tagger")
    for words in [*TEXTS, *([word for word, _ in sentence] for sentence in SENTENCES)]:
        assert ours.tags(words) == [tag for _, tag in theirs.tag(words)]
    ours.write(models / edit_operations.FILE)
    again = edit_operations.read(models / edit_operations.FILE)
    assert [again.ids(words) for words in TEXTS] == [ours.ids(words) for words in TEXTS]
    assert ours.ids(["the"])[0] >= 4, "ids of marks are no tag's"


def test_a_folder_that_is_not_there_is_a_sentence(models: Path) -> None:
    with pytest.raises(UserError, match=r"^tagger: There is no folder of a part-of-speech tagger 'none'"):
        edit_operations.tagger_below_models("none")
    with pytest.raises(UserError, match=r"^tagger: '\.\./x' leads out of RESTYLE_MODELS"):
        edit_operations.tagger_below_models("../x")


def test_a_folder_that_lacks_a_file_is_a_sentence(models: Path) -> None:
    make_tagger(models / "tagger")
    next((models / "tagger").glob("*.tagdict.json")).unlink()
    with pytest.raises(UserError, match=r"Expected one file \*\.tagdict\.json in the folder 'tagger', found 0"):
        edit_operations.tagger_below_models("tagger")


@pytest.mark.parametrize("found", [
    [], {"weights": {}}, {"weights": {}, "tagdict": {}, "classes": []},
    {"weights": {"bias": {"NN": "1"}}, "tagdict": {}, "classes": ["NN"]},
    {"weights": {"bias": {"VB": 1.0}}, "tagdict": {}, "classes": ["NN"]},
    {"weights": {}, "tagdict": {"a": "VB"}, "classes": ["NN"]},
    {"weights": {}, "tagdict": {"a": []}, "classes": ["NN"]},
    {"weights": {"bias": {"NN": float("nan")}}, "tagdict": {}, "classes": ["NN"]},
])  # fmt: skip
def test_what_is_no_tagger_is_a_sentence(found: object, tmp_path: Path) -> None:
    (tmp_path / edit_operations.FILE).write_text(json.dumps(found))
    with pytest.raises(UserError, match=edit_operations.FILE):
        edit_operations.read(tmp_path / edit_operations.FILE)
    (tmp_path / edit_operations.FILE).unlink()
    with pytest.raises(UserError, match=edit_operations.FILE):
        edit_operations.read(tmp_path / edit_operations.FILE)
