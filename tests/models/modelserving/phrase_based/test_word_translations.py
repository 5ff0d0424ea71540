"""What single words become: of tables worked by hand, of aligned pairs, and as a file."""

from pathlib import Path

import numpy as np
import pytest

from foundation.errors import UserError
from modelserving.phrase_based import word_alignment
from modelserving.phrase_based.phrase_table import PhraseTable
from modelserving.phrase_based.table_builder import Shape, learn_word_translations, word_translations
from modelserving.phrase_based.word_translation_file import read_word_translations, write_word_translations

Rows = dict[str, list[tuple[str, list[float]]]]
PLAIN = Shape(lexicalized=False)


def table(rows: Rows) -> PhraseTable:
    """By source phrase its translations, each with p(t|s), lex(t|s), p(s|t) and lex(s|t)."""
    phrases = [source.split() for source in rows]
    each = [(target.split(), scores) for options in rows.values() for target, scores in options]
    words: dict[str, int] = {}

    def ids(texts: list[list[str]]) -> np.ndarray:
        return np.array([words.setdefault(word, len(words)) for text in texts for word in text], dtype=np.int32)

    def ends(sizes: list[int]) -> np.ndarray:
        return np.cumsum([0, *sizes], dtype=np.int64)

    source, target = ids(phrases), ids([text for text, _ in each])
    made = PhraseTable(
        words, source, ends([*map(len, phrases)]), ends([len(options) for options in rows.values()]), target,
        ends([len(text) for text, _ in each]), np.log([scores for _, scores in each]).astype(np.float32),
        np.zeros((0, 6), dtype=np.float32),
    )  # fmt: skip
    made.check()
    return made


def test_the_most_frequent_translation_is_taken_whatever_its_other_scores() -> None:
    rows: Rows = {
        "dyspnea": [("breath", [0.3, 1, 1, 1]), ("shortness of breath", [0.6, 0.01, 0.1, 0.1]), ("it", [0.1, 1, 1, 1])],
        "pyrexia": [("fever", [1, 1, 1, 1])],
    }
    assert word_translations(table(rows)) == {"dyspnea": ["shortness", "of", "breath"], "pyrexia": ["fever"]}


def test_of_equally_frequent_ones_the_other_scores_decide_and_then_the_order() -> None:
    rows: Rows = {
        "itch": [("pruritus", [0.5, 0.5, 0.5, 0.5]), ("scratch", [0.5, 0.9, 0.5, 0.5])],
        "ache": [("pain", [0.5, 0.5, 0.2, 0.5]), ("hurt", [0.5, 0.5, 0.5, 0.2])],
    }
    assert word_translations(table(rows)) == {"itch": ["scratch"], "ache": ["pain"]}


def test_what_stays_itself_and_what_are_several_words_are_not_there() -> None:
    rows: Rows = {
        "the": [("the", [0.9, 1, 1, 1]), ("a", [0.1, 1, 1, 1])],
        "heart": [("Heart", [1, 1, 1, 1])],
        "myocardial infarction": [("heart attack", [1, 1, 1, 1])],
    }
    assert word_translations(table(rows)) == {"heart": ["Heart"]}


def pairs(count: int) -> list[word_alignment.Pair]:
    made = [
        (f"he has {expert} .".split(), f"he has {lay} .".split(), 1)
        for expert, lay in (("pyrexia", "fever"), ("dyspnea", "breathlessness"), ("cough", "cough"))
    ]
    return made * count


def test_of_pairs_the_words_that_were_rewritten_are_found(tmp_path: Path) -> None:
    found = learn_word_translations(word_alignment.write(tmp_path, pairs(5), 100), PLAIN, 1, lambda: None)
    assert found == {"pyrexia": ["fever"], "dyspnea": ["breathlessness"]}


def test_pairs_of_which_none_is_usable_have_none(tmp_path: Path) -> None:
    assert learn_word_translations(word_alignment.write(tmp_path, pairs(1), 2), PLAIN, 1, lambda: None) == {}


def test_what_is_seen_too_seldom_is_left_out(tmp_path: Path) -> None:
    shape = Shape(lexicalized=False, seen=6)
    assert learn_word_translations(word_alignment.write(tmp_path, pairs(5), 100), shape, 1, lambda: None) == {}


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    words = {"dyspnea": ["shortness", "of", "breath"], "Ü": ["\N{GRINNING FACE}"]}
    write_word_translations(words, tmp_path / "words.json")
    assert read_word_translations(tmp_path / "words.json") == words


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"a": "b"}', '{"a": []}', '{"a": [1]}', '{"a": [""]}', '{"a": ["b\\nc"]}', '{"a": 1}']
)
def test_a_file_of_something_else_is_one_sentence_that_names_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(content)
    with pytest.raises(UserError, match=r"^words\.json: "):
        read_word_translations(path)


def test_a_missing_file_is_one_sentence_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^words\.json: The file of the phrase table is missing"):
        read_word_translations(tmp_path / "words.json")
