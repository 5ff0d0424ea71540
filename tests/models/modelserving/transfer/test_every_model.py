"""What holds for every model of the folder: each is trained on twenty pairs, kept, loaded, and given odd texts.

Each is trained for a moment (`QUICK`), which shows all that holds for it but one: that it learns the pairs to the word
is shown of one model a family, and of the others in the soak. Texts are drawn where a model can draw them: a draw hangs
on all weights, where the likeliest words of one that is hardly trained may be those of another.
"""

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open
from support import tiny_transformers
from support.language_model_server import served
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from foundation.options import list_options
from modelserving.attribute_markers.options import MarkerOptions
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.marked import MarkedTransfer
from modelserving.neural_transfer.model import NetworkModel
from modelserving.pretrained.kind import PretrainedTransfer
from modelserving.pretrained.options import GenerationOptions
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import DevSet, TrainingData
from modelserving.training.recipe import ATTENTION, ENTROPY, BeamSearchOptions
from modelserving.transfer import TRANSFERS, Model, Transfer

pytestmark = pytest.mark.slow

LONG = "word " * 1000
ODD = [
    "", "   ", "she saw a dr", "zyxwv Ünbekannt qqq.", "👍🏽 she luv 🙂 e\u0301", "?",
    "a\u2028b\tc\u0085d",
]  # fmt: skip
SHORT = {"longest": 12, "beam": 3}  # of Decoding, so that odd texts take no time
DRAWN = {"longest": 12, "sample": True, "temperature": 2.0, "seed": 1}
QUICK = {"epochs": 4, "pretrain": 2, "pretraining": 2, "adversarial_begin": 3, "batch": 10}
"""All phases of a training, briefly: each epoch is two steps."""
TUNED_ON = 4  # pairs of a quick training; pretrained models write them all behind each epoch
NAMES = TRANSFERS.names()
TRAINED = [name for name in NAMES if TRANSFERS[name].needs != "nothing"]
NETWORKS = [name for name in NAMES if isinstance(TRANSFERS[name], NetworkTransfer)]
ON_WORDS = [name for name in NETWORKS if any(one.name == "subwords" for one in list_options(TRANSFERS[name].Options))]
SUPERVISED = [name for name in NETWORKS if TRANSFERS[name].needs == "parallel"]
STYLED = [name for name in NETWORKS if TRANSFERS[name].needs == "styles"]
OF_STYLES = [name for name in STYLED if not isinstance(TRANSFERS[name], MarkedTransfer)]  # and not of markers
MARKED = [name for name in NAMES if issubclass(TRANSFERS[name].Options, MarkerOptions)]
PRETRAINED = [name for name in NAMES if isinstance(TRANSFERS[name], PretrainedTransfer)]
FOLDERS: dict[tiny_transformers.Kind, list[str]] = {  # that the entries name by default
    "t5": ["t5-base", "T0_3B"], "bart": ["bart-base", "bart-large-cnn"], "pegasus": ["pegasus-large"],
    "bert": ["PubMedBERT"], "causal": ["chat"],
}  # fmt: skip
CONFIGURED: dict[tiny_transformers.Kind, dict[str, object]] = {
    "t5": {"dropout_rate": 0.0}, "bart": {"dropout": 0.0}, "pegasus": {"dropout": 0.0},
    "bert": {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0},
    "causal": {"initializer_range": 0.1},  # an adapter leaves the embeddings as they are
}  # fmt: skip
LOOSE = {  # a content is held loosely, or texts would be no more than alike; in the last epochs all losses count
    "rate": 0.003, "clip": 1.0, "epochs": 80, "pretraining": 70, "kl": 0.01, "kl_warmup": 0, "content": 32,
}  # fmt: skip
GENTLE = {  # the discriminator comes when texts are given back, and moves little
    "rate": 0.002, "schedule": "linear", "epochs": 80, "pretrain": 560, "layers": 1, "heads": 2, "feedforward": 128,
    "longest": 60, "self_weight": 1.0, "cycle_weight": 0.1, "style_weight": 0.1, "discriminator_updates": 2,
    "generator_updates": 4,
}  # fmt: skip
TUNED = {"schedule": "constant", "epochs": 60, "rate": 0.003}
OPTIONS: dict[str, dict[str, object]] = {  # what a training takes besides, to be quick or to learn by heart
    **{name: {"optimizer": "adam"} for name in STYLED},
    **{name: {"optimizer": "adam", "threshold": 2.0, "least_content": 0} for name in MARKED},
    **{name: {**TUNED, "warmup": 0} for name in PRETRAINED},
    "lora": {"folder": "chat", "prompt": "{text}", "rate": 0.02, "batch": 20, "accumulate": 1, "epochs": 60},
    "bert_mt": {**TUNED, "warmup": 0},
    "declare": {**TUNED, "epochs": 40, "warmup": 0, "decay": 0.0},
    "controlled_gen": LOOSE,
    "edit_nts": {"lowercase": False, "epochs": 60},
    "pointer_net": {"epochs": 60},
    "opennmt_pt": {"epochs": 120},
    "unts": {"optimizer": "adam", "layers": 1, "adversarial_begin": 20, "both_directions": True, "filters": 8},
    "nmt_combined": {"epochs": 12},  # each pair comes several times
    "seq2seq_no_attention": {"epochs": 90},
    "style_transformer": GENTLE,
    "transformer": {"rate": 0.005, "warmup": 20, "layers": 1, "heads": 2, "feedforward": 128},
    "prompted": {"endpoint": "near", "model": "tiny", "shots": 3, "choice": "retrieved", "tune_most": 2},
}

STOP = 5  # steps, of the eight that most take: within an epoch
FAMILIES = {"seq2seq", "t5", "lora", "style_embedding"}  # transformer, edit_nts and declare learn in their own files


def one_a_family(names: list[str]) -> list[Any]:
    """The others of a family are for the soak."""
    return [pytest.param(name, marks=[] if name in FAMILIES else pytest.mark.soak) for name in names]


class Told(Callbacks):
    """Keeps the points of each curve; stops at a step where it should."""

    def __init__(self, folder: Path, stop: int = -1) -> None:
        super().__init__(folder, seed=7)
        self.stop = stop
        self.curves: dict[str, list[float]] = {}

    def at(self, done: int, total: int) -> None:
        if 0 <= self.stop <= done:
            raise Stopped

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)


Fit = Callable[..., Model]


@pytest.fixture(scope="module", autouse=True)
def language_model() -> Iterator[None]:
    """The endpoint that a prompted model asks."""
    with served() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={server.url} models=tiny local=1")
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    return twenty(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RESTYLE_MODELS", str(root))
        yield root


@pytest.fixture(autouse=True)
def pretrained_folders(request: pytest.FixtureRequest, models: Path) -> None:
    """Tiny pretrained models where the entry looks for its own."""
    name = request.node.callspec.params["name"] if hasattr(request.node, "callspec") else ""
    if not name:
        return
    options = [*list_options(TRANSFERS[name].Options), *list_options(TRANSFERS[name].Decoding)]
    asked = {option.default for option in options} | {OPTIONS.get(name, {}).get("folder")}
    for kind, folders in FOLDERS.items():
        for folder in asked.intersection(folders):
            if not (models / str(folder)).exists():
                tiny_transformers.make(kind, models / str(folder), **CONFIGURED[kind])


@pytest.fixture(scope="module")
def told() -> dict[str, Told]:
    """What the quick training of each model told."""
    return {}


@pytest.fixture(scope="module")
def fit(data: TrainingData, told: dict[str, Told], tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """fit(name, epochs=...) trains it in a folder of its own, once for equal arguments; quickly if not `whole`.

    Where it is `stopped`, it goes on to the end from what was kept.
    """
    briefly = replace(
        data,
        dev=DevSet(SOURCES[:TUNED_ON], [TARGETS[:TUNED_ON]]),
        dev_texts={WAY[0]: SOURCES[:TUNED_ON], WAY[1]: TARGETS[:TUNED_ON]},
    )

    @cache
    def fitted(name: str, stopped: bool = False, whole: bool = False, **given: object) -> Model:
        kind = TRANSFERS[name]
        if kind.needs == "nothing":
            return kind.load(None)
        callbacks = Told(tmp_path_factory.mktemp(name))
        options = small(kind.Options, **{**OPTIONS.get(name, {}), **({} if whole else QUICK), **given})
        texts = data if whole else briefly
        if stopped:
            with suppress(Stopped):
                kind.fit(texts, options, Told(callbacks.folder, stop=STOP))
        model = kind.fit(texts, options, callbacks)
        told.setdefault(name, callbacks)
        return model

    return fitted


def outputs(kind: Transfer, model: Model, texts: list[str]) -> list[str]:
    whole = {"longest": 30, "early_stopping": False}  # pieces are shorter than words; the best of all hypotheses
    longer = whole if issubclass(kind.Decoding, GenerationOptions) else {}
    return list(model.transfer(texts, WAY, small(kind.Decoding, **{**SHORT, **longer})))


def drawn(kind: Transfer, model: Model, texts: list[str], seed: int = 1) -> list[str]:
    """Texts by chance; those of a search where the model has no chance."""
    return list(model.transfer(texts, WAY, small(kind.Decoding, **{**DRAWN, "seed": seed})))


@pytest.mark.parametrize("name", one_a_family([*SUPERVISED, *PRETRAINED, "lora", "declare"]))
def test_a_supervised_network_learns_twenty_pairs_to_the_word(name: str, fit: Fit) -> None:
    assert outputs(TRANSFERS[name], fit(name, whole=True), SOURCES) == TARGETS


@pytest.mark.parametrize("name", one_a_family(OF_STYLES))
def test_a_network_of_two_styles_gives_twenty_texts_of_either_back_in_their_own_style(name: str, fit: Fit) -> None:
    model = fit(name, whole=True)
    assert isinstance(model, NetworkModel)
    for texts, direction in ((SOURCES, WAY[::-1]), (TARGETS, WAY)):
        words = [model.vocabularies.tokenizer.tokenize(text) for text in texts]
        assert model.rewrite(words, direction, small(BeamSearchOptions, **SHORT)) == words


@pytest.mark.parametrize("name", [*NETWORKS, *PRETRAINED])
def test_its_loss_falls(name: str, fit: Fit, told: dict[str, Told]) -> None:
    fit(name)
    curve = told[name].curves.get("loss") or next(iter(told[name].curves.values()))
    assert curve[-1] < curve[0], told[name].curves


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_attends_has_the_curves_of_its_attention(name: str, fit: Fit, told: dict[str, Told]) -> None:
    model = fit(name)
    assert isinstance(model, NetworkModel)
    curves = {curve: told[name].curves[curve] for curve in ATTENTION if curve in told[name].curves}
    assert set(curves) == (set(ATTENTION) if model.net.attends else set())
    for curve, values in curves.items():
        highest = math.log(60) if curve == ENTROPY else 1 + 1e-6
        assert all(0 <= value <= highest for value in values), curves


@pytest.mark.parametrize("name", TRAINED)
def test_what_is_saved_is_loaded_to_the_same_outputs(name: str, fit: Fit, tmp_path: Path) -> None:
    kind, model = TRANSFERS[name], fit(name)
    model.save(tmp_path)
    loaded = kind.load(tmp_path)
    texts = [*SOURCES[:3], *ODD]
    assert outputs(kind, loaded, texts) == outputs(kind, model, texts)
    assert drawn(kind, loaded, texts) == drawn(kind, model, texts)
    assert loaded.directions == model.directions
    assert loaded.signature(WAY, kind.Decoding()) == model.signature(WAY, kind.Decoding())


@pytest.mark.parametrize("name", one_a_family(ON_WORDS))
def test_a_network_on_subwords_is_loaded_to_the_same_outputs(name: str, fit: Fit, tmp_path: Path) -> None:
    kind, model = TRANSFERS[name], fit(name, subwords=280)
    model.save(tmp_path)
    assert {path.name for path in tmp_path.glob("*.json")} == {"model.json", "subwords.json"}
    assert not list(tmp_path.glob("*.txt"))
    loaded = kind.load(tmp_path)
    texts = [*SOURCES[:3], *ODD]
    assert drawn(kind, loaded, texts) == drawn(kind, model, texts)
    (tmp_path / "subwords.json").write_text('{"merges": [["a", "nothing"]]}')
    with pytest.raises(UserError):
        kind.load(tmp_path)


@pytest.mark.parametrize(
    "name", ["seq2seq", "seq2seq_no_attention", "pointer_net", "nmt_copy", "transformer", "opennmt_pt"]
)
def test_a_network_of_two_layers_is_loaded_to_the_same_outputs(name: str, fit: Fit, tmp_path: Path) -> None:
    kind, model = TRANSFERS[name], fit(name, layers=2)
    model.save(tmp_path)
    assert drawn(kind, kind.load(tmp_path), SOURCES) == drawn(kind, model, SOURCES)


@pytest.mark.parametrize("name", TRAINED)
def test_the_files_are_numbers_and_texts(name: str, fit: Fit, tmp_path: Path) -> None:
    fit(name).save(tmp_path)
    files = sorted(tmp_path.rglob("*"))
    assert files
    for path in files:
        if path.suffix == ".safetensors":
            with safe_open(path, "np") as weights:
                assert weights.keys()
        elif path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        else:
            assert "\0" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_any_text_is_taken_and_gives_what_it_gives_alone(name: str, fit: Fit) -> None:
    kind, model = TRANSFERS[name], fit(name)
    texts = [*ODD, LONG]
    together = outputs(kind, model, texts)
    assert together == [output for text in texts for output in outputs(kind, model, [text])]
    assert together[0] == ""
    assert together[1].strip() == ""
    assert all("\n" not in output for output in together)


@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_drawn_for_a_text_is_drawn_for_it_alone(name: str, fit: Fit) -> None:
    kind, model = TRANSFERS[name], fit(name)
    texts = [*SOURCES[:6], *ODD]
    together = drawn(kind, model, texts)
    assert together == [output for text in texts for output in drawn(kind, model, [text])]
    assert together != drawn(kind, model, texts, seed=2)


@pytest.mark.parametrize("name", NAMES)
def test_one_seed_gives_the_same_outputs_also_after_a_stop(name: str, fit: Fit) -> None:
    kind = TRANSFERS[name]
    first, again = (drawn(kind, fit(name, stopped=stopped), SOURCES) for stopped in (False, True))
    assert first == again


@pytest.mark.parametrize("name", TRAINED)
def test_a_broken_foreign_or_missing_file_is_a_sentence(name: str, fit: Fit, tmp_path: Path) -> None:
    kind = TRANSFERS[name]
    with pytest.raises(UserError):
        kind.load(None)
    with pytest.raises(UserError):
        kind.load(tmp_path)
    fit(name).save(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        path.write_bytes(b"\xff\xfe\0{" + whole[: len(whole) // 2])
        with pytest.raises(UserError):
            kind.load(tmp_path)
        path.write_bytes(whole)


@pytest.mark.parametrize("name", TRAINED)
def test_a_direction_that_it_was_not_trained_for_is_refused(name: str, fit: Fit) -> None:
    with pytest.raises(UserError):
        list(fit(name).transfer(SOURCES, ("formal", "poetic"), TRANSFERS[name].Decoding()))


@pytest.mark.parametrize("name", TRAINED)
def test_its_directions_are_known_in_any_letters(name: str, fit: Fit) -> None:
    model = fit(name)
    assert model.known_as((WAY[0].upper(), WAY[1].title())) == (
        WAY if model.directions else (WAY[0].upper(), WAY[1].title())
    )
    assert model.known_as(("formal", "poetic")) == ("formal", "poetic")


@pytest.mark.parametrize("name", TRAINED)
def test_nothing_to_train_on_is_a_sentence(name: str, tmp_path: Path) -> None:
    kind = TRANSFERS[name]
    nothing = TrainingData(*WAY).write(tmp_path / "data")
    with pytest.raises(UserError):
        kind.fit(nothing, small(kind.Options), Callbacks(tmp_path))


@pytest.mark.parametrize("name", NAMES)
def test_each_option_says_what_it_is(name: str) -> None:
    kind = TRANSFERS[name]
    assert kind.label
    for option in [*list_options(kind.Options), *list_options(kind.Decoding)]:
        assert option.help
        if option.required and not option.default:
            with pytest.raises(UserError, match="has to be given"):
                option.check(option.default)
        else:
            option.check(option.default)


def test_naming_the_models_imports_neither_torch_nor_numba() -> None:
    code = "import sys; from modelserving.transfer import TRANSFERS; list(TRANSFERS.values()); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_environment())
    assert not {"torch", "numba", "transformers", "django"} & set(done.stdout.split())


def _environment() -> dict[str, str]:
    root = Path(__file__).parents[4]
    return {"PYTHONPATH": f"{root}:{root / 'platform'}"}
