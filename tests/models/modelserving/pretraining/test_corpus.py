"""A corpus on disk: pieces of texts with their sentences, made once."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from foundation.errors import UserError
from modelserving.pretraining.corpus import FILE, Corpus, make_corpus, make_tokenizer, sentences_of

TEXTS = ["Pt. seen in the ER. No fever today.", "She is well.", "", "Fine.", "She was seen by a doctor in the ER."]
TOKENIZER = make_tokenizer("bart", TEXTS * 5, 300)


class Some(NamedTuple):
    train: Sequence[str]
    tune: Sequence[str] = ()


def made(folder: Path, packed: bool = True, longest: int = 24) -> Corpus:
    return make_corpus(folder, Some(TEXTS, TEXTS[:2]), TOKENIZER, longest, packed)


def read(corpus: Corpus) -> list[list[str]]:
    return [[TOKENIZER.decode(one) for one in sentences_of(row)] for row in corpus.train]


def test_pieces_hold_the_sentences_of_texts_in_their_order(tmp_path: Path) -> None:
    corpus = made(tmp_path)
    said = " ".join(" ".join(TEXTS).split())
    assert "".join(one for row in read(corpus) for one in row).strip() == said
    assert all(len(np.concatenate(sentences_of(row))) <= 24 for row in corpus.train)
    assert len(corpus.train) > 1
    assert corpus.counts.texts == 5
    assert corpus.counts.pieces == len(corpus.train)
    assert corpus.counts.tune == len(corpus.tune) > 0


def test_texts_apart_share_no_piece_and_begin_without_a_space(tmp_path: Path) -> None:
    rows = read(made(tmp_path, packed=False, longest=100))
    assert [len(row) for row in rows] == [2, 1, 1, 1]
    assert [row[0][0] for row in rows] == ["P", "S", "F", "S"]
    assert rows[0][1] == " No fever today."


def test_a_corpus_is_made_once_and_has_the_digest_of_its_texts(tmp_path: Path) -> None:
    first = made(tmp_path)
    again = make_corpus(tmp_path, Some(["other texts"]), TOKENIZER, 24, True)
    assert again.counts == first.counts
    (tmp_path / FILE).unlink()  # killed before it was whole
    other = make_corpus(tmp_path, Some(["other texts"]), TOKENIZER, 24, True)
    assert (other.counts.texts, other.counts.tune) == (1, 0)
    assert other.counts.digest != first.counts.digest


def test_a_special_token_that_an_old_tokenizer_finds_in_a_text_is_left_out(tmp_path: Path) -> None:
    old = make_tokenizer("bart", TEXTS * 5, 300)
    old.split_special_tokens = False
    corpus = make_corpus(tmp_path, Some(["a </s> b <mask> c <s>"] * 3), old, 50, True)
    assert not set(old.all_special_ids) & set(np.concatenate(list(corpus.train)).tolist())


def test_nothing_to_train_on_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to train on"):
        make_corpus(tmp_path, Some(["", " "]), TOKENIZER, 24, True)
