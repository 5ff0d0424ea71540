"""The rules of GYAFC section 4.1, category by category, and what holds for any text."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from modelserving.formality_rules import formal_to_informal
from modelserving.formality_rules.word_lists import PROTECTED
from modelserving.transfer import TRANSFERS

RULES = TRANSFERS["rule_based_formality"]
MODEL = RULES.load(None)
TO_FORMAL, TO_INFORMAL = ("informal", "formal"), ("formal", "informal")
ALL = RULES.Decoding(strength=1.0)
PT16 = Path(__file__).parents[4] / "shared" / "data" / "pt16" / "train.csv"

CHAT = [
    *(  # noqa: SIM905 - many words are read best as one text
        "i u ur r lol LOL um well, well so so, omg gonna don't dont it's I'm its soooo goooood everrr "
        "!!! ! ... . .. ? ?! , ; :) ; ) :-D #fun #1 www.x.com http://a.b/c?d=e!f 3.50 2day $5 10:30 b4 b/c w/ USA NASA "
        "SO MUCH THE monday new york iPhone ( ) [ ] \" ' - * ~ … ’ can’t e.g. M. R. who's what why do you is the movie "
        "日本 über ß İ 👍 & haha yes no"
    ).split(),
    "wan na",
    "ca n't",
    "it 's",
    "sister 's",
    "well , um",
]


def formal(text: str) -> str:
    return next(MODEL.transfer([text], TO_FORMAL, ALL))


def informal(text: str) -> str:
    return next(MODEL.transfer([text], TO_INFORMAL, ALL))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Table 7 of the paper prints the rule-based output of these two; ours also finds 'dumb' and 'everrr'.
        (
            "Wow , I am very dumb in my observation skills ......",
            "Wow , I am very foolish in my observation skills .",
        ),
        (
            "i hardly everrr see him in school either usually i see hima t my brothers basketball games .",
            "I hardly ever see him in school either usually I see hima t my brothers basketball games .",
        ),
        # capitals, names, 'i'
        ("on monday i go to new york with jim", "On Monday I go to New York with jim."),
        ("my iPhone broke. it fell", "My iPhone broke. It fell."),
        ("ebay.com is fine, see ebay.com", "ebay.com is fine, see ebay.com"),
        # punctuation
        ("this is great!!!!!", "This is great."),
        ("is it true?!?!", "Is it true?"),
        ("is it true ?!?!", "Is it true ?"),
        ("do you like it", "Do you like it?"),
        ("hey ,you know it", "Hello, you know it."),
        ("no... wait", "No, wait."),
        # contractions
        ("why dont u ask her", "Why do you not ask her?"),
        ("can't you see that?", "Can you not see that?"),
        ("It's been long and he’s late, I'd better go", "It has been long and he is late, I had better go."),
        ("i ca n't see , it 's dark", "I cannot see , it is dark ."),
        # slang, lengthening, shouting
        ("r u gonna be there b4 she goes", "Are you going to be there before she goes?"),
        ("soooo goooood, reallly", "So good, really."),
        ("I LOVE THIS SONG SO MUCH", "I love this song so much."),
        ("the USA is NOT the UK", "The USA is not the UK."),
        ("ur right, its ur son ur talking about", "You are right, its your son you are talking about."),
        ("I ' m sure she should ' ve come .", "I am sure she should have come ."),
        # emoticons, hashtags, laughter, fillers
        ("She likes you ; )", "She likes you."),
        ("see you :-) #love #life", "See you."),
        ("haha, um, well, i think so lol!!", "I think so."),
        ("thumbs up 👍🏽", "Thumbs up."),
        # what is kept
        ("R. Kelly and the U.S. r fine", "R. Kelly and the U.S. are fine."),
        ("look at http://www.x.com/u?r=lol!!", "Look at http://www.x.com/u?r=lol."),
        ("mail me at u.r@lol.com on 3.50 or 10:30", "Mail me at u.r@lol.com on 3.50 or 10:30."),
        ("lol", "lol"),
        (":)", ":)"),
        ("日本語です", "日本語です"),
        ("", ""),
    ],
)
def test_to_formal(source: str, expected: str) -> None:
    assert formal(source) == expected


class Always:
    """Dice that always fall below any strength above 0."""

    def random(self) -> float:
        return 0.0

    def integers(self, high: int) -> int:
        return high - 1


@pytest.mark.parametrize(
    ("rule", "source", "expected"),
    [
        ("contracted", "I do not know if they are here. I am.", "I don't know if they're here. I am."),
        ("contracted", "It is late; let us go.", "It's late; let's go."),
        ("contracted", "You cannot say what it is.", "You can't say what it is."),
        ("slanged", "You are going to love your best friend.", "u r gonna luv ur bff."),
        ("slanged", "Thank you, young people.", "thx, young ppl."),
        ("bare", "I don't say it's o'clock", "I dont say it's o'clock"),
        ("lowered", "The USA", "the usa"),
        ("no_commas", "Well, 1,000 or 2, then", "Well 1,000 or 2 then"),
        ("loose_end", "It rains.", "It rains!!"),
        ("loose_end", "Does it?", "Does it"),
        ("loose_end", "no end", "no end"),
    ],
)
def test_each_informal_rule_where_its_dice_say_so(rule: str, source: str, expected: str) -> None:
    assert getattr(formal_to_informal, rule)(source, Always(), 1.0) == expected


def test_to_informal() -> None:
    assert "," not in informal("However, we are late, and it rains.")
    assert informal("I am late , and it rains .").startswith("i 'm late")
    assert "http://X.org/You" in informal("See http://X.org/You at 3.50.")
    assert "3.50" in informal("See http://X.org/You at 3.50.")
    assert informal("日本語") == "日本語"
    assert informal(".") == "."


def test_strength_zero_changes_nothing_and_the_seed_is_the_dice() -> None:
    texts = [f"I do not know, however, what you are going to do about case {number}." for number in range(20)]
    assert list(MODEL.transfer(texts, TO_INFORMAL, RULES.Decoding(strength=0.0))) == texts
    half = [RULES.Decoding(seed=seed, strength=0.5) for seed in (1, 1, 2)]
    one, again, other = (list(MODEL.transfer(texts, TO_INFORMAL, each)) for each in half)
    assert one == again
    assert one != other
    assert list(MODEL.transfer(texts[::-1], TO_INFORMAL, half[0])) == one[::-1]


@given(st.lists(st.sampled_from(CHAT), min_size=1, max_size=14).map(" ".join))
def test_what_is_formal_stays_as_it_is(text: str) -> None:
    once = formal(text)
    assert formal(once) == once


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(CHAT), max_size=14).map(" ".join)))
def test_any_text_keeps_its_addresses_and_numbers_and_never_empties(text: str) -> None:
    for changed in (formal(text), informal(text)):
        assert bool(changed.strip()) or not text.strip()
        for kept in PROTECTED.findall(" ".join(text.split())):
            assert kept in changed
        if any(char.isalnum() for char in text):
            assert any(char.isalnum() for char in changed)


@pytest.mark.parametrize("piece", ["a-", ".", "ab", "u ", "lol ", "1.", "! "])
def test_a_very_long_line_of_one_thing_comes_through(piece: str) -> None:
    # A rule that goes back over the run from each of its places would take minutes here.
    line = piece * (60_000 // len(piece))
    assert formal(line)
    assert informal(line)


def test_directions_and_settings_that_it_does_not_have_are_refused() -> None:
    with pytest.raises(UserError, match="negative to positive; it serves informal to formal, formal to informal"):
        MODEL.transfer(["bad"], ("negative", "positive"), RULES.Decoding())
    assert RULES.serves("Informal", "FORMAL")
    assert next(MODEL.transfer(["u"], ("casual", "plain"), RULES.Decoding(direction="informal-formal"))) == "You."
    for key, wrong in [("strength", 2), ("strength", True), ("seed", "1"), ("direction", "up"), ("sed", 1)]:
        with pytest.raises(UserError) as caught:
            validate_options(RULES.Decoding, {key: wrong})
        assert caught.value.where == key
    assert validate_options(RULES.Decoding, options_as_stored(validate_options(RULES.Decoding, {}))) == RULES.Decoding()


def test_the_signature_says_what_an_output_depends_on() -> None:
    assert MODEL.signature(TO_FORMAL, ALL) == "rule_based_formality|informal-formal|version:1"
    assert MODEL.signature(TO_INFORMAL, ALL) == "rule_based_formality|formal-informal|version:1|seed:1|strength:1.0"


@pytest.mark.skipif(not PT16.exists(), reason="the sentences of Pavlick and Tetreault (2016) are not here")
def test_on_real_answers_it_changes_most_informal_sentences_and_fewer_formal_ones() -> None:
    with PT16.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    low = [row["sentence"] for row in rows if float(row["label"]) < -1.5]
    high = [row["sentence"] for row in rows if float(row["label"]) > 0.5]
    changed = {}
    for name, texts in (("low", low), ("high", high)):
        results = list(MODEL.transfer(texts, TO_FORMAL, ALL))
        assert all(result.strip() for result in results)
        assert list(MODEL.transfer(results, TO_FORMAL, ALL)) == results
        changed[name] = sum(map(str.__ne__, texts, results)) / len(texts)
    assert changed["low"] > 0.6
    assert changed["high"] < changed["low"]
    assert not [text for text in MODEL.transfer(low, TO_FORMAL, ALL) if re.search(r"\b(u|ur|gonna|dont)\b(?!')", text)][
        5:
    ]
