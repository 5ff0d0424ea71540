"""How easily a text reads before and after, as the page of a draft is told."""

import pytest

from annotation.presenters.work import readability


def test_both_texts_have_their_grade_and_one_without_words_has_none() -> None:
    told = readability("The patient denies subjective dyspnea on exertion.", "You can breathe well when you walk.")
    # 7 words and 15 syllables: 0.39 * 7 + 11.8 * 15 / 7 - 15.59; then 7 words and 7 syllables
    assert told == {"before": pytest.approx(12.4), "after": pytest.approx(-1.1)}
    assert readability("SOB .", " ... ")["after"] is None
