"""Pairs as examples, rows and batches, with a real tokenizer: ids worked by hand."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from support import tiny_transformers

from foundation.errors import UserError
from modelserving.lexical_simplification.simplifier import IGNORED, Term, example_batches, packed, unpacked
from modelserving.lexical_simplification.word_pieces import Example, FullForms, WordPieces, words_of
from modelserving.pretrained.subwords import Subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.process_group import ProcessGroup

TEXTS = (
    "no mi or sob , pt fine .",
    "myocardial infarction mitral insufficiency shortness of breath heart attack patient",
)
FORMS = {"MI": ("mitral insufficiency", "myocardial infarction"), "SOB": ("shortness of breath",)}
SOURCE, MARKED = "no mi or sob , pt fine .", "no mi[myocardial infarction] or [shortness of breath] , patient fine ."
OPTIONS = SimpleNamespace(longest=64, batch=2, batch_tokens=0)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> WordPieces:
    folder = tiny_transformers.make("bert", tmp_path_factory.mktemp("bert"), TEXTS * 30)
    return WordPieces(Subwords(folder / "tokenizer.json"), FullForms.of(FORMS), 8)


def ids(pieces: WordPieces, *words: str) -> list[int]:
    """Each word of these texts is one piece."""
    found = [pieces.subwords.id_of(word) for word in words]
    assert pieces.pieces(" ".join(words)) == found
    return found


def test_a_pair_is_an_example(pieces: WordPieces) -> None:
    found = pieces.example(SOURCE, MARKED)
    assert found == Example(
        words=[[one] for one in ids(pieces, *SOURCE.split())],
        forms={1: [ids(pieces, "mitral", "insufficiency"), ids(pieces, "myocardial", "infarction")],
               3: [ids(pieces, "shortness", "of", "breath")]},
        located=[False, True, False, True, False, True, False, False],
        right={1: 1, 3: 0},
        rewrites=[ids(pieces, "myocardial", "infarction"), ids(pieces, "shortness", "of", "breath"),
                  ids(pieces, "patient")],
    )  # fmt: skip


def test_a_full_form_is_told_by_the_rewrite_alone(pieces: WordPieces) -> None:
    found = pieces.example("pt : mi", "patient : heart attack")
    assert found is not None
    assert (found.located, found.right) == ([True, False, True], {})
    assert list(found.forms) == [2]
    assert pieces.example("  ", "patient") is None


def test_words_are_the_same_where_the_encoder_reads_them_as_the_same(pieces: WordPieces) -> None:
    """What it does not know is told apart by its letters."""
    assert [one.text for one in words_of("pt's  mi.")] == ["pt", "'s", "mi", "."]
    odd = pieces.example("☃ pt ☂", "☃ pt ☃")
    assert odd is not None
    assert odd.located == [False, False, True]


def test_a_full_form_that_is_longer_than_a_sentence_is_cut_and_one_without_pieces_is_unknown(
    pieces: WordPieces,
) -> None:
    forms = FullForms.of({"MI": ("heart " * 700, "\u200b")})
    found = WordPieces(pieces.subwords, forms, 8).sentence(["mi", "pt"])
    assert found.forms == {0: [ids(pieces, "heart") * 62, [pieces.unknown]]}


@pytest.mark.parametrize("located", list(product([False, True], repeat=3)))
def test_rows_give_their_examples_back(located: tuple[bool, ...]) -> None:
    for forms, right in (({}, {}), ({0: [[9]]}, {0: 0}), ({0: [[9, 8], [7]], 2: [[6], [5]]}, {2: 1})):
        example = Example([[5], [6, 7], [8]], forms, list(located), right, [[4], []])
        assert unpacked(np.array(packed(example), dtype=np.int32)) == example


def test_a_batch_by_hand(pieces: WordPieces, tmp_path: Path) -> None:
    pairs = Pairs([SOURCE, "", "pt fine", "word " * 70], [MARKED, "nothing", "patient fine", "word"])
    batches = example_batches(pairs, pieces, OPTIONS, Callbacks(tmp_path), ProcessGroup())
    assert [sorted(rows.tolist()) for rows in batches.order(0)] == [[0, 1]]  # the empty and the long are left out
    batch = batches.batch(np.array([0, 1]))
    begin, end, mask, pad = pieces.special
    no, mi, or_, sob, comma, pt, fine, stop = ids(pieces, *SOURCE.split())
    patient = ids(pieces, "patient")[0]
    myocardial, mitral = ids(pieces, "myocardial", "infarction"), ids(pieces, "mitral", "insufficiency")
    breath = ids(pieces, "shortness", "of", "breath")
    assert batch.sources.tolist() == [
        [begin, no, mi, or_, sob, comma, pt, fine, stop, end], [begin, pt, fine, end, *[pad] * 6],
    ]  # fmt: skip
    assert batch.labels.tolist() == [
        [IGNORED, 0, 1, 0, 1, 0, 1, 0, 0, IGNORED], [IGNORED, 1, 0, *[IGNORED] * 7],
    ]  # fmt: skip
    aim = [no, mask, *myocardial, mask, or_, mask, *breath, mask, comma, mask, patient, mask, fine, stop]
    assert batch.targets[0].tolist() == aim
    own = [[*myocardial, mask, *breath, mask, patient, mask], [patient, mask]]
    assert [row[mine].tolist() for row, mine in zip(batch.targets, batch.own, strict=True)] == own
    assert batch.target_lengths.tolist() == [len(aim), 4]
    assert batch.terms == [Term(0, 1)]  # sob has one full form, pt none
    assert batch.contexts.tolist() == [[begin, no, mask, or_, sob, comma, pt, fine, stop, end]]
    assert batch.questions.tolist() == [[begin, mi, end]]
    assert batch.options.tolist() == [[[begin, *mitral, end], [begin, *myocardial, end]]]
    assert batch.right.tolist() == [1]
    none = batches.batch(np.array([1]))
    assert none.terms == []
    assert torch.numel(none.options) == torch.numel(none.right) == 0


def test_nothing_left_to_train_on_is_a_sentence(pieces: WordPieces, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="1 to 62 tokens"):
        example_batches(Pairs(["word " * 70], ["word"]), pieces, OPTIONS, Callbacks(tmp_path), ProcessGroup())
