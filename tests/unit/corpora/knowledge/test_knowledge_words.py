"""Words, lemmas and the two lists."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.knowledge import abbreviations, common_words
from corpora.knowledge import words as words_module
from corpora.knowledge.lemmas import lemma
from corpora.knowledge.words import count_words, tokens, words
from foundation.errors import UserError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He got 18mg T.I.D. today.", ["He", "got", "18mg", "T.I.D.", "today", "."]),
        ("I don't, I can’t.", ["I", "do", "n't", ",", "I", "ca", "n’t", "."]),
        ("mother's well-known s/p", ["mother", "'s", "well-known", "s/p"]),
        ('"Yes," i\'m gonna go!', ['"', "Yes", ",", '"', "i", "'m", "gonna", "go", "!"]),
        ("12.5% of 1,000 (two)", ["12.5", "%", "of", "1,000", "(", "two", ")"]),
        ("", []),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


def test_words_are_counted_without_punctuation_and_a_contraction_is_one():
    assert words("I can't, I won't -- mother's 18mg!") == ["I", "can", "I", "will", "mother", "18mg"]
    assert count_words("I can't, I won't -- mother's 18mg!") == 6
    assert count_words("...!") == 0


QUOTES = st.lists(st.sampled_from([*"ab'’\"`.,:;!?()[]*#-$ \n“”«", "n't", "''", "--", " gonna "]), max_size=25)


@given(st.one_of(st.text(max_size=60), QUOTES.map("".join)))
def test_tokens_are_the_text_without_white_space(text):
    assert "".join(tokens(text)) == "".join(text.split())


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Patients", "patient"),
        ("drawn", "draw"),
        ("was", "be"),
        ("children", "child"),
        ("xyzzy", "xyzzy"),
        ("playing", "play"),
        ("fixed", "fix"),
        ("developed", "develop"),
        ("owed", "owe"),
        ("noted", "note"),
    ],
)
def test_lemmas(word, expected):
    assert lemma(word) == expected


def test_the_shipped_lists_are_as_large_as_is_said():
    assert len(abbreviations.load().forms) > 500
    assert 3000 < len(common_words.load()) < 4000


@pytest.mark.parametrize(
    ("word", "found"),
    [("b.i.d.", True), ("Pt.", True), ("CAD", True), ("cad", True), ("HCT", True), ("lfts", True),
     ("OR", True), ("or", False), ("us", False),
     ("hunger", False)],
)  # fmt: skip
def test_abbreviations_in_any_form_but_not_everyday_words(word, found):
    assert abbreviations.load().holds(word, common_words.load()) is found


def test_an_abbreviation_has_its_full_forms_in_order():
    assert abbreviations.load().full_forms("TLC")[1:] == ("thin-layer chromatography", "total lung capacity")
    assert abbreviations.load().full_forms("hunger") == ()


def test_own_lists_replace_the_shipped_ones(tmp_path, monkeypatch):
    (tmp_path / "abbreviations.tsv").write_text("# ours\nZZ.\tzig zag | zebra\n")
    assert abbreviations.load(folder=tmp_path).forms == {"ZZ": ("zig zag", "zebra")}
    assert common_words.load(folder=tmp_path) == common_words.load()
    monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
    assert abbreviations.load().holds("ZZ")


def test_a_changed_list_is_read_again(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("alpha\n")
    assert common_words.load(path) == {"alpha"}
    path.write_text("children\n")
    os.utime(path, ns=(1, 1))
    assert common_words.load(path) == {"children", "child"}


@pytest.mark.parametrize(
    ("content", "where", "part"),
    [
        ("pt\tpatient\nCAD coronary\n", "line 2", "one tab"),
        ("pt\tpatient\n\npt\tpoint\n", "line 3", "twice"),
        ("two words\tx\n", "line 1", "one word"),
        ("pt\tpatient|\n", "line 1", "empty"),
        ("# nothing\n", "own.tsv", "no abbreviation"),
    ],
)
def test_faults_of_a_dictionary_are_named(tmp_path, content, where, part):
    path = tmp_path / "own.tsv"
    path.write_text(content)
    with pytest.raises(UserError, match=part) as raised:
        abbreviations.load(path)
    assert where in str(raised.value)


@pytest.mark.parametrize(("content", "where"), [(b"good\nb4d\n", "line 2"), (b"", "own.txt"), (b"\xff\n", "own.txt")])
def test_faults_of_a_word_list_are_named(tmp_path, content, where):
    path = tmp_path / "own.txt"
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        common_words.load(path)
    assert where in str(raised.value)


def test_a_missing_file_or_folder_is_named(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        common_words.load(tmp_path / "none.txt")
    with pytest.raises(UserError, match="not a folder"):
        common_words.load(folder=tmp_path / "none")


PIECES = [
    "don't",
    "(so",
    "e.g.",
    "b.i.d.",
    "end.)",
    '"no"',
    ",",
    "1,000",
    "x:y",
    "dogs'",
    "’tis",
    "--",
    "wait...",
    "é.",
]


@given(st.lists(st.sampled_from(PIECES) | st.text("ab1.,:'’\"()-? \n", max_size=8)).map(" ".join),
       st.sampled_from(["", " .", " ?", " !", " . "]))  # fmt: skip
def test_runs_cut_one_by_one_are_the_sentence_cut_at_once(text, end):
    assert tokens(text + end) == words_module._cut(text + end)
