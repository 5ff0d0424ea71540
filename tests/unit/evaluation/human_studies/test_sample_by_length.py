"""A sample takes as many of each length, in the words of the study's language."""

import pytest

from annotation.task_data import Material
from corpora.models import Study
from evaluation.human_studies.sample import draw_sample
from evaluation.models import HumanStudy


@pytest.mark.parametrize(("language", "word"), [("zh", "病"), ("en", "ill "), ("th", "ก")])
def test_of_each_length_as_many(language, word):
    """Twenty lengths in an order of their own: of each two neighbours one is drawn."""
    lengths = [n * 7 % 20 + 1 for n in range(20)]
    material = [Material(n, (word * length).strip(), ()) for n, length in enumerate(lengths)]
    plan = HumanStudy(study=Study(language=language), sampling=HumanStudy.Sampling.LENGTH, size=10, seed=3)
    drawn = draw_sample(plan, material)
    assert sorted((lengths[source.sentence_id] - 1) // 2 for source in drawn) == list(range(10))
