"""The rules of a plan in words, in the plural forms of the reader's language."""

import pytest
from django.utils.translation import override

from evaluation.human_studies.plan_validation import exclusion_in_words, seconds_per_judgement


@pytest.mark.parametrize(
    ("language", "seconds", "said"),
    [
        ("en", 1, "at least 1 second an answer"), ("en", 2, "at least 2 seconds an answer"),
        ("en", 1.5, "at least 1.5 seconds an answer"), ("de", 1, "mindestens 1 Sekunde je Antwort"),
        ("ar", 2, "ثانيتان على الأقل لكل إجابة"), ("ar", 3, "3 ثوانٍ على الأقل لكل إجابة"),
    ],
)  # fmt: skip
def test_seconds_have_the_form_of_their_number(language: str, seconds: float, said: str) -> None:
    with override(language):
        assert exclusion_in_words("least_seconds", seconds) == said


def test_other_rules_are_said_too() -> None:
    assert exclusion_in_words("control_p", 0.05) == "p of the attention test at most 0.05"
    assert (seconds_per_judgement(1), seconds_per_judgement(4.5)) == (
        "1 second per judgement", "4.5 seconds per judgement",
    )  # fmt: skip
