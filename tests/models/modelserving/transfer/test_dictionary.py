"""Terms replaced by full forms of a dictionary: MedLane's baseline (Luo et al. 2022, section 5.1 and appendix C)."""

import json
from pathlib import Path

import pytest

from corpora.knowledge import abbreviations
from foundation.errors import UserError
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.transfer import TRANSFERS, Model
from modelserving.transfer.dictionary import MOST_FREQUENT, Decoding, Dictionary

KIND = TRANSFERS["dictionary"]
DIRECTION = ("clinical", "lay")
USUAL = Decoding(choice=MOST_FREQUENT)
TERMS = {
    "pt": ("patient", "physical therapy"),
    "TLC": ("thin-layer chromatography", "total lung capacity"),
    "Hct": ("hematocrit",),
    "OR": ("operating room",),
    "b.i.d.": ("twice daily",),
}


def fitted(tmp_path: Path, pairs: Pairs | None = None, terms: dict[str, tuple[str, ...]] = TERMS) -> Dictionary:
    data = TrainingData(*DIRECTION, train=pairs or Pairs(), dictionary=terms)
    model = KIND.fit(data, KIND.Options(), Callbacks(tmp_path))
    assert isinstance(model, Dictionary)
    return model


def rewritten(model: Model, text: str, decoding: Decoding = USUAL) -> str:
    return next(model.transfer([text], DIRECTION, decoding))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("NSTEMI, now with CAD.", "non-ST-elevation myocardial infarction, now with coronary artery disease."),
        ("Pt has  afib,\tHTN;\nno MI", "patient has  atrial fibrillation,\thypertension;\nno myocardial infarction"),
        ("Take it p.o. b.i.d.", "Take it by mouth twice a day."),
        ("seen by [**MD Number(1) 7**] in the ED", "seen by [**MD Number(1) 7**] in the emergency department"),
    ],
)
def test_golden_outputs_of_the_shipped_dictionary(tmp_path: Path, text: str, wanted: str) -> None:
    model = fitted(tmp_path, terms=dict(abbreviations.load().forms))
    assert rewritten(model, text) == wanted


def test_an_everyday_word_is_no_term_and_its_capitals_are_one(tmp_path: Path) -> None:
    model = fitted(tmp_path)
    assert rewritten(model, "in the OR or not, hct 33") == "in the operating room or not, hematocrit 33"


def test_the_random_choice_depends_on_seed_text_and_place_alone(tmp_path: Path) -> None:
    model, text = fitted(tmp_path), "TLC of " * 40
    first = rewritten(model, text, Decoding())
    assert first == list(model.transfer(["other", text, text], DIRECTION, Decoding()))[2]
    assert first != rewritten(model, text, Decoding(seed=2))
    assert 10 < first.count("total lung capacity") < 30  # each place has its own draw
    assert first.count("total lung capacity") + first.count("thin-layer chromatography") == 40


def test_the_most_frequent_form_is_the_first_until_references_say_otherwise(tmp_path: Path) -> None:
    assert rewritten(fitted(tmp_path), "TLC") == "thin-layer chromatography"
    pairs = Pairs(
        ["TLC was low", "tlc 5 l", "nothing here", "pt seen"],
        [
            "TLC[total lung capacity] was low",
            "Total lung capacity 5 l",
            "thin-layer chromatography",
            "patients, patient",
        ],
    )
    model = fitted(tmp_path, pairs)
    assert model.counts == {
        "thin-layer chromatography | total lung capacity": (0, 2),
        "patient | physical therapy": (1, 0),
    }
    assert rewritten(model, "TLC") == "total lung capacity"


def test_a_form_within_a_longer_one_is_not_counted(tmp_path: Path) -> None:
    terms = {"ACE": ("angiotensin-converting enzyme", "angiotensin-converting enzyme inhibitor")}
    model = fitted(tmp_path, Pairs(["on ACE"], ["on an angiotensin-converting enzyme inhibitor"]), terms)
    assert list(model.counts.values()) == [(0, 1)]


def test_it_saves_and_loads_to_the_same(tmp_path: Path) -> None:
    model = fitted(tmp_path, Pairs(["TLC"], ["total lung capacity"]))
    (tmp_path / "kept").mkdir()
    model.save(tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["dictionary.json", "dictionary.tsv"]
    loaded = KIND.load(tmp_path / "kept")
    assert loaded == model
    assert loaded.signature(DIRECTION, Decoding()) == model.signature(DIRECTION, Decoding())
    assert model.signature(DIRECTION, Decoding()) != model.signature(DIRECTION, Decoding(seed=2))
    assert model.signature(DIRECTION, USUAL) == model.signature(DIRECTION, Decoding(choice=MOST_FREQUENT, seed=2))


@pytest.mark.parametrize("text", ["", "   ", "word " * 2000 + "pt", "🙂 ünbekannt 日本語", "[[**", "'’\" \x1c ."])
def test_any_text_is_taken(tmp_path: Path, text: str) -> None:
    assert rewritten(fitted(tmp_path), text).split() == text.replace("pt", "patient").split()


@pytest.mark.parametrize(
    "terms", [{}, {"two words": ("x",)}, {"...": ("x",)}, {"x": ()}, {"x": (" ",)}, {"x": ("a|b",)}]
)
def test_a_dictionary_that_is_none_is_refused(tmp_path: Path, terms: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(UserError, match="dictionary"):
        fitted(tmp_path, terms=terms)


def test_another_direction_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="lay to clinical"):
        fitted(tmp_path).transfer(["pt"], ("lay", "clinical"), USUAL)


@pytest.mark.parametrize(
    "broken", [None, "{", "[]", json.dumps({"direction": ["a", "b"], "everyday": [], "counts": 3})]
)
def test_a_folder_that_holds_no_dictionary_is_refused(tmp_path: Path, broken: str | None) -> None:
    (tmp_path / "dictionary.tsv").write_text("pt\tpatient\n")
    if broken is not None:
        (tmp_path / "dictionary.json").write_text(broken)
    with pytest.raises(UserError, match=r"dictionary\.json"):
        KIND.load(tmp_path)


def test_counting_stops_when_it_is_told(tmp_path: Path) -> None:
    class Impatient(Callbacks):
        def at(self, done: int, total: int) -> None:
            raise Stopped

    data = TrainingData(*DIRECTION, train=Pairs(["pt"], ["patient"]), dictionary=TERMS)
    with pytest.raises(Stopped):
        KIND.fit(data, KIND.Options(), Impatient(tmp_path))
