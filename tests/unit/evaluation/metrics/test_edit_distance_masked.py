import re

import pytest
from rapidfuzz.distance import Levenshtein

from corpora.knowledge.concepts import linker
from evaluation.edit_distance import MASK, mask_concepts
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

MASKED = METRICS["edit_distance_masked"]


class Words:
    """Takes listed words for concepts."""

    signature = "words:v1|x"
    language = "en"

    def __init__(self, *words):
        self.pattern = re.compile("|".join(words))

    def __call__(self, text):
        return [match.span() for match in self.pattern.finditer(text)]


LINK = Words("dyspnea", "shortness of breath", "heart attack")


def test_masked_puts_one_character_for_each_mention():
    text = "dyspnea, then a heart attack"
    assert mask_concepts(text, LINK(text)) == f"{MASK}, then a {MASK}"
    assert mask_concepts(text, []) == text
    assert mask_concepts("", []) == ""
    assert mask_concepts("ab", [(0, 1), (1, 2)]) == MASK * 2


def test_a_concept_in_other_words_costs_nothing():
    batch = MetricInput(
        ["He had dyspnea.", "He had dyspnea.", "He had dyspnea.", "He had dyspnea."],
        ["He had shortness of breath.", "He had .", "She had a heart attack.", "He had dyspnea."],
        [],
        link=LINK,
    )
    scores = MASKED.score(batch)
    assert scores.sentences.tolist() == [0, 1, 4, 0]  # 'S', 'h' for 'H', and 'a ' are 4 edits
    assert scores.corpus == 1.25
    assert scores.details == {"median": 0.5, "concepts": 7}


def test_case_counts_unless_told():
    batch = MetricInput(["HE had dyspnea"], ["he had shortness of breath"], [], link=LINK)
    assert MASKED.score(batch).corpus == 2
    assert MASKED.score(batch, lowercase=True).corpus == 0


def test_without_concepts_it_is_the_edit_distance(amazon):
    batch = amazon("orgin")
    plain = METRICS["edit_distance"].score(batch)
    hidden = MASKED.score(MetricInput(batch.sources, batch.outputs, [], link=Words("(?!)")))
    assert hidden.sentences.tolist() == plain.sentences.tolist()
    assert hidden.details["concepts"] == 0


def test_with_the_linker_that_is_shipped():
    lexicon = linker()

    class Link:
        signature = lexicon.name
        language = "en"

        def __call__(self, text):
            return [(one.start, one.end) for one in lexicon.link(text)]

    source, output = "The patient has hypertension.", "The patient has high blood pressure."
    score = MASKED.score(MetricInput([source], [output], [], link=Link())).corpus
    assert score == 0
    assert Levenshtein.distance(source, output) > 10


def test_the_signature_says_which_linker():
    scores = MASKED.score(MetricInput(["a"], ["a"], [], link=LINK))
    assert scores.signature.endswith("|restyle:edit_distance_masked.1|link:words-v1-x")
    assert dict(part.split(":") for part in scores.signature.split("|"))["mask"] == "one-a-mention"


def test_without_a_linker_it_says_so():
    with pytest.raises(UserError, match="needs a linker of concepts"):
        MASKED.score(MetricInput(["a"], ["a"], []))
