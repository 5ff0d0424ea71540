import pytest

from evaluation.baselines import BASELINES, BaselineInput

SOURCES = ["he has htn", "pt c/o sob now", "asa given", "ok"]
REFERENCES = [
    ["He has high blood pressure.", "His pressure is high."],
    ["The patient is out of breath."],
    [],
    ["Fine."],
]


@pytest.fixture
def texts():
    return BaselineInput(SOURCES, REFERENCES, ["lay", "lay", "expert", "lay"], {"lay": ["patient", "doctor"]}, seed=7)


def test_every_foil_is_of_one_length_and_the_same_again(texts):
    for name in BASELINES:
        made = BASELINES[name].make(texts)
        assert len(made) == len(SOURCES)
        assert made == BASELINES[name].make(texts)
        assert all(text is None or text.strip() for text in made)


def test_the_source_is_copied(texts):
    assert BASELINES["copied_source"].make(texts) == SOURCES


def test_style_words_stand_before_the_source(texts):
    assert BASELINES["prepended_style"].make(texts) == [
        "patient doctor he has htn", "patient doctor pt c/o sob now", None, "patient doctor ok"
    ]  # fmt: skip


def test_words_are_those_of_the_first_reference_in_another_order(texts):
    made = BASELINES["shuffled_words"].make(texts)
    assert made[3] is None, "one word has no other order"
    for text, whole in zip(made[:3], [REFERENCES[0][0], REFERENCES[1][0], SOURCES[2]], strict=True):
        assert sorted(text.split()) == sorted(whole.split())
        assert text != whole


def test_a_random_reference_is_another_sentences(texts):
    made = BASELINES["random_reference"].make(texts)
    firsts = {references[0] for references in REFERENCES if references}
    assert made[2] is None, "the expert style has no reference"
    for text, own in zip(made, REFERENCES, strict=True):
        assert text is None or (text in firsts and text not in own)
    other = BaselineInput(SOURCES * 20, REFERENCES * 20, ["lay"] * 80, {}, seed=8)
    assert BASELINES["random_reference"].make(other) != BASELINES["random_reference"].make(
        BaselineInput(SOURCES * 20, REFERENCES * 20, ["lay"] * 80, {}, seed=9)
    )
