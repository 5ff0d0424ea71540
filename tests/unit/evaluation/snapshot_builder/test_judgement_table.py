import pytest

from evaluation.snapshot_builder.judgements import table_of_rows

HOMES = {10: 0, 11: 1, 12: 0}  # sentence 12 is the first one again


def flat(given):
    """What is left, as (unit, key, criterion, rater, value)."""
    return [
        (*given.texts[text][:2], given.criteria[criterion], given.raters[rater], value)
        for text, criterion, rater, value in zip(given.text, given.criterion, given.rater, given.value, strict=True)
    ]


def test_of_a_raters_several_judgements_of_one_text_the_last_counts():
    given = table_of_rows(
        [
            [
                (1, 10, "hello", "formality", "w1", 1.0),
                (2, 10, "hello", "formality", "w2", 2.0),
                (3, 10, "hello", "meaning", "w1", 5.0),
            ],
            [
                (4, 12, "hello", "formality", "w1", 3.0),
                (5, 11, "hello", "formality", "w1", -1.0),
            ],
        ],
        HOMES,
    )
    assert flat(given) == [
        (0, "hello", "formality", "w2", 2.0),
        (0, "hello", "meaning", "w1", 5.0),
        (0, "hello", "formality", "w1", 3.0),
        (1, "hello", "formality", "w1", -1.0),
    ]


def test_rows_count_in_the_order_of_their_places_however_they_come():
    rows = [
        (1, 10, "hello", "formality", "w1", 1.0),
        (2, 11, "bye", "meaning", "w2", 2.0),
        (3, 10, "hello", "formality", "w1", 3.0),
        (4, 11, "hello", "formality", "w3", 4.0),
    ]
    given = table_of_rows([rows[2:], rows[:2]], HOMES)
    assert flat(given) == flat(table_of_rows([rows], HOMES))
    assert (given.texts, given.criteria, given.raters) == (
        [(0, "hello", None), (1, "bye", None), (1, "hello", None)], ["formality", "meaning"], ["w1", "w2", "w3"]
    )  # fmt: skip


def test_without_judgements_there_is_nothing():
    assert flat(table_of_rows([], HOMES)) == []


def test_a_judgement_of_a_sentence_that_the_study_lacks_is_an_error():
    with pytest.raises(KeyError):
        table_of_rows([[(1, 99, "hello", "formality", "w1", 1.0)]], HOMES)
