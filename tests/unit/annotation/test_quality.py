"""The checks on somebody's work: what each finds, and what it leaves alone."""

import pytest

from annotation.quality import (
    CHECKS,
    AnnotatorWork,
    CheckedAnswer,
    ComparedChoice,
    ComparedRating,
    check_checks,
    findings,
)
from foundation.errors import UserError

LONG = "the patient was seen at the clinic for pain"


def found(name, answers, median=None, **settings):
    check = CHECKS[name]
    return list(check.findings(AnnotatorWork(answers, median), check.check_settings(settings)))


def answers(count, make):
    return [CheckedAnswer(key=100 + n, number=n, **make(n)) for n in range(1, count + 1)]


@pytest.mark.parametrize("name", CHECKS.names())
def test_every_check_says_what_it_is_and_finds_nothing_in_nothing(name):
    check = CHECKS[name]
    assert check.name == name
    assert check.label
    assert check.about
    assert check.check_settings({}) == check.defaults == check.check_settings(check.check_settings({}))
    assert found(name, []) == []


@pytest.mark.parametrize("name", CHECKS.names())
def test_wrong_settings_are_named(name):
    check = CHECKS[name]
    with pytest.raises(UserError, match="did you mean") as error:
        check_checks({name: {"colour": 1}})
    assert error.value.where == f"checks.{name}.colour"
    for key in check.defaults:
        for value in ("1", True, None, -1):
            with pytest.raises(UserError, match="Expected a") as error:
                check_checks({name: {key: value}})
            assert error.value.where == f"checks.{name}.{key}"


def test_a_text_without_spaces_is_as_long_as_its_characters():
    """Two of eleven characters are others, and five sources have one text."""
    source, near = "病人因为发烧住了院。", "病人由于发烧住了院。"
    (copied,) = found("copied_source", answers(6, lambda n: {"before": source, "after": near}), alike=0.7)
    assert len(copied.evidence) == 6
    assert found("copied_source", answers(6, lambda n: {"before": source, "after": "他烧得厉害，只好去医院。"})) == []
    (repeated,) = found("repeated_text", answers(5, lambda n: {"before": f"{source}{n}", "after": "他发烧了。"}))
    assert len(repeated.evidence) == 5


def test_a_check_that_is_switched_off_finds_nothing():
    same = AnnotatorWork(answers(5, lambda n: {"before": f"source {n} of it", "after": "The same all over."}))
    assert [finding.check for finding in findings(same, {})] == ["repeated_text"]
    assert list(findings(same, check_checks({"repeated_text": False}))) == []
    assert [finding.check for finding in findings(same, check_checks({"repeated_text": {"times": 6}}))] == []
    assert check_checks({"speed": True}) == {"speed": {}}
    with pytest.raises(UserError, match="did you mean speed"):
        check_checks({"sped": False})
    with pytest.raises(UserError, match="or false"):
        check_checks({"speed": 3})


def test_control_items_are_scored_together():
    scores = [1.0, 1.0, 0.0, 0.5]
    given = answers(4, lambda n: {"control": scores[n - 1]})
    [finding] = found("control_items", [*given, CheckedAnswer(key=9, number=9)])
    assert "4 control items 62.5% as expected; at least 70%" in finding.sentence
    assert [(one.number, one.text) for one in finding.evidence] == [(3, "0%"), (4, "50%")]
    assert found("control_items", given, least_score=0.625) == []
    assert found("control_items", given, least_items=5) == []


def test_speed_looks_at_the_median_of_the_others_and_at_the_words():
    slow = answers(8, lambda n: {"seconds": 20.0, "words": 10})
    fast = [CheckedAnswer(key=n, number=n, seconds=2.0, words=10) for n in range(20, 24)]
    [finding] = found("speed", [*slow, *fast], median=18.0)
    assert finding.count == 4
    assert "4 of 12 answers (33.3%)" in finding.sentence
    assert "Their median is 20.0 s; the others' median is 18.0 s." in finding.sentence
    assert finding.evidence[0].text == "2.0 s, 10 words"
    assert found("speed", [*slow, *fast], median=6.0) == []
    assert found("speed", [*slow, *fast]) == []
    assert found("speed", [*slow, *fast], seconds_a_word=0.5)[0].items == [20, 21, 22, 23]
    assert found("speed", slow[:4], median=900.0) == []


def test_a_copy_with_a_word_changed_is_found_and_an_equal_text_is_not():
    near = answers(6, lambda n: {"before": f"{LONG} and fever {n}", "after": f"{LONG} and fevers {n}"})
    [finding] = found("copied_source", near)
    assert finding.count == 6
    assert "6 of 6 texts (100%)" in finding.sentence
    assert finding.evidence[0].text.startswith("91.7%: the patient")
    assert found("copied_source", near, alike=0.95) == []
    equal = answers(6, lambda n: {"before": f"{LONG} {n}", "after": f"{LONG} {n}"})
    assert found("copied_source", equal) == []
    [finding] = found("untouched_output", equal)
    assert "6 of 6 texts (100%) are their source unchanged." in finding.sentence
    assert found("untouched_output", near) == []


def test_straight_lining_on_the_scales_and_from_item_to_item():
    flat = answers(20, lambda n: {"rated": tuple(ComparedRating(name, 3, (), 4) for name in "abc")})
    one_value, in_row = found("untouched_output", flat)
    assert "20 of 20 items (100%) have one value on all scales." in one_value.sentence
    assert in_row.sentence == "20 answers in a row are the same."
    varied = answers(
        20, lambda n: {"rated": tuple(ComparedRating(name, (n + at) % 4, (), 4) for at, name in enumerate("abc"))}
    )
    assert found("untouched_output", varied) == []
    chosen = answers(20, lambda n: {"decided": (ComparedChoice("verdict", "accept" if n != 10 else "reject", ()),)})
    assert found("untouched_output", chosen) == []
    assert found("untouched_output", chosen, in_row=10)[0].items == list(range(11, 21))


def test_the_same_text_for_the_same_source_is_no_repeat():
    one = answers(4, lambda n: {"before": "the very same source", "after": "One good text."})
    assert found("repeated_text", one) == []
    several = answers(4, lambda n: {"before": f"source number {n}", "after": "One  good TEXT."[: 30 - n]})
    [finding] = found("repeated_text", several)
    assert "4 different sources" in finding.sentence
    short = answers(4, lambda n: {"before": f"source number {n}", "after": "Ok then"})
    assert found("repeated_text", short) == []


def test_ratings_far_from_the_others_are_found_by_criterion():
    given = answers(
        12,
        lambda n: {
            "rated": (ComparedRating("formality", 3.0, (-3.0, -1.0), 6.0), ComparedRating("meaning", 5.0, (5.0,), 5.0))
        },
    )
    [finding] = found("gold_disagreement", given)
    assert (
        "On formality they are 83.3% of the scale away from the others' mean, over 12 judgements." in finding.sentence
    )
    assert finding.evidence[0].text == "formality: 3, the others -2.00"
    assert found("gold_disagreement", given, least_others=3) == []
    assert found("gold_disagreement", given[:9]) == []


def test_choices_against_most_of_the_others():
    others = ("accept", "accept", "reject")
    given = answers(12, lambda n: {"decided": (ComparedChoice("verdict", "reject" if n > 5 else "accept", others),)})
    [finding] = found("gold_disagreement", given)
    assert "7 of 12 choices (58.3%)" in finding.sentence
    assert finding.evidence[0].text == "verdict: reject, most others accept"
    tied = answers(12, lambda n: {"decided": (ComparedChoice("verdict", "reject", ("accept", "reject")),)})
    assert found("gold_disagreement", tied) == []


def test_a_finding_keeps_some_of_its_evidence_and_counts_all():
    many = answers(50, lambda n: {"before": LONG, "after": LONG})
    [finding] = found("untouched_output", many)
    assert finding.count == 50
    assert len(finding.evidence) == 20
