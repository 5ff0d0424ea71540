"""A trained BART, PEGASUS or T5 rewrites by CTranslate2 as by PyTorch, and says by which in its signature."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import tiny_transformers
from support.tiny_pairs import SOURCES, WAY, small, twenty

from foundation.errors import UserError
from modelserving import ctranslate2_models
from modelserving.pretrained.model import ConvertedWriter
from modelserving.pretrained.options import EarlyStoppingOptions
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS, Model

pytestmark = pytest.mark.slow

KINDS: dict[str, tiny_transformers.Kind] = {"t5": "t5", "bart": "bart", "pegasus": "pegasus"}
NO_DROPOUT = {"t5": {"dropout_rate": 0.0}, "bart": {"dropout": 0.0}, "pegasus": {"dropout": 0.0}}
SHORT = EarlyStoppingOptions(longest=16, beam=3)
CONVERTED = replace(SHORT, engine="ctranslate2", quantization="float32")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_DATA", str(tmp_path))


@pytest.fixture(scope="module", params=KINDS)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Model]:
    root = tmp_path_factory.mktemp(request.param)
    tiny_transformers.make(KINDS[request.param], root / "base", **NO_DROPOUT[request.param])
    kind = TRANSFERS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RESTYLE_MODELS", str(root))
        (root / "run").mkdir()
        options: Any = small(
            kind.Options, folder="base", epochs=25, warmup=0, schedule="constant", clip=1.0, tune_by="loss"
        )
        return request.param, kind.fit(twenty(root / "data"), options, Callbacks(root / "run", seed=3))


def test_outputs_are_those_of_pytorch(trained: tuple[str, Model]) -> None:
    pytest.importorskip("ctranslate2")
    _, model = trained
    texts = [*SOURCES, "", "zyxwv Ünbekannt", "word " * 300]
    expected = list(model.transfer(texts, WAY, SHORT))
    assert list(model.transfer(texts, WAY, CONVERTED)) == expected
    assert len(set(expected)) > 2
    greedy = replace(SHORT, beam=1)
    assert list(model.transfer(texts, WAY, replace(CONVERTED, beam=1))) == list(model.transfer(texts, WAY, greedy))


def test_integers_give_a_text_what_they_give_it_alone(trained: tuple[str, Model]) -> None:
    pytest.importorskip("ctranslate2")
    _, model = trained
    decoding = replace(CONVERTED, quantization="int8")
    together = list(model.transfer([*SOURCES, ""], WAY, decoding))
    assert together == [output for text in [*SOURCES, ""] for output in model.transfer([text], WAY, decoding)]
    assert together[-1] == ""


def test_the_signature_says_what_computed(trained: tuple[str, Model]) -> None:
    pytest.importorskip("ctranslate2")
    _, model = trained
    signature = model.signature(WAY, CONVERTED)
    assert {"engine:ctranslate2", "quantization:float32", f"ctranslate2:{ctranslate2_models.version()}"} <= {
        *signature.split("|")
    }
    assert "|ctranslate2:" not in model.signature(WAY, SHORT)


def test_a_setting_that_it_has_no_equal_of_is_refused_before_a_run_is_queued(trained: tuple[str, Model]) -> None:
    name, model = trained
    blocked = replace(CONVERTED, no_repeat=3)
    with pytest.raises(UserError, match="beam of 1") as error:
        TRANSFERS[name].check_decoding(blocked)
    assert error.value.where == "no_repeat"
    with pytest.raises(UserError, match="beam of 1"):
        list(model.transfer(SOURCES, WAY, blocked))
    TRANSFERS[name].check_decoding(replace(SHORT, no_repeat=3))
    TRANSFERS[name].check_decoding(replace(blocked, beam=1))


def test_where_it_is_not_installed_all_else_works(trained: tuple[str, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    _, model = trained
    monkeypatch.setattr(ctranslate2_models, "PACKAGE", "not_there_at_all")
    monkeypatch.setattr(model, "_converted", ConvertedWriter(model.net))  # type: ignore[attr-defined]
    assert list(model.transfer(SOURCES[:1], WAY, SHORT))
    with pytest.raises(UserError, match="pip install") as error:
        list(model.transfer(SOURCES[:1], WAY, replace(CONVERTED, quantization="int8")))
    assert error.value.where == "engine"
