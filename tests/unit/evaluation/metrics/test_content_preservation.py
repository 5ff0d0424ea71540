import csv
import gzip
import hashlib
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from support.metric_inputs import DATA

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.word_vectors import VectorFile, read_vectors, train_vectors
from evaluation.metrics import METRICS, MetricInput
from evaluation.metrics.content_preservation import cosine, pooled
from foundation.errors import UserError

CONTENT = METRICS["content_preservation"]


@pytest.fixture
def fu(golden):
    return golden("content_preservation")


@pytest.fixture
def models(tmp_path, monkeypatch):
    """The folder of what a lab brings."""
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return tmp_path


@pytest.fixture
def own(models, fu):
    """The name of a file with the golden vectors."""
    (models / "own.txt").write_text("\n".join(fu["vectors"]) + "\n", encoding="utf-8")
    return "own.txt"


def batch_of(pairs, material=None):
    sources, outputs = ([pair[side] for pair in pairs] for side in ("source", "output"))
    return MetricInput(sources, outputs, [], material=material or TrainingMaterial())


class TestWithAFile:
    def test_is_what_the_authors_program_gives(self, fu, own):
        scores = CONTENT.score(batch_of(fu["pairs"]), vectors=own)
        expected = [pair["score"] for pair in fu["pairs"]]
        assert scores.sentences == pytest.approx(expected, abs=1e-6)
        assert scores.corpus == pytest.approx(np.mean(expected), abs=1e-6)

    def test_style_words_are_left_out_on_both_sides(self, fu, own):
        material = TrainingMaterial(style_words=["Great", "bad", "heart and soul"])
        scores = CONTENT.score(batch_of(fu["pairs"], material), vectors=own)
        assert scores.sentences == pytest.approx([pair["filtered"] for pair in fu["pairs"]], abs=1e-6)

    def test_a_style_word_may_be_several_words(self, own):
        pairs = [{"source": "a heart attack , pain", "output": "heart , pain"}]
        whole = CONTENT.score(batch_of(pairs, TrainingMaterial(style_words=["heart attack", "heart"])), vectors=own)
        bare = CONTENT.score(batch_of([{"source": "a , pain", "output": ", pain"}]), vectors=own)
        assert whole.corpus == bare.corpus

    def test_small_letters_unless_told(self, own):
        pairs = [{"source": "The Heart had pain", "output": "the heart had pain"}]
        assert CONTENT.score(batch_of(pairs), vectors=own).corpus == pytest.approx(1)
        assert CONTENT.score(batch_of(pairs), vectors=own, lowercase=False).corpus < 0.99

    def test_a_text_without_known_words_has_no_score(self, own):
        pairs = [{"source": "heart", "output": "qwerty"}, {"source": "", "output": "heart"}]
        scores = CONTENT.score(batch_of([*pairs, {"source": "heart", "output": "heart"}]), vectors=own)
        assert np.isnan(scores.sentences).tolist() == [True, True, False]
        assert scores.corpus == pytest.approx(1)
        assert scores.details["without_score"] == 2
        nothing = CONTENT.score(batch_of(pairs), vectors=own)
        assert nothing.corpus is None
        assert nothing.undefined == "None of the sentences has a score."

    def test_the_lower_bound_is_that_of_all_pairs_where_they_are_few(self, fu, own):
        pairs = [*fu["pairs"], {"source": fu["pairs"][3]["source"], "output": "the movie"}]
        vectors = {word: np.array(row.split(), float) for word, row in (line.split(" ", 1) for line in fu["vectors"])}
        found = [
            cosine(*(pooled(text.split(), vectors) for text in (pair["source"], other["output"])))
            for pair in pairs
            for other in pairs
            if pair["source"] != other["source"]
        ]
        details = CONTENT.score(batch_of(pairs), vectors=own).details
        assert details["pairs"] == len(found) == 7 * 7 - 7 - 2
        assert details["lower_bound"] == pytest.approx(np.mean(found), abs=1e-6)
        assert "lower_bound" not in CONTENT.score(batch_of(pairs[:1]), vectors=own).details

    def test_the_signature_tells_files_apart(self, fu, own, models):
        one = CONTENT.score(batch_of(fu["pairs"]), vectors=own).signature
        assert "|vectors:own.txt-" in one
        assert one.endswith("|style_words:none")
        (models / own).write_text("\n".join([*fu["vectors"], "more " + "1 " * 6]), encoding="utf-8")
        assert CONTENT.signature(vectors=own).split("|")[1] != one.split("|")[1]
        listed = CONTENT.score(batch_of(fu["pairs"], TrainingMaterial(style_words=["great"])), vectors=own).signature
        assert not listed.endswith("none")
        assert all(len(part.split(":")) == 2 for part in listed.split("|"))

    @pytest.mark.usefixtures("models")
    def test_a_file_that_is_not_there_is_said(self):
        assert CONTENT.unavailable() == ""
        assert CONTENT.unavailable(vectors="glove.txt") == (
            "There is no file of word vectors 'glove.txt' below RESTYLE_MODELS; put it there."
        )
        assert "leads out" in CONTENT.unavailable(vectors="../glove.txt")
        assert "vectors:lacking" in CONTENT.signature(vectors="glove.txt")
        with pytest.raises(UserError, match=r"no file of word vectors 'glove\.txt'"):
            CONTENT.score(batch_of([{"source": "a", "output": "b"}]), vectors="glove.txt")

    def test_a_file_that_is_there_is_available(self, own):
        assert CONTENT.unavailable(vectors=own) == ""


AS_PROGRAM = {"tokenize": "none", "lowercase": False, "no_words": "the"}


class TestAsTheAuthorsProgram:
    """With the settings that the recipes of Fu's tables set, over public texts: each score is the program's own."""

    @pytest.mark.parametrize("corpus", ["amazon", "captions", "pt16"])
    def test_public_texts_have_the_program_s_scores(self, corpus, golden, models):
        expected = golden("content_preservation_public")[corpus]
        pairs = public_pairs(corpus)[: len(expected)]
        write_hashed_vectors(models / "hashed.txt", [text for pair in pairs for text in pair.values()])
        scores = CONTENT.score(batch_of(pairs), vectors="hashed.txt", **AS_PROGRAM)
        assert len(expected) >= 100
        assert scores.sentences == pytest.approx(expected, abs=2e-6)
        assert scores.corpus == pytest.approx(np.mean(expected), abs=1e-6)

    def test_no_known_word_is_the_and_num_is_one_word(self, golden, models):
        edges = golden("content_preservation_public")["edges"]
        pairs = [{"source": source, "output": output} for source, output, _ in edges]
        write_hashed_vectors(models / "hashed.txt", [text for pair in pairs for text in pair.values()])
        scores = CONTENT.score(batch_of(pairs), vectors="hashed.txt", **AS_PROGRAM)
        assert scores.sentences == pytest.approx([score for *_, score in edges], abs=2e-6)
        assert "|tok:none|no_words:the|" in scores.signature
        usual = CONTENT.score(batch_of(pairs), vectors="hashed.txt")
        assert np.isnan(usual.sentences[:2]).all()
        assert usual.sentences[2] != pytest.approx(edges[2][2], abs=1e-3), "13a tears <NUM>"


def public_pairs(corpus):
    if not DATA.is_dir():
        pytest.skip(f"the public texts are not at {DATA}")
    if corpus == "pt16":
        with (DATA / "pt16/tune.csv").open(newline="") as file:
            texts = [row["sentence"] for row in csv.DictReader(file)]
        found = list(pairwise(texts))
    else:
        name = {"amazon": "amazon/outputs/sentiment.test.0.orgin", "captions": "captions/reference.0"}[corpus]
        lines = (DATA / name).read_text("utf-8", "replace").split("\n")
        found = [tuple(line.split("\t")[:2]) for line in lines if line.strip()]
    return [{"source": source, "output": output} for source, output in found]


def write_hashed_vectors(path, texts):
    """The vectors that the golden scores were had with: a word's are the first bytes of its SHA-256."""
    rows = []
    for word in sorted({"the", *(word for text in texts for word in text.split())}):
        digest = hashlib.sha256(word.encode()).digest()
        if digest[31] % 4 or word == "the":
            rows.append(" ".join([word, *(repr(byte / 127.5 - 1) for byte in digest[:8])]))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


class TestReading:
    def test_word2vec_says_its_size_and_gz_is_unpacked(self, tmp_path):
        text = "3 2\nheart 0.5 -1\nfar away 1 2\nheart 9 9\nbreath 2 1e-3 \n"
        (tmp_path / "v.vec").write_text(text)
        (tmp_path / "v.gz").write_bytes(gzip.compress(text.encode()))
        for name in ("v.vec", "v.gz"):
            found = read_vectors(tmp_path / name, {"heart", "breath", "far", "3", "none"})
            assert {word: vector.tolist() for word, vector in found.items()} == {
                "heart": [0.5, -1],
                "breath": [2, pytest.approx(1e-3)],
            }

    @pytest.mark.parametrize(
        ("content", "line"),
        [
            (b"heart one two\n", 1), (b"2 2\nheart 1 2\nbreath 1 x\n", 3), (b"\x00\x01\xff" * 90, 1), (b"heart\n", 1),
            (b"3000000 300\n</s>\x00\x12\xa9 \x7f\n", 2), (b"heart 1 nan\n", 1), (b"x" * 3_000_000, 1),
        ],
    )  # fmt: skip
    def test_what_is_no_such_file_is_said_with_its_line(self, tmp_path, content, line):
        path = tmp_path / "v.txt"
        path.write_bytes(content)
        with pytest.raises(UserError, match=rf"^v\.txt, line {line}: This is not a file of word vectors"):
            read_vectors(path, {"heart", "breath"})

    def test_a_gz_that_holds_far_more_is_not_read_to_its_end(self, tmp_path):
        path = tmp_path / "v.gz"
        path.write_bytes(gzip.compress(b"heart 1 2\n" * 1_000_000))
        with pytest.raises(UserError, match="far more than word vectors"):
            read_vectors(path, {"breath"})

    def test_a_broken_gz_is_said(self, tmp_path):
        path = tmp_path / "v.gz"
        path.write_bytes(gzip.compress(b"heart 1 2\n" * 9999)[:60])
        with pytest.raises(UserError, match=r"^v\.gz: The file cannot be read to its end\.$"):
            read_vectors(path, {"breath"})

    def test_only_words_that_are_asked_for_are_kept(self, tmp_path):
        path = tmp_path / "v.txt"
        path.write_text("heart 1 2\nbreath 3 4\nlung 5 6\n")
        file = VectorFile(path)
        assert set(file.of({"heart", "none"})) == {"heart"}
        assert set(file.of({"lung", "heart"})) == {"heart", "lung"}
        path.unlink()
        assert set(file.of({"none"})) == {"heart", "lung"}, "what is known is not read again"


TEXTS = [
    line.split()
    for line in (
        "the dog runs in the park", "the dog plays in the park", "the cat sleeps in the house", "the cat eats in the"
        " house", "a man runs in the park with a dog", "a woman reads in the house with a cat", "the man eats", "once",
    )
]  # fmt: skip


def by_hand(texts, width):
    """The same vectors by plain loops and a dense decomposition."""
    counts = Counter(word for text in texts for word in text)
    words = sorted(word for word in counts if counts[word] >= 2)
    together = np.zeros((len(words), len(words)))
    for text in texts:
        for i, one in enumerate(text):
            for other in text[max(0, i - 5) : i] + text[i + 1 : i + 6]:
                if one in words and other in words:
                    together[words.index(one), words.index(other)] += 1
    smoothed = together.sum(axis=1) ** 0.75
    with np.errstate(divide="ignore"):
        information = np.log(together / together.sum(axis=1)[:, None] / (smoothed / smoothed.sum())[None, :])
    left, values, _ = np.linalg.svd(np.maximum(information, 0))
    return dict(zip(words, left[:, :width] * np.sqrt(values[:width]), strict=True))


class TestTrained:
    def test_vectors_are_those_of_plain_loops(self):
        found, expected = train_vectors(TEXTS, width=4), by_hand(TEXTS, width=4)
        assert found.keys() == expected.keys()
        for one in found:
            for other in found:
                assert found[one] @ found[other] == pytest.approx(expected[one] @ expected[other], abs=1e-4)

    def test_windows_reach_over_the_pieces_that_are_counted(self, monkeypatch):
        whole = train_vectors(TEXTS, width=4)
        for size in (1, 3, 7):
            monkeypatch.setattr("evaluation.learned_scorers.word_vectors.CHUNK", size)
            pieces = train_vectors(TEXTS, width=4)
            assert {word: row.tolist() for word, row in pieces.items()} == {
                word: row.tolist() for word, row in whole.items()
            }

    def test_trained_on_the_study_and_says_so(self):
        texts = {"a": [" ".join(text) for text in TEXTS[:4]], "b": [" ".join(text) for text in TEXTS[4:]]}
        pairs = [
            {"source": "The dog runs in the park", "output": "The dog runs in the park"},
            {"source": "the dog runs in the park", "output": "the cat sleeps in the house"},
        ]
        material = TrainingMaterial(texts=texts, origin="own")
        scores = CONTENT.score(batch_of(pairs, material))
        assert scores.sentences[0] == pytest.approx(1)
        assert scores.sentences[1] < 0.95
        assert "|vectors:ppmi-svd-100|" in scores.signature
        assert f"|texts:{material.digest('texts')[:8]}|origin:own|style_words:none" in scores.signature
        again = CONTENT.score(batch_of(pairs, TrainingMaterial(texts=texts, origin="own")))
        assert again.sentences.tolist() == scores.sentences.tolist()
        assert again.details == scores.details

    @pytest.mark.parametrize("texts", [{}, {"a": ["one two"], "b": []}])
    def test_with_too_few_texts_it_is_undefined(self, texts):
        scores = CONTENT.score(batch_of([{"source": "a", "output": "a"}], TrainingMaterial(texts=texts)))
        assert scores.corpus is None
        assert scores.undefined.startswith("There are too few texts to train word vectors on")
        assert np.isnan(scores.sentences).all()

    def test_real_outputs_are_nearer_to_their_sources_than_to_others(self, amazon):
        """Fu's lower bound: 0.863 on such reviews, by other vectors."""
        batch = amazon("orgin")
        texts = {"negative": batch.sources[:500], "positive": batch.sources[500:]}
        scores = CONTENT.score(MetricInput(batch.sources, batch.outputs, [], material=TrainingMaterial(texts=texts)))
        assert scores.details["pairs"] > 1900
        assert scores.details["lower_bound"] + 0.1 < scores.corpus < 1

    def test_without_material_it_says_so(self):
        with pytest.raises(UserError, match="nothing to train it on"):
            CONTENT.score(MetricInput(["a"], ["a"], []))
