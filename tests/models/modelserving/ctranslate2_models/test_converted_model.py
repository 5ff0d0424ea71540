"""CTranslate2 writes what PyTorch writes, for tiny models of all three architectures.

Each form of a model and each way to search is tried once; all of the one with all of the other are for the soak.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import tiny_transformers

from foundation.errors import UserError
from foundation.project import ROOT
from modelserving import ctranslate2_models
from modelserving.ctranslate2_models import ConvertedModel, SearchSettings, converted, digest_of, kept_in

pytestmark = pytest.mark.slow
pytest.importorskip("ctranslate2")

FORMS = ("t5", "bart", "pegasus", "t5-untied", "t5-gated")
SEARCHES: tuple[dict[str, Any], ...] = (
    {"num_beams": 4, "early_stopping": True},
    {"num_beams": 1},
    {"num_beams": 1, "no_repeat_ngram_size": 2, "min_new_tokens": 4},
    {"num_beams": 3, "length_penalty": 0.0},
    {"num_beams": 4, "early_stopping": True, "length_penalty": 2.0},
)
LIMIT = 12


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_DATA", str(tmp_path))


Nets = Callable[[str], Any]


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Nets:
    """nets("t5-gated") is a model of that form."""
    return cache(lambda form: trained(form, tmp_path_factory.mktemp(form)))


@pytest.fixture
def net(nets: Nets) -> Any:
    """Of any form: what is converted is kept by its bytes, whatever it is."""
    return nets("t5")


def trained(name: str, folder: Path) -> Any:
    """Trained for a moment, for outputs to differ by their sources and to end by themselves."""
    import torch
    from transformers import AutoModelForSeq2SeqLM

    kind, _, form = name.partition("-")
    more: dict[str, dict[str, Any]] = {
        "untied": {"tie_word_embeddings": False}, "gated": {"feed_forward_proj": "gated-gelu"}, "": {},
    }  # fmt: skip
    tiny_transformers.make(kind, folder, **more[form])  # type: ignore[arg-type]
    net = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
    net.generation_config.forced_bos_token_id = net.generation_config.forced_eos_token_id = None
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    torch.manual_seed(1)
    texts = sources(net)
    read, written = padded(texts, 0), padded([ids[:-1:2] + ids[-1:] for ids in texts], -100)
    mask = padded([[1] * len(ids) for ids in texts], 0)
    for _ in range(40):
        loss = net(input_ids=read, attention_mask=mask, labels=written).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def padded(rows: list[list[int]], by: int) -> Any:
    import torch

    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=by)


def sources(net: Any) -> list[list[int]]:
    import torch

    chance = torch.Generator().manual_seed(3)
    lengths = torch.randint(2, 15, (10,), generator=chance).tolist()
    ends = [net.config.eos_token_id]
    return [torch.randint(5, net.config.vocab_size, (size,), generator=chance).tolist() + ends for size in lengths]


def by_pytorch(net: Any, texts: list[list[int]], **given: Any) -> list[list[int]]:
    import torch

    found = []
    for ids in texts:
        more = {"max_new_tokens": LIMIT, "do_sample": False, **given}
        written = net.generate(torch.tensor([ids]), **more)[0].tolist()[1:]
        found.append(
            written[: written.index(net.config.eos_token_id)] if net.config.eos_token_id in written else written
        )
    return found


@pytest.mark.parametrize(
    ("form", "given"),
    [
        pytest.param(form, given, marks=[] if at == beside else pytest.mark.soak, id=f"{form}-{given}")
        for at, form in enumerate(FORMS)
        for beside, given in enumerate(SEARCHES)
    ],
)
def test_floats_write_what_pytorch_writes(form: str, nets: Nets, given: dict[str, Any]) -> None:
    net = nets(form)
    texts = sources(net)
    expected = by_pytorch(net, texts, **given)
    settings = SearchSettings(**{"early_stopping": False, **given}, max_new_tokens=LIMIT)
    assert ConvertedModel(net, "float32").generate(texts, settings) == expected
    assert len({tuple(ids) for ids in expected}) > 4


def test_tokens_that_begin_and_end_an_output_are_forced_as_pytorch_forces_them(nets: Nets) -> None:
    net = nets("bart")
    forced = {"forced_bos_token_id": 7, "forced_eos_token_id": net.config.eos_token_id}
    texts, model = sources(net), ConvertedModel(net, "float32")
    for beams, limit in ((1, 1), (4, 2), (1, 3), (4, 1), (1, 5), (4, LIMIT)):
        expected = by_pytorch(net, texts, num_beams=beams, early_stopping=True, max_new_tokens=limit, **forced)
        settings = SearchSettings(beams, max_new_tokens=limit, first=7, last=net.config.eos_token_id)
        assert model.generate(texts, settings) == expected, (beams, limit)
        assert {ids[0] for ids in expected if ids} == ({7} if limit > 1 else set()), (beams, limit)


@pytest.mark.parametrize("form", [FORMS[0], *(pytest.param(form, marks=pytest.mark.soak) for form in FORMS[1:])])
def test_integers_write_nearly_the_same(form: str, nets: Nets) -> None:
    net = nets(form)
    texts = sources(net)
    expected = by_pytorch(net, texts, num_beams=1)
    found = ConvertedModel(net, "int8").generate(texts, SearchSettings(max_new_tokens=LIMIT))
    first = [ours[:1] == theirs[:1] for ours, theirs in zip(found, expected, strict=True)]
    assert sum(first) >= len(texts) * 3 // 4


def test_one_text_is_written_as_among_others(net: Any) -> None:
    texts, model = sources(net), ConvertedModel(net, "int8")
    settings = SearchSettings(num_beams=2, max_new_tokens=LIMIT)
    assert model.generate(texts, settings) == [model.generate([one], settings)[0] for one in texts]


def test_the_same_model_is_converted_once(net: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = converted(net, "int8", digest_of(net))
    monkeypatch.setattr(ctranslate2_models, "convert", None)
    assert converted(net, "int8", digest_of(net)) == folder
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.bin", "shared_vocabulary.json"}
    with pytest.raises(TypeError):
        converted(net, "float32", digest_of(net))
    assert list(kept_in().glob("[!.]*")) == [folder]


def test_the_loaded_model_stays_as_it_is(net: Any) -> None:
    before = digest_of(net)
    converted(net, "int8", before)
    assert digest_of(net) == before


def test_a_broken_conversion_is_made_anew(net: Any) -> None:
    folder = converted(net, "float32", digest_of(net))
    whole = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(whole[: len(whole) // 2])
    assert ConvertedModel(net, "float32").generate([[5, 1]], SearchSettings(max_new_tokens=2))
    assert (folder / "model.bin").read_bytes() == whole


def test_what_a_dead_process_left_is_thrown_away(net: Any) -> None:
    kept_in().mkdir(parents=True)
    (kept_in() / ".fresh-left").mkdir()
    converted(net, "int8", digest_of(net))
    assert not (kept_in() / ".fresh-left").exists()


def test_other_weights_are_another_model(net: Any) -> None:
    import torch

    before = digest_of(net)
    weight = next(net.parameters())
    with torch.no_grad():
        weight[0] += 1
        assert digest_of(net) != before
        weight[0] -= 1


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"num_beams": 2, "no_repeat_ngram_size": 3}, "no_repeat"),
        ({"num_beams": 2, "min_new_tokens": 3}, "shortest"),
        ({"num_beams": 2, "early_stopping": False}, "early_stopping"),
        ({"num_beams": 2, "early_stopping": True, "length_penalty": 0.0}, "early_stopping"),
        ({"do_sample": True}, "sample"),
    ],
)
def test_what_it_would_answer_otherwise_is_refused(given: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError, match="pytorch") as error:
        SearchSettings(**given).check()
    assert error.value.where == where


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    folder = tiny_transformers.make("causal", tmp_path / "causal")
    with pytest.raises(UserError, match="llama"):
        ConvertedModel(AutoModelForCausalLM.from_pretrained(folder, local_files_only=True), "int8")


def test_without_ctranslate2_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctranslate2_models, "PACKAGE", "not_there_at_all")
    with pytest.raises(UserError, match="pip install"):
        ctranslate2_models.version()


def test_the_package_itself_imports_nothing_heavy() -> None:
    code = "import sys; from modelserving import ctranslate2_models; print(*sys.modules)"
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}", "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=paths)
    assert not {"torch", "transformers", "ctranslate2", "django"} & set(done.stdout.split())
