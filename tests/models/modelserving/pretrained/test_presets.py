"""Presets: a paper's values together, what is given beside them wins, and a name that is not there is one sentence."""

import pytest

from foundation.errors import UserError
from foundation.options import list_options, options_as_stored
from modelserving.transfer import TRANSFERS

WITH_PRESETS = [name for name, kind in TRANSFERS.items() if kind.presets]
MEDLANE = {"batch": 30, "rate": 5e-5, "tune_by": "bleu", "marked": True, "prefix": ""}  # Luo et al. 2022, section 5.1
OURS = {"warmup": 400, "patience": 5}  # which the paper does not say


@pytest.mark.parametrize("model", ["t5", "bart_base", "bart_large_cnn"])
def test_medlane_is_what_the_paper_says_and_the_rest_stays(model: str) -> None:
    kind = TRANSFERS[model]
    chosen = options_as_stored(kind.choose_options({}, "medlane"))
    usual = {one.name: one.default for one in list_options(kind.Options)}
    assert chosen == {**usual, **MEDLANE, **OURS}
    assert usual["batch"] != chosen["batch"]


@pytest.mark.parametrize("model", WITH_PRESETS)
def test_every_preset_is_of_options_that_there_are(model: str) -> None:
    for name, preset in TRANSFERS[model].presets.items():
        chosen = options_as_stored(TRANSFERS[model].choose_options({}, name))
        assert {key: chosen[key] for key in preset.options} == dict(preset.options)


def test_what_is_given_beside_a_preset_wins_also_where_it_is_the_default() -> None:
    chosen = TRANSFERS["t5"].choose_options({"batch": 8, "prefix": "summarize: ", "epochs": 3}, "medlane")
    assert (chosen.batch, chosen.prefix, chosen.epochs, chosen.tune_by) == (8, "summarize: ", 3, "bleu")


@pytest.mark.parametrize(
    ("model", "preset", "sentence"),
    [
        ("t5", "medlan", "preset: T5 has no preset 'medlan'; did you mean medlane?"),
        ("t5", "MedLane", "preset: T5 has no preset 'MedLane'; did you mean medlane?"),
        ("t5", "gyafc", "preset: T5 has no preset 'gyafc'; did you mean medlane?"),
        ("pegasus", "medlane", "preset: PEGASUS has no presets."),
    ],
)
def test_a_preset_that_there_is_not_is_one_sentence(model: str, preset: str, sentence: str) -> None:
    with pytest.raises(UserError) as refused:
        TRANSFERS[model].choose_options({}, preset)
    assert str(refused.value) == sentence
