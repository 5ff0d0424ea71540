"""Metrics that a setting has agree with a paper's own program: its output on 100 public texts, and on MedLane's own."""

import tomllib
from dataclasses import replace

import pytest
from support.metric_inputs import DATA

from corpora.knowledge.brackets import bracketed
from corpora.knowledge.common_words import WORD
from evaluation.metrics import METRICS, MetricInput
from foundation.project import ROOT


def recipe(name):
    """The settings of a recipe's metrics: what these tests hold to the programs is what the recipes take."""
    return tomllib.loads((ROOT / f"docs/recipes/{name}.toml").read_text(encoding="utf-8"))["metrics"]


MEDLANE, MSD = recipe("medlane-table-3"), recipe("msd-table-5")
ORDERS = ("bleu_1", "bleu_2", "bleu_3", "bleu")


def scored(name, batch):
    return METRICS[name].score(batch, **MEDLANE[name])


class TestDaisEvaluator:
    """BLEU as MSD says that it was evaluated: the mean of NLTK's sentence BLEU."""

    @pytest.mark.parametrize("references", ["1", "9"])
    def test_against_references(self, references, hundred, golden):
        expected = golden("programs")["bleu"][references]
        scores = METRICS["bleu"].score(hundred(int(references)), like="nltk")
        assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
        assert scores.sentences[:10] == pytest.approx(expected["first"], abs=1e-9)
        drawn = scores.sufficient_statistics[[0, 0, 3]].sum(axis=0)
        assert float(METRICS["bleu"].corpus_of(drawn)) == pytest.approx(scores.sentences[[0, 0, 3]].mean())

    def test_against_the_source(self, hundred, golden):
        expected = golden("programs")["bleu"]["self"]
        scores = METRICS["self_bleu"].score(hundred(1), like="nltk")
        assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
        assert "|against:source|like:nltk|case:lc|tok:nltk-" in scores.signature

    def test_an_order_without_a_match_is_0(self):
        short = MetricInput([], ["the cat sat", "the cat sat on"], [["the cat sat"], ["the cat sat on"]])
        assert METRICS["bleu"].score(short, like="nltk").sentences.tolist() == [0, 100]
        assert METRICS["bleu_2"].score(short, like="nltk").corpus == 100


class TestNlgEval:
    def test_of_the_words_at_spaces(self, hundred, golden):
        expected = golden("programs")["nlg_eval"]
        batch = hundred(9)
        batch = replace(
            batch,
            outputs=[text.lower() for text in batch.outputs],
            references=[[text.lower() for text in each] for each in batch.references],
        )
        assert [scored(name, batch).corpus / 100 for name in ORDERS] == pytest.approx(expected["bleu"], abs=1e-9)
        assert scored("bleu_mean", batch).corpus / 100 == pytest.approx(sum(expected["bleu"]) / 4, abs=1e-9)
        for name in ("rouge_l", "cider"):
            scores = scored(name, batch)
            assert scores.corpus == pytest.approx(expected[name], abs=1e-9)
            assert scores.sentences[:10] == pytest.approx(expected[f"{name.removesuffix('_l')}_first"], abs=1e-9)

    def test_rouge_takes_the_greatest_precision_and_recall_each_for_itself(self):
        """'a b' has all words of the one reference's three, and all of its own in the other of one."""
        batch = MetricInput([], ["a b"], [["a b c", "a"]])
        shares = {
            of: METRICS["rouge_l"].score(batch, like="coco", of=of).corpus for of in ("precision", "recall", "f1")
        }
        assert shares == pytest.approx({"precision": 1, "recall": 1, "f1": 1})
        signature = METRICS["rouge_l"].signature("en", like="coco")
        assert "|like:coco|rouge:L|of:f1|case:lc|tok:none|stem:no|refs:best-each|beta:1.2|" in signature


class TestMedLanesProgram:
    @staticmethod
    def marked(text: str, which: int) -> str:
        """Words of more than five letters in brackets, behind an abbreviation of their own; every second place."""
        return " ".join(
            f"x{at}[{word}]" if word.isalpha() and len(word) > 5 and (which + at) % 2 else word
            for at, word in enumerate(text.split())
        )

    def test_hit(self, hundred, golden):
        batch = hundred(2)
        outputs = [" ".join(words[: len(words) // 2]) for words in (text.lower().split() for text in batch.outputs)]
        lines = [
            [self.marked(text.lower(), which) if at % 10 or which > 1 else text for which, text in enumerate(each, 1)]
            for at, each in enumerate(batch.references)
        ]
        terms = [[bracketed(line)[1] for line in each] for each in lines]
        scores = METRICS["hit"].score(MetricInput([], outputs, [], terms=terms), **MEDLANE["hit"])
        assert scores.sentences == pytest.approx(golden("programs")["hit"]["sentences"], abs=1e-9)

    def test_hit_is_1_where_a_line_has_no_brackets(self):
        batch = MetricInput([], ["all well", "all well", "all well"], [], terms=[[["liver"], []], [["liver"]], []])
        scores = METRICS["hit"].score(batch, like="program")
        assert scores.sentences[:2].tolist() == [1, 0]
        assert scores.corpus == 0.5
        assert "|like:program|case:lc|match:anywhere|unmarked:1|" in scores.signature
        assert METRICS["hit"].score(batch).corpus == 0

    def test_cwr_differs_by_lemmas_alone(self, hundred, golden):
        scores = METRICS["cwr"].score(hundred(1), **MEDLANE["cwr"])
        assert scores.corpus == pytest.approx(golden("programs")["cwr"]["corpus"], abs=0.005)
        assert METRICS["cwr"].score(hundred(1)).corpus < scores.corpus - 0.02

    def test_cwr_counts_marks_and_no_abbreviation(self, tmp_path, monkeypatch):
        """'the', 's/p' and '.' of five tokens: 'bp' is in the dictionary, and 12 is the word 'num'."""
        monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
        (tmp_path / "common_words.txt").write_text("the bp", encoding="utf-8")
        (tmp_path / "abbreviations.tsv").write_text("bp\tblood pressure\n", encoding="utf-8")
        scores = METRICS["cwr"].score(MetricInput([], ["The s/p bp 12 ."], []), like="program")
        assert scores.corpus == pytest.approx(3 / 5.001)
        assert "|like:program|terms:" in scores.signature

    def test_ascore_takes_its_parts(self, hundred):
        batch = replace(hundred(2), terms=[[["species"], []]] * 100)
        scores = METRICS["ascore"].score(batch, **MEDLANE["ascore"])
        assert scores.details["hit"] == 1
        assert scores.details["cwr"] == METRICS["cwr"].score(batch, like="program").corpus
        assert "|like:program|terms:" in scores.signature


def test_the_recipes_take_sari_of_the_programs():
    """MSD names Xu's; MedLane's copying systems have 62 and more, which Hugging Face's alone gives copies."""
    assert (MSD["sari"], MEDLANE["sari"]) == ({"like": "xu"}, {"like": "hf"})


class TestMedLanesOutputs:
    """What the issue of each setting names, on the authors' own 100 outputs."""

    def test_sari(self, medlane_outputs, golden):
        one = replace(medlane_outputs, references=[[each[1]] for each in medlane_outputs.references])
        for like, expected in golden("programs")["medlane"]["sari"].items():
            found = [METRICS["sari"].score(batch, like=like).corpus for batch in (one, medlane_outputs)]
            assert found == pytest.approx([expected["one"], expected["four"]], abs=1e-3)

    def test_nlg_eval(self, medlane_outputs, golden):
        expected = golden("programs")["medlane"]
        assert [scored(name, medlane_outputs).corpus / 100 for name in ORDERS] == pytest.approx(
            expected["bleu"], abs=1e-5
        )
        for name in ("rouge_l", "cider"):
            assert scored(name, medlane_outputs).corpus == pytest.approx(expected[name], abs=1e-5)

    def test_cwr_and_ascore_but_for_lemmas(self, medlane_outputs, golden, tmp_path, monkeypatch):
        """With the authors' list, without their dictionary; lemmas alone make CWR 0.008 more."""
        monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
        listed = (DATA / "medlane/data/common.txt").read_text(encoding="utf-8").split("\n")
        words = [word.strip() for word in listed if WORD.fullmatch(word.strip())]
        (tmp_path / "common_words.txt").write_text("\n".join(words), encoding="utf-8")
        (tmp_path / "abbreviations.tsv").write_text("none\tnothing\n", encoding="utf-8")
        expected = golden("programs")["medlane"]
        assert METRICS["cwr"].score(medlane_outputs, **MEDLANE["cwr"]).corpus == pytest.approx(
            expected["cwr"], abs=0.01
        )
        parts = sum(expected["bleu"]) / 4, expected["hit"], expected["cwr"]
        wanted = 7.25 / (4 / parts[0] + 2.25 / parts[1] + 1 / parts[2])
        assert METRICS["ascore"].score(medlane_outputs, **MEDLANE["ascore"]).corpus == pytest.approx(wanted, abs=0.001)

    def test_hit_self_bleu_and_a_copy(self, medlane_outputs, golden):
        expected = golden("programs")["medlane"]
        copied = replace(medlane_outputs, outputs=medlane_outputs.sources)
        for batch, wanted in ((medlane_outputs, expected["hit"]), (copied, expected["hit_of_copies"])):
            assert METRICS["hit"].score(batch, **MEDLANE["hit"]).corpus == pytest.approx(wanted)
        assert METRICS["hit"].score(copied).corpus == 0
        self_bleu = METRICS["self_bleu"].score(medlane_outputs, like="nltk").corpus
        assert self_bleu == pytest.approx(expected["self_bleu"], abs=1e-4)
