"""`[[gold]]` of a study file: a corpus in its published form becomes sources with references, once."""

import json

import pytest

from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
STUDY = """
[study]
slug = "manuals"
title = "Manuals"
styles = ["expert", "layman"]
link_concepts = true

[[gold]]
file = "test.txt"
format = "msd"

[[gold]]
file = "train.txt"
format = "msd"
split = "train"
tune = 50

[[systems]]
name = "Gold"
human = true
references = 1
"""


def lines(*texts: str) -> bytes:
    rows = ({"text": text, "label": number % 2, "concepts": []} for number, text in enumerate(texts))
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


FILES = {
    "test.txt": lines("Dyspnea is common.", "Many are short of breath."),
    "train.txt": lines(*(f"Sentence {number} stands for itself." for number in range(8))),
}


def apply(text=STUDY, **files):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=(FILES | files).__getitem__)


def test_pairs_are_to_test_both_ways_and_sentences_to_train_and_tune():
    study, added = apply()
    assert [name for name in added if name.startswith("gold")] == ["gold 1", "gold 2"]
    expert, layman = study.directions.order_by("number")
    assert (expert.name, layman.name) == ("expert-layman", "layman-expert")
    for direction in (expert, layman):
        splits = list(direction.sentences.values_list("split", flat=True))
        assert {split: splits.count(split) for split in set(splits)} == {"test": 1, "train": 2, "tune": 2}
    gold = study.systems.get().outputs.select_related("sentence__direction")
    assert {output.sentence.direction.name: output.text for output in gold} == {
        "expert-layman": "Many are short of breath.", "layman-expert": "Dyspnea is common.",
    }  # fmt: skip
    assert apply()[1] == []
    assert study.imported_gold.count() == 9


def test_another_content_is_a_difference():
    apply()
    with pytest.raises(UserError, match=r"gold 1: the content of test.txt has changed"):
        apply(**{"test.txt": lines("Dyspnea is rare.", "Few are short of breath.")})


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (
            'format = "msd"',
            'format = "msdd"',
            "line 10, gold[1].format: there is no format of gold 'msdd'; did you mean",
        ),
        ("tune = 50", "tune = 95", "line 16, gold[2].tune: a number from 0 to 90 was expected"),
        ('split = "train"', 'split = "dev"', "line 15, gold[2].split: there is no split 'dev'"),
        ('format = "msd"', 'format = "plaba"', "gold 1, test.txt"),
        ("references = 1", "references = 0", "a whole number from 1 to 1000 was expected"),
        ("link_concepts = true", 'link_concepts = "yes"', "true or false was expected"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(right, wrong, said):
    assert right in STUDY
    with pytest.raises(UserError) as error:
        apply(STUDY.replace(right, wrong, 1))
    assert said in str(error.value)
    assert not Study.objects.exists()
