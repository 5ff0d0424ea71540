"""The table of a small corpus, by hand; and in parts on disk it is the same as in one."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from foundation.errors import UserError
from foundation.kneser_ney import estimate
from foundation.seeds import generator
from modelserving.phrase_based import table_builder, word_alignment
from modelserving.phrase_based.phrase_table import PhraseTable
from modelserving.phrase_based.table_files import load_model, load_table, rounded, save_model, save_table
from modelserving.phrase_based.word_alignment import Links

Rows = dict[tuple[str, str], tuple[list[float], list[float]]]
PAIRS = [
    (["u", "ok"], ["you", "okay"], 2),
    (["u"], ["you"], 1),
    (["u"], ["thou"], 1),
    (["ok"], ["okay"], 1),
]


WHOLE = table_builder.Shape()


def diagonal(texts: word_alignment.Bitext) -> Links:
    """Word i is linked to word i."""
    sizes = [min(len(texts.source[pair]), len(texts.target[pair])) for pair in range(len(texts))]
    points = [(i, i) for size in sizes for i in range(size)]
    return Links(np.array(points, dtype=np.int16).reshape(-1, 2), np.cumsum([0, *sizes]))


def built(folder: Path, pairs: list[word_alignment.Pair], shape: table_builder.Shape = WHOLE) -> PhraseTable:
    texts = word_alignment.write(folder, pairs, longest=100)
    return table_builder.build(texts, diagonal(texts), shape, lambda: None)


def rows(found: PhraseTable) -> Rows:
    """By source and target phrase: the four probabilities, and the six of the orientations."""
    names = list(found.words)
    said: Rows = {}
    for i, (first, last) in enumerate(pairwise(found.options)):
        source = " ".join(names[n] for n in found.source[found.source_offsets[i] : found.source_offsets[i + 1]])
        for j in range(first, last):
            target = " ".join(names[n] for n in found.target[found.target_offsets[j] : found.target_offsets[j + 1]])
            reordering = np.exp(found.reordering[j]).tolist() if found.lexicalized else []
            said[source, target] = (np.exp(found.scores[j]).tolist(), reordering)
    return said


def test_probabilities_are_shares_of_weighted_counts(tmp_path: Path) -> None:
    found = built(tmp_path, PAIRS)
    found.check()
    said = rows(found)
    assert set(said) == {("u", "you"), ("u", "thou"), ("ok", "okay"), ("u ok", "you okay")}
    # u was seen 4 times, 3 of them as you; every you and thou is of u
    assert said["u", "you"][0] == pytest.approx([3 / 4, 3 / 4, 1, 1])
    assert said["u", "thou"][0] == pytest.approx([1 / 4, 1 / 4, 1, 1])
    assert said["u ok", "you okay"][0] == pytest.approx([1, 3 / 4, 1, 1])


def test_orientations_are_smoothed_by_a_half(tmp_path: Path) -> None:
    said = rows(built(tmp_path, PAIRS))
    monotone = [3.5 / 4.5, 0.5 / 4.5, 0.5 / 4.5]
    assert said["u", "you"][1] == pytest.approx([*monotone, *monotone])


def test_translations_are_kept_by_what_is_asked(tmp_path: Path) -> None:
    assert set(rows(built(tmp_path / "best", PAIRS, table_builder.Shape(best=1)))) == {
        ("u", "you"), ("ok", "okay"), ("u ok", "you okay"),
    }  # fmt: skip
    seen = rows(built(tmp_path / "seen", PAIRS, table_builder.Shape(seen=2)))
    assert set(seen) == {("u", "you"), ("ok", "okay"), ("u ok", "you okay")}
    assert seen["u", "you"][0][0] == pytest.approx(3 / 4)  # what is left out counted still
    assert len(built(tmp_path / "short", PAIRS, table_builder.Shape(longest=1))) == 3
    assert not built(tmp_path / "distance", PAIRS, table_builder.Shape(lexicalized=False)).lexicalized


def test_a_table_made_in_many_files_is_that_made_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = generator(1, "table")
    words = [f"w{n}" for n in range(30)]
    pairs = [(rng.choice(words, 9).tolist(), rng.choice(words, 9).tolist(), 1) for _ in range(200)]
    whole = rows(built(tmp_path / "whole", pairs))
    monkeypatch.setattr(table_builder, "TOGETHER", 500)
    parted = built(tmp_path / "parted", pairs)
    parted.check()
    assert rows(parted) == whole


def test_a_bitext_leaves_out_what_cannot_be_aligned(tmp_path: Path) -> None:
    pairs = [([], ["a"], 1), (["a"], [], 1), (["a"] * 5, ["a"], 1), (["a"], ["b"] * 10, 1), (["x", "y"], ["z"], 4)]
    texts = word_alignment.write(tmp_path, pairs, longest=4)
    assert (len(texts), texts.words, texts.weights.tolist()) == (1, ["x", "y", "z"], [4])


def test_a_table_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    found, folder = built(tmp_path / "made", PAIRS), tmp_path / "saved"
    folder.mkdir()
    save_table(found, folder)
    assert rows(load_table(folder)) == rows(found)
    (folder / "phrases.txt").write_text("you\n")
    with pytest.raises(UserError, match="broken"):
        load_table(folder)
    (folder / "phrases.safetensors").write_bytes(b"no tensors")
    with pytest.raises(UserError, match="broken"):
        load_table(folder)


def test_a_language_model_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    model = rounded(estimate([["a", "b", "c"], ["a", "c"]], 3))
    save_model(model, tmp_path)
    loaded = load_model(tmp_path, 3)
    assert loaded.words == model.words
    for words in (["a", "b"], ["c", "never seen"], []):
        assert loaded.logprob(words) == model.logprob(words)
    with pytest.raises(UserError, match="other arrays"):
        load_model(tmp_path, 4)
