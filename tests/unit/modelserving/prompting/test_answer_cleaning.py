import pytest

from modelserving.prompting.cleaning import one_line, unwrapped


def test_an_answer_is_one_line():
    assert one_line(" a\n\nb\u2028c\td ") == "a b c d"


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ('"You are right."', "You are right."),
        ("“You are right.”", "You are right."),
        ("Here is the rewritten text:\n\nYou are right.", "You are right."),
        ('Sure! Here is it: "You are right."', "You are right."),
        ('"No," he said, "never."', '"No," he said, "never."'),
        ("Here is where I live.", "Here is where I live."),
        ("Sure:", "Sure:"),
        ('"', '"'),
        ("I'm sorry, I can't help with that.", "I'm sorry, I can't help with that."),
        ("", ""),
    ],
)
def test_what_stands_around_a_rewrite_is_taken_off(answer, bare):
    assert unwrapped(answer) == bare
