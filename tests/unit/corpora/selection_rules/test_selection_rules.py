"""The rules that choose sources. Counts of Algorithm 1 are worked out by hand beside each sentence."""

import pytest

from corpora.selection_rules import REASONS, SELECTIONS
from corpora.selection_rules.medlane import Counts, counts
from foundation.errors import UserError


@pytest.fixture(autouse=True)
def own_lists(tmp_path, monkeypatch):
    """A list and a dictionary so small that counts can be checked by eye."""
    (tmp_path / "abbreviations.tsv").write_text("pt\tpatient\nSOB\tshortness of breath\nCXR\tchest x-ray\nOR\tx\n")
    (tmp_path / "common_words.txt").write_text("the a be have with and or in to she he week last blood\n")
    monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))


def keeps(rule: str, text: str, score: float | None = None, **settings) -> str:
    """'kept', or why not."""
    selection = SELECTIONS[rule]
    verdict = selection.keep(text, selection.check_settings(settings), score)
    assert verdict.kept is not bool(verdict.why)
    assert verdict.label == REASONS.get(verdict.why, "")
    return verdict.why or "kept"


def test_every_rule_has_a_label_and_takes_its_own_settings_again():
    assert {"everything", "gyafc", "medlane"} <= set(SELECTIONS)
    assert all(rule.label and rule.about for rule in SELECTIONS.values())
    assert all(rule.check_settings(rule.check_settings({})) == rule.check_settings({}) for rule in SELECTIONS.values())


def test_everything_is_kept_but_nothing():
    assert keeps("everything", "x") == "kept"
    assert keeps("everything", " \n") == "empty"


@pytest.mark.parametrize(
    ("text", "score", "why"),
    [
        ("i really like this song", None, "kept"),
        ("i really like this song", -0.1, "kept"),
        ("i really like this song", 0.0, "not_informal"),
        ("i really like this song", 0.1, "not_informal"),
        ("do you really like this song?", -1, "question"),
        ("go to www.example.com/?x for this song", -1, "url"),
        ("i really like this", -1, "too_short"),
        ("don't like this, it sucks", -1, "kept"),
        ("word " * 25, -1, "kept"),
        ("word " * 26, -1, "too_long"),
    ],
)
def test_gyafc(text, score, why):
    assert keeps("gyafc", text, score) == why


@pytest.mark.parametrize(("side", "score", "why"), [("formal", 0.1, "kept"), ("formal", 0.0, "not_formal"),
                                                    ("formal", -1.0, "not_formal"), ("any", 0.0, "kept")])  # fmt: skip
def test_gyafc_on_the_other_side(side, score, why):
    assert keeps("gyafc", "this is a sentence of six", score, side=side) == why


def test_gyafc_takes_its_lengths_from_the_settings():
    assert keeps("gyafc", "only three words", shortest="3") == "kept"


@pytest.mark.parametrize(
    ("text", "once", "expected"),
    [
        # pt (abbreviation, not common), has, a, blood: 'pt' counts on both sides as the algorithm is printed.
        ("Pt has a blood", False, Counts(4, 1, 1)),
        ("Pt has a blood", True, Counts(4, 1, 0)),
        # 'or' is an everyday word, 'OR' the operating room; its lemma 'or' is common, so it is an abbreviation alone.
        ("the OR or the week", False, Counts(5, 1, 0)),
        # SOB and CXR both ways, 'hunger' and 'subjective' uncommon; 'had' and 'weeks' have common lemmas.
        ("She had subjective SOB with CXR, hunger, last weeks.", False, Counts(9, 2, 4)),
        # A number is a word and not common; what de-identification put in is none; neither is punctuation.
        ("He was [**Known lastname 12**] in 12 !", False, Counts(4, 0, 1)),
        ("[**Name**]", False, Counts(0, 0, 0)),
    ],
)
def test_counts_of_algorithm_1(text, once, expected):
    assert counts(text, once=once) == expected


TEN = "the a she he in to and or with {}"  # nine common words and a tenth
NINE = "the a she he in to and or {}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NINE.format("hunger"), "too_short"),  # n = 9 < 10
        (TEN.format("hunger"), "kept"),  # n = 10, 1/10 is not below 0.1
        (TEN.format("week"), "too_plain"),  # 0/10
        (TEN.format("pt"), "kept"),  # 1/10
        ("pt pt x x x x the a he she", "too_hard"),  # abbreviations 2, other uncommon words 4: 6/10
        ("x x x x x the a he she in", "kept"),  # 5/10 is not above 0.5
        ("pt pt pt the a he she in to and", "kept"),  # 3/10: what the authors kept is full of abbreviations
    ],
)
def test_the_thresholds_of_algorithm_1(text, why):
    assert keeps("medlane", text) == why


def test_the_algorithm_as_it_is_printed_is_a_setting():
    text = "pt pt pt the a he she in to and"
    assert keeps("medlane", text, abbreviations_once=False) == "too_hard"  # (3 + 3)/10: each counts twice
    assert keeps("medlane", text, abbreviations_once=False, most=0.6) == "kept"
    assert keeps("medlane", text, shortest=11) == "too_short"
    assert keeps("medlane", text, most=1, least=0.4) == "too_plain"


@pytest.mark.parametrize(
    ("rule", "given", "where"),
    [
        ("everything", {"x": 1}, "x"),
        ("gyafc", {"shortest": "five"}, "shortest"),
        ("gyafc", {"shortest": -1}, "shortest"),
        ("gyafc", {"shortest": 9, "longest": 8}, "longest"),
        ("gyafc", {"longest": True}, "longest"),
        ("gyafc", {"side": "left"}, "side"),
        ("medlane", {"most": 1.5}, "most"),
        ("medlane", {"most": "much"}, "most"),
        ("medlane", {"least": 0.6}, "most"),
        ("medlane", {"least": float("nan")}, "least"),
        ("medlane", {"abbreviations_once": "no"}, "abbreviations_once"),
        ("medlane", {"shortest": 0}, "shortest"),
    ],
)
def test_faulty_settings_are_named(rule, given, where):
    with pytest.raises(UserError) as raised:
        SELECTIONS[rule].check_settings(given)
    assert raised.value.where == where
