"""A model that is not trained on searches as its folder says; transformers' own generate is asked what that is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.tiny_pairs import SOURCES, WAY

from foundation.base_folder import CONFIG, GENERATION, base_folder
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained.untuned import as_folder_says
from modelserving.transfer import TRANSFERS

KIND = TRANSFERS["t0pp"]
SAID: dict[str, Any] = {
    "num_beams": 3, "early_stopping": True, "length_penalty": 2.0, "no_repeat_ngram_size": 2, "max_length": 14,
    "min_length": 6,
}  # fmt: skip


def say(folder: Path, file: str = GENERATION, **said: Any) -> None:
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **said}))


def decoding(**given: Any) -> Any:
    return validate_options(KIND.Decoding, {"folder": "t5", "prefix": "", **given})


def settled(**given: Any) -> Any:
    return as_folder_says(decoding(**given), base_folder("t5", ["t5"]))


@pytest.mark.parametrize("said", [SAID, {"num_beams": 2, "max_new_tokens": 9, "max_length": 5}])
def test_it_writes_what_transformers_writes_of_the_folder_alone(
    made: Callable[..., Path], said: dict[str, Any]
) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = made("t5", initializer_factor=5.0)
    say(folder, **said)
    tokenizer, net = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    own = []
    for text in SOURCES[:8]:
        batch = tokenizer([text], return_tensors="pt")
        ids = net.generate(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
        own.append(" ".join(tokenizer.decode(ids[0], skip_special_tokens=True).split()))
    model = KIND.load(None)
    assert list(model.transfer(SOURCES[:8], WAY, decoding())) == own
    assert list(model.transfer(SOURCES[:8], WAY, decoding(as_folder=False, longest=13))) != own
    assert len(set(own)) > 3


def test_each_setting_is_the_folders_unless_one_was_chosen(made: Callable[..., Path]) -> None:
    folder = made("t5")
    assert settled() == decoding(), "it says nothing of a search"
    say(folder, **SAID)
    found = settled()
    assert (found.beam, found.early_stopping, found.length_penalty, found.no_repeat) == (3, True, 2.0, 2)
    assert (found.longest, found.shortest) == (13, 5), "without the token that outputs begin with"
    assert settled(beam=5, longest=30).beam == 5
    assert settled(beam=5, longest=30).longest == 30
    assert settled(as_folder=False) == decoding(as_folder=False)


def test_an_old_folder_says_so_in_its_configuration(made: Callable[..., Path]) -> None:
    folder = made("t5")
    say(folder, CONFIG, num_beams=2, early_stopping=True)
    assert settled().beam == 4, "where there is a generation_config.json, it counts alone"
    (folder / GENERATION).unlink()
    assert (settled().beam, settled().early_stopping) == (2, True)


def test_the_signature_has_what_the_folder_says(made: Callable[..., Path]) -> None:
    folder, model = made("t5"), KIND.load(None)
    before = model.signature(WAY, decoding())
    say(folder, num_beams=3)
    assert "|beam:3|" in model.signature(WAY, decoding())
    assert "|beam:4|" in before


@pytest.mark.parametrize("said", [{"early_stopping": "never"}, {"num_beams": 1000}, {"length_penalty": "long"}])
def test_what_an_option_does_not_take_is_said_before_a_run_is_queued(
    made: Callable[..., Path], said: dict[str, Any]
) -> None:
    say(made("t5"), **said)
    with pytest.raises(UserError, match=r"The folder's generation_config\.json asks for a search that is not") as error:
        KIND.check_decoding(decoding())
    assert error.value.where == "as_folder"
    KIND.check_decoding(decoding(as_folder=False))


def test_searches_end_as_the_released_models_say() -> None:
    """As bart-base, bart-large-cnn and t5-base (for summaries) have it in their configurations; others say nothing."""
    names = ("t5", "t5_untuned", "bart", "bart_base", "bart_large_cnn", "pegasus", "t0pp", "lora")
    assert [name for name in names if not TRANSFERS[name].Decoding().early_stopping] == ["pegasus", "t0pp", "lora"]
