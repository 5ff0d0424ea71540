"""What a judge's answer says, in the forms in which models give it."""

import pytest

from annotation.scales import SCALES
from evaluation.llm_judge.reading import choice_in, value_in

FIVE = SCALES["fluency_5"]


@pytest.mark.parametrize(("answer", "value"), [
    ("4", 4), (" 4.\n", 4), ("**4**", 4), ("4/5", 4), ("3 out of 5", 3), ("Score: 4", 4), ('{"score": 3}', 3),
    ("Rating: 2 (scale 1 to 5)", 2), ("The text is fluent.\nScore: 5", 5), ("<think>Maybe 2?</think>\n4", 4),
    ("4 - it is fluent", 4), (FIVE.levels[0].label, FIVE.levels[0].value), ("٤", 4),
    (f'"{FIVE.levels[-1].label}."', FIVE.levels[-1].value), ("7", None), ("0", None), ("4.5", None), ("-4", None),
    ("", None), ("I cannot say.", None), ("<think>4", None), ("On a scale of 1 to 5 it is a 4", None),
    ("between 3 and 4", None), ("1,000", None), ("4分", 4), ("得分：4", 4), ("得4分。", 4), ("4/5分", 4), ("4점", 4),
    ("score：3", 3), ("B4", None), ("4th", None), ("３", 3),
])  # fmt: skip
def test_a_value_of_a_scale(answer, value):
    assert value_in(answer, FIVE) == value


def test_any_number_of_a_range():
    assert value_in("87.5", SCALES["sqm_100"]) == 87.5
    assert value_in("101", SCALES["sqm_100"]) is None


@pytest.mark.parametrize(("answer", "share"), [
    ("A", 1.0), ("B.", 0.0), ("**B**", 0.0), ("TIE", 0.5), ("tie", 0.5), ("A tie.", 0.5), ("A is better", 1.0),
    ("Answer: A", 1.0), ("A is vague.\nB", 0.0), ("A or B", None), ("A better text", None), ("", None), ("Both", None),
    ("<think>A</think>B", 0.0), ("A更好。", 1.0), ("选择B", 0.0), ("Bの方が良い", 0.0), ("A와 B", None), ("BÄR", None),
])  # fmt: skip
def test_the_better_one_of_a_pair(answer, share):
    assert choice_in(answer) == share
