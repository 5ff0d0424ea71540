"""Presets: a paper's values together, what is given beside them wins, and a name that is not there is one sentence."""

import pytest

from foundation.errors import UserError
from foundation.options import list_options, options_as_stored, validate_options
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


@pytest.mark.parametrize(
    ("model", "batch", "longest"),
    [("t5", 2, 512), ("bart_base", 1, 1024), ("pegasus", 1, 512), ("bart_large_cnn", 1, 1024)],
)
def test_plaba_is_what_its_program_says(model: str, batch: int, longest: int) -> None:
    """The calls at the end of BaselineModelReports.py, its Seq2SeqTrainer, and its `generate`."""
    kind = TRANSFERS[model]
    chosen = kind.choose_options({}, "plaba")
    assert (chosen.batch, chosen.patience, chosen.epochs, chosen.tune_by) == (batch, 3, 20, "loss")
    assert (chosen.rate, chosen.schedule, chosen.clip, chosen.decay) == (5e-5, "linear", 1.0, 0.0)
    assert (chosen.read, chosen.write) == (longest, longest)
    found = kind.recipes_decoding(options_as_stored(chosen))
    decoding = validate_options(kind.Decoding, found)
    assert (decoding.beam, decoding.no_repeat, decoding.length_penalty) == (5, 2, 5.0)
    assert (decoding.shortest, decoding.longest, decoding.early_stopping) == (30, longest, True)
    assert kind.recipes_decoding(options_as_stored(kind.choose_options({}, ""))) == {}


def test_nts_is_its_configuration() -> None:
    """NTS.cfg and preprocess.sh of senisioi/NeuralTextSimplification."""
    chosen = TRANSFERS["opennmt_pt"].choose_options({}, "nts")
    assert (chosen.optimizer, chosen.rate, chosen.rate_decay, chosen.decay_from) == ("sgd", 1.0, 0.7, 7)
    assert (chosen.schedule, chosen.epochs, chosen.patience, chosen.batch, chosen.clip) == ("step", 14, 0, 64, 5.0)
    assert (chosen.hidden, chosen.embedding, chosen.layers, chosen.dropout, chosen.init) == (500, 500, 2, 0.3, 0.1)
    assert (chosen.words, chosen.longest) == (50_000, 80)


def test_medlanes_moses_is_the_baseline_of_moses_own_guide() -> None:
    chosen = TRANSFERS["pbmt"].choose_options({}, "medlane")
    assert (chosen.order, chosen.longest, chosen.reordering, chosen.tune_metric) == (3, 80, "lexicalized", "bleu")
    assert (chosen.rules, chosen.self_training) == (False, 0)


@pytest.mark.parametrize(
    ("model", "preset"),
    [("controlled_gen", "msd"), ("style_transformer", "msd"), ("delete_and_retrieve", "msd"), ("delete_only", "msd")],
)
def test_msds_rate_decays_on_plateaus(model: str, preset: str) -> None:
    chosen = TRANSFERS[model].choose_options({}, preset)
    assert (chosen.schedule, chosen.rate_decay, chosen.decay_after) == ("plateau", 0.5, 2)


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
        ("t5", "gyafc", "preset: T5 has no preset 'gyafc'; did you mean medlane, plaba?"),
        ("seq2seq", "medlane", "preset: Seq2Seq has no presets."),
    ],
)
def test_a_preset_that_there_is_not_is_one_sentence(model: str, preset: str, sentence: str) -> None:
    with pytest.raises(UserError) as refused:
        TRANSFERS[model].choose_options({}, preset)
    assert str(refused.value) == sentence
