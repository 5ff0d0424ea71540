"""Who may work: what each rule stores, refuses, and tells the annotator."""

import pytest
from django.core.exceptions import ValidationError

from annotation import annotator_pool as eligibility
from annotation.annotator_pool import EligibilityRecord
from annotation.eligibility_rules import ELIGIBILITY_RULES
from annotation.forms.eligibility import EligibilityForm
from foundation.errors import UserError

EXAMPLES = {
    "acceptance_rate": {"least": 1.0, "of": ["train"]},
    "accepted": {"least": 101, "of": []},
    "by_topic": True,
    "credentials": ["md", "mimic-iii"],
    "languages": ["en"],
    "pause_after": 3,
    "per_day": 20,
    "qualification": {"campaign": "test-yourself", "pass_mark": 0.8, "tries": 2},
    "quota": 200,
}


def test_every_rule_has_an_example_a_label_and_something_to_ask():
    assert set(ELIGIBILITY_RULES) == set(EXAMPLES), "each rule has settings in EXAMPLES"
    for name, rule in ELIGIBILITY_RULES.items():
        assert rule.name == name
        assert rule.label
        assert rule.about.endswith(".")
        assert rule.asks


def test_a_checked_crew_stays_as_it_is():
    assert eligibility.check(EXAMPLES) == EXAMPLES
    assert eligibility.check(eligibility.check(EXAMPLES)) == EXAMPLES


def test_plain_numbers_become_tables_and_none_leaves_a_rule_out():
    given = {"accepted": 101, "acceptance_rate": 1, "quota": None}
    assert eligibility.check(given) == {
        "accepted": {"least": 101, "of": []},
        "acceptance_rate": {"least": 1.0, "of": []},
    }


@pytest.mark.parametrize(
    ("rule", "value", "where"),
    [
        ("languages", "en", "eligibility.languages"),
        ("languages", [], "eligibility.languages"),
        ("credentials", ["md", 3], "eligibility.credentials"),
        ("by_topic", 1, "eligibility.by_topic"),
        ("qualification", {"pass_mark": 0.8}, "eligibility.qualification.campaign"),
        ("qualification", {"campaign": "a", "pass_mark": 80}, "eligibility.qualification.pass_mark"),
        ("qualification", {"campaign": "a", "tries": 0}, "eligibility.qualification.tries"),
        ("qualification", {"campaign": "a", "trys": 1}, "eligibility.qualification.trys"),
        ("accepted", {"of": ["a"]}, "eligibility.accepted.least"),
        ("accepted", True, "eligibility.accepted.least"),
        ("acceptance_rate", 0, "eligibility.acceptance_rate.least"),
        ("quota", 0, "eligibility.quota"),
        ("per_day", 1.5, "eligibility.per_day"),
        ("pause_after", "3", "eligibility.pause_after"),
    ],
)
def test_a_wrong_value_is_named_by_its_key(rule, value, where):
    with pytest.raises(UserError) as caught:
        eligibility.check({rule: value})
    assert caught.value.where == where
    assert caught.value.sentence.endswith((".", "?"))


@pytest.mark.parametrize("rule", ["accepted", "pause_after", "per_day", "quota"])
def test_the_form_takes_the_numbers_that_the_rule_takes(rule):
    ask = ELIGIBILITY_RULES[rule].asks[0]
    field = EligibilityForm(None, campaigns=[]).fields[f"{rule}-{ask.key}" if ask.key else rule]
    for number in (1, ask.high):
        assert field.clean(str(number)) == number
        assert eligibility.check({rule: number})
    for number in (0, ask.high + 1):
        with pytest.raises(ValidationError):
            field.clean(str(number))
        with pytest.raises(UserError, match="Expected a whole number from 1 to"):
            eligibility.check({rule: number})


def test_an_unknown_rule_offers_the_nearest():
    with pytest.raises(UserError, match="did you mean quota"):
        eligibility.check({"quotas": 3})


def test_languages_are_met_by_their_regions_and_not_the_other_way_round():
    record = EligibilityRecord(languages=frozenset({"en-GB", "pt"}))
    assert eligibility.unmet({"languages": ["en", "pt"]}, record) == []
    assert "pt-BR" in eligibility.unmet({"languages": ["pt-BR"]}, record)[0]
    assert eligibility.unmet({"languages": ["eng"]}, record)


def test_all_credentials_are_needed():
    record = EligibilityRecord(credentials=frozenset({"md"}))
    (said,) = eligibility.unmet({"credentials": ["md", "mimic-iii"]}, record)
    assert said.endswith(": mimic-iii.")
    assert eligibility.unmet({"credentials": ["md"]}, record) == []


def test_topics_are_asked_only_of_who_names_none():
    assert eligibility.unmet({"by_topic": True}, EligibilityRecord())
    assert eligibility.unmet({"by_topic": True}, EligibilityRecord(topics=frozenset({"asthma"}))) == []
    assert eligibility.unmet({"by_topic": False}, EligibilityRecord()) == []


def test_the_qualification_tells_what_is_missing():
    rule = {"qualification": {"campaign": "exam", "pass_mark": 0.8, "tries": 2}}
    said = {
        before: eligibility.unmet(rule, EligibilityRecord(qualifications={"exam": before}))
        for before in [(None, 1), (0.5, 1), (0.5, 2), (0.8, 2)]
    }
    assert "First pass" in said[(None, 1)][0]
    assert "Tries left: 1" in said[(0.5, 1)][0]
    assert "no try is left" in said[(0.5, 2)][0]
    assert said[(0.8, 2)] == []


def test_gyafc_asks_for_all_of_more_than_100_in_the_same_kind_of_work():
    rules = eligibility.check({"accepted": 101, "acceptance_rate": 1.0})

    def record(accepted, rejected, elsewhere=0):
        counts, alike = {"train": accepted, "ratings": elsewhere}, frozenset({"train", "tune"})
        return EligibilityRecord(
            accepted=counts, accepted_at_first=counts, rejected_at_first={"train": rejected}, alike=alike
        )

    assert eligibility.unmet(rules, record(101, 0)) == []
    assert len(eligibility.unmet(rules, record(100, 0, elsewhere=50))) == 1
    assert len(eligibility.unmet(rules, record(500, 1))) == 1
    assert len(eligibility.unmet(rules, record(99, 1))) == 2


def test_what_was_rejected_stays_rejected_though_its_revision_was_accepted():
    rules = eligibility.check({"accepted": 100, "acceptance_rate": 1.0})
    record = EligibilityRecord(
        accepted={"train": 150},
        accepted_at_first={"train": 149},
        rejected_at_first={"train": 1},
        alike=frozenset({"train"}),
    )
    (said,) = eligibility.unmet(rules, record)
    assert said == "This work requires 100% of the answers accepted at the first review; you have 149 of 150."


def test_named_campaigns_are_the_only_ones_that_count():
    rule = eligibility.check({"accepted": {"least": 3, "of": ["ratings"]}})
    record = EligibilityRecord(accepted={"train": 9, "ratings": 2}, alike=frozenset({"train"}))
    assert "you have 2" in eligibility.unmet(rule, record)[0]


def test_a_rate_is_not_missed_by_a_rounding_error():
    record = EligibilityRecord(accepted_at_first={"a": 7}, rejected_at_first={"a": 93}, alike=frozenset({"a"}))
    assert eligibility.unmet(eligibility.check({"acceptance_rate": 0.07}), record) == []


@pytest.mark.parametrize(("rule", "field"), [("quota", "done"), ("per_day", "today")])
def test_counts_end_at_their_limit(rule, field):
    assert eligibility.unmet({rule: 5}, EligibilityRecord(**{field: 4})) == []
    assert eligibility.unmet({rule: 5}, EligibilityRecord(**{field: 5}))


def test_the_pause_keeps_nobody_out_by_itself():
    assert eligibility.unmet({"pause_after": 1}, EligibilityRecord(rejected={"a": 9}, alike=frozenset({"a"}))) == []
