"""Metrics as PLABA's own program computes them (Attal et al. 2023), held to what it gives of public texts.

`tests/golden/metrics/plaba_program.json` says by which versions the numbers were had, and of which texts.
"""

import json
from itertools import chain

import numpy as np
import pytest
from support.metric_inputs import DATA

from evaluation.corpus_statistics import words_and_sentences
from evaluation.metrics import METRICS, MetricInput
from evaluation.ngrams import printed_list
from evaluation.readability import missing_pyphen, sentence_count, textstat_counts

TEXTS = {
    "asset": "asset/asset.valid.orig",
    "cochrane_source": "cochrane/val.source",
    "cochrane_target": "cochrane/val.target",
}
PUBLISHED = DATA / "plaba" / "data.json"
# By annotator the questions whose abstracts he or she adapted first and the reference annotator second, as the program
# lists them: of the pairs of people those with the lowest and the highest scores.
ANNOTATORS = {3: (26, 28, 32, 37, 38, 39, 40, 44, 47, 50), 4: (2,), 5: (3,)}


def lines(name, count=150):
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"the published texts are not at {path}")
    return path.read_text(encoding="utf-8").split("\n")[:count]


@pytest.fixture
def program(golden):
    return golden("plaba_program")


@pytest.mark.parametrize("name", ["rouge_1", "rouge_2", "rouge_l"])
def test_rouge_is_the_programs_on_150_texts(name, program):
    """Stemmed, and three references as the one text that its library makes of their list."""
    output, *references = (lines(f"asset/asset.valid.simp.{number}") for number in range(4))
    batch = MetricInput([], output, [list(given) for given in zip(*references, strict=True)])
    scores = METRICS[name].score(batch, stem=True, references="printed")
    assert scores.sentences == pytest.approx(program["rouge"][name], abs=1e-9)
    assert scores.corpus == pytest.approx(np.mean(program["rouge"][name]), abs=1e-9)
    assert METRICS[name].score(batch, stem=True).corpus > scores.corpus + 0.04, "the best reference alone is higher"
    assert "|stem:porter|refs:printed-list-datasets-2.0|sentences:restyle-rules|" in scores.signature


def test_a_printed_list_begins_a_sentence_with_n():
    """What Python prints, by hand: a line break becomes a backslash and an n, an apostrophe changes the quotes."""
    assert printed_list(["It works. We saw it.", "It's so."]) == r"""['It works.\nWe saw it.', "It's so."]"""
    batch = MetricInput([], ["It works. We saw it."], [["It works. We saw it."]])
    scores = METRICS["rouge_1"].score(batch, references="printed")
    assert scores.corpus == pytest.approx(4 / 5), "'nwe' is another word than 'we'"


@pytest.mark.parametrize("name", TEXTS)
def test_sentences_and_words_are_textstats(name, program):
    texts = lines(TEXTS[name])
    assert [sentence_count(text) for text in texts] == [counts[0] for counts in program["counts"][name]]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.skipif(bool(missing_pyphen()), reason="pyphen, whose dictionary textstat counts syllables by, is not here")
def test_fkgl_is_textstats(name, program):
    texts = lines(TEXTS[name])
    assert [list(textstat_counts(text)) for text in texts] == program["counts"][name]
    scores = METRICS["fkgl"].score(MetricInput([], texts, []), like="textstat", pooled=False)
    assert scores.sentences == pytest.approx(program["fkgl"][name], abs=1e-9)
    assert scores.corpus == pytest.approx(np.mean(program["fkgl"][name]))
    assert "|like:textstat-0.7.3|syllables:pyphen|corpus:mean-of-texts|" in scores.signature


def test_without_pyphen_it_says_what_to_install():
    assert METRICS["fkgl"].unavailable() == ""
    assert METRICS["fkgl"].unavailable(like="textstat") == missing_pyphen()


@pytest.mark.parametrize("name", ["cochrane_source", "cochrane_target"])
def test_lengths_are_the_programs(name, program):
    """Words exactly; of sentences one in a hundred lies elsewhere, since the program splits by NLTK's Punkt."""
    lengths = words_and_sentences(lines(TEXTS[name]))
    words, sentences = program["words"][name], program["sentences"][name]
    assert lengths.words == pytest.approx(np.mean(words))
    assert lengths.words_deviation == pytest.approx(np.std(words, ddof=1))
    assert lengths.sentences == pytest.approx(np.mean(sentences), rel=0.02)


@pytest.fixture(scope="module")
def published():
    """Question, abstract and its two first adaptations, as the program joins them."""
    if not PUBLISHED.is_file():
        pytest.skip(f"PLABA's data.json is not at {PUBLISHED}")
    rows = []
    for code, entry in json.loads(PUBLISHED.read_text(encoding="utf-8")).items():
        for abstract in entry.values():
            if isinstance(abstract, dict):
                given = abstract["adaptations"]
                texts = [" ".join(given[name].values()).replace("  ", " ") for name in sorted(given)][:2]
                rows.append((int(code), " ".join(abstract["abstract"].values()), texts))
    return rows


def test_the_papers_lengths_and_table_3(published):
    """Lengths and scores of the program on the data as released; BLEU by sacreBLEU 2.0.0."""
    sources, references = [row[1] for row in published], [row[2] for row in published]
    adaptations = words_and_sentences(list(chain.from_iterable(references)))
    assert words_and_sentences(sources).words == pytest.approx(240.0254, abs=1e-4)
    assert adaptations.words == pytest.approx(244.6620, abs=1e-4)
    batch = MetricInput([], sources, references)
    for name, expected in (("rouge_1", 0.5844), ("rouge_2", 0.3647), ("rouge_l", 0.4952)):
        found = METRICS[name].score(batch, stem=True, references="printed").corpus
        assert found == pytest.approx(expected, abs=2e-4), "sentences split otherwise are all that differs"
    assert METRICS["bleu"].score(batch).corpus == pytest.approx(38.7909, abs=1e-3)


def test_the_papers_agreement(published):
    """The lowest and highest of the ranges that the paper prints: 0.4025, 0.1267 and 0.0680; 0.2410."""
    shared = {
        annotator: [row for row in published if row[0] in questions and len(row[2]) == 2]
        for annotator, questions in ANNOTATORS.items()
    }
    batches = {
        annotator: MetricInput([], [row[2][0] for row in rows], [[row[2][1]] for row in rows])
        for annotator, rows in shared.items()
    }
    settings = {"stem": True, "references": "printed"}
    assert METRICS["rouge_1"].score(batches[5], **settings).corpus == pytest.approx(0.4025, abs=5e-5)
    assert METRICS["rouge_2"].score(batches[5], **settings).corpus == pytest.approx(0.1267, abs=5e-5)
    assert METRICS["bleu"].score(batches[5]).corpus == pytest.approx(6.80, abs=5e-3)
    assert METRICS["bleu"].score(batches[3]).corpus == pytest.approx(24.10, abs=5e-3)
