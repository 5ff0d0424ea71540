"""Subwords: cut and joined to the same text, learnt the same twice, read from files as if an enemy wrote them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.training import subwords
from modelserving.training.tokenization import MARKS, UNKNOWN

TEXTS = [
    "the patient was given the medicine", "the patients were given medicines", "she saw the doctor </s> </s> </s>",
    "<pad> <unk> <s> </s> <pad> <unk> <s> </s>", "the the the the",
]  # fmt: skip
ODD = [
    "she saw a dr", "  two  spaces\tand a tab ", "👍🏽 she luv 🙂 e\u0301", "مرحبا بالعالم", "患者は薬を飲んだ。",
    "zyxwv Ünbekannt qqq.",
    "a\u00a0b\u3000c\ufffd\u00add", "</s><pad><unk>", "Ġ Ċ Â", "'s n't", "\u200b\u202e",
]  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer() -> subwords.SubwordTokenizer:
    return subwords.learn(TEXTS, 300)


@pytest.mark.parametrize("text", ODD)
def test_any_text_is_cut_and_joined_to_itself(tokenizer: subwords.SubwordTokenizer, text: str) -> None:
    pieces = tokenizer.tokenize(text)
    assert tokenizer.detokenize(pieces) == text
    assert UNKNOWN not in tokenizer.vocabulary().ids(pieces)


@pytest.mark.parametrize("text", ["", " ", " \t\n\u3000"])
def test_white_space_alone_is_no_text(tokenizer: subwords.SubwordTokenizer, text: str) -> None:
    assert tokenizer.tokenize(text) == []
    assert tokenizer.detokenize([]) == ""


def test_line_breaks_become_spaces_and_halves_of_characters_are_left_out(tokenizer: subwords.SubwordTokenizer) -> None:
    assert tokenizer.detokenize(tokenizer.tokenize("a\nb\rc\u2028d\x85e\x1df")) == "a b c d e f"
    assert tokenizer.detokenize(tokenizer.tokenize("\0a\x1b[31m\x07b\x7f\x9bc")) == "a[31mbc"
    assert tokenizer.detokenize(tokenizer.tokenize("half \ud83d of one")) == "half ? of one"
    (first, *_) = subwords.SubwordTokenizer([]).tokenize("👍")[1:]
    assert tokenizer.detokenize(["Ġa", first, "b"]) == "ab"


def test_frequent_words_are_one_piece_and_size_is_kept(tokenizer: subwords.SubwordTokenizer) -> None:
    assert tokenizer.tokenize("the patient")[0] == "Ġthe"
    assert 256 < len(tokenizer.pieces) <= 300
    assert len(subwords.learn(TEXTS, 1).pieces) == 256


def test_no_text_spells_a_mark(tokenizer: subwords.SubwordTokenizer) -> None:
    known = tokenizer.vocabulary()
    for mark in MARKS:
        assert min(known.ids(tokenizer.tokenize(f"{mark} {mark}"))) >= len(MARKS)
    assert tokenizer.detokenize(tokenizer.tokenize("</s>")) == "</s>"


def test_lower_case_is_learnt_and_cut() -> None:
    lower = subwords.learn(["The THE the tHe"], 300, lowercase=True)
    assert lower.tokenize("THE") == ["Ġthe"]


def test_equal_texts_give_equal_merges_in_every_process(tokenizer: subwords.SubwordTokenizer) -> None:
    code = f"from modelserving.training import subwords; print(ascii(subwords.learn({TEXTS!r}, 300).merges))"
    root = Path(__file__).parents[4]
    for parallel in ("true", "false"):
        environment = {"PYTHONPATH": f"{root}:{root / 'platform'}", "TOKENIZERS_PARALLELISM": parallel}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        assert done.stdout.strip() == ascii(tokenizer.merges)


def test_what_is_written_is_read(tokenizer: subwords.SubwordTokenizer, tmp_path: Path) -> None:
    tokenizer.write(tmp_path / subwords.FILE)
    again = subwords.read(tmp_path / subwords.FILE)
    assert (again.pieces, again.merges) == (tokenizer.pieces, tokenizer.merges)
    assert [again.tokenize(text) for text in ODD] == [tokenizer.tokenize(text) for text in ODD]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "not readable JSON"),
        (b"", "not readable JSON"),
        (b"[]", "no list"),
        (json.dumps({"merges": {}}).encode(), "no list"),
        (json.dumps({"merges": [["a", "b"], ["ab", "zz"]]}).encode(), "Merge 2 .* earlier pieces"),
        (json.dumps({"merges": [["a"]]}).encode(), "Merge 1 "),
        (json.dumps({"merges": [["a", 7]]}).encode(), "Merge 1 "),
        (json.dumps({"merges": [["a", " "]]}).encode(), "Merge 1 "),
        (json.dumps({"merges": [["a", "a"], ["a", "a"]]}).encode(), "twice"),
        (json.dumps({"merges": [["a" * 2**i] * 2 for i in range(8)]}).encode(), "Merge 6 .* of more than 32 bytes"),
        (b"[" * 100_000, "JSON"),
    ],
)
def test_a_file_of_another_kind_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / subwords.FILE
    path.write_bytes(content)
    with pytest.raises(UserError) as refused:
        subwords.read(path)
    assert re.search(said, refused.value.sentence)
    assert refused.value.where.startswith(subwords.FILE)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        subwords.read(tmp_path / subwords.FILE)
