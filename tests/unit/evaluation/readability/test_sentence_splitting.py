import pytest

from evaluation.readability import sentences


@pytest.mark.parametrize(
    "text",
    [
        "The dose was 2.5 mg.",
        "Dr. Smith and Mr. J. Doe met Prof. Lee.",
        "Take it b.i.d. with food.",
        "Eat fruit, e.g. Apples or pears, i.e. Fresh ones.",
        "He joined the U.S. Army.",
        "Smith et al. showed it.",
        '"Really?" he asked.',
        "See Fig. 2 and no. 5 on p. 7.",
        "well... maybe not",
        "1. Wash your hands.",
        "So ! ! !",
        "Add 5 oz. of milk, eggs etc. and stir.",
        "Is it version 1.2.3?",
    ],
)
def test_stays_one(text):
    assert [" ".join(each) for each in sentences(text)] == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It works. It is good.", ["It works.", "It is good."]),
        ("Take it b.i.d. The dose is 5 mg. Drink water.", ["Take it b.i.d.", "The dose is 5 mg.", "Drink water."]),
        ("i like it . it is good !", ["i like it .", "it is good !"]),
        ("Wait!! What?? ok", ["Wait!!", "What??", "ok"]),
        ("She said no. We left.", ["She said no.", "We left."]),
        ('He left. "Stop!" (It was late.) We slept.', ["He left.", '"Stop!"', "(It was late.)", "We slept."]),
        ("So do I. He too.", ["So do I.", "He too."]),
        ("Well... Then we go.", ["Well...", "Then we go."]),
        ("A heading\n\nAnd its text.", ["A heading", "And its text."]),
        ("One line\ngoes on. Two.", ["One line goes on.", "Two."]),
        ("He came in 1998. She did not.", ["He came in 1998.", "She did not."]),
    ],
)
def test_splits(text, parts):
    assert [" ".join(each) for each in sentences(text)] == parts


@pytest.mark.parametrize("text", ["", "  ", "...", "! ? .", "\n\n"])
def test_nothing_to_say(text):
    assert sentences(text) == []
