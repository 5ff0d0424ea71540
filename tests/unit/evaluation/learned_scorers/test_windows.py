"""Every token of a long text counts once, in the window where it has most context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.words import chunks, windows

SPECIAL = {0, 1}


@given(count=st.integers(0, 200), longest=st.integers(6, 40), forward=st.booleans())
def test_windows_count_each_token_once_and_in_order(count, longest, forward):
    tokens = [0, *range(2, 2 + count), 1]
    made = windows(tokens, SPECIAL, longest, forward=forward)
    assert [token for window in made for token in window.tokens[window.first : window.last]] == tokens
    assert all(len(window.tokens) <= longest for window in made)
    assert all((window.tokens[0], window.tokens[-1]) == (0, 1) for window in made)
    assert (len(made) == 1) is (len(tokens) <= longest)


@given(count=st.integers(40, 200), longest=st.integers(10, 30))
def test_a_token_has_a_quarter_of_a_window_of_context_on_each_side(count, longest):
    tokens = [0, *range(2, 2 + count), 1]
    for forward in (False, True):
        first, *middle, _last = windows(tokens, SPECIAL, longest, forward=forward)
        room = longest - 2
        for window in middle:
            before = window.first - 1
            after = len(window.tokens) - 1 - window.last
            assert before >= (room // 2 if forward else room // 4 - 1)
            assert forward or after >= room // 4 - 1
        assert first.first == 0


def test_chunks_are_the_text_part_after_part():
    assert list(chunks([0, 5, 6, 7, 8, 9, 1], SPECIAL, 4)) == [[0, 5, 6, 1], [0, 7, 8, 1], [0, 9, 1]]
    assert list(chunks([0, 5, 1], SPECIAL, 4)) == [[0, 5, 1]]


@pytest.mark.parametrize(("name", "card", "language", "suits"), [
    ("roberta-large", "", "ru", False), ("roberta-large", "", "en-GB", True),
    ("bert-base-chinese", "", "zh-Hans", True),
    ("bert-base-chinese", "", "", False), ("bert-base-multilingual-cased", "", "ru", True), ("ours", "", "ru", True),
    ("ours", "---\nlanguage: en\n---\n", "ru", False), ("ours", "---\nlanguage:\n- en\n- ru\n---\n", "ru", True),
    ("ours", "---\nlicense: mit\nlanguage: [de, fr]\n---\n", "ru", False),
    ("ours", "---\nlanguage: multilingual\n---\n", "ru", True), ("ours", "No front matter. language: en", "ru", True),
])  # fmt: skip
def test_a_model_of_another_language_is_told_by_card_or_name(tmp_path, name, card, language, suits):
    folder = tmp_path / name
    folder.mkdir()
    if card:
        (folder / "README.md").write_text(card, encoding="utf-8")
    assert (unsuited(folder, language) == "") is suits
    assert unsuited(None, language) == ""
