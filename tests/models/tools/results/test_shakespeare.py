"""The experiment on Shakespeare: the published texts as their authors read them, and a small network on made pairs."""

from pathlib import Path

import pytest

from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError
from tools.results import shakespeare, shakespeare_unpaired
from tools.results.__main__ import main
from tools.results.run_store import RunStore

BLEU = METRICS["bleu"]

SHAKESPEARE = Path(__file__).parents[5] / "shared" / "data" / "shakespeare"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "shakespeare"
    folder.mkdir(parents=True)
    for name, count in (("train", 8), ("valid", 2), ("test", 3)):
        for style, verb in (("modern", "has"), ("original", "hath")):
            lines = [f"He {verb} {place} horses ." for place in range(count)]
            (folder / f"{name}.{style}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.mark.soak
@pytest.mark.skipif(not SHAKESPEARE.exists(), reason="Shakespeare does not lie beside the repository")
def test_the_source_copied_has_the_bleu_that_is_published() -> None:
    """21.13: 'As-It-Is' of Jhamtani et al. (2017)."""
    texts = shakespeare.read(SHAKESPEARE)
    assert [len(one.sources) for one in (texts.train, texts.tune, texts.test)] == [18_395, 1_218, 1_462]
    test = MetricInput(texts.test.sources, texts.test.sources, texts.test.references)
    assert round(BLEU.score(test, tokenize="none").corpus, 2) == 21.13
    judge = shakespeare.EXPERIMENT.evaluator(texts)
    found = judge.of(judge.sources)
    assert found["intervals"]["bleu"][0] < found["bleu"] < found["intervals"]["bleu"][1]
    networks_write = [text.replace(" .", ".").replace(" ,", ",") for text in judge.sources]
    assert judge.of(networks_write)["bleu"] == pytest.approx(found["bleu"], abs=0.5), "a full stop at a word counts too"
    assert set(found["draws"]) == {"bleu"}, "rows are compared by BLEU"
    assert "sari_of_fewer" not in found, "a source has one rewrite"


def test_a_run_stands_in_the_table_by_its_bleu_without_people(made: Path, tmp_path: Path) -> None:
    document = tmp_path / "results.md"
    document.write_text("<!-- made: shakespeare -->\n<!-- end: shakespeare -->\n")
    small = ["hidden=8", "embedding=8", "epochs=1", "seed=1"]
    main([
        "shakespeare", "--models", "seq2seq", "--set", *small, "--data", str(made.parent), "--runs",
        str(tmp_path / "runs"), "--work", str(tmp_path / "work"), "--document", str(document),
    ])  # fmt: skip
    rows = [line.split("|")[1:-1] for line in document.read_text().splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in rows[0][:4]] == ["", "BLEU", "seeds", "SARI"]
    table = [row for row in rows[2:] if "[" in row[1]]
    scores = [float(row[1].split()[0]) for row in table]
    assert scores == sorted(scores, reverse=True)
    assert len(table) == 6, "one model, five rows that know nothing"
    stored = RunStore(tmp_path / "runs" / "shakespeare").all()
    assert "human" not in stored


def test_a_word_of_one_pair_alone_is_not_known() -> None:
    assert shakespeare.EXPERIMENT.planned("seq2seq", 1, {}).options.least == 2
    assert shakespeare.EXPERIMENT.planned("pointer_net", 1, {}).options.least == 3, "which counts both sides in one"
    assert shakespeare.EXPERIMENT.planned("pointer_net", 1, {"least": 5}).options.least == 5, "what is given goes first"


def test_without_pairs_nothing_says_which_texts_belong_together(made: Path, tmp_path: Path) -> None:
    data = shakespeare_unpaired.EXPERIMENT.data(shakespeare.read(made))
    assert not len(data.train)
    assert not len(data.dev.sources)
    for texts, count in ((data.texts, 8), (data.dev_texts, 2)):
        assert {style: len(of) for style, of in texts.items()} == {"modern": count, "original": count}
        assert all(list(of) == sorted(of) for of in texts.values())
    document = tmp_path / "results.md"
    document.write_text("<!-- made: shakespeare_unpaired -->\n<!-- end: shakespeare_unpaired -->\n")
    main([
        "shakespeare_unpaired", "--models", "auto_encoder", "--set", "hidden=8", "epochs=1", "seed=1",
        "--data", str(made.parent), "--runs", str(tmp_path / "runs"), "--work", str(tmp_path / "work"),
        "--document", str(document),
    ])  # fmt: skip
    rows = [line.split("|")[1].strip() for line in document.read_text().splitlines() if line.startswith("| `")]
    assert "`auto_encoder`" in rows, "judged on the pairs, beside rows that know nothing"


def test_sides_of_different_length_are_told(made: Path) -> None:
    (made / "test.original.txt").write_text("one line\n")
    with pytest.raises(UserError, match=r"test\.original\.txt: The two sides have 3 and 1 lines"):
        shakespeare.read(made)
