import pytest

from evaluation.recording.given import columns_of

HOMES = {10: 0, 11: 1, 12: 0}  # sentence 12 is the first one again


def flat(given):
    """What is left, as (unit, key, criterion, rater, value)."""
    return [
        (*given.texts[text], given.criteria[criterion], given.raters[rater], value)
        for text, criterion, rater, value in zip(given.text, given.criterion, given.rater, given.value, strict=True)
    ]


def test_of_a_raters_several_judgements_of_one_text_the_last_counts():
    given = columns_of(
        [
            (10, "hello", "formality", "w1", 1.0),
            (10, "hello", "formality", "w2", 2.0),
            (10, "hello", "meaning", "w1", 5.0),
            (12, "hello", "formality", "w1", 3.0),
            (11, "hello", "formality", "w1", -1.0),
        ],
        HOMES,
    )
    assert flat(given) == [
        (0, "hello", "formality", "w2", 2.0),
        (0, "hello", "meaning", "w1", 5.0),
        (0, "hello", "formality", "w1", 3.0),
        (1, "hello", "formality", "w1", -1.0),
    ]


def test_without_judgements_there_is_nothing():
    assert flat(columns_of([], HOMES)) == []


def test_a_judgement_of_a_sentence_that_the_study_lacks_is_an_error():
    with pytest.raises(KeyError):
        columns_of([(99, "hello", "formality", "w1", 1.0)], HOMES)
