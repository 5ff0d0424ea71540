"""Phrase-based translation as a whole, on thirty pairs written for it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.interface import Model
from modelserving.phrase_based.phrase_table import DecoderOptions
from modelserving.phrase_based.training_options import PhraseTrainingOptions
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS

KIND = TRANSFERS["pbmt"]
WAY = ("expert", "lay")
STARTS = [
    ("The patient has", "You have"),
    ("The patient denies", "You do not have"),
    ("The patient was treated for", "You were treated for"),
    ("There is no sign of", "We found no"),
    ("The patient presents with", "You came with"),
]
ENDS = [
    ("hypertension .", "high blood pressure ."),
    ("dyspnea .", "shortness of breath ."),
    ("pyrexia .", "a fever ."),
    ("a myocardial infarction .", "a heart attack ."),
    ("cephalgia .", "a headache ."),
    ("pruritus .", "an itch ."),
]
PAIRS = [(f"{a} {c}", f"{b} {d}") for a, b in STARTS for c, d in ENDS]
GOLDEN = {
    "The patient has dyspnea.": "You have shortness of breath.",
    "The patient denies a myocardial infarction.": "You do not have a heart attack.",
    "There is no sign of pyrexia and cephalgia.": "We found no a fever and a headache.",
    "Dr. Kaya was treated for pruritus 🙂": "Dr. Kaya were treated for an itch 🙂",
}


def data(way: tuple[str, str] = WAY, tune: bool = False, texts: Sequence[str] = ()) -> TrainingData:
    sources, targets = zip(*PAIRS, strict=True)
    tuned = DevSet(sources[::4], [targets[::4]]) if tune else DevSet()
    styles = {way[0]: [*sources, *texts], way[1]: list(targets)}
    return TrainingData(*way, train=Pairs(sources, targets), dev=tuned, texts=styles)


class Listening(Callbacks):
    def __init__(self, folder: Path, stop_at: int = 10**9) -> None:
        super().__init__(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.lines: list[str] = []
        self.points: list[tuple[str, int]] = []
        self.steps: list[int] = []
        self.stop_at = stop_at

    def at(self, done: int, total: int) -> None:
        assert 0 <= done <= total
        self.steps.append(done)
        if done >= self.stop_at:
            raise Stopped

    def say(self, line: str) -> None:
        self.lines.append(line)

    def point(self, curve: str, step: int, value: float) -> None:
        self.points.append((curve, step))


def fitted(folder: Path, given: TrainingData | None = None, **options: object) -> tuple[Model, Listening]:
    callbacks = Listening(folder)
    chosen = validate_options(PhraseTrainingOptions, {"self_training": 0, "tune": False} | options)
    return KIND.fit(given or data(), chosen, callbacks), callbacks


def outputs(model: Model, texts: Sequence[str] = tuple(GOLDEN), way: tuple[str, str] = WAY) -> list[str]:
    return list(model.transfer(texts, way, DecoderOptions()))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return fitted(tmp_path_factory.mktemp("pbmt"))[0]


def test_its_outputs_are_those_that_were_read_and_found_right(trained: Model) -> None:
    assert dict(zip(GOLDEN, outputs(trained), strict=True)) == GOLDEN


def test_it_comes_back_as_it_was_saved(trained: Model, tmp_path: Path) -> None:
    trained.save(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".safetensors", ".json", ".txt"}
    loaded = KIND.load(tmp_path)
    assert loaded.directions == (WAY,)
    assert outputs(loaded) == outputs(trained)
    assert loaded.signature(WAY, DecoderOptions()) == trained.signature(WAY, DecoderOptions())


def test_a_seed_gives_the_same_model_again(trained: Model, tmp_path: Path) -> None:
    for name, model in (("one", trained), ("other", fitted(tmp_path / "again")[0])):
        (tmp_path / name).mkdir()
        model.save(tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes(), path.name


def test_any_line_is_taken(trained: Model) -> None:
    long = " ".join(["The patient has dyspnea"] * 500)
    given = ["", "   ", "🙂", "zyzzyva", long]
    found = outputs(trained, given)
    assert found[:4] == ["", "", "🙂", "zyzzyva"]
    assert found[4].count("shortness of breath") == 500
    assert outputs(trained, given[3:4]) == found[3:4]


def test_it_serves_what_it_was_trained_for(trained: Model) -> None:
    with pytest.raises(UserError, match="was not trained for"):
        outputs(trained, way=("lay", "expert"))


def test_it_trains_on_those_of_its_rewrites_that_change_enough(tmp_path: Path) -> None:
    texts = ["The patient denies pruritus and dyspnea .", "Nothing is known ."]
    _, callbacks = fitted(tmp_path / "few", data(texts=texts), self_training=1)
    assert "Rewriting 32 texts of the source style." in callbacks.lines
    assert "31 rewrites of its own to train on; the pairs count 1 times." in callbacks.lines
    _, callbacks = fitted(tmp_path / "none", data(texts=texts), self_training=1, edits=500)
    assert not [line for line in callbacks.lines if "rewrites of its own" in line]


def test_texts_to_rewrite_are_drawn_where_there_are_more_than_asked_for(tmp_path: Path) -> None:
    _, callbacks = fitted(tmp_path, self_training=1, self_training_texts=10, duplication=5)
    assert "10 rewrites of its own to train on; the pairs count 5 times." in callbacks.lines


def test_without_such_texts_there_is_one_round(tmp_path: Path) -> None:
    bare = TrainingData(*WAY, train=data().train)
    _, callbacks = fitted(tmp_path, bare, self_training=2)
    assert "There are no texts of the source style to train itself on." in callbacks.lines


def test_rules_go_first_between_formal_and_informal(tmp_path: Path) -> None:
    way = ("informal", "formal")
    model, _ = fitted(tmp_path / "with", data(way))
    assert outputs(model, ["i dont hav cephalgia !!!"], way) == ["I do not hav a headache."]
    assert "rules:1" in model.signature(way, DecoderOptions())
    bare, _ = fitted(tmp_path / "without", data(way), rules=False)
    assert outputs(bare, ["i dont hav cephalgia !!!"], way) == ["i dont hav a headache!!!"]
    assert "rules:none" in bare.signature(way, DecoderOptions())


@pytest.mark.parametrize("metric", ["bleu", "sari"])
def test_weights_are_tuned(tmp_path: Path, metric: str) -> None:
    model, callbacks = fitted(tmp_path, data(tune=True), tune=True, tune_rounds=2, tune_metric=metric)
    assert callbacks.points == [(metric, 0)]
    assert outputs(model, ["The patient has dyspnea."]) == ["You have shortness of breath."]


def test_it_is_stopped_and_goes_on_to_the_same_end(tmp_path: Path) -> None:
    options = validate_options(PhraseTrainingOptions, {"self_training": 1, "tune": False})
    whole = KIND.fit(data(), options, Listening(tmp_path / "whole"))
    with pytest.raises(Stopped):
        KIND.fit(data(), options, Listening(tmp_path / "broken", stop_at=7))
    again = Listening(tmp_path / "broken")
    model = KIND.fit(data(), options, again)
    assert again.lines[0] == "Going on behind round 1."
    for name, one in (("a", whole), ("b", model)):
        (tmp_path / name).mkdir()
        one.save(tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


def test_texts_from_elsewhere_are_taken_from_the_labs_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    (tmp_path / "answers.txt").write_text("You have a cold .\nlol wat\nWe found no cold .\nkewl stuff\n")
    _, callbacks = fitted(tmp_path / "run", out_of_domain="answers.txt", out_of_domain_share=0.5)
    assert "2 of 4 texts from elsewhere are taken." in callbacks.lines
    with pytest.raises(UserError, match="out_of_domain"):
        fitted(tmp_path / "other", out_of_domain="nowhere.txt")


def test_what_it_cannot_train_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no pairs"):
        fitted(tmp_path, TrainingData(*WAY))
    with pytest.raises(UserError, match="No pair has"):
        fitted(tmp_path, TrainingData(*WAY, train=Pairs([""], ["a"])))


def test_a_folder_that_holds_another_model_is_refused(trained: Model, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pbmt\.json"):
        KIND.load(tmp_path)
    trained.save(tmp_path)
    (tmp_path / "pbmt.json").write_text('{"direction": ["a", "b"], "rules": true, "order": 5, "weights": [1, 2]}')
    with pytest.raises(UserError, match="Each feature needs a weight"):
        KIND.load(tmp_path)
