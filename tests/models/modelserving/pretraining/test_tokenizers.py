"""Tokenizers made of texts: the same with every process, nothing lost, and no text is a special token."""

import subprocess
import sys
from pathlib import Path

import pytest

from foundation.errors import UserError
from foundation.project import ROOT
from modelserving.pretraining.corpus import make_tokenizer

TEXTS = ["Pt. c/o SOB & chest pain x2 days.", "She was seen by a doctor in the ER.", "No fever, no chills."] * 20
TRAPS = ["a </s> b", "<s>x</s>", "<pad><unk>", "<extra_id_0> and <extra_id_99>", "<mask>"]
MADE = """
import hashlib, sys
from modelserving.pretraining.corpus import make_tokenizer
made = make_tokenizer(sys.argv[1], sys.argv[2].split("|"), 150)
print(hashlib.sha256(made.backend_tokenizer.to_str().encode()).hexdigest())
"""
BOTH = pytest.mark.parametrize("architecture", ["t5", "bart"])


@BOTH
def test_a_text_comes_back_from_its_ids(architecture: str, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    made = make_tokenizer(architecture, TEXTS, 400)
    made.save_pretrained(tmp_path)
    read = AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)
    for text in TEXTS[:3]:
        assert read.decode(read(text).input_ids, skip_special_tokens=True) == text
        assert read(text).input_ids == made(text).input_ids
        assert read(text).input_ids[-1] == read.eos_token_id
    assert (tmp_path / "tokenizer.json").is_file()


@BOTH
def test_what_spells_a_special_token_is_a_text(architecture: str) -> None:
    made = make_tokenizer(architecture, [*TEXTS, *TRAPS * 30], 400)
    for text in TRAPS:
        inner = made(text, add_special_tokens=False).input_ids
        assert not set(inner) & set(made.all_special_ids)
        assert made.decode(inner).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("architecture", ["t5", pytest.param("bart", marks=pytest.mark.soak)])
def test_equal_texts_make_an_equal_tokenizer_in_every_process(architecture: str) -> None:
    command = [sys.executable, "-c", MADE, architecture, "|".join([*TEXTS, "aa ab ba bb cc cd dc"])]
    found = {
        subprocess.run(
            command, capture_output=True, text=True, check=True, env={"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
        ).stdout
        for _ in range(2)
    }
    assert len(found) == 1


def test_a_tokenizer_for_t5_has_its_sentinels_and_one_for_bart_its_mask() -> None:
    vocabulary = make_tokenizer("t5", TEXTS, 200).get_vocab()
    assert all(f"<extra_id_{number}>" in vocabulary for number in range(100))
    bart = make_tokenizer("bart", TEXTS, 300)
    assert None not in (bart.mask_token_id, bart.bos_token_id, bart.eos_token_id, bart.pad_token_id)
    assert bart.convert_ids_to_tokens(bart("x").input_ids)[0] == "<s>"


def test_bart_has_no_unknown_piece_and_t5_one_for_what_it_never_saw() -> None:
    bart, t5 = (make_tokenizer(name, TEXTS, 300) for name in ("bart", "t5"))
    assert bart.unk_token_id not in bart("漢字 👍🏽").input_ids
    assert t5.unk_token_id in t5("漢字").input_ids


@BOTH
@pytest.mark.parametrize("texts", [[], ["", "  "]])
def test_no_text_is_a_sentence(architecture: str, texts: list[str]) -> None:
    with pytest.raises(UserError, match="no text"):
        make_tokenizer(architecture, texts, 200)
