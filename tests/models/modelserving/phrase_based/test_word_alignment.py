"""eflomal, run as the program that it is."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.phrase_based import word_alignment
from modelserving.training.callbacks import Stopped

WORDS = ["the", "a", "cat", "dog", "bird", "house", "sees", "likes", "eats", "red"]
TOLD = {word: f"{word}x" for word in WORDS}


def corpus(folder: Path) -> word_alignment.Bitext:
    """Sentences whose words stand one for one, in another spelling."""
    sentences = [[WORDS[(i * step + start) % 10] for i in range(4)] for start in range(10) for step in (1, 3, 7)]
    return word_alignment.write(
        folder, [(words, [TOLD[word] for word in words], 1) for words in sentences], longest=100
    )


def linked(folder: Path, seed: int) -> list[list[list[int]]]:
    texts = corpus(folder)
    links = word_alignment.align(texts, seed, lambda: None)
    return [links[pair].tolist() for pair in range(len(texts))]


def test_words_that_stand_for_each_other_are_linked_and_a_seed_gives_the_same_again(tmp_path: Path) -> None:
    first = linked(tmp_path / "1", seed=1)
    right = sum([i, i] in pair for pair in first for i in range(4))
    assert right >= 0.9 * 4 * len(first)
    assert linked(tmp_path / "2", seed=1) == first


def test_somebody_who_stops_it_ends_its_programs(tmp_path: Path) -> None:
    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        word_alignment.align(corpus(tmp_path), 1, stop)


def test_a_program_that_cannot_be_run_is_an_error_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.write_bytes(word_alignment.CHANCE)
    monkeypatch.setattr(word_alignment, "_program", lambda: other)
    with pytest.raises(UserError, match="cannot be run"):
        word_alignment.align(corpus(tmp_path / "texts"), 1, lambda: None)


def test_a_build_that_cannot_be_seeded_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"no such name in here")
    monkeypatch.setattr(word_alignment, "_program", lambda: other)
    with pytest.raises(UserError, match="cannot be given a seed"):
        word_alignment.align(corpus(tmp_path / "texts"), 1, lambda: None)
