"""Li et al.'s (2018) RetrieveOnly and TemplateBased on a few texts, worked by hand."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS, Model

SAD, GLAD = ("sad", "glad"), ("glad", "sad")
DATA = TrainingData(
    "sad",
    "glad",
    texts={
        "sad": ["the food was awful .", "an awful place to sleep .", "awful dogs , they bark ."],
        "glad": ["I liked the food, which was lovely.", "a lovely place to eat .", "the dogs are Lovely !"],
    },
    dev_texts={"glad": ["lovely food"], "sad": ["awful food"]},
)


def fitted(name: str, folder: Path) -> Model:
    kind = TRANSFERS[name]
    options = validate_options(kind.Options, {"threshold": 3.0, "least_content": 1})
    return kind.fit(DATA, options, Callbacks(folder))


def written(model: Model, direction: tuple[str, str], *texts: str) -> list[str]:
    return list(model.transfer(texts, direction, None))


def test_retrieve_only_gives_a_train_text_as_it_is_written(tmp_path: Path) -> None:
    model = fitted("retrieve_only", tmp_path)
    outputs = written(model, SAD, "awful food", "my dogs, they are awful.", "an awful Place", "")
    assert outputs == [DATA.texts["glad"][0], DATA.texts["glad"][2], DATA.texts["glad"][1], ""]
    assert written(model, GLAD, "lovely food") == ["the food was awful ."]


def test_template_based_puts_the_other_markers_in(tmp_path: Path) -> None:
    model = fitted("template_based", tmp_path)
    assert written(model, SAD, "The place was AWFUL, really.", "awful dogs") == [
        "The place was lovely, really.", "Lovely dogs",
    ]  # fmt: skip
    assert written(model, SAD, "my dogs are here.") == ["my dogs are here Lovely."], "no slot: before the closing mark"
    assert written(model, GLAD, "a lovely place") == ["a awful place"]


def test_both_directions_and_no_other(tmp_path: Path) -> None:
    model = fitted("template_based", tmp_path)
    assert model.directions == (SAD, GLAD)
    with pytest.raises(UserError, match="sad to glad"):
        written(model, ("sad", "sad"), "awful")
