"""Words and ids, cutting and joining, ids on disk, and the order of batches."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.training import tokenization, tokenized_dataset
from modelserving.training.batches import PairBatches, bucket_by_length, columns, extended_vocabulary_ids
from modelserving.training.tokenization import UNKNOWN, Vocabularies, Vocabulary, WordTokenizer, detokenize


@pytest.mark.parametrize(
    "text",
    [
        "She didn't go (at all), did she?",
        'He said "come here" twice: "now".',
        "It's the patients' own choice; 12.5%!",
        "Wait... what?! 👍🏽 [sic]",
        "s/p CABG w/ 18mg b.i.d. today.",
        "“Quoted” and «also».",
        "$5 for #1",
        "I'd've we'll",
    ],
)
def test_words_are_put_together_as_they_stood(text: str) -> None:
    assert detokenize(WordTokenizer().tokenize(text)) == text


def test_words_are_lower_case_and_numbers_where_asked() -> None:
    assert WordTokenizer(lowercase=True, numbers=True).tokenize("In 1999, Bob paid 3.50!") == [
        "in", "<NUM>", ",", "bob", "paid", "<NUM>", "!",
    ]  # fmt: skip


def test_the_most_frequent_words_are_known_ties_by_spelling() -> None:
    counts = tokenization.count_words([["b", "a", "c"], ["c", "b", "a", "d"], ["c"]])
    assert tokenization.vocabulary_of_counts(counts, most=2).words[4:] == ("c", "a")
    assert tokenization.vocabulary_of_counts(counts, most=9, least=2).words[4:] == ("c", "a", "b")


def test_counting_forgets_rare_words_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenization, "MOST_TYPES", 4)
    counts = tokenization.count_words([["the", f"w{number}"] for number in range(50)])
    assert counts["the"] == 50
    assert len(counts) <= 5


def test_a_mark_that_is_spelled_in_a_text_is_no_mark() -> None:
    assert Vocabulary(["a"]).ids(["a", "<s>", "</s>", "<pad>"]) == [4, UNKNOWN, UNKNOWN, UNKNOWN]


def test_a_file_of_words_is_read_again_and_a_broken_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    Vocabulary(["a", "👍", "e\u0301", "\u2028x"]).write(path)
    assert tokenization.read_vocabulary(path).words == Vocabulary(["a", "👍", "e\u0301", "\u2028x"]).words
    for broken in (b"a\na\n", b"a\n\nb\n", b"\xff\n"):
        path.write_bytes(broken)
        with pytest.raises(UserError):
            tokenization.read_vocabulary(path)


def test_ids_on_disk_are_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenized_dataset, "AT_A_TIME", 3)
    rows = [[4, 5], [], [6, 7, 8, 9], [1]]
    found = tokenized_dataset.write(tmp_path / "ids", rows)
    assert [list(map(int, row)) for row in found] == rows
    assert list(map(int, found[-1])) == [1]
    assert list(found.lengths) == [2, 0, 4, 1]
    assert len(tokenized_dataset.write(tmp_path / "none", [])) == 0


def test_an_epoch_has_each_row_once_those_of_a_length_together_and_is_its_own() -> None:
    lengths = np.random.default_rng(0).integers(1, 40, 1001)
    first, again, other = (bucket_by_length(lengths, 10, generator(1, "order", epoch)) for epoch in (0, 0, 1))
    assert [list(rows) for rows in first] == [list(rows) for rows in again] != [list(rows) for rows in other]
    assert sorted(int(i) for rows in first for i in rows) == list(range(1001))
    padding = sum(int((lengths[rows].max() - lengths[rows]).sum()) for rows in first)
    assert padding < 0.05 * int(lengths.sum())


def test_unknown_words_of_a_source_have_ids_of_their_own() -> None:
    known = Vocabulary(["the", "pt", "saw"])
    words = Vocabularies(WordTokenizer(), known, known)
    source, target = ["the", "Zoe", "saw", "Ann", "Zoe"], ["Ann", "saw", "Bob", "the", "Zoe"]
    ids, aims, copied, aimed = columns(source, target, words)
    assert (ids, aims) == ([4, 1, 6, 1, 1], [1, 6, 1, 4, 1])
    assert (copied, aimed) == ([4, 7, 6, 8, 7], [8, 6, UNKNOWN, 4, 7])
    assert extended_vocabulary_ids(["x"], [UNKNOWN], {}, 7, grow=False) == [UNKNOWN]


def test_a_batch_that_copies_says_how_many_words_it_copies(tmp_path: Path) -> None:
    rows = {"source": [[4, 1], [5]], "target": [[1], [5]], "copied": [[4, 7], [5]], "aimed": [[7], [5]]}
    parts = [tokenized_dataset.write(tmp_path / name, ids) for name, ids in rows.items()]
    batches = PairBatches(parts[0], parts[1], 2, 1, parts[2], parts[3], known=7)
    batch = batches.batch(np.array([0, 1]))
    assert batch.copies == 1
    assert batch.aimed.tolist() == [[7, 3], [5, 3]]
    assert batch.targets.tolist() == [[1, 3], [5, 3]]
    assert batches.batch(np.array([1])).copies == 0
    assert Counter(int(i) for part in batches.order(0) for i in part) == Counter([0, 1])
