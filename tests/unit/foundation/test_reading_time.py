"""How many words a text is to a reader."""

import pytest

from foundation.reading_time import word_count


@pytest.mark.parametrize(("text", "words"), [
    ("", 0), ("Two words.", 2), ("Über  drei Wörter", 3), ("\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002 ", 5),
    ("\u4eca" * 255, 159), ("use \u4eca\u5929 here", 3),
])  # fmt: skip
def test_words_are_counted_by_spaces_or_by_letters(text, words):
    assert word_count(text) == words
